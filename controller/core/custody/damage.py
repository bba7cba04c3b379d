"""A damaged card (pt.bj.5b, 51a): the rule for it, its replacement, and the report that is owed."""

from typing import Any

from controller.core.choices import DamagedCard
from controller.core.custody.shoe import shown_anew
from controller.core.custody.state import (
    FOREIGN,
    Card,
    CardState,
    CardStateT,
    with_custody,
    with_shoe_game,
)
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.attendance import CHIEF_PRESENT_FOR_HOLD
from controller.core.house.duties import is_a_reference, open_duty
from controller.core.house.hold_table import HoldTrigger
from controller.core.house.holds import holds_of, move_hold, raise_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import (
    CARDS_LIE,
    CHIEF,
    DEALER_OR_CHIEF,
    FINAL_MS,
    WHILE_OPEN,
    ActGuard,
    ActRule,
    Guard,
    always,
)
from controller.core.house.undoing import AGAIN, BY_ENTRY, Never, never
from controller.core.words import DutyKind, HoldKind, HoldPhase, Role, SessionPhase, TableMs


class ReportDamagedCard(Act, frozen=True):
    card: Card


class ReplaceCard(Act, frozen=True):
    replacement: Card


class RecordAuthorisation(Act, frozen=True):
    """The inspection service authorises replacing the damaged card alone (pt.bj.5c)."""

    reference: str


class ReplaceDeck(Act, frozen=True):
    """Replaces the whole deck of the damaged card (pt.bj.5b)."""

    deck: int


CARD_BELONGS_TO_THE_DECKS = ActGuard[CardState, ReportDamagedCard](
    "card_belongs_to_the_decks", lambda _state, act: act.card != FOREIGN
)
A_CARD_IS_OUT = Guard[CardState]("a_card_is_out", lambda state: state.custody.book.total > state.custody.book.inside)
NO_CARD_IS_DAMAGED_YET = Guard[CardState]("no_card_is_damaged_yet", lambda state: state.custody.damaged is None)
ALONE_IF_AUTHORISED = Guard[CardState](
    "card_alone_is_authorised", lambda state: not deck_goes(state) or bool(state.custody.authorised)
)


def deck_goes(state: CardState) -> bool:
    """True if the damaged card's whole deck must be replaced, unless the card alone is authorised (pt.bj.5b-c)."""
    procedure = state.setup.procedure
    of_the_check = state.custody.damaged_at_check and procedure.deck_replaced_at_check
    return of_the_check or procedure.damaged_card is DamagedCard.DECK


def deck_may_go(state: CardState) -> bool:
    """True if the whole deck must be replaced, or if the inspector decides about it (br.inc.1)."""
    return deck_goes(state) or state.setup.procedure.damaged_card is DamagedCard.INSPECTOR_DECIDES


def round_comes_first(state: CardState) -> bool:
    """True while a round is dealt or played and the damaged card's deck may be replaced. The round is then finished
    first.

    New cards are shown, mixed and cut before one is dealt (pt.bj.5b, 7 to 10). To replace the deck at once would void
    the round.
    """
    return _cards_lie(state) and deck_may_go(state)


def _cards_lie(state: CardState) -> bool:
    return state.game.phase in CARDS_LIE


NO_ROUND_IS_PLAYED = Guard[CardState]("no_round_is_played", lambda state: not _cards_lie(state))
WHOLE_DECK_IS_REPLACED = Guard[CardState]("whole_deck_is_replaced", deck_may_go)


DECK_EXISTS = ActGuard[CardState, ReplaceDeck](
    "deck_exists",
    lambda state, act: 1 <= act.deck <= state.setup.decks,
    lambda state, _act: (("decks", str(state.setup.decks)),),
)
CARD_IS_DAMAGED = Guard[CardState]("card_is_damaged", lambda state: state.custody.damaged is not None)


REPLACEMENT_IS_THE_SAME_CARD = ActGuard[CardState, ReplaceCard](
    "replacement_is_the_same_card",
    lambda state, act: act.replacement == state.custody.damaged,
    lambda state, _act: (("damaged", state.custody.damaged or ""),),
)


AUTHORISATION_HAS_A_REFERENCE = ActGuard[CardState, RecordAuthorisation](
    "reference_is_given", lambda _state, act: is_a_reference(act.reference)
)


def record_authorisation(state: CardStateT, act: RecordAuthorisation, _at_ms: TableMs) -> CardStateT:
    return with_custody(state, authorised=act.reference.strip())


FOUND_AT_CHECK = (SessionPhase.OPENED, SessionPhase.DISPLAYED, SessionPhase.MIXED, SessionPhase.CHECKING)
"""Steps at which people look at cards that come from no machine: the opening, and the deck check."""


