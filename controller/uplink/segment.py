"""Reads from a segment of the journal the entries that a signed statement covers. The controller sends statement and
segment together.
"""

import os
from io import FileIO
from typing import Final

from msgspec import Struct

from controller.journal.format import HEADER_SIZE, ZERO, Header, Record, decode_header, encode_header, scan
from controller.protocol.carried import Statement
from controller.uplink.errors import SegmentUnreadable
from drivers.errors import system_word

LARGEST: Final = 1 << 27


class Entries(Struct, frozen=True):
    """The payloads of consecutive entries. `previous`: the chain value before the first of them."""

    previous: bytes
    payloads: list[bytes]


class _Behind(Struct, frozen=True, gc=False):
    """The place in a segment up to which it was read, with the entry's number and the chain value there."""

    file: tuple[int, int]
    offset: int
    seq: int
    chain: bytes


class SegmentReader:
    """Reads a segment that grows, each byte only once. All methods raise SegmentUnreadable."""

    def __init__(self) -> None:
        self._behind: _Behind | None = None

    def entries(self, segment: FileIO, statement: Statement) -> Entries:
        """Returns the entries that the statement covers. Leaves out later entries of the segment, since they may not be
        durable.
        """
        found = self._records(segment, statement)
        last = found.records[-1] if found.records else None
        if last is None or last.seq != statement.last or last.chain.hex() != statement.head:
            self._behind = None
            raise SegmentUnreadable(f"#{statement.last}")
        self._behind = _Behind(_identity(segment), found.offset + last.end, last.seq, last.chain)
        payloads = [record.payload for record in found.records if record.seq >= statement.first]
        earlier = [record.chain for record in found.records if record.seq < statement.first]
        return Entries(earlier[-1] if earlier else found.previous, payloads)

    def _records(self, segment: FileIO, statement: Statement) -> "_Found":
        behind = self._behind
        if behind is not None and behind.file == _identity(segment) and behind.seq == statement.first - 1:
            header = Header(1, statement.first, behind.chain)
            data = encode_header(header) + _read(segment, behind.offset)
            return _found(data, header, behind.offset - HEADER_SIZE, statement.last)
        data = _read(segment, 0)
        read = decode_header(data[:HEADER_SIZE])
        if not isinstance(read, Header):
            raise SegmentUnreadable("header")
        return _found(data, read, 0, statement.last)


class _Found(Struct, frozen=True):
    """Verified records, up to the last wanted entry. `previous`: the chain value before the first record. `offset`: the
    number to add to the field `end` of a record to get its position in the segment.
    """

    records: list[Record]
    previous: bytes
    offset: int


def chain_at(segment: FileIO, seq: int) -> bytes | None:
    """Returns the chain value of entry `seq`; None if this segment does not have the entry."""
    return next((record.chain for record in scan(_read(segment, 0)).records if record.seq == seq), None)


def _found(data: bytes, header: Header, offset: int, last: int) -> _Found:
    records = [record for record in scan(data).records if record.seq <= last]
    return _Found(records, header.previous_head or ZERO, offset)


def _identity(segment: FileIO) -> tuple[int, int]:
    found = os.fstat(segment.fileno())
    return found.st_dev, found.st_ino


def _read(segment: FileIO, offset: int) -> bytes:
    try:
        return os.pread(segment.fileno(), LARGEST, offset)
    except OSError as error:
        raise SegmentUnreadable(system_word(error)) from error
