"""The dealer at the deck check: what no reader has seen, or not its back, is entered (pt.bj.55b, br.decks.2)."""

from controller.core.words import HoldKind, Role
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View


def check_decks(view: View) -> Doing:
    """Cards that no reader has seen, or a check that found a difference: the dealer enters the whole grid."""
    sight = view.sight
    missing = _grid_to_enter(view)
    is_held = view.status.held_by(HoldKind.COUNT)
    if is_held and not view.deck_is_regular:
        return None  # the chief supervisor and the room manager decide
    is_unread = sight.rack or sight.pack is not None  # no reader has seen what hands took out
    is_unread = is_unread or view.procedure.back_colours > 1  # nor does any see a back
    if (is_unread or is_held) and missing is not None:
        return missing
    if sight.rack or sight.tray:
        return Touch(h.EmptyTray()) if sight.tray else Touch(h.OrderDecks())
    return _ask(view, "confirm-deck-check")


def _grid_to_enter(view: View) -> Ask | None:
    """The whole grid, or one for each back colour in turn (br.decks.2); None: they are entered."""
    sight, words = view.sight, view.recall.last_words
    if view.procedure.back_colours == 1:
        return None if view.recall.last_done == "enter-grid" else _grid(view, sight.faces, sight.foreign)
    again = view.status.held_by(HoldKind.COUNT) and "enter-grid" not in words
    entered = () if again else view.status.grids_entered
    if 1 not in entered:
        return _grid(view, sight.faces, sight.foreign, back="1")
    return _grid(view, sight.second_faces, 0, back="2") if 2 not in entered or "back=1" in words else None


def _grid(view: View, faces: tuple[tuple[str, int], ...], foreign: int, **back: str) -> Ask | None:
    counts = " ".join(f"{face}={count}" for face, count in faces)
    return _ask(view, "enter-grid", counts=counts, foreign=str(foreign), **back)


def _ask(view: View, act: str, **values: str) -> Ask | None:
    return view.asked(Role.DEALER, Ask(act, values, as_dealer_at_table=True))