def report_damaged_card(state: CardStateT, act: ReportDamagedCard, at_ms: TableMs) -> CardStateT:
    """The state with a hold until the card is replaced, and a note if people found it at a step of FOUND_AT_CHECK."""
    state = with_custody(state, damaged=act.card, damaged_at_check=state.house.session in FOUND_AT_CHECK)
    return raise_hold(state, HoldKind.DAMAGED_CARD, at_ms, details=(("card", act.card),))


def replace_damaged(state: CardStateT, act: ReplaceCard | ReplaceDeck, at_ms: TableMs) -> CardStateT:
    """The state with the damaged card or its whole deck replaced, and its hold cleared (pt.bj.51a-b).

    If the profile replaces only the card, a duty to report is opened, except for a card found at a check at which the
    profile replaces the deck. If the card's deck is to be replaced at the closing, the card is noted. A new deck is
    shown and mixed before play goes on (`deck_is_new`).
    """
    damaged, procedure = state.custody.damaged, state.setup.procedure
    is_reported = procedure.damaged_card is DamagedCard.CARD and not deck_goes(state)
    is_alone = isinstance(act, ReplaceCard)
    book = replace(state.custody.book, withdrawn=state.custody.book.withdrawn + (1 if is_alone else 52))
    goes_later = procedure.deck_replaced_at_closing and state.house.session not in FOUND_AT_CHECK
    if isinstance(act, ReplaceCard) and goes_later:
        state = with_custody(state, replaced_alone=(*state.custody.replaced_alone, act.replacement))
    state = with_custody(state, damaged=None, damaged_at_check=False, authorised="", book=book)
    for hold in holds_of(state, HoldKind.DAMAGED_CARD):
        attended = hold if hold.phase is HoldPhase.ATTENDED else replace(hold, phase=HoldPhase.ATTENDED)
        state = move_hold(state, attended, HoldTrigger.CLEARED)
    if not is_alone:
        state = deck_is_new(state)
    state = decks_go_at_closing(state, at_ms)
    if not is_reported:
        return state
    return open_duty(state, DutyKind.REPORT_DAMAGED_CARD, Role.ROOM_MANAGER, at_ms, (("card", damaged or ""),))


def deck_is_new(state: CardStateT) -> CardStateT:
    """Returns the state after a deck was replaced. The session goes back to the step at which cards are shown and
    mixed, or keeps its step if no transition leads back. A filled shoe only gets the flag `new_deck`: its cards are
    gathered before they are shown (pt.bj.5b, 7 to 10).
    """
    is_filled = state.house.session in {SessionPhase.LOADED, SessionPhase.IN_PLAY} and not state.setup.has_shuffler
    return with_shoe_game(state, new_deck=True, last_round=state.game.number) if is_filled else shown_anew(state)


def watch_damaged(_before: CardStateT, after: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a damaged card that has none yet. `after` unchanged while a round is dealt or played,
    and without such a card.
    """
    damaged = after.custody.damaged
    if damaged is None or _cards_lie(after) or holds_of(after, HoldKind.DAMAGED_CARD):
        return after
    return raise_hold(after, HoldKind.DAMAGED_CARD, at_ms, details=(("card", damaged),))


def decks_go_at_closing(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for the next card whose deck must be replaced. Unchanged outside of the deck check."""
    # at an irregular closing the whole deck set is refused anyway
    is_asked = state.house.session is SessionPhase.CHECKING and not state.house.irregular
    if not is_asked or state.custody.damaged is not None or not state.custody.replaced_alone:
        return state
    card, *others = state.custody.replaced_alone
    state = with_custody(state, damaged=card, damaged_at_check=True, replaced_alone=tuple(others))
    return raise_hold(state, HoldKind.DAMAGED_CARD, at_ms, details=(("card", card),))


DAMAGE_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "report-damaged-card",
        ReportDamagedCard,
        DEALER_OR_CHIEF,
        report_damaged_card,
        (NO_CARD_IS_DAMAGED_YET, A_CARD_IS_OUT, CARD_BELONGS_TO_THE_DECKS),
        in_session=WHILE_OPEN,
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "replace-card",
        ReplaceCard,
        CHIEF,
        replace_damaged,
        (CARD_IS_DAMAGED, CHIEF_PRESENT_FOR_HOLD, ALONE_IF_AUTHORISED, REPLACEMENT_IS_THE_SAME_CARD),
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "record-authorisation",
        RecordAuthorisation,
        (Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER, Role.REGULATOR),
        record_authorisation,
        (CARD_IS_DAMAGED, WHOLE_DECK_IS_REPLACED, AUTHORISATION_HAS_A_REFERENCE),
        falls_away=always,  # an authorisation is void without a damaged card
        undone=AGAIN,
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "replace-deck",
        ReplaceDeck,
        CHIEF,
        replace_damaged,
        (CARD_IS_DAMAGED, WHOLE_DECK_IS_REPLACED, DECK_EXISTS, NO_ROUND_IS_PLAYED, CHIEF_PRESENT_FOR_HOLD),
        hold_ms=FINAL_MS,
        undone=never(Never.MIXED),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
)
