"""What people say of cards, and the deck check as it is entered."""

from controller.core.custody import acts as a
from controller.core.custody.books import move_between
from controller.core.custody.cards import FOREIGN
from controller.core.custody.deck_check import (
    GRID,
    contradicts_the_reader,
    foreign_followed,
    grid_entered,
    less_than_was_read,
)
from controller.core.custody.faces import may_come_again
from controller.core.custody.game import game_of
from controller.core.custody.reader_facts import found
from controller.core.custody.state import CardStateT
from controller.core.engine.replacing import replace
from controller.core.house.holds import (
    end_holds,
    raise_hold,
)
from controller.core.words import HoldKind, Place, RoundPhase, TableMs


def record_authorisation(state: CardStateT, act: a.RecordAuthorisation, _at_ms: TableMs) -> CardStateT:
    return replace(state, custody=replace(state.custody, authorised=act.reference.strip()))


def state_cards_moved(state: CardStateT, act: a.StateCardsMoved, _at_ms: TableMs) -> CardStateT:
    """The book follows, and while cards are put back what is still due: what lies in the rack (pt.bj.59b, DESIGN 4)."""
    book = move_between(state.custody.book, act.source, act.target, act.count)
    due = state.game.put_back + book.rack if state.game.phase is RoundPhase.PUTTING_BACK else state.game.put_back_due
    state = may_come_again(state) if act.target is Place.INSIDE else state
    return replace(state, custody=replace(state.custody, book=book), game=replace(state.game, put_back_due=due))


def enter_cards(state: CardStateT, act: a.EnterCards, _at_ms: TableMs) -> CardStateT:
    """The dealer orders the cards by deck (pt.bj.55b)."""
    entered = state
    for card in act.cards:
        entered = found(entered, card)
    return foreign_followed(state, entered)


def enter_grid(state: CardStateT, act: a.EnterGrid, at_ms: TableMs) -> CardStateT:
    return _grid_entered(foreign_followed(state, grid_entered(state, act)), at_ms)


def _grid_entered(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """Cards that the reader saw come out and the grid has not: both figures are told, and the table holds."""
    less = less_than_was_read(state)
    if not less:
        return end_holds(state, contradicts_the_reader)
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", GRID), ("figures", less)))


def name_card(state: CardStateT, act: a.NameCard, at_ms: TableMs) -> CardStateT:
    """The dealer names the last card that could not be read; one of no deck was never dealt (pt.bj.3b)."""
    unread = [index for index, d in enumerate(state.game.dealt) if d.card is None and d.face_down is None]
    if unread and act.card == FOREIGN:
        state = game_of(state).card_of_no_deck(state, unread[-1], at_ms)
    elif unread:
        dealt = list(state.game.dealt)
        dealt[unread[-1]] = replace(dealt[unread[-1]], card=act.card, named=True)
        state = replace(state, game=replace(state.game, dealt=tuple(dealt)))
    return end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)
