"""The words of scenarios at a roulette table: spins, colours of chips, bets, prizes, the display."""

from collections.abc import Callable
from typing import Final

from controller.core.games.roulette.cloth import colour_of
from controller.core.games.roulette.markers import value_shown
from controller.core.games.roulette.notices import money
from controller.core.games.roulette.paying import group_to_pay
from controller.core.games.roulette.payments import Prize
from controller.core.games.roulette.state import ChipColour, Player, RouletteState
from controller.core.games.roulette.wheel import (
    BallLaunched,
    NumberChanged,
    SpinEnded,
    SpinOverdue,
    SpinsUnseen,
    WheelClosedBets,
    WheelHeard,
    WheelLost,
)
from controller.core.money import cents_of, units
from controller.core.words import Device, RoundPhase
from controller.scenario.house_words import Fact, Found, same
from controller.scenario.shorthand import Step, Words, as_shown, must
from controller.scenario.slots import Kind, Slot
from controller.scenario.wheel_player import WheelPlayer

_WHEEL, _DISPLAY = Device.ROULETTE_WHEEL, Device.VALUE_DISPLAY

# --- steps


def _in_play(player: WheelPlayer, _words: Words) -> None:
    must(player, "dealer", "sign-in", operation="table")
    must(player, "dealer", "open-session")


def _the_other_way(state: RouletteState) -> bool:
    """True if the next launch should be clockwise. The first launch is clockwise; then the direction alternates."""
    return not state.wheel.clockwise


def _launch(player: WheelPlayer, _words: Words) -> None:
    clockwise = _the_other_way(player.state)
    must(player, "dealer", "launch-ball", clockwise="yes" if clockwise else "no")
    if player.state.setup.has_wheel:
        _tell_launch(player, clockwise=clockwise)


def _tell_launch(player: WheelPlayer, *, clockwise: bool) -> None:
    player.game += 1
    player.put(BallLaunched(player.game, not clockwise))


def _launched(player: WheelPlayer, words: Words) -> None:
    """Makes the wheel report a launch that the dealer has not entered."""
    clockwise = words[0] == "clockwise" if words else _the_other_way(player.state)
    _tell_launch(player, clockwise=clockwise)


def _slows(player: WheelPlayer, _words: Words) -> None:
    player.put(WheelClosedBets(player.game))


def _nothing_more(player: WheelPlayer, _words: Words) -> None:
    if player.state.game.phase is RoundPhase.SPINNING:
        must(player, "dealer", "announce-nothing-more")


def _rests(player: WheelPlayer, words: Words) -> None:
    troubles = tuple(words[1:])
    player.put(SpinEnded(player.game, None if words[0] == "none" else int(words[0]), troubles))


def _number(player: WheelPlayer, words: Words) -> None:
    """Ends a spin with the number `words[0]`: the dealer's "no more bets", the wheel's report, and the announcement of
    the number.
    """
    _nothing_more(player, ())
    if player.state.setup.has_wheel:
        _rests(player, words)
    must(player, "dealer", "announce-number", number=words[0])


def _paid(player: WheelPlayer, _words: Words) -> None:
    while (group := group_to_pay(player.state)) is not None:
        must(player, "dealer", "pay-prizes", group=group.value)
    must(player, "dealer", "confirm-payments")


def _spin(player: WheelPlayer, words: Words) -> None:
    _launch(player, ())
    _number(player, words)
    _paid(player, ())


def _colour(player: WheelPlayer, words: Words) -> None:
    """Gives a player a colour of chips, and confirms the value of these chips. `words`: player, colour, value."""
    must(player, "dealer", "give-colour", player=words[0], colour=words[1], value=words[2])
    must(player, "dealer", "confirm-value", player=words[0])


def _bet(player: WheelPlayer, words: Words) -> None:
    must(player, "dealer", "place-chips", player=words[0], bet=words[1], chips=words[2])


def _value_bet(player: WheelPlayer, words: Words) -> None:
    must(player, "dealer", "place-value-chips", player=words[0], bet=words[1], amount=words[2])


def _marked_bet(player: WheelPlayer, words: Words) -> None:
    must(player, "dealer", "place-value-chips", player=words[0], bet=words[1], amount=words[2], marked="yes")


def _wheel_back(player: WheelPlayer, _words: Words) -> None:
    player.put(WheelHeard())


def _display_shows(player: WheelPlayer, words: Words) -> None:
    player.display_shows(ChipColour(words[0]), cents_of(words[1]))


_PLAYER: Final = Slot(Kind.NUMBER)
_NUMBER: Final = (Slot(Kind.WHEEL_NUMBER),)
_RESULT: Final = (Slot(Kind.RESULT), Slot(Kind.TROUBLE, 0, 9))
_BET: Final = (_PLAYER, Slot(Kind.BET))

