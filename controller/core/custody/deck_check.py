"""The deck check at the closing (pt.bj.55b): the dealer's grids, and missing or surplus cards.

A grid is the dealer's count of each card, for all cards or for those of one back colour.
"""

from typing import Any

from controller.core.custody.books import hold_for_count
from controller.core.custody.closing import session_closed
from controller.core.custody.complaints import complaints_owed
from controller.core.custody.opening import NOTHING_IS_INSIDE
from controller.core.custody.state import (
    DECK,
    FOREIGN,
    NO_CARDS_FOUND,
    Card,
    CardState,
    CardStateT,
    CardTrigger,
    with_custody,
)
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.attendance import CHIEF_PRESENT_FOR_UNLOADING
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.hold_table import hold_rule, is_reader_lost
from controller.core.house.holds import end_holds, raise_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, FINAL_MS, ActGuard, ActRule, Guard, S
from controller.core.house.state import Hold
from controller.core.house.undoing import AGAIN, Never, never
from controller.core.words import HoldCause, HoldKind, TableMs


class EnterCards(Act, frozen=True):
    """The dealer enters cards that no reader read: cards left over in the rack, and unread cards."""

    cards: tuple[Card, ...]


class EnterGrid(Act, frozen=True):
    """The dealer's count of the ordered cards: 52 numbers in the order of `DECK`, and the number of foreign cards.

    `back`: the number of the back colour that was counted; None if all decks have the same back.
    """

    counts: tuple[int, ...]
    foreign: int
    back: int | None = None


class ConfirmDeckCheck(Act, frozen=True):
    pass


def contradicts_the_reader(hold: Hold) -> bool:
    """True if `hold` is open for a grid in which the dealer has fewer cards of a face than the reader has read."""
    return hold.kind is HoldKind.COUNT and hold.cause == HoldCause.GRID


def backs(state: CardState) -> int:
    """The number of back colours of this table's decks. The cards of each colour are counted apart (br.decks.2)."""
    return state.setup.procedure.back_colours


def grid_entered(state: CardStateT, act: EnterGrid) -> CardStateT:
    """The state with the dealer's counts in place of the reader's. The grids of all back colours are added up."""
    grids = list(state.custody.found_by_back or ((),) * backs(state))
    grids[(act.back or 1) - 1] = (*act.counts, act.foreign)
    entered = [grid for grid in grids if grid]
    total = tuple(map(sum, zip(*entered, strict=True)))
    return with_custody(state, found=total[:-1], found_foreign=total[-1], found_by_back=tuple(grids))


def foreign_followed(before: CardStateT, after: CardStateT) -> CardStateT:
    """The state `after` with the cards of its grids in the book, once all grids are entered. A new grid undoes the
    earlier one.

    A foreign card in the place of a missing card was counted as outside, and is subtracted from the cards outside. If
    more cards of the set are found than were outside, cards that people called foreign are among them, and are added to
    the cards outside.
    """
    if not grids_are_whole(after):
        return after
    was, now = before.custody, after.custody
    known = was.found_foreign if grids_are_whole(before) else was.read_out_foreign
    outside, foreign = now.book.outside + was.found_in_place, now.book.foreign - min(0, was.found_in_place)
    said = max(0, foreign - known)
    in_place = max(-said, min(now.found_foreign - now.read_out_foreign, outside - sum(now.found)))
    foreign = max(0, foreign + now.found_foreign - known) + min(0, in_place)
    book = replace(now.book, outside=outside - in_place, foreign=foreign)
    return with_custody(after, book=book, found_in_place=in_place)


def grids_entered(state: CardState) -> list[int]:
    """The numbers of the back colours whose grid was entered."""
    return [number for number, grid in enumerate(state.custody.found_by_back, 1) if grid]


def grid_cards(state: CardState) -> list[int]:
    """The number of cards in each back colour's grid, including foreign ones. 0 for a grid that was not entered.

    Empty if no grid was entered.
    """
    return [sum(grid) for grid in state.custody.found_by_back]


