"""Reads a journal back: verifies every segment in order, and cuts only an incomplete last record.

There are three results. Whole: the chain verifies to the last byte. Torn: the last record (or the last segment's
header) is incomplete and no byte follows it. A torn record was never synced and had no effect. Recovery cuts it, and
the next record must state the cut. Damaged: any other bytes do not verify. Damaged bytes are not cut. No record may be
appended until people have permitted `segment_after_damage`, a new segment whose header names the damaged bytes by their
SHA-256.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Final

import msgspec

from controller.journal.entry import Entry, decode_entry
from controller.journal.errors import CodecError, Damage, JournalDamaged, Reason
from controller.journal.format import (
    HEADER_SIZE,
    OVERHEAD,
    ZERO,
    Bad,
    Header,
    Record,
    Torn,
    decode_header,
    scan,
    segment_name,
    segment_number,
)
from controller.journal.removed import Removed, read_removed
from controller.journal.seals import cut_torn_seals
from controller.journal.storage import ReadableStorage, Storage
from controller.journal.words import cut_torn_words

FIRST_SEQ: Final = 1


class Tip(msgspec.Struct, frozen=True, gc=False):
    """The place for the next record, number `next_seq`: a segment, and its size in bytes (0: the header must be written
    first).

    `head`: the chain value of the last record. `damaged`: the SHA-256 of damaged bytes that the header must name, or
    ZERO.
    """

    segment: int = 1
    size: int = 0
    head: bytes = ZERO
    next_seq: int = FIRST_SEQ
    damaged: bytes = ZERO


class TornTail(msgspec.Struct, frozen=True, gc=False):
    """The incomplete end of a journal, which `settle` cuts: a last record, or the last segment's header, of `length`
    bytes.

    `seq`: the number that the record would have had.
    """

    segment: int
    offset: int
    length: int
    seq: int


class VerifiedEntry(msgspec.Struct, frozen=True, gc=False):
    """A verified entry, with its record and the number of its segment."""

    entry: Entry
    record: Record
    segment: int


class SealedDamage(msgspec.Struct, frozen=True, gc=False):
    """A damage that people have closed. Segment `by` names the damaged bytes by their SHA-256 `digest`, and begins with
    entry `next_seq`.
    """

    damage: Damage
    digest: bytes
    by: int
    next_seq: int


def list_segments(storage: ReadableStorage) -> tuple[tuple[int, str], ...]:
    """Returns the number and name of each segment, in order. Leaves out empty files, since their segments have not
    begun.
    """
    numbered = ((segment_number(file.name), file) for file in storage.list())
    return tuple(sorted((number, file.name) for number, file in numbered if number is not None and file.size))


def find_record(storage: ReadableStorage, seq: int) -> tuple[int, Record] | None:
    """Returns the number of the segment that has entry `seq`, and the entry's record. Returns None if the entry is
    missing, or lies after a damage of its segment. Raises StorageFailed.
    """
    for number, name in reversed(list_segments(storage)):
        data = storage.read(name)
        header = decode_header(data[:HEADER_SIZE])
        if isinstance(header, Header) and header.first_seq <= seq:
            return next(((number, record) for record in scan(data).records if record.seq == seq), None)
    return None


BEGINNING: Final = Tip()


def beginning(storage: ReadableStorage) -> Tip:
    """The place before a journal's first entry, or before the first entry that retention has kept."""
    return _behind(read_removed(storage))


def _behind(removed: Removed | None) -> Tip:
    if removed is None:
        return BEGINNING
    return Tip(removed.segment, 0, bytes.fromhex(removed.head), removed.first_seq)