STEPS: Final[dict[str, Step[WheelPlayer]]] = {
    "in-play": Step((), _in_play),
    "colour": Step((_PLAYER, Slot(Kind.CHIP_COLOUR), Slot(Kind.AMOUNT)), _colour),
    "bet": Step((*_BET, Slot(Kind.NUMBER)), _bet),
    "value-bet": Step((*_BET, Slot(Kind.AMOUNT)), _value_bet),
    "marked-bet": Step((*_BET, Slot(Kind.AMOUNT)), _marked_bet),
    "launch": Step((), _launch),
    "nothing-more": Step((), _nothing_more),
    "number": Step(_NUMBER, _number),
    "paid": Step((), _paid),
    "spin": Step(_NUMBER, _spin),
    # --- the wheel's line alone
    "launched": Step((Slot(Kind.WAY, 0),), _launched, _WHEEL),
    "slows": Step((), _slows, _WHEEL),
    "rests": Step(_RESULT, _rests, _WHEEL),
    "unseen": Step((Slot(Kind.NUMBER),), lambda player, words: player.put(SpinsUnseen(int(words[0]), None)), _WHEEL),
    "changed": Step(_NUMBER, lambda player, words: player.put(NumberChanged(None, int(words[0]))), _WHEEL),
    "overdue": Step((), lambda player, _words: player.put(SpinOverdue()), _WHEEL),
    "wheel-lost": Step((), lambda player, _words: player.put(WheelLost("silent")), _WHEEL),
    "wheel-back": Step((), _wheel_back, _WHEEL),
    # --- the value display alone
    "display-hangs": Step((), lambda player, _words: setattr(player, "display_hangs", True), _DISPLAY),
    "display-shows": Step((Slot(Kind.CHIP_COLOUR), Slot(Kind.AMOUNT)), _display_shows, _DISPLAY),
    "display-lost": Step((), lambda player, _words: player.display_lost(), _DISPLAY),
    "display-back": Step((), lambda player, _words: player.display_connects(), _DISPLAY),
}
"""Every word of `given` and `when` at a wheel; FORMAT.md explains each."""


# --- facts


def _prizes(player: WheelPlayer) -> tuple[Prize, ...]:
    settled = player.spin.settled
    return () if settled is None else settled.prizes


def _pays(player: WheelPlayer, words: Words) -> Found:
    """Checks that a player's bet has a prize of this amount. `words`: player, bet, amount."""
    found = [money(one.exact) for one in _prizes(player) if (str(one.player), one.bet) == (words[0], words[1])]
    return Found(as_shown(words[2]) in found, " ".join(found) or "-")


def _prizes_of(player: WheelPlayer, words: Words) -> Found:
    """Checks the sum of a player's prizes in the present spin. `words`: player, amount."""
    settled = player.spin.settled
    found = "-" if settled is None else money(settled.of_player(int(words[0])))
    return Found(found == as_shown(words[1]), found)


def _house(player: WheelPlayer, words: Words) -> Found:
    found = player.house
    shown = "-" if found is None else ("-" if found < 0 else "") + money(abs(found))
    return Found(shown == as_shown(words[0]).lstrip("+"), shown)


def _order(player: WheelPlayer, words: Words) -> Found:
    found = tuple(dict.fromkeys(one.group.value for one in _prizes(player)))
    return Found(found == words, " ".join(found) or "-")


def _flagged(player: WheelPlayer, words: Words) -> Found:
    return Found(any(one.flag for one in _prizes(player) if str(one.player) == words[0]), "-")


def _result(player: WheelPlayer, words: Words) -> Found:
    found = "none" if player.spin.result is None else str(player.spin.result)
    return Found(found == words[0], found)


def _colour_came(player: WheelPlayer, words: Words) -> Found:
    found = "none" if player.spin.result is None else colour_of(player.spin.result).value
    return Found(found == words[0], found)


def _lies(player: WheelPlayer, words: Words) -> Found:
    """Checks the value of the chips that a player has on a bet. `words`: player, bet, amount."""
    mine = (one.cents for one in player.state.stakes if (str(one.player), one.bet) == (words[0], words[1]))
    found = units(sum(mine))
    return Found(found == as_shown(words[2]), found)


def _of_player(read: Callable[[Player], bool], otherwise: str) -> Callable[[WheelPlayer, Words], Found]:
    def check(player: WheelPlayer, words: Words) -> Found:
        found = player.state.player(int(words[0]))
        return Found(found is not None and read(found), otherwise if found else "-")

    return check


def _exchanged(state: RouletteState) -> str:
    return units(state.exchanged.amount) if state.exchanged else "none"


def _has_exchanged(player: WheelPlayer, words: Words) -> Found:
    found = _exchanged(player.state)
    return Found(found == as_shown(words[0]), found)


def _shown(player: WheelPlayer, words: Words) -> Found:
    shown = value_shown(player.state, ChipColour(words[0]))
    found = "-" if shown is None else units(shown)
    return Found(found == as_shown(words[1]), found)


FACTS: Final[dict[str, Fact[WheelPlayer]]] = {
    "result": Fact((Slot(Kind.RESULT),), _result),
    "result-colour": Fact((Slot(Kind.COLOUR),), _colour_came),
    "last-number": Fact(_NUMBER, same(lambda state: str(state.wheel.last_number))),
    "ball": Fact(_NUMBER, same(lambda state: str(state.wheel.ball))),
    "pays": Fact((*_BET, Slot(Kind.AMOUNT)), _pays),
    "prizes-of": Fact((_PLAYER, Slot(Kind.AMOUNT)), _prizes_of),
    "house": Fact((Slot(Kind.SIGNED),), _house),
    "pay-order": Fact((Slot(Kind.GROUP, 1, 10),), _order),
    "flagged": Fact((_PLAYER,), _flagged),
    "lies": Fact((*_BET, Slot(Kind.AMOUNT)), _lies),
    "has-colour": Fact((_PLAYER,), _of_player(lambda player: not player.is_lost, "lost")),
    "colour-lost": Fact((_PLAYER,), _of_player(lambda player: player.is_lost, "kept")),
    "no-colour": Fact(
        (_PLAYER,), lambda player, words: Found(player.state.player(int(words[0])) is None, "has a colour")
    ),
    "exchanged": Fact((Slot(Kind.AMOUNT),), _has_exchanged),
    "shows": Fact((Slot(Kind.CHIP_COLOUR), Slot(Kind.AMOUNT)), _shown),
}
"""Every word of `then` at a wheel; FORMAT.md explains each."""
