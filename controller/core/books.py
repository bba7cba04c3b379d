"""The book of places: moving cards between places, and the comparison with evidence that the book did not produce."""

from dataclasses import dataclass

from controller.core.replacing import replace
from controller.core.state import Book, State
from controller.core.words import HoldKind, HoldPhase, Place, RoundPhase, SessionPhase

COUNTER_SPAN = 1 << 32
"""Cumulative counts of a device are 32 bits wide and wrap."""

PLAUSIBLE_STEP = 1000
"""More cards than this between two events is not a movement but another counter."""

NOTHING_LOADED = (SessionPhase.CLOSED, SessionPhase.OPENED, SessionPhase.DISPLAYED, SessionPhase.MIXED)
"""No card of the deck set is inside: what the shuffler counts now is only a new beginning for its figures."""

_CARDS_MAY_BE_INSIDE = (
    SessionPhase.LOADING,
    SessionPhase.TAKING_OUT,
    SessionPhase.LOADED,
    SessionPhase.IN_PLAY,
    SessionPhase.CLOSING,
    SessionPhase.UNLOADING,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A figure of the book, and the evidence that says otherwise."""

    what: str
    book: int
    evidence: int


def move(book: Book, source: str, target: str, count: int = 1) -> Book:
    """Moves `count` cards between two fields; a fact is never refused: a source that lacks them gives what it has."""
    have = getattr(book, source)
    changes = {source: have - min(have, count)}
    changes[target] = changes.get(target, getattr(book, target)) + count
    return replace(book, **changes)


def in_place(book: Book, place: Place) -> int:
    """Cards in one place, jammed ones on either side of the count together."""
    return book.jammed if place is Place.JAMMED else int(getattr(book, place.value))


def move_between(book: Book, source: Place, target: Place, count: int) -> Book:
    """Moves cards that people moved by hand; jammed cards leave the uncounted side first."""
    if source is not Place.JAMMED:
        return move(book, source.value, target.value, count)
    from_feed = min(book.jammed_feed, count)
    after = move(book, "jammed_feed", target.value, from_feed)
    return move(after, "jammed_inside", target.value, count - from_feed)


def counter_step(before: int, now: int) -> int | None:
    """Cards between two readings of a cumulative counter; None where that is no plausible movement."""
    step = (now - before) % COUNTER_SPAN
    return step if step <= PLAUSIBLE_STEP else None


def differences(state: State) -> tuple[Difference, ...]:
    """Where book and evidence disagree now; empty while nothing can be said (no shuffler, nothing loaded)."""
    status = state.shuffler.status
    if (
        state.session not in _CARDS_MAY_BE_INSIDE
        or state.irregular
        or status is None
        or not state.shuffler.link.connected
    ):
        return ()
    pairs = [
        ("cards_in", state.shuffler.counted_in, status.cards_in),
        ("cards_out", state.shuffler.counted_out, status.cards_out),
        ("total", state.book.total, state.setup.cards),
    ]
    if status.inside is not None and not _hands_are_in_the_machine(state):
        pairs.append(("inside", state.book.inside + state.book.jammed_inside, status.inside))
    pairs += _passages_that_nobody_told(state)
    return tuple(Difference(what, book, evidence) for what, book, evidence in pairs if book != evidence)


def _passages_that_nobody_told(state: State) -> list[tuple[str, int, int]]:
    """The reader's own figure against its events; while cards run out to be checked by hand it stops nothing."""
    reader = state.reader
    if state.session in {SessionPhase.TAKING_OUT, SessionPhase.UNLOADING} or not reader.link.connected:
        return []
    if reader.passages is None or reader.heard is None:
        return []
    return [("passages", reader.passages, reader.heard)]


def can_be_compared(state: State) -> bool:
    """Whether the book and the shuffler's figures can be held against each other, or need not be."""
    if state.session not in _CARDS_MAY_BE_INSIDE or state.irregular:
        return True
    return state.shuffler.link.connected and state.shuffler.status is not None


def _hands_are_in_the_machine(state: State) -> bool:
    status = state.shuffler.status
    return (status is not None and status.lid_open) or any(
        hold.kind in {HoldKind.JAM, HoldKind.LID} and hold.phase in {HoldPhase.RAISED, HoldPhase.ATTENDED}
        for hold in state.holds
    )


def feed_source(state: State) -> str | None:
    """Where a card that is counted in comes from, as the procedure expects it now; None: none is expected."""
    if state.session is SessionPhase.LOADING and state.packet_open:
        return "outside"
    if state.round is RoundPhase.PUTTING_BACK and state.put_back < state.put_back_due:
        return "rack"
    return None
