"""Encodes and decodes the bytes of a segment: header, records and chain, as FORMAT.md describes them. Pure.

A record's length has its own CRC, so that a flipped bit in a length counts as damage, not as a last record that a loss
of power cut short. Recovery may cut only such an incomplete last record.
"""

import re
import struct
import zlib
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from controller.journal.errors import Reason

MAGIC: Final = b"\x89SABOT\r\n"
VERSION: Final = 1
ZERO: Final = bytes(32)
"""The chain value before the first record. In a header's field `damaged`: no damage before this segment."""

MAX_PAYLOAD: Final = 1 << 20

_HEADER: Final = struct.Struct("<8sIIQ32s32s")
_PREFIX: Final = struct.Struct("<III")
_U32: Final = struct.Struct("<I")
HEADER_SIZE: Final = _HEADER.size + _U32.size
CHAIN_SIZE: Final = 32
OVERHEAD: Final = _PREFIX.size + CHAIN_SIZE

_SEGMENT_NAME: Final = re.compile(r"(\d{8})\.segment")


def segment_name(number: int) -> str:
    return f"{number:08d}.segment"


def segment_number(name: str) -> int | None:
    """The number of the segment that is stored under `name`. None for any other file."""
    found = _SEGMENT_NAME.fullmatch(name)
    return int(found[1]) if found else None


class Header(Struct, frozen=True, gc=False):
    """The header of a segment: the segment's number, its first entry, and the chain value before that entry. `damaged`:
    the SHA-256 of the damaged bytes before this segment, with which people have let the journal go on; ZERO if there
    was no damage.
    """

    segment: int
    first_seq: int
    previous_head: bytes
    damaged: bytes = ZERO


class Record(msgspec.Struct, frozen=True, gc=False):
    """One verified record. `end`: the offset after the record. `chain`: the record's chain value."""

    seq: int
    payload: bytes
    chain: bytes
    end: int


class Torn(Struct, frozen=True, gc=False):
    """The fault of a segment with an incomplete record or header at its end, beginning at `offset`."""

    offset: int


class Bad(Struct, frozen=True, gc=False):
    """The fault of a segment with bytes that do not verify, beginning at `offset`."""

    offset: int
    reason: Reason


class ScanResult(Struct, frozen=True, gc=False):
    """The result of checking one segment by itself: the segment's header, its good records, and the fault after these,
    if any.
    """

    header: Header | None
    records: tuple[Record, ...]
    fault: Torn | Bad | None


class RecordEncoder:
    """Encodes consecutive records. The first follows the chain value `head` and has the number `next_seq`."""

    def __init__(self, head: bytes, next_seq: int) -> None:
        self.head = head
        self.next_seq = next_seq

    def encode(self, payload: bytes) -> bytes:
        """The bytes of the next record. Raises ValueError unless 1 <= len(payload) <= MAX_PAYLOAD."""
        if not 1 <= len(payload) <= MAX_PAYLOAD:
            raise ValueError(f"a payload of {len(payload)} bytes; 1 to {MAX_PAYLOAD} are allowed")
        length_crc = zlib.crc32(_U32.pack(len(payload)))
        stored = _PREFIX.pack(len(payload), length_crc, zlib.crc32(payload)) + payload
        self.head = chain_value(self.head, stored)
        self.next_seq += 1
        return stored + self.head


def chain_value(head: bytes, stored: bytes) -> bytes:
    """Returns the chain value of the record that follows the chain value `head`.

    `stored`: the record's bytes up to the end of its payload.
    """
    return sha256(head + stored).digest()


def record_chain(head: bytes, payload: bytes) -> bytes:
    """Returns the chain value of a record that follows the chain value `head` and has the payload `payload`.

    Raises ValueError for an empty or too long payload.
    """
    return RecordEncoder(head, 0).encode(payload)[-CHAIN_SIZE:]


def encode_header(header: Header) -> bytes:
    fixed = _HEADER.pack(MAGIC, VERSION, header.segment, header.first_seq, header.previous_head, header.damaged)
    return fixed + _U32.pack(zlib.crc32(fixed))


def decode_header(data: bytes) -> Header | Torn | Bad:
    """Decodes the header of a segment. Returns Torn for too few bytes, and Bad for bytes that are no header."""
    if len(data) < HEADER_SIZE:
        return Torn(0)
    fixed = data[: _HEADER.size]
    magic, version, segment, first_seq, previous_head, damaged = _HEADER.unpack(fixed)
    if magic != MAGIC or data[_HEADER.size : HEADER_SIZE] != _U32.pack(zlib.crc32(fixed)):
        return Bad(0, Reason.HEADER)
    if version != VERSION:
        return Bad(0, Reason.VERSION)
    return Header(segment, first_seq, previous_head, damaged)


def scan(data: bytes) -> ScanResult:
    """Verifies one segment's bytes, beginning with its header. The caller checks that the segment follows the previous
    segment.
    """
    header = decode_header(data)
    if not isinstance(header, Header):
        return ScanResult(None, (), header)
    records = _good_records(data, header)
    offset = records[-1].end if records else HEADER_SIZE
    fault = _fault_at(data, offset) if offset < len(data) else None
    return ScanResult(header, tuple(records), fault)


def _good_records(data: bytes, header: Header) -> list[Record]:
    """The records before the first that does not verify. Written for speed, since a check reads months of play."""
    records: list[Record] = []
    crc, unpack, size = zlib.crc32, _PREFIX.unpack_from, len(data)
    head, seq, offset = header.previous_head, header.first_seq, HEADER_SIZE
    while offset + OVERHEAD < size:
        length, length_crc, payload_crc = unpack(data, offset)
        start = offset + _PREFIX.size
        end = start + length
        if crc(data[offset : offset + 4]) != length_crc or not 0 < length <= MAX_PAYLOAD or end + CHAIN_SIZE > size:
            break
        payload = data[start:end]
        chain = sha256(head + data[offset:end]).digest()
        if crc(payload) != payload_crc or data[end : end + CHAIN_SIZE] != chain:
            break
        offset = end + CHAIN_SIZE
        records.append(Record(seq, payload, chain, offset))
        head, seq = chain, seq + 1
    return records


def _fault_at(data: bytes, offset: int) -> Torn | Bad:
    """Returns the fault of the bytes at `offset`, where no good record begins: Torn for incomplete bytes, Bad for
    others.
    """
    left = len(data) - offset
    if left < 2 * _U32.size:
        return Torn(offset)
    length, length_crc = struct.unpack_from("<II", data, offset)
    if zlib.crc32(data[offset : offset + _U32.size]) != length_crc or not 1 <= length <= MAX_PAYLOAD:
        return Bad(offset, Reason.LENGTH)
    if left < OVERHEAD + length:
        return Torn(offset)
    start = offset + _PREFIX.size
    payload = data[start : start + length]
    if data[start - _U32.size : start] != _U32.pack(zlib.crc32(payload)):
        return Bad(offset, Reason.CRC)
    return Bad(offset, Reason.CHAIN)
