"""The values of an entry of a round of cards that two people may give anew, and the hand of one that is taken back."""

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import HandAct, hand_id, with_hand
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents


class CorrectHandEntry(CorrectEntry, frozen=True):
    """Each value is one of the entry's own, by its name there."""

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
    """Each value is one of the act's own, by its name there."""

    seat: int | None = None
    hand: int | None = None
    bettor: int | None = None
    amount: Cents | None = None
    bet: str | None = None
    consent: bool | None = None
    accepted: bool | None = None
    others: tuple[int, ...] | None = None


def passed_over(state: BlackjackState, act: Act) -> BlackjackState:
    """The hand of a decision that was none plays behind the others: what they have got since is theirs."""
    if not isinstance(act, HandAct) or state.table is None:
        return state
    played = state.table.of(hand_id(act))
    return state if played is None else with_hand(state, replace(played, plays_last=True))
