"""The acts that the dealer mistypes at a card table; people/putting_right.py corrects them."""

from functools import partial
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.core.words import Role, RoundPhase, SessionPhase
from simulators.people.choices import SEATS
from simulators.people.doing import Ask, Touch, View
from simulators.people.jackpot import in_units
from simulators.people.mistyped import Entered, Mistyped
from simulators.people.stakes import said
from simulators.people.status import place_of
from simulators.world.card_scene import CardScene
from simulators.world.faults import PlannedFault
from simulators.world.missteps import Instead, Misstep

AT_ONCE_S: Final = 0.3
CHIEF_SAYS: Final = 5
"""The chief supervisor notices one mistyping in this many; the dealer notices all other mistypings."""

_BETS: Final = ("place-bet", "take-bets")
_BESIDES: Final = ("place-side-bet", "place-jackpot-bet", "take-bets")
_DECISIONS: Final = (
    *("draw-card", "stand", "double-down", "split-pair", "surrender", "insure", "take-even-money"),
    "claim-five-cards",
)
_PAYMENTS: Final = ("confirm-settled",)
_WHICH: Final = (_BETS, _DECISIONS, _BESIDES, _DECISIONS, _PAYMENTS)
"""The groups of acts of which one is mistyped; the fault's `salt` chooses the group."""


_BEFORE_THE_END: Final = (RoundPhase.IDLE, RoundPhase.BETTING, RoundPhase.DEALING, RoundPhase.PLAYING)


class Mistyping(Struct):
    """Turns a planned fault into a mistyped act. People notice the mistake later."""

    scene: CardScene

    def misstep_of(self, fault: PlannedFault, view: View, role: Role, doing: Ask | Touch) -> Misstep | None:
        """Returns the mistyped act that replaces the dealer's act `doing`, with wrong values or as another decision,
        and notes the mistake at the table. Returns None if `fault` cannot affect the act.
        """
        mislaid = self.scene.equipment.room.mislaid
        if role is not Role.DEALER or not isinstance(doing, Ask) or mislaid.mistyped is not None:
            return None
        if view.status.session is not SessionPhase.IN_PLAY or doing.act not in _WHICH[fault.salt % len(_WHICH)]:
            return None
        wrong = _mistyped(fault.rng, view, doing)
        if wrong is None:
            return None
        wrong.said_by = Role.CHIEF_SUPERVISOR if fault.salt % CHIEF_SAYS == 0 else Role.DEALER
        mislaid.mistyped = wrong
        notices_s = fault.for_s if fault.salt % 3 == 0 else AT_ONCE_S
        self.scene.crew.on_mistyped = lambda: self._notice_in(notices_s, wrong)
        return Instead(Ask(wrong.entered.act, wrong.entered.values))

    def _notice_in(self, for_s: float, wrong: Mistyped) -> None:
        self.scene.clock.after(for_s, partial(self._notice, wrong))

    def _notice(self, wrong: Mistyped) -> None:
        """Lets people notice the mistyping, or drops it if the round's cards have already been collected."""
        room, shown = self.scene.equipment.room, self.scene.host.look()
        is_over = shown is not None and shown.round not in _BEFORE_THE_END and not room.table
        if is_over and room.mislaid.mistyped is wrong:
            room.mislaid.mistyped = None
        wrong.is_noticed = True
        self.scene.crew.sight_changed()


def _mistyped(rng: Random, view: View, doing: Ask) -> Mistyped | None:
    match doing.act:
        case "place-bet":
            return _with(doing, _other_bet(rng, view, doing))
        case "place-side-bet":
            return _with(doing, {"amount": in_units(view.choices.minimum_cents * rng.choice((2, 3)))})
        case "place-jackpot-bet":
            others = [seat for seat in view.status.seats if str(seat) != doing.values["seat"]]
            wrong = _with(doing, {"seat": str(rng.choice(others))}) if others else None
            return wrong if wrong is None or rng.random() < 1 / 2 else replace(wrong, meant=None)  # a chip too many
        case "take-bets":
            entered = Entered(doing.act, {"seats": str(rng.randint(1, SEATS))})
            return None if entered.values == doing.values else Mistyped(entered, meant=None)
        case "confirm-settled":
            return Mistyped(Entered(doing.act, doing.values), meant=None)
        case _:
            asks = [Entered(ask.act, ask.values) for ask in _decisions(view) if ask.words != doing.words]
            return Mistyped(rng.choice(asks), Entered(doing.act, doing.values)) if asks else None


def _with(doing: Ask, values: dict[str, str]) -> Mistyped | None:
    entered = Entered(doing.act, {**doing.values, **values})
    return None if entered.values == doing.values else Mistyped(entered, Entered(doing.act, doing.values))


def _other_bet(rng: Random, view: View, doing: Ask) -> dict[str, str]:
    """Returns a wrong amount or a wrong seat for this bet, as the values to replace."""
    if "bettor" in doing.values or rng.random() < 2 / 3:
        return {"amount": in_units(view.choices.minimum_cents * rng.choice((2, 3, 5, 10)))}
    return {"seat": str(rng.randint(1, SEATS))}


def _decisions(view: View) -> list[Ask]:
    """Returns the acts of decision that are possible now. At a table that follows cards alone, returns one draw for
    each seat.
    """
    money = view.status.money
    if money is None:
        return [Ask("draw-card", {"seat": str(seat)}) for seat in view.status.seats]
    offered = [said(one) for one in view.status.decisions if one.values.get("seat") != "bank"]
    if money.turn in {"", "bank"}:
        return offered
    seat, index = place_of(money.turn)
    which = {"seat": str(seat)} | ({"hand": str(index)} if index > 1 else {})
    return [*offered, Ask("draw-card", which), Ask("stand", which)]
