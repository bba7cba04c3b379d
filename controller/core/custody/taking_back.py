"""Cards that leave the table again: taken back by a correction, or foreign and so never dealt.

If the last card of the initial deal leaves, the deal continues with another one. A foreign card, and any card that is
taken back to be dealt again (`owed_again`), is replaced by the next card for its hand.
"""

from typing import Any, Final

from controller.core.custody.agreement import needs_agreement
from controller.core.custody.books import move, passed_unseen
from controller.core.custody.doubt import end_unread
from controller.core.custody.game import Owed, game_of, laid_away, order_of
from controller.core.custody.round import RoundTrigger
from controller.core.custody.state import (
    FOREIGN,
    CardState,
    CardStateT,
    Dealt,
    by_arrival,
    last_dealt,
    with_custody,
    with_round,
    with_shoe_game,
)
from controller.core.engine.act import Act
from controller.core.house.holds import raise_hold
from controller.core.house.rule import ActGuard, Guard
from controller.core.house.state import round_moved, with_tally
from controller.core.words import Device, HoldKind, Place, RoundPhase, TableMs

FOREIGN_CARD: Final = "foreign"
"""The cause of the hold for a foreign card."""


def last_is_of_the_deal(state: CardState) -> bool:
    """True if the card dealt last is a card of the initial deal. During the deal every card is, even one in the place
    of an earlier foreign card.
    """
    at, last = len(state.game.dealt) - 1, last_dealt(state)
    is_at_the_end = last is state.game.dealt[-1]  # else it has the place of an earlier card
    is_of_the_order = is_at_the_end and order_of(state)[at : at + 1] == (Owed(last.purpose, last.seat),)
    return state.game.phase is RoundPhase.DEALING or is_of_the_order


def owed_again(state: CardStateT, place: str) -> CardStateT:
    """The state with the card dealt last moved from the table to `place`. This card's hand gets the next card."""
    return _asked_again(_taken(state, place), last_dealt(state), last_at(state))


def _asked_again(state: CardStateT, gone: Dealt, at: int) -> CardStateT:
    """The state in which another card is owed in the place of `gone`, at this index. In the deal the order already owes
    it; later the hand of `gone` asks for it.
    """
    state = with_round(state, replaced_at=at)
    if state.game.phase is not RoundPhase.PLAYING:
        return state
    return with_round(state, requested=gone.seat, requested_hand=gone.hand)


def last_at(state: CardState) -> int:
    """The index of the card dealt last. At least one card must lie on the table."""
    return by_arrival(state)[-1]


def take_back(state: CardStateT, place: str) -> CardStateT:
    """The state with the card dealt last moved from the table to `place`. For a card of the initial deal the hand gets
    another card; otherwise the hand has lost the card.
    """
    last, at, after = last_dealt(state), last_at(state), _taken(state, place)
    if after.game.phase is not RoundPhase.PLAYING:
        return after
    return _asked_again(after, last, at) if at < len(order_of(after)) else game_of(after).card_lost(after, last, at)


def _taken(state: CardStateT, place: str) -> CardStateT:
    """The state with the card dealt last moved to `place`. The initial deal goes on if the card was its last one."""
    of_the_deal = state.game.phase is RoundPhase.PLAYING and last_is_of_the_deal(state)
    state = lifted(state, last_at(state), place)
    return round_moved(state, RoundTrigger.DEAL_RESUMED) if of_the_deal else state


def annulled(state: CardStateT, at: int, place: str) -> CardStateT:
    """The state with the dealt card at index `at` moved to `place`. The card's hand has lost the card."""
    return game_of(state).card_lost(lifted(state, at, place), state.game.dealt[at], at)


def lifted(state: CardStateT, at: int, place: str) -> CardStateT:
    """The state with the dealt card at index `at` moved from the table to `place`. People need not name the card any
    more.
    """
    dealt = state.game.dealt
    state = laid_away(state, (dealt[at],), place)
    state = with_custody(state, book=move(state.custody.book, "table", place))
    state = with_round(state, dealt=(*dealt[:at], *dealt[at + 1 :]))
    is_nameless = dealt[at].card is None and dealt[at].face_down is None
    return end_unread(state) if is_nameless else state


def foreign_card(state: CardStateT, at: int, at_ms: TableMs) -> CardStateT:
    """The state without the foreign card at this index of the deal, in whose place another card is owed (pt.bj.3b). A
    hold is raised, so that people take the foreign card out of the game.

    During the deal the freed place is the first without a card, so the order owes it the next card (pt.bj.17a).
    """
    gone = state.game.dealt[at]
    if gone is last_dealt(state):
        state = owed_again(state, Place.FOREIGN.value)
    else:
        state = _asked_again(lifted(state, at, Place.FOREIGN.value), gone, at)
    details = (("cause", FOREIGN_CARD), ("seat", str(gone.seat)))
    state = with_round(state, provisional=False)
    device = None if state.setup.is_dealt_by_word else Device.SHOE
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, device=device, details=details)


def foreign_by_word(state: CardStateT, at: int, act: Act, at_ms: TableMs) -> CardStateT:
    """The state without the card at index `at`, which a person calls foreign. Another person must agree: no device
    confirms the person's word, and a false word would rid a hand of a bad card.
    """
    return needs_agreement(foreign_card(state, at, at_ms), act)


NO_CARD_WAS_ASKED_FOR = ActGuard[CardState, Any](  # another card replaces a foreign one, and only one request is kept
    "no_other_card_comes_first",
    lambda state, act: act.card != FOREIGN or state.game.requested is None,
)


def _was_said(state: CardState) -> bool:
    """True if the last card was dealt by people's word alone and has no face, if no card is dealt, or if no device
    counts the dealt cards at this table.
    """
    last = last_dealt(state) if state.game.dealt else None
    return state.setup.is_dealt_by_word or last is None or (last.was_stated and last.card is None)


LAST_CARD_WAS_SAID = Guard[CardState]("last_card_was_said", _was_said)


def card_not_dealt(state: CardStateT) -> CardStateT:
    """The state in which the card that was last stated as dealt is still in the machine. The card's hand gets another
    card.
    """
    state = with_shoe_game(state, out=state.custody.shoe_game.out - 1)
    state = passed_unseen(with_tally(state, drawn=state.house.tally.drawn - 1), -1)
    return owed_again(state, "inside")


def dealt_as_counted(state: CardStateT, act: Act) -> CardStateT:
    """The state without the last cards that people stated as dealt but did not find on the table in their count. The
    first of these cards is owed again. Each other further card is lost to its hand, which may ask for the card again.
    The last card that remains cannot be corrected: acts of the round have followed it.
    """
    counted = state.custody.book
    for more in reversed(range(len(state.game.dealt[counted.table :]))):
        gone, at = last_dealt(state), last_at(state)
        state = with_round(card_not_dealt(needs_agreement(state, act)), provisional=False)
        if more and state.game.phase is RoundPhase.PLAYING:
            state = game_of(state).card_lost(with_round(state, requested=None), gone, at)
    return with_custody(state, book=counted)
