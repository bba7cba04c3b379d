"""Facts of the reader at the mouth: an identity joins a count, or says that something is wrong."""

from controller.core.books import NOTHING_LOADED
from controller.core.cards import DECK, FOREIGN, Card
from controller.core.cards_moving import attach, reports_come_late
from controller.core.deal import next_owed
from controller.core.events import CardRead
from controller.core.holds import raise_hold
from controller.core.replacing import replace
from controller.core.state import Identity, Join, State
from controller.core.words import Device, HoldKind, SessionPhase, TableMs


def card_read(state: State, event: CardRead, at_ms: TableMs) -> State:
    """One passage at the reader."""
    state = replace(state, reader=replace(state.reader, passages=event.passage))
    if event.commitment is not None:
        state = replace(state, face_down=state.face_down + 1)
    if state.session is SessionPhase.UNLOADING:
        return state if event.card is None else found(state, event.card)
    if state.session is SessionPhase.TAKING_OUT or state.session in NOTHING_LOADED or reports_come_late(state):
        return state
    return _join(state, Identity(event.card, event.commitment), at_ms)


def reader_heard(state: State, passages: int) -> State:
    """The reader has told everything it counted: what is missing was never seen, and will not come late."""
    if state.reader.passages not in {None, passages}:
        return state
    return replace(state, reader=replace(state.reader, passages=passages, missing=0))


def found(state: State, card: Card, count: int = 1) -> State:
    """Adds a card to the closing grid (pt.bj.55b)."""
    if card == FOREIGN:
        return replace(state, found_foreign=state.found_foreign + count)
    index = DECK.index(card)
    grid = (*state.found[:index], state.found[index] + count, *state.found[index + 1 :])
    return replace(state, found=grid)


def _join(state: State, identity: Identity, at_ms: TableMs) -> State:
    join = state.join
    if state.reader.missing:  # it came too late for its card, which people name
        return replace(state, reader=replace(state.reader, missing=state.reader.missing - 1))
    if join.contested:
        return state
    if join.counted_ms is not None:
        return attach(state, identity, at_ms)
    if join.read is not None:
        return _stray(replace(state, join=Join()), at_ms, "two-reads")
    if next_owed(state) is None:
        return _stray(state, at_ms, "read-without-count")
    return replace(state, join=replace(join, read=identity, read_ms=at_ms))


def _stray(state: State, at_ms: TableMs, cause: str) -> State:
    """A card that did not come from the shuffler, or two identities for one: nothing is believed."""
    return raise_hold(
        state,
        HoldKind.UNEXPECTED_CARD,
        at_ms,
        device=Device.SHOE,
        details=(("cause", cause),),
        needs_count=True,
    )
