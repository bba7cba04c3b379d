"""Facts of the reader: a card that passed, and reports of troubles.

Some readers keep no events. For these a restart of the controller, a time without the port, or a gap in the numbering
is recorded as a fact of its own (`CardsMayHavePassed`). If the shuffler's counts prove the number of cards that came
out, a card without an identity is only an unread card. Otherwise a hold stays open until people have counted.
"""

from typing import Any

from controller.core.custody.books import BEFORE_LOADING, NOTHING_LOADED, hold_for_count
from controller.core.custody.deck_check import found, read_out
from controller.core.custody.devices import hold_for_device, matters, taken
from controller.core.custody.doubt import is_open, may_be_the_last_cards
from controller.core.custody.drawing import attach, card_of_the_shoe, read_again, reports_come_late, stray_read
from controller.core.custody.game import next_owed
from controller.core.custody.shoe import warning_card_out
from controller.core.custody.state import Card, CardState, CardStateT, Identity, with_custody
from controller.core.engine.act import Fact, Source
from controller.core.engine.replacing import replace
from controller.core.house.holds import raise_hold
from controller.core.house.registry import FactRule
from controller.core.house.state import with_reader
from controller.core.words import Device, HoldCause, HoldKind, LostReason, SessionPhase, TableMs


class CardsMayHavePassed(Fact, frozen=True):
    """Cards may have passed a reader that keeps no events: the controller was away, or telegrams did not arrive whole.

    `cause`: the driver's code word for the reason. `missed`: the least number of lost or unreadable telegrams; None if
    unknown.
    """

    device: Device
    cause: str
    missed: int | None


class CardRead(Fact, frozen=True):
    """A card passed the reader. `card`: the face of a card that is owed face up or comes out at the unloading.
    `commitment`: stands for the face of any other card. Both are None for a card that the reader could not read.
    `passage`: the reader's own number, if it has one. `told`: the card that the reader itself names, which is recorded
    and never believed.

    The identity of a card that is face down, not owed or not yet known to be face up never enters the core.
    """

    source: Source
    passage: int | None
    card: Card | None
    commitment: str | None
    told: str | None = None


class ReaderStatusHeard(Fact, frozen=True):
    """The reader's own count of passages, reported at a time when all its events have come."""

    passages: int


class ReaderErrorRaised(Fact, frozen=True):
    """The reader reports a fault. `code`: the reader's own number for the fault."""

    source: Source
    code: int


class ReaderErrorCleared(Fact, frozen=True):
    """A fault that the reader reported is over. `code`: the reader's own number for the fault."""

    source: Source
    code: int


class ReaderNoted(Fact, frozen=True):
    """A message of the reader, which is only recorded unless it reports the warning card. `told`: the message's content
    without cards.
    """

    source: Source
    what: str
    told: str | None


class ReaderRestarted(Fact, frozen=True):
    """A reader without boot numbers reports that it begins anew."""

    source: Source


class CardReversed(Fact, frozen=True):
    """A card was moved backwards past the reader."""

    source: Source
    code: int


class PresetChanged(Fact, frozen=True):
    """A setting of the reader was changed at the reader itself."""

    source: Source
    address: str
    value: str


def card_read(state: CardStateT, event: CardRead, at_ms: TableMs) -> CardStateT:
    """The state after a card passed the reader: the card's identity is joined with a count, or waits for its count.
    During the unloading the card is entered in the deck check instead. After a card passed unseen, no later face of the
    round is believed, since the face may be another card's.
    """
    state = with_reader(taken(state, Device.SHOE, event.source), passages=event.passage, heard=None)
    if event.commitment is not None:
        state = with_custody(state, face_down=state.custody.face_down + 1)
    if state.house.session is SessionPhase.UNLOADING:
        return state if event.card is None else read_out(found(state, event.card), event.card)
    if _was_let_out(state):
        return state
    identity = Identity(None, None) if state.devices.reader.unseen else Identity(event.card, event.commitment)
    if not state.setup.has_shuffler:
        return card_of_the_shoe(state, identity, at_ms)
    return _join(state, identity, at_ms)


def _was_let_out(state: CardState) -> bool:
    """True if the passing card is out of play: the table is closed, or the card left an emptied machine and comes late.
    The machine is emptied after a failed loading and at an irregular closing.
    """
    failed = state.setup.has_shuffler and state.house.tally.failed_loads > 0
    taken_out = failed and state.house.session in BEFORE_LOADING
    over = state.house.session in {SessionPhase.CLOSED, SessionPhase.TAKING_OUT}
    return over or taken_out or reports_come_late(state)


