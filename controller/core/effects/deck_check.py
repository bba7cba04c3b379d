"""The closing deck check (pt.bj.55b): the dealer's grids, of all cards or of each back colour, and what they lack."""

from controller.core import acts as a
from controller.core.cards import DECK
from controller.core.decision import Values
from controller.core.replacing import replace
from controller.core.state import NO_CARDS_FOUND, State


def backs(state: State) -> int:
    """Back colours of this table's decks: each is sorted and counted by itself (br.decks.2)."""
    return state.setup.procedure.back_colours


def grid_entered(state: State, act: a.EnterGrid) -> State:
    """The dealer's own counts, instead of the reader's; those of one back colour beside the other's."""
    if act.back is None or not 1 <= act.back <= backs(state):
        return replace(state, found=act.counts, found_foreign=act.foreign)
    grids = list(state.found_by_back or ((),) * backs(state))
    grids[act.back - 1] = (*act.counts, act.foreign)
    entered = [grid for grid in grids if grid]
    total = tuple(map(sum, zip(*entered, strict=True)))
    return replace(state, found=total[:-1], found_foreign=total[-1], found_by_back=tuple(grids))


def foreign_followed(before: State, after: State) -> State:
    """The book has as foreign what the dealer found so; it lay in the place of a card only where one is missing."""
    known = before.found_foreign if grids_are_whole(before) else before.read_out_foreign
    more = after.found_foreign - known
    if not more or not grids_are_whole(after):
        return after
    book = after.book
    in_place = max(0, min(more, book.outside - sum(after.found)))
    return replace(after, book=replace(book, outside=book.outside - in_place, foreign=max(0, book.foreign + more)))


def grids_entered(state: State) -> list[int]:
    """The numbers of the back colours whose grid was entered."""
    return [number for number, grid in enumerate(state.found_by_back, 1) if grid]


def grid_cards(state: State) -> list[int]:
    """How many cards each back colour's grid says, foreign ones among them; 0 where it was not entered."""
    return [sum(grid) for grid in state.found_by_back]


def grids_are_whole(state: State) -> bool:
    """Every back colour was counted, where there are several."""
    return backs(state) == 1 or (bool(state.found_by_back) and all(state.found_by_back))


def deck_check_figures(state: State) -> Values:
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
        ("foreign", str(state.book.foreign) if state.book.foreign else ""),  # also what came out in play
    )
    if not any(text for _name, text in figures):
        return ()
    total = sum(state.found) + state.book.foreign
    return (("cause", "deck-check"), *figures, ("counted", str(total)), ("expected", str(state.setup.cards)))


def _counted(state: State) -> tuple[tuple[str, int, tuple[int, ...]], ...]:
    """What is checked against how many decks: all cards, or each back colour with its number behind a stroke."""
    if backs(state) == 1:
        return (("", state.setup.decks, state.found),)
    each = state.setup.decks // backs(state)
    grids = state.found_by_back or (NO_CARDS_FOUND,) * backs(state)
    return tuple((f"/{number}", each, grid[:52]) for number, grid in enumerate(grids, 1))