class Walk:
    """One pass over a journal. Iteration yields the verified entries up to a damage that people have not closed, and
    raises StorageFailed. The attributes describe the segments read so far.

    `start`: the beginning of the first segment to read; None for the beginning of the journal.
    """

    def __init__(self, storage: ReadableStorage, start: Tip | None = None) -> None:
        self.removed = read_removed(storage) if start is None else None
        start = _behind(self.removed) if start is None else start
        self.start = self.tip = start
        self.torn: TornTail | None = None
        self.damage: Damage | None = None
        self.sealed: tuple[SealedDamage, ...] = ()
        self.last_segment = start.segment - 1
        self._first = start.segment
        self._storage = storage
        self._span = sha256()  # over the bytes since the damage
        self._span_size = 0

    def __iter__(self) -> Iterator[VerifiedEntry]:
        segments = [segment for segment in list_segments(self._storage) if segment[0] >= self._first]
        for number, name in segments:
            data = self._storage.read(name)
            if self.damage is not None:
                self._seal(number, data)
            if self.damage is None:
                yield from self._segment(number, data, is_last=number == segments[-1][0])
            if self.damage is not None:
                self._span.update(data)
                self._span_size += len(data)
            self.last_segment = number

    def tip_after_damage(self) -> Tip:
        """The beginning of a new segment whose header names the damage. The number of its first entry is higher than
        that of any entry in the damaged bytes.
        """
        lost = self._span_size // (OVERHEAD + 1) + 1
        return Tip(self.last_segment + 1, 0, self.tip.head, self.tip.next_seq + lost, self._span.digest())

    def _segment(self, number: int, data: bytes, *, is_last: bool) -> Iterator[VerifiedEntry]:
        result = scan(data)
        reason = self._misplaced(number, result.header) if result.header else None
        if reason is not None:
            self._bad(self._expected() if reason is Reason.MISSING else number, 0, reason)
            return
        if result.header is not None:
            self.tip = Tip(number, HEADER_SIZE, self.tip.head, self.tip.next_seq)
        last: Record | None = None
        for record in result.records:
            try:
                entry = decode_entry(record.payload, seq=record.seq)
            except CodecError:
                self._passed(number, last)
                self._bad(number, self.tip.size, Reason.ENTRY)
                return
            last = record
            yield VerifiedEntry(entry, record, number)
        self._passed(number, last)
        self._fault(number, len(data), result.fault, is_last=is_last)

    def _passed(self, number: int, last: Record | None) -> None:
        if last is not None:
            self.tip = Tip(number, last.end, last.chain, last.seq + 1)

    def _misplaced(self, number: int, header: Header) -> Reason | None:
        if number != self._expected():
            return Reason.MISSING
        if header.segment != number:
            return Reason.PLACE
        follows = (self.tip.next_seq, self.tip.head, self.tip.damaged)
        return None if (header.first_seq, header.previous_head, header.damaged) == follows else Reason.CHAIN

    def _expected(self) -> int:
        return self.tip.segment + 1 if self.tip.size else self.tip.segment

    def _fault(self, number: int, size: int, fault: Torn | Bad | None, *, is_last: bool) -> None:
        match fault:
            case Torn(offset) if is_last:
                self.torn = TornTail(number, offset, size - offset, self.tip.next_seq)
            case Torn(offset):
                self._bad(number, offset, Reason.INCOMPLETE)
            case Bad(offset, reason):
                self._bad(number, offset, reason)
            case None:
                pass

    def _bad(self, segment: int, offset: int, reason: Reason) -> None:
        self.damage = Damage(self.tip.next_seq, segment, offset, reason)
        self._span = sha256()
        self._span_size = 0

    def _seal(self, number: int, data: bytes) -> None:
        # The segment's first record states the damage, so a header without a record closes nothing yet.
        header, tip = decode_header(data), self.tip_after_damage()
        if self.damage is None or not isinstance(header, Header) or not scan(data).records:
            return
        if header == Header(number, tip.next_seq, tip.head, tip.damaged) and number == tip.segment:
            self.sealed += (SealedDamage(self.damage, tip.damaged, number, tip.next_seq),)
            self.tip, self.damage = tip, None


class Recovery:
    """The result of reading a journal up to its end, or to a damage that people have not closed.

    `start`: the beginning of the first segment to read; None for the beginning of the journal.
    """

    def __init__(
        self,
        storage: ReadableStorage,
        start: Tip | None = None,
        take: Callable[[Entry], None] = lambda _entry: None,
    ) -> None:
        """Reads and verifies the journal, and calls `take` with every verified entry. Raises StorageFailed."""
        walk = Walk(storage, start)
        for verified in walk:
            take(verified.entry)
        self._storage = storage
        self._start = walk.start
        self._walk = walk

    @property
    def head(self) -> bytes:
        """The chain value of the last verified entry, or of the entry before `start` if none verifies."""
        return self._walk.tip.head

    @property
    def next_seq(self) -> int:
        return self._walk.tip.next_seq

    @property
    def torn(self) -> TornTail | None:
        """The incomplete last record, whose cut the next record must state. None if the last record is complete."""
        return self._walk.torn

    @property
    def damage(self) -> Damage | None:
        """The damage that people have not closed; None if there is no such damage. The damage keeps the table from
        play.
        """
        return self._walk.damage

    @property
    def sealed(self) -> tuple[SealedDamage, ...]:
        """The damages that people have closed, each named by a later segment."""
        return self._walk.sealed

    def tip(self) -> Tip:
        """The place where the writer continues. Raises JournalDamaged for a damage that people have not closed."""
        if self.damage is not None:
            raise JournalDamaged(self.damage)
        return self._walk.tip

    def segment_after_damage(self) -> Tip:
        """Returns the end at which the writer continues after a damage, once people have permitted to continue. This
        end is the beginning of a new segment, whose header names the damaged bytes. The first record there must state
        the damage. Raises ValueError for a journal without damage.
        """
        if self.damage is None:
            raise ValueError("there is no damage to close")
        return self._walk.tip_after_damage()

    def entries(self) -> Iterator[Entry]:
        """Reads and verifies the entries before `next_seq` again, one segment at a time, and yields each."""
        for verified in Walk(self._storage, self._start):
            if verified.record.seq >= self.next_seq:
                return
            yield verified.entry


def recover(storage: Storage) -> Recovery:
    """Reads and verifies a journal, and cuts its incomplete end as `settle` does. Changes no file of a damaged journal.
    Raises StorageFailed.

    The last entries may come from a process that died before its sync, so they are synced before they are used.
    """
    recovery = Recovery(storage)
    settle(storage, recovery)
    return recovery


def settle(storage: Storage, recovery: Recovery) -> None:
    """Cuts the incomplete last record that `recovery` found, and incomplete last seals and words. Syncs the last
    segment.

    Changes no file of a damaged journal. Raises StorageFailed.
    """
    if recovery.damage is not None:
        return
    if recovery.torn is not None:
        storage.truncate(segment_name(recovery.torn.segment), recovery.torn.offset)
        storage.sync(segment_name(recovery.torn.segment))
    cut_torn_seals(storage)
    cut_torn_words(storage)
    tip = recovery.tip()
    if tip.size:
        storage.sync(segment_name(tip.segment))
