"""The wrong values that a dealer at a wheel types."""

from random import Random

from simulators.oracles.bets_by_name import bets_by_name
from simulators.oracles.wheel import FRENCH
from simulators.people.mistyped import Entered, Mistyped
from simulators.wheel.people import Ask, View


def mistyped(view: View, doing: Ask, rng: Random) -> Mistyped | None:
    """Returns a mistyped form of the act `doing`: another value, another act, or the act alone without any meant act.
    Returns None if the act is typed correctly.
    """
    match doing.act:
        case "place-chips" | "place-value-chips":
            name = rng.choice([name for name in ("player", "bet", "chips", "amount") if name in doing.values])
            return _with(doing, {name: _other(name, doing.values[name], view, rng)})
        case "remove-bet":
            others = [{"player": str(one.player), "bet": one.bet} for one in view.wheel.stakes]
            others = [other for other in others if other != doing.values]
            return _with(doing, rng.choice(others)) if others else None
        case "pay-prizes":
            return Mistyped(Entered(doing.act, doing.values), meant=None)
        case "announce-nothing-more" if rng.random() < _CALLS_NULL:
            return Mistyped(Entered("declare-null-spin", {}), Entered(doing.act, doing.values))
        case _:
            return None


_CALLS_NULL = 0.5


def _with(doing: Ask, values: dict[str, str]) -> Mistyped | None:
    entered = Entered(doing.act, {**doing.values, **values})
    return None if entered.values == doing.values else Mistyped(entered, Entered(doing.act, doing.values))


def _other(name: str, text: str, view: View, rng: Random) -> str:
    match name:
        case "player":
            return str(rng.choice([one.player for one in view.wheel.players] or [text]))
        case "bet":
            known = bets_by_name(FRENCH)
            same = [bet for bet in known if known[bet].stake == known[text].stake]
            return rng.choice(same)
        case _:
            return str(int(text) * rng.choice((2, 3, 5)))
