"""The values that two people may correct in an entry of a blackjack round, and the turn of a hand whose decision is
taken back.
"""

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import HandAct, hand_id, with_hand
from controller.core.games.blackjack.hands import Waiting
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents


class CorrectHandEntry(CorrectEntry, frozen=True):
    """Two people correct an entry of a round; each given value replaces the entry's value of the same name."""

    seat: int | None = None
    seats: tuple[int, ...] | None = None
    hand: int | None = None
    bettor: int | None = None
    amount: Cents | None = None
    bet: str | None = None
    consent: bool | None = None
    seen: bool | None = None
    others: tuple[int, ...] | None = None


class AddHandEntry(AddEntry, frozen=True):
    """Two people add an act to a round; each given value is a value of the added act."""

    seat: int | None = None
    hand: int | None = None
    bettor: int | None = None
    amount: Cents | None = None
    bet: str | None = None
    consent: bool | None = None
    accepted: bool | None = None
    others: tuple[int, ...] | None = None


def passed_over(state: BlackjackState, act: Act) -> BlackjackState:
    """Returns the state in which the hand of `act` plays after all other hands, since its decision was taken back.

    Unchanged if `act` names no hand at the table.
    """
    return _with_waiting(state, act, Waiting.LAST)


def asked_again(state: BlackjackState, act: Act) -> BlackjackState:
    """Returns the state in which the hand of `act`, whose decision was taken back, gets its turn again at its own
    place.

    A hand that has begun to play finishes first. Unchanged if `act` names no hand at the table.
    """
    return _with_waiting(state, act, Waiting.NEXT)


def _with_waiting(state: BlackjackState, act: Act, waits: Waiting) -> BlackjackState:
    if not isinstance(act, HandAct) or state.table is None:
        return state
    played = state.table.of(hand_id(act))
    return state if played is None else with_hand(state, replace(played, waits=waits))
