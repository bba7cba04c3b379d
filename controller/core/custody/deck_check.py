"""The closing deck check (pt.bj.55b): the dealer's grids, of all cards or of each back colour, and what they lack."""

from typing import Final

from controller.core.custody import acts as a
from controller.core.custody.cards import DECK, FOREIGN
from controller.core.custody.state import NO_CARDS_FOUND, CardState, CardStateT
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.state import Hold
from controller.core.words import HoldKind

GRID: Final = "grid"
"""The cause of the hold for a grid that the reader contradicts."""


def contradicts_the_reader(hold: Hold) -> bool:
    """Two evidences say two things: no third of the dealer's decides, but the chief supervisor."""
    return hold.kind is HoldKind.COUNT and dict(hold.details).get("cause") == GRID


def backs(state: CardState) -> int:
    """Back colours of this table's decks: each is sorted and counted by itself (br.decks.2)."""
    return state.setup.procedure.back_colours


def grid_entered(state: CardStateT, act: a.EnterGrid) -> CardStateT:
    """The dealer's own counts, instead of the reader's; those of one back colour beside the other's."""
    grids = list(state.custody.found_by_back or ((),) * backs(state))
    grids[(act.back or 1) - 1] = (*act.counts, act.foreign)
    entered = [grid for grid in grids if grid]
    total = tuple(map(sum, zip(*entered, strict=True)))
    return replace(
        state, custody=replace(state.custody, found=total[:-1], found_foreign=total[-1], found_by_back=tuple(grids))
    )


def foreign_followed(before: CardStateT, after: CardStateT) -> CardStateT:
    """The book has as foreign what the dealer found so; it lay in the place of a card only where one is missing."""
    known = before.custody.found_foreign if grids_are_whole(before) else before.custody.read_out_foreign
    more = after.custody.found_foreign - known
    if not more or not grids_are_whole(after):
        return after
    book = after.custody.book
    in_place = max(0, min(more, book.outside - sum(after.custody.found)))
    return replace(
        after,
        custody=replace(
            after.custody, book=replace(book, outside=book.outside - in_place, foreign=max(0, book.foreign + more))
        ),
    )


def grids_entered(state: CardState) -> list[int]:
    """The numbers of the back colours whose grid was entered."""
    return [number for number, grid in enumerate(state.custody.found_by_back, 1) if grid]


def grid_cards(state: CardState) -> list[int]:
    """How many cards each back colour's grid says, foreign ones among them; 0 where it was not entered."""
    return [sum(grid) for grid in state.custody.found_by_back]


def grids_are_whole(state: CardState) -> bool:
    """Every back colour was counted, where there are several."""
    return backs(state) == 1 or (bool(state.custody.found_by_back) and all(state.custody.found_by_back))


def not_entered(state: CardState) -> int:
    """Cards that lie outside and were neither read on their way out nor entered; none beside a whole grid."""
    is_counted = bool(state.custody.found_by_back) and all(state.custody.found_by_back)
    return 0 if is_counted else max(0, state.custody.book.outside - sum(state.custody.found))


def less_than_was_read(state: CardState) -> str:
    """Cards of which the grid has fewer than the reader saw come out, with both figures; empty where it has none."""
    if not grids_are_whole(state):
        return ""
    pairs = (
        *zip(DECK, state.custody.found, state.custody.read_out, strict=True),
        (FOREIGN, state.custody.found_foreign, state.custody.read_out_foreign),
    )
    return " ".join(f"{card} {grid}/{read}" for card, grid, read in pairs if grid < read)


def deck_check_figures(state: CardState) -> Values:
    """Missing, duplicate and foreign cards, named; empty when the decks are regular."""
    missing: list[str] = []
    duplicate: list[str] = []
    for mark, decks, counts in _counted(state):
        pairs = tuple(zip(DECK, counts, strict=True))
        missing += [f"{card}x{decks - count}{mark}" for card, count in pairs if count < decks]
        duplicate += [f"{card}x{count - decks}{mark}" for card, count in pairs if count > decks]
    figures = (
        ("missing", " ".join(missing)),
        ("duplicate", " ".join(duplicate)),
        (
            "foreign",
            str(state.custody.book.foreign) if state.custody.book.foreign else "",
        ),  # also what came out in play
    )
    if not any(text for _name, text in figures):
        return ()
    total = sum(state.custody.found) + state.custody.book.foreign
    return (("cause", "deck-check"), *figures, ("counted", str(total)), ("expected", str(state.setup.cards)))


def _counted(state: CardState) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
    """What is checked against how many decks: all cards, or each back colour with its number behind a stroke."""
    if backs(state) == 1:
        return (("", state.setup.decks, state.custody.found),)
    each = state.setup.decks // backs(state)
    grids = state.custody.found_by_back or (NO_CARDS_FOUND,) * backs(state)
    return tuple((f"/{number}", each, grid[:52]) for number, grid in enumerate(grids, 1))