def reader_heard(state: CardStateT, event: ReaderStatusHeard, _at_ms: TableMs) -> CardStateT:
    """The state with the reader's own count of passages. If the reader's events give another number, a difference is
    open.

    If both agree, the reader will never report a card whose passage is missing. That card then counts as unseen.
    """
    reader, passages = state.devices.reader, event.passages
    if reader.passages not in {None, passages}:
        return with_reader(state, heard=passages)
    return with_reader(state, passages=passages, heard=None, missing=0, unseen=reader.unseen + reader.missing)


def reader_word_is_news(state: CardState, passages: int) -> bool:
    """True if the reader's own count changes a known difference, or shows that a missing passage will not come."""
    reader = state.devices.reader
    if reader.passages is None or reader.passages == passages:
        return reader.missing > 0 or reader.heard is not None
    return passages != reader.heard


def _join(state: CardStateT, identity: Identity, at_ms: TableMs) -> CardStateT:
    join = state.custody.join
    if state.devices.reader.missing:  # the reading is too late for its card, which people name
        return with_reader(state, missing=state.devices.reader.missing - 1)
    if join.contested:
        return state
    if join.counted_ms is not None:
        return attach(state, identity, at_ms)
    if join.read is not None:
        return read_again(state, identity, at_ms)
    if next_owed(state) is None:
        return stray_read(state, identity, at_ms, follows_open=may_be_the_last_cards(state))
    follows_open = is_open(state, at_ms)
    return with_custody(state, join=replace(join, read=identity, read_ms=at_ms, follows_open=follows_open))


def cards_may_have_passed(state: CardStateT, event: CardsMayHavePassed, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a count if loaded cards may have passed unseen, and no shuffler counts them."""
    if state.house.session in NOTHING_LOADED or not matters(state, event.device) or _shuffler_counts(state):
        return state
    return hold_for_count(state, at_ms, HoldCause.CARDS_UNSEEN)


def _shuffler_counts(state: CardState) -> bool:
    """True if the shuffler's counts are known. The shuffler keeps and reports them even after a disconnection."""
    status = state.devices.shuffler.status
    return state.setup.has_shuffler and status is not None and status.counts_known


def reader_restarted(state: CardStateT, event: ReaderRestarted, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a needed reader that begins anew: a person must find the reason (pt.bj.51e)."""
    return hold_for_device(taken(state, Device.SHOE, event.source), Device.SHOE, LostReason.REBOOTED, at_ms)


def preset_changed(state: CardStateT, event: PresetChanged, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a needed reader whose settings were changed."""
    return hold_for_device(taken(state, Device.SHOE, event.source), Device.SHOE, LostReason.PRESET_CHANGED, at_ms)


def card_reversed(state: CardStateT, event: CardReversed, at_ms: TableMs) -> CardStateT:
    """The state with a hold after a card went backwards past the reader. Unchanged while nothing is loaded."""
    state = taken(state, Device.SHOE, event.source)
    if state.house.session in NOTHING_LOADED or not matters(state, Device.SHOE):
        return state
    kind, device = HoldKind.UNEXPECTED_CARD, Device.SHOE
    return raise_hold(state, kind, at_ms, device=device, cause=HoldCause.REVERSED, needs_count=True)


def _reader_noted(state: CardStateT, event: ReaderNoted, at_ms: TableMs) -> CardStateT:
    state = taken(state, Device.SHOE, event.source)
    is_warning_card = event.what == "cut-card" and not state.setup.has_shuffler
    return warning_card_out(state, at_ms) if is_warning_card else state


def _of_the_reader(state: CardStateT, event: ReaderErrorRaised | ReaderErrorCleared, _at_ms: TableMs) -> CardStateT:
    return taken(state, Device.SHOE, event.source)


CARDS_UNSEEN: tuple[FactRule[Any, Any], ...] = (
    FactRule("cards-may-have-passed", CardsMayHavePassed, cards_may_have_passed),
)
READER_FACTS: tuple[FactRule[Any, Any], ...] = (
    FactRule("card-read", CardRead, card_read),
    FactRule("reader-status-heard", ReaderStatusHeard, reader_heard),
    FactRule("reader-error-raised", ReaderErrorRaised, _of_the_reader),
    FactRule("reader-error-cleared", ReaderErrorCleared, _of_the_reader),
    FactRule("reader-noted", ReaderNoted, _reader_noted),
    FactRule("reader-restarted", ReaderRestarted, reader_restarted),
    FactRule("card-reversed", CardReversed, card_reversed),
    FactRule("preset-changed", PresetChanged, preset_changed),
)
