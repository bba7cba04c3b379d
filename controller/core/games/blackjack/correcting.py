"""The values by which two people may correct an entry of a round of cards, and the hand of an entry taken back."""

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import HandAct, hand_id, with_hand
from controller.core.games.blackjack.hands import Waiting
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents


class CorrectHandEntry(CorrectEntry, frozen=True):
    """Two people correct an entry of a round; each value given replaces the entry's value of the same name."""

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
    """Two people add an entry to a round; each value given is that of the added act under the same name."""

    seat: int | None = None
    hand: int | None = None
    bettor: int | None = None
    amount: Cents | None = None
    bet: str | None = None
    consent: bool | None = None
    accepted: bool | None = None
    others: tuple[int, ...] | None = None


def passed_over(state: BlackjackState, act: Act) -> BlackjackState:
    """The state in which the hand of `act`, a decision taken back by a correction, plays after all other hands.

    Unchanged where `act` is about no hand at the table.
    """
    return _with_waiting(state, act, Waiting.LAST)


def asked_again(state: BlackjackState, act: Act) -> BlackjackState:
    """The state in which the hand of `act`, a decision taken back, is asked again in the order of the places.

    A hand that plays already goes on first. Unchanged where `act` is about no hand at the table.
    """
    return _with_waiting(state, act, Waiting.NEXT)


def _with_waiting(state: BlackjackState, act: Act, waits: Waiting) -> BlackjackState:
    if not isinstance(act, HandAct) or state.table is None:
        return state
    played = state.table.of(hand_id(act))
    return state if played is None else with_hand(state, replace(played, waits=waits))
