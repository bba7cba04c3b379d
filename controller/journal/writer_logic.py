"""Plans the steps that make a batch durable. Sans-IO: the journal's thread or the virtual world performs the steps.

Seals and words are appended and synced before the records. The batch is durable after the last sync. One batch is under
way at a time, and the caller gathers further entries into the next batch (group commit). After a failure no step is
made until the caller submits the same entries again. The first step of the new attempt cuts the storage back to the
durable part.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from controller.journal.errors import Damage, JournalDamaged, Reason, StorageFailed
from controller.journal.format import ZERO, Header, RecordEncoder, encode_header, scan, segment_name
from controller.journal.recovery import Tip, list_segments
from controller.journal.seals import cut_torn_seals, seals_name
from controller.journal.storage import Storage
from controller.journal.words import cut_torn_words, words_name

SEGMENT_LIMIT: Final = 1 << 20
"""The size in bytes of a segment from which the next batch begins a new segment, so that a start from a checkpoint
reads hardly more than that.
"""

MakeCheckpoint: TypeAlias = Callable[[Tip], bytes]
"""Makes the checkpoint for the segment that begins at this tip, after all durable entries."""


class Batch(Struct, frozen=True, gc=False):
    """Consecutive entries (canonical JSON) that become durable together, with their seals and words."""

    last_seq: int
    payloads: tuple[bytes, ...]
    seals: tuple[bytes, ...] = ()
    words: tuple[bytes, ...] = ()
    ends_session: bool = False  # the next batch begins a segment: segments are sealed by session


class Restore(Struct, frozen=True, gc=False):
    """The step that verifies the storage up to `durable`, the end of its durable part, and cuts all bytes after it."""

    durable: Tip


class Append(Struct, frozen=True, gc=False):
    name: str
    data: bytes


class Sync(Struct, frozen=True, gc=False):
    name: str
    back_to: int | None = None  # the size to cut to after a failed sync


Step: TypeAlias = Restore | Append | Sync


class WriterLogic:
    """Plans the steps of each batch. `durable`: the durable end, which is `tip` before the first batch. `is_settled`:
    no bytes can lie after `tip`; if this is False, the first batch cuts such bytes.
    """

    def __init__(
        self,
        tip: Tip,
        *,
        segment_limit: int = SEGMENT_LIMIT,
        checkpoint: MakeCheckpoint | None = None,
        is_settled: bool = True,
    ) -> None:
        self.durable = tip
        self._limit = segment_limit
        self._checkpoint = checkpoint
        self._session_ended = False
        self._ends_session = False  # True if the present batch ends a session
        self._next: Tip | None = None  # the end of the journal once the present batch is durable
        self._latched = not is_settled

    def begin(self, batch: Batch) -> tuple[Step, ...]:
        """Begins a batch and returns its steps. After a failure the first step cuts the storage back.

        Raises ValueError if another batch is unfinished, or if `batch` does not follow the durable entries.
        """
        if self._next is not None:
            raise ValueError("a batch is out already")
        if not batch.payloads or batch.last_seq - len(batch.payloads) + 1 != self.durable.next_seq:
            raise ValueError(f"a batch up to {batch.last_seq}; the next entry is {self.durable.next_seq}")
        start = self._start()
        records, self._next = _encode(start, batch.payloads)
        self._ends_session = batch.ends_session
        first = (Restore(self.durable),) if self._latched else ()
        return (*first, *self._checkpoint_of(start), *_steps(start, batch, records))

    def _start(self) -> Tip:
        if not self.durable.size or (self.durable.size < self._limit and not self._session_ended):
            return self.durable
        return replace(self.durable, segment=self.durable.segment + 1, size=0)

    def _checkpoint_of(self, start: Tip) -> Iterator[Step]:
        """Yields the steps that write the checkpoint before a new segment at `start`. Yields nothing if `start` lies
        inside a segment, or begins the first segment or a segment that names a damage.
        """
        if self._checkpoint is not None and not start.size and start.segment > 1 and start.damaged == ZERO:
            name = checkpoint_name(start.segment)
            yield Append(name, self._checkpoint(start))
            yield Sync(name)

    def succeeded(self) -> int:
        """Ends the present batch after all its steps have succeeded. Returns the number of its last entry, now durable.

        Raises ValueError if no batch was begun.
        """
        if self._next is None:
            raise ValueError("no batch is out")
        self.durable, self._next, self._latched = self._next, None, False
        self._session_ended = self._ends_session
        return self.durable.next_seq - 1

    def failed(self) -> None:
        """Gives up the present batch.

        An unknown part of the batch is on the medium. The next batch first cuts it.
        """
        self._next, self._latched = None, True


def checkpoint_name(segment: int) -> str:
    """Returns the name of the file with the checkpoint of segment `segment`: the state before the segment's first
    entry.
    """
    return f"{segment:08d}.checkpoint"


def _encode(start: Tip, payloads: tuple[bytes, ...]) -> tuple[bytes, Tip]:
    """Encodes records to append at `start`. Returns their bytes, and the place after them."""
    encoder = RecordEncoder(start.head, start.next_seq)
    parts = [encoder.encode(payload) for payload in payloads]
    if not start.size:
        parts.insert(0, encode_header(Header(start.segment, start.next_seq, start.head, start.damaged)))
    data = b"".join(parts)
    return data, Tip(start.segment, start.size + len(data), encoder.head, encoder.next_seq)


def _steps(start: Tip, batch: Batch, records: bytes) -> Iterator[Step]:
    for name_of, parts in ((seals_name, batch.seals), (words_name, batch.words)):
        if parts:
            yield Append(name_of(start.segment), b"".join(parts))
            yield Sync(name_of(start.segment))
    segment = segment_name(start.segment)
    yield Append(segment, records)
    yield Sync(segment, start.size)


def perform(storage: Storage, step: Step) -> None:
    """Performs one step. Raises StorageFailed. A Restore may also raise JournalDamaged."""
    match step:
        case Restore(durable):
            restore(storage, durable)
        case Append(name, data):
            storage.append(name, data)
        case Sync(name, back_to):
            _sync(storage, name, back_to)


def _sync(storage: Storage, name: str, back_to: int | None) -> None:
    """Syncs a file. After a failure cuts the file to `back_to` bytes and raises the failure. A read may still show
    bytes that are not durable.
    """
    try:
        storage.sync(name)
    except StorageFailed:
        if back_to is not None:
            with suppress(StorageFailed):  # the first failure is raised; the next try begins with a Restore
                storage.truncate(name, back_to)
        raise


def restore(storage: Storage, durable: Tip) -> None:
    """Verifies the segment in which `durable` lies, and cuts all bytes after `durable`. Raises StorageFailed, and
    JournalDamaged before any cut.

    A failed sync may have lost bytes that a read still shows (the system keeps them and calls them clean). So the
    writer cuts bytes after `durable` and writes them again.
    """
    if durable.size:
        _verify_durable(storage.read(segment_name(durable.segment)), durable)
    cut_torn_seals(storage)
    cut_torn_words(storage)
    for number, name in reversed(list_segments(storage)):
        if number >= durable.segment:
            storage.truncate(name, durable.size if number == durable.segment else 0)
            storage.sync(name)


def _verify_durable(data: bytes, durable: Tip) -> None:
    """Raises JournalDamaged unless the segment's bytes have all durable records."""
    result = scan(data[: durable.size])
    seq, head, offset = 0, b"", 0
    if result.records:
        last = result.records[-1]
        seq, head, offset = last.seq, last.chain, last.end
    if (result.fault, seq + 1, head, offset) != (None, durable.next_seq, durable.head, durable.size):
        raise JournalDamaged(Damage(seq + 1, durable.segment, offset, Reason.CHAIN))
