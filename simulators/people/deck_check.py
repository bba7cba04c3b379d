"""The dealer at the deck check, who enters the cards whose face or back no reader has seen (pt.bj.55b, br.decks.2)."""

from collections import Counter
from typing import Final

from controller.core.custody.state import DECK
from controller.core.words import HoldKind
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View

_NO_CARD: Final = "AC=0"


def check_decks(view: View) -> Doing:
    """Returns the dealer's next deed or act at the deck check: enter a grid, order the decks, or confirm the check.

    A grid is needed for cards whose face or back no reader has seen, and after a difference. Returns None during a hold
    for a count if the cards themselves are wrong: the supervisors then decide.
    """
    sight = view.sight
    missing = _grid_to_enter(view)
    is_held = view.status.held_by(HoldKind.COUNT)
    if is_held and not view.deck_is_regular:
        return None  # the chief supervisor and the room manager decide
    is_unread = sight.rack or sight.pack is not None  # no reader has seen the cards that hands took out
    is_unread = is_unread or view.procedure.back_colours > 1  # no reader sees the backs
    if (is_unread or is_held) and missing is not None:
        return missing
    if sight.rack or sight.tray:
        return Touch(h.AtShuffler.EMPTY_TRAY) if sight.tray else Touch(h.AtTable.ORDER_DECKS)
    asked = view.ask("confirm-deck-check")
    return missing if asked is None and not is_held else asked  # a card with an unread face is not entered yet


def _grid_to_enter(view: View) -> Ask | None:
    """Returns the act that enters the next grid: one for all cards, or one for each back colour (br.decks.2). Returns
    None once all grids are entered.
    """
    sight, words = view.sight, view.recall.last_words
    if view.procedure.back_colours == 1:
        return None if view.recall.last_done == "enter-grid" else _grid(view, sight.faces, sight.foreign)
    entered = view.status.grids_entered
    is_held = view.status.held_by(HoldKind.COUNT)
    if {1, 2} <= set(entered) and is_held and not _are_right(view) and "enter-grid" not in words:
        entered = _good_grids(view)
    if 1 not in entered:
        return _grid(view, sight.faces, sight.foreign, back="1")
    return _grid(view, sight.second_faces, 0, back="2") if 2 not in entered or "back=1" in words else None


def _good_grids(view: View) -> tuple[int, ...]:
    """Returns the numbers of the back colours whose grid has the right number of cards.

    If both grids have it and the check has just failed, one grid has a wrong face, and people cannot know which. The
    result is then one of the two colours, chosen by the number of the journal's last entry.
    """
    good = _as_many_as_lie_there(view)
    if len(good) < 2 or view.recall.last_done != "confirm-deck-check":
        return good
    return (1 + view.status.journal.seq % 2,)


def _as_many_as_lie_there(view: View) -> tuple[int, ...]:
    sight = view.sight
    seen = (sum(count for _, count in sight.faces) + sight.foreign, sum(count for _, count in sight.second_faces))
    return tuple(
        back for back, pair in enumerate(zip(view.status.grid_cards, seen, strict=False), 1) if pair[0] == pair[1]
    )


def _are_right(view: View) -> bool:
    """True if the screen shows the right number of each card. The reader was then wrong, and the grids are right."""
    lying = Counter(dict(view.sight.faces)) + Counter(dict(view.sight.second_faces))
    return view.status.figures.found == [lying[card] for card in DECK]


def _grid(view: View, faces: tuple[tuple[str, int], ...], foreign: int, **back: str) -> Ask | None:
    counts = " ".join(f"{face}={count}" for face, count in faces) or _NO_CARD
    return view.ask("enter-grid", counts=counts, foreign=str(foreign), **back)
