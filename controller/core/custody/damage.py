"""A damaged card (pt.bj.5b, 51a): which rule it falls under, what takes its place, and who is told."""

from controller.core.choices import DamagedCard
from controller.core.custody import acts as a
from controller.core.custody.session_table import CardTrigger
from controller.core.custody.state import CardState, CardStateT
from controller.core.engine.replacing import replace
from controller.core.house.hold_table import HoldTrigger
from controller.core.house.holds import holds_of, move_hold, open_duty, raise_hold
from controller.core.house.state import session_moved
from controller.core.words import DutyKind, HoldKind, HoldPhase, Role, SessionPhase, TableMs

FOUND_AT_CHECK = (SessionPhase.OPENED, SessionPhase.DISPLAYED, SessionPhase.MIXED, SessionPhase.CHECKING)
"""Where people look at the cards and no machine has given them: from the display on, and in the deck check."""


def deck_goes(state: CardState) -> bool:
    """Whether the damaged card's whole deck is to be replaced; the card alone where that is authorised (pt.bj.5b-c)."""
    procedure = state.setup.procedure
    of_the_check = state.custody.damaged_at_check and procedure.deck_replaced_at_check
    return of_the_check or procedure.damaged_card is DamagedCard.DECK


def report_damaged_card(state: CardStateT, act: a.ReportDamagedCard, at_ms: TableMs) -> CardStateT:
    """The table holds until it is replaced; where it was found decides what is."""
    state = replace(
        state, custody=replace(state.custody, damaged=act.card, damaged_at_check=state.house.session in FOUND_AT_CHECK)
    )
    return raise_hold(state, HoldKind.DAMAGED_CARD, at_ms, details=(("card", act.card),))


def replace_damaged(state: CardStateT, act: a.ReplaceCard | a.ReplaceDeck, at_ms: TableMs) -> CardStateT:
    """Same cards for same cards; of one that came out damaged the inspection service is owed a report (pt.bj.51a-b)."""
    damaged, is_reported = state.custody.damaged, _is_to_be_reported(state)
    is_alone = isinstance(act, a.ReplaceCard)
    book = replace(state.custody.book, withdrawn=state.custody.book.withdrawn + (1 if is_alone else 52))
    if isinstance(act, a.ReplaceCard) and _deck_goes_later(state):
        state = replace(
            state, custody=replace(state.custody, replaced_alone=(*state.custody.replaced_alone, act.replacement))
        )
    state = replace(
        state, custody=replace(state.custody, damaged=None, damaged_at_check=False, authorised="", book=book)
    )
    for hold in holds_of(state, HoldKind.DAMAGED_CARD):
        attended = hold if hold.phase is HoldPhase.ATTENDED else replace(hold, phase=HoldPhase.ATTENDED)
        state = move_hold(state, attended, HoldTrigger.CLEARED)
    state = decks_go_at_closing(state if is_alone else _displayed_anew(state), at_ms)
    if not is_reported:
        return state
    return open_duty(state, DutyKind.REPORT_DAMAGED_CARD, Role.ROOM_MANAGER, at_ms, (("card", damaged or ""),))


def _deck_goes_later(state: CardState) -> bool:
    return state.setup.procedure.deck_replaced_at_closing and state.house.session not in FOUND_AT_CHECK


def decks_go_at_closing(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """In the deck check the deck of each card that was replaced alone is due, one by one, where that is asked."""
    is_asked = (
        state.house.session is SessionPhase.CHECKING and not state.house.irregular
    )  # an irregular deck set is refused whole
    if not is_asked or state.custody.damaged is not None or not state.custody.replaced_alone:
        return state
    card, *others = state.custody.replaced_alone
    state = replace(
        state, custody=replace(state.custody, damaged=card, damaged_at_check=True, replaced_alone=tuple(others))
    )
    return raise_hold(state, HoldKind.DAMAGED_CARD, at_ms, details=(("card", card),))


def _is_to_be_reported(state: CardState) -> bool:
    return state.setup.procedure.damaged_card is DamagedCard.CARD and not deck_goes(state)


def _displayed_anew(state: CardStateT) -> CardStateT:
    """Of a new deck nobody has seen a card yet: before the cards are loaded all are displayed again (pt.bj.7a, 53a)."""
    return session_moved(state, CardTrigger.DECK_REPLACED)
