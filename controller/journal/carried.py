"""The entries of one batch for the floor, and the batch's signature.

A batch ends where the controller knows the chain value without reading entries: at the durable end, or at the end of a
segment, which the header of the next segment names. A signature of a batch has its own purpose: it is never valid for a
mark, an export, a checkpoint or a pool's line.
"""

import os
from typing import Final

from msgspec import Struct

from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.format import HEADER_SIZE, ZERO, Header, decode_header, scan, segment_name
from controller.journal.recovery import Tip, list_segments
from controller.journal.signing import Signer, is_signed
from controller.journal.storage import DirectoryReader
from controller.protocol.carried import Gap, SignedStatement, Statement, statement_text

_PURPOSE: Final = b"sabot uplink batch 1\n"


class Stretch(Struct, frozen=True, gc=False):
    """Durable entries `first` to `last` of one segment. `head`: the chain value of entry `last`.

    `gap`: the reason why entries before `first` are missing; NONE if none is missing.
    """

    segment: int
    first: int
    last: int
    head: bytes
    gap: Gap = Gap.NONE


def signed_statement(statement: Statement, signer: Signer, mark: str = "") -> SignedStatement:
    return SignedStatement(signer.sign(_PURPOSE + statement_text(statement)), statement, mark)


def is_signed_text(text: bytes, signature: str, public_key: str) -> bool:
    """True if `signature` is a valid signature of the batch's text `text` by `public_key`."""
    return is_signed(public_key, signature, _PURPOSE + text)


class Segments:
    """Finds the next batch for the floor in the segments of a journal. One instance serves one run of the controller.

    Reads the damages that people have closed only once, since they do not change during a run.
    """

    def __init__(self) -> None:
        self._closed: tuple[_Closed, ...] | None = None

    def stretch_behind(self, journal: DirectoryReader, tip: Tip, seq: int) -> Stretch | None:
        """Returns the entries that follow entry `seq` in one segment. `tip`: the end of the durable journal.

        Returns None if no later entry is durable, or if a segment header that is needed to find the entries is
        unreadable. Raises StorageFailed.
        """
        wanted = seq + 1
        numbers = [number for number, _name in list_segments(journal) if number <= tip.segment]
        if wanted >= tip.next_seq or not numbers:
            return None
        if self._closed is None:
            self._closed = _closed_damages(journal, numbers)
        number = self._not_lost(_segment_of(journal, numbers, wanted), wanted)
        header = _header(journal, number)
        if header is None:
            return None
        last, head = self._end(journal, tip, number)
        first = max(wanted, header.first_seq)
        lost = Gap.DAMAGE if header.damaged != ZERO else Gap.REMOVED
        return None if first > last else Stretch(number, first, last, head, Gap.NONE if first == wanted else lost)

    def _not_lost(self, number: int, wanted: int) -> int:
        """Returns the number of the segment that has entry `wanted`: `number`, or the segment after a damage in which
        the entry was lost.
        """
        for closed in self._closed or ():
            is_kept = number == closed.segment and wanted <= closed.last
            if closed.segment <= number < closed.by and not is_kept:
                number = closed.by
        return number

    def _end(self, journal: DirectoryReader, tip: Tip, number: int) -> tuple[int, bytes]:
        """Returns the number and the chain value of the last entry of segment `number`.

        Returns (0, ZERO) if the header of the next segment is unreadable.
        """
        if number == tip.segment:
            return tip.next_seq - 1, tip.head
        lost = [closed for closed in self._closed or () if closed.segment == number < closed.by]
        if lost:
            return min((closed.last, closed.head) for closed in lost)
        following = _header(journal, number + 1)
        return (0, ZERO) if following is None else (following.first_seq - 1, following.previous_head)


class _Closed(Struct, frozen=True, gc=False):
    """A damage that people have closed. It begins in `segment` after entry `last`, whose chain value is `head`, and the
    header of segment `by` names the damaged bytes.
    """

    segment: int
    last: int
    head: bytes
    by: int


def _closed_damages(journal: DirectoryReader, numbers: list[int]) -> tuple[_Closed, ...]:
    found = []
    for place, number in enumerate(numbers):
        header = _header(journal, number)
        if header is not None and header.damaged != ZERO:
            found.append(_closed(journal, numbers[:place], number, header.previous_head))
    return tuple(found)


def _closed(journal: DirectoryReader, before: list[int], by: int, head: bytes) -> _Closed:
    """Finds the damage that the header of segment `by` closes. It begins after the entry whose chain value is `head`.

    `before`: the numbers of the earlier segments, searched from the last to the first. If no entry has this chain
    value, the damage begins before entry 1.
    """
    for number in reversed(before):
        found = scan(journal.read(segment_name(number)))
        kept = next((record for record in found.records if record.chain == head), None)
        if kept is not None:
            return _Closed(number, kept.seq, head, by)
        if found.header is not None and found.header.previous_head == head:
            return _Closed(number, found.header.first_seq - 1, head, by)
    return _Closed(before[0] if before else by, 0, head, by)


def _segment_of(journal: DirectoryReader, numbers: list[int], wanted: int) -> int:
    """Returns the number of the last segment that begins at or before entry `wanted`. If none does, returns the first
    number.
    """
    low, high = 0, len(numbers)
    while high - low > 1:
        middle = readable = (low + high) // 2
        header = _header(journal, numbers[middle])
        while header is None and readable + 1 < high:
            readable += 1
            header = _header(journal, numbers[readable])
        if header is None or header.first_seq > wanted:
            high = middle
        else:
            low = readable
    return numbers[low]


def _header(journal: DirectoryReader, segment: int) -> Header | None:
    try:
        descriptor = journal.open_to_read(segment_name(segment))
    except StorageFailed as failed:
        if failed.reason is StorageReason.GONE:
            return None
        raise
    try:
        found = decode_header(os.pread(descriptor, HEADER_SIZE, 0))
    finally:
        os.close(descriptor)
    return found if isinstance(found, Header) else None