def grids_are_whole(state: CardState) -> bool:
    """True if the grid of every back colour was entered. Always True for a single colour."""
    return backs(state) == 1 or (bool(state.custody.found_by_back) and all(state.custody.found_by_back))


def not_entered(state: CardState) -> int:
    """The number of cards outside that neither the reader (at the unloading) nor the dealer has entered. 0 once all
    grids are entered.
    """
    is_counted = bool(state.custody.found_by_back) and all(state.custody.found_by_back)
    return 0 if is_counted else max(0, state.custody.book.outside - sum(state.custody.found))


def less_than_was_read(state: CardState) -> str:
    """Lists the faces of which the dealer counted fewer than the reader read, as "7H 3/4" (counted, read). "" if no
    face is short, and while a back colour's grid is missing.
    """
    if not grids_are_whole(state):
        return ""
    pairs = (
        *zip(DECK, state.custody.found, state.custody.read_out, strict=True),
        (FOREIGN, state.custody.found_foreign, state.custody.read_out_foreign),
    )
    return " ".join(f"{card} {grid}/{read}" for card, grid, read in pairs if grid < read)


def deck_check_figures(state: CardState) -> Values:
    """Missing and duplicate cards by name, the number of foreign cards, and both totals. Empty for regular decks."""
    missing: list[str] = []
    duplicate: list[str] = []
    for mark, decks, counts in _counted(state):
        pairs = tuple(zip(DECK, counts, strict=True))
        missing += [f"{card}x{decks - count}{mark}" for card, count in pairs if count < decks]
        duplicate += [f"{card}x{count - decks}{mark}" for card, count in pairs if count > decks]
    figures = (
        ("missing", " ".join(missing)),
        ("duplicate", " ".join(duplicate)),
        ("foreign", str(state.custody.book.foreign or "")),  # foreign cards that came out in play, too
    )
    if not any(text for _name, text in figures):
        return ()
    total = sum(state.custody.found) + state.custody.book.foreign
    return (*figures, ("counted", str(total)), ("expected", str(state.setup.cards)))


def _counted(state: CardState) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
    """For each group of cards: name suffix, number of decks, and number of cards of each identity. Each back colour is
    a group; a single colour makes one group of all cards.
    """
    if backs(state) == 1:
        return (("", state.setup.decks, state.custody.found),)
    each = state.setup.decks // backs(state)
    grids = state.custody.found_by_back or (NO_CARDS_FOUND,) * backs(state)
    return tuple((f"/{number}", each, grid[:52]) for number, grid in enumerate(grids, 1))


def _one_more(grid: tuple[int, ...], card: Card) -> tuple[int, ...]:
    index = DECK.index(card)
    return (*grid[:index], grid[index] + 1, *grid[index + 1 :])


def found(state: CardStateT, card: Card) -> CardStateT:
    """The state with this card added to the closing grid (pt.bj.55b)."""
    if card == FOREIGN:
        return with_custody(state, found_foreign=state.custody.found_foreign + 1)
    return with_custody(state, found=_one_more(state.custody.found, card))


def read_out(state: CardStateT, card: Card) -> CardStateT:
    """The state with this card added to the cards read at the unloading, which no grid changes."""
    if card == FOREIGN:
        return with_custody(state, read_out_foreign=state.custody.read_out_foreign + 1)
    return with_custody(state, read_out=_one_more(state.custody.read_out, card))


GRID_IS_WHOLE = ActGuard[CardState, EnterGrid](
    "grid_is_whole", lambda _state, act: len(act.counts) == 52 and min(*act.counts, act.foreign) >= 0
)
GRID_IS_OF_ONE_BACK = ActGuard[CardState, EnterGrid](
    "grid_is_of_one_back",
    lambda state, act: act.back in (range(1, backs(state) + 1) if backs(state) > 1 else (None,)),
    lambda state, _act: (("backs", str(backs(state))),),
)
EVERY_BACK_IS_COUNTED = Guard[CardState]("every_back_is_counted", grids_are_whole)
EVERY_CARD_IS_ENTERED = Guard[CardState](
    "every_card_is_entered",
    lambda state: state.house.irregular or not not_entered(state),
    lambda state: (("left", str(not_entered(state))), ("cards", str(state.custody.book.outside))),
)
NOTHING_CONTRADICTS_THE_GRID = Guard[CardState](
    "nothing_contradicts_the_grid",
    lambda state: (
        state.house.irregular
        or bool(deck_check_figures(state))
        or not any(map(contradicts_the_reader, state.house.holds))
    ),
    lambda state: (("figures", less_than_was_read(state)),),
)


