"""Facts of the reader at the mouth: an identity joins a count, or says that something is wrong."""

from controller.core.custody.books import BEFORE_LOADING
from controller.core.custody.cards import DECK, FOREIGN, Card
from controller.core.custody.cards_moving import attach, card_of_the_shoe, reports_come_late
from controller.core.custody.facts import CardRead, ReaderStatusHeard
from controller.core.custody.owed import next_owed
from controller.core.custody.state import CardState, CardStateT, Identity, Join
from controller.core.engine.replacing import replace
from controller.core.house.holds import raise_hold
from controller.core.words import Device, HoldKind, SessionPhase, TableMs


def card_read(state: CardStateT, event: CardRead, at_ms: TableMs) -> CardStateT:
    """One passage at the reader. After a card that it never saw, nobody knows whose face it tells: none is believed."""
    link = replace(state.devices.reader.link, boot=event.source.boot, taken=event.source.number)
    reader = replace(state.devices.reader, link=link, passages=event.passage, heard=None)
    face_down = state.custody.face_down if event.commitment is None else state.custody.face_down + 1
    state = replace(
        state, devices=replace(state.devices, reader=reader), custody=replace(state.custody, face_down=face_down)
    )
    if state.house.session is SessionPhase.UNLOADING:
        return state if event.card is None else _read_out(found(state, event.card), event.card)
    if _was_let_out(state):
        return state
    identity = Identity(None, None) if state.devices.reader.unseen else Identity(event.card, event.commitment)
    if not state.setup.has_shuffler:
        return card_of_the_shoe(state, identity, at_ms)
    return _join(state, identity, at_ms)


def _was_let_out(state: CardState) -> bool:
    """Whether it tells, perhaps late, of cards that were let out and are not checked by it; a closed table has none."""
    taken_out = (
        state.setup.has_shuffler and state.house.tally.failed_loads > 0 and state.house.session in BEFORE_LOADING
    )
    over = state.house.session in {SessionPhase.CLOSED, SessionPhase.TAKING_OUT}
    return over or taken_out or reports_come_late(state)


def reader_heard(state: CardStateT, event: ReaderStatusHeard, _at_ms: TableMs) -> CardStateT:
    """The reader has told everything it counted: what is missing it never saw. Another figure is a difference."""
    reader, passages = state.devices.reader, event.passages
    if reader.passages not in {None, passages}:
        return replace(state, devices=replace(state.devices, reader=replace(reader, heard=passages)))
    unseen = reader.unseen + reader.missing
    return replace(
        state,
        devices=replace(state.devices, reader=replace(reader, passages=passages, heard=None, missing=0, unseen=unseen)),
    )


def reader_word_is_news(state: CardState, passages: int) -> bool:
    """Whether the reader's own figure says anything now: that a card will not come late, or that it differs."""
    reader = state.devices.reader
    if reader.passages is None or reader.passages == passages:
        return reader.missing > 0 or reader.heard is not None
    return passages != reader.heard


def found(state: CardStateT, card: Card, count: int = 1) -> CardStateT:
    """Adds a card to the closing grid (pt.bj.55b)."""
    if card == FOREIGN:
        return replace(state, custody=replace(state.custody, found_foreign=state.custody.found_foreign + count))
    index = DECK.index(card)
    grid = (*state.custody.found[:index], state.custody.found[index] + count, *state.custody.found[index + 1 :])
    return replace(state, custody=replace(state.custody, found=grid))


def _read_out(state: CardStateT, card: Card) -> CardStateT:
    """What the reader saw with its own eye, whatever the dealer enters later."""
    if card == FOREIGN:
        return replace(state, custody=replace(state.custody, read_out_foreign=state.custody.read_out_foreign + 1))
    index = DECK.index(card)
    return replace(
        state,
        custody=replace(
            state.custody,
            read_out=(
                *state.custody.read_out[:index],
                state.custody.read_out[index] + 1,
                *state.custody.read_out[index + 1 :],
            ),
        ),
    )


def _join(state: CardStateT, identity: Identity, at_ms: TableMs) -> CardStateT:
    join = state.custody.join
    if state.devices.reader.missing:  # it came too late for its card, which people name
        return replace(
            state,
            devices=replace(
                state.devices, reader=replace(state.devices.reader, missing=state.devices.reader.missing - 1)
            ),
        )
    if join.contested:
        return state
    if join.counted_ms is not None:
        return attach(state, identity, at_ms)
    if join.read is not None:
        return _stray(replace(state, custody=replace(state.custody, join=Join())), at_ms, "two-reads")
    if next_owed(state) is None:
        return _stray(state, at_ms, "read-without-count")
    return replace(state, custody=replace(state.custody, join=replace(join, read=identity, read_ms=at_ms)))


def _stray(state: CardStateT, at_ms: TableMs, cause: str) -> CardStateT:
    """A card that did not come from the shuffler, or two identities for one: nothing is believed."""
    return raise_hold(
        state,
        HoldKind.UNEXPECTED_CARD,
        at_ms,
        device=Device.SHOE,
        details=(("cause", cause),),
        needs_count=True,
    )
