"""Cards that leave the table again: taken back by a correction, or of no deck at all and never dealt.

Of the deal's own last card the deal owes another; of a further card, or of one that was turned late, its hand does.
"""

from typing import Final

from controller.core.custody.books import move
from controller.core.custody.game import Owed, laid_away, order_of
from controller.core.custody.round import RoundTrigger
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.holds import end_holds, raise_hold
from controller.core.house.state import round_moved
from controller.core.words import Device, HoldKind, Place, RoundPhase, TableMs

FOREIGN_CARD: Final = "foreign"
"""The cause of the hold for a card of no deck."""


def last_is_of_the_deal(state: BlackjackState) -> bool:
    """The last card lies where the order of the deal put it, and no further card came after."""
    at, last = len(state.game.dealt) - 1, state.game.dealt[-1]
    return order_of(state)[at : at + 1] == (Owed(last.purpose, last.seat),)


def owed_again(state: BlackjackState, place: str) -> BlackjackState:
    """The last card leaves the table; whoever it was dealt to is owed another."""
    last = state.game.dealt[-1]
    again = None if last_is_of_the_deal(state) else last.seat
    state = take_back(state, place)
    return replace(state, game=replace(state.game, requested=again, requested_hand=last.hand))


def take_back(state: BlackjackState, place: str) -> BlackjackState:
    """The last card leaves the table; where it was one of the deal, the deal owes it again."""
    last, of_the_deal = state.game.dealt[-1], last_is_of_the_deal(state)
    state = lifted(state, len(state.game.dealt) - 1, place)
    if last.card is None and last.face_down is None:
        state = end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)
    if state.game.phase is RoundPhase.PLAYING and of_the_deal:
        state = round_moved(state, RoundTrigger.DEAL_RESUMED)
    return state


def lifted(state: BlackjackState, at: int, place: str) -> BlackjackState:
    """The card at this place of those dealt leaves the table."""
    dealt = state.game.dealt
    state = laid_away(state, (dealt[at],), place)
    return replace(
        state,
        custody=replace(state.custody, book=move(state.custody.book, "table", place)),
        game=replace(state.game, dealt=(*dealt[:at], *dealt[at + 1 :])),
    )


def foreign_card(state: BlackjackState, at: int, at_ms: TableMs) -> BlackjackState:
    """The card at this place of those dealt is of no deck (pt.bj.3b): it was never dealt, and another is owed.

    People take it out of the game while the table holds.
    """
    seat, hand = state.game.dealt[at].seat, state.game.dealt[at].hand
    if at == len(state.game.dealt) - 1:
        state = owed_again(state, Place.FOREIGN.value)
    else:
        state = lifted(state, at, Place.FOREIGN.value)
        state = replace(state, game=replace(state.game, requested=seat, requested_hand=hand))
    details = (("cause", FOREIGN_CARD), ("seat", str(seat)))
    state = replace(state, game=replace(state.game, provisional=False))
    device = None if state.setup.is_dealt_by_word else Device.SHOE
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, device=device, details=details)