def _in_the_way_of_the_check(state: CardState) -> tuple[Hold, ...]:
    """The open holds that stop the deck check: all that forbid something, except that of a lost reader and those that
    the check itself answers.
    """
    holds = ((hold, hold_rule(hold.kind)) for hold in state.house.holds if not is_reader_lost(hold.kind, hold.device))
    return tuple(hold for hold, rule in holds if rule.forbids and not rule.answered_by_deck_check)


OTHER_HOLDS_ARE_ENDED = Guard[CardState](
    "other_holds_are_ended",
    lambda state: state.house.irregular or not _in_the_way_of_the_check(state),
    lambda state: (("hold", next((hold.kind.value for hold in _in_the_way_of_the_check(state)), "")),),
)


def enter_cards(state: CardStateT, act: EnterCards, _at_ms: TableMs) -> CardStateT:
    """The state with the dealer's cards added to the closing grid (pt.bj.55b).

    Foreign cards among them are also added to the book.
    """
    entered = state
    for card in act.cards:
        entered = found(entered, card)
    return foreign_followed(state, entered)


def enter_grid(state: CardStateT, act: EnterGrid, at_ms: TableMs) -> CardStateT:
    """The state with the dealer's grid. A hold is raised if the grid has fewer cards of a face than the reader read;
    otherwise an earlier hold for this reason ends.
    """
    state = foreign_followed(state, grid_entered(state, act))
    less = less_than_was_read(state)
    if not less:
        return end_holds(state, contradicts_the_reader)
    return raise_hold(state, HoldKind.COUNT, at_ms, cause=HoldCause.GRID, details=(("figures", less),))


def decks_are_irregular(state: CardStateT, _act: ConfirmDeckCheck, at_ms: TableMs) -> CardStateT | None:
    """The state with a hold for missing or surplus cards. None for regular decks, and at an irregular closing."""
    figures = deck_check_figures(state)
    if not figures or state.house.irregular:
        return None
    return hold_for_count(state, at_ms, HoldCause.DECK_CHECK, figures)


def confirm_deck_check(state: CardStateT, _act: ConfirmDeckCheck, at_ms: TableMs) -> CardStateT:
    return session_closed(complaints_owed(state, at_ms))


DECK_CHECK_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "enter-cards",
        EnterCards,
        DEALER,
        enter_cards,
        in_session=(S.CHECKING,),
        undone=AGAIN,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "enter-grid",
        EnterGrid,
        DEALER,
        enter_grid,
        (GRID_IS_WHOLE, GRID_IS_OF_ONE_BACK),
        in_session=(S.CHECKING,),
        undone=AGAIN,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "confirm-deck-check",
        ConfirmDeckCheck,
        DEALER,
        confirm_deck_check,
        own_pin=True,
        guards=(
            CHIEF_PRESENT_FOR_UNLOADING,
            OTHER_HOLDS_ARE_ENDED,
            NOTHING_IS_INSIDE,
            EVERY_BACK_IS_COUNTED,
            EVERY_CARD_IS_ENTERED,
            NOTHING_CONTRADICTS_THE_GRID,
            DIFFERENCES_ARE_SETTLED,
        ),
        session=CardTrigger.DECK_CHECK_CONFIRMED,
        instead=decks_are_irregular,
        hold_ms=FINAL_MS,
        undone=never(Never.ENDED),
        money=Money.NONE,
        manner=Manner.ATTESTS,
    ),
)
