"""A segment's bytes are the golden ones; every length is read back, every cut and flipped bit is found."""

import re
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import given
from hypothesis import strategies as st

import controller.journal
from controller.journal.errors import Reason
from controller.journal.format import (
    HEADER_SIZE,
    MAX_PAYLOAD,
    OVERHEAD,
    ZERO,
    Bad,
    Header,
    RecordEncoder,
    Torn,
    encode_header,
    scan,
    segment_name,
    segment_number,
)

PAYLOADS = st.lists(st.binary(min_size=1, max_size=300), max_size=8)
HEAD = bytes(range(32))


def segment(payloads: list[bytes], *, first: int = 7) -> bytes:
    encoder = RecordEncoder(HEAD, first)
    return encode_header(Header(3, first, HEAD)) + b"".join(map(encoder.encode, payloads))


def test_the_example_in_the_text_is_what_the_code_writes() -> None:
    text = (Path(controller.journal.__path__[0]) / "FORMAT.md").read_text(encoding="utf-8")
    example = re.search(r"    header  ((?:[0-9a-f]+\s+)+)record  ((?:[0-9a-f]+\s+)+)", text)
    assert example is not None
    assert bytes.fromhex(example[1]) == encode_header(Header(1, 1, ZERO))
    assert bytes.fromhex(example[2]) == RecordEncoder(ZERO, 1).encode(b'{"seq":1}')


@given(PAYLOADS)
def test_what_is_encoded_scans_back(payloads: list[bytes]) -> None:
    encoder = RecordEncoder(HEAD, 7)
    for payload in payloads:
        encoder.encode(payload)
    result = scan(segment(payloads))
    assert result.fault is None
    assert result.header == Header(3, 7, HEAD)
    assert [record.payload for record in result.records] == payloads
    assert [record.seq for record in result.records] == list(range(7, 7 + len(payloads)))
    assert (result.records[-1].chain if payloads else HEAD) == encoder.head


@given(PAYLOADS, st.data())
def test_a_cut_leaves_the_whole_records_and_a_torn_tail(payloads: list[bytes], data: st.DataObject) -> None:
    whole = segment(payloads)
    cut = data.draw(st.integers(0, len(whole) - 1))
    ends = [HEADER_SIZE]
    for payload in payloads:
        ends.append(ends[-1] + OVERHEAD + len(payload))
    result = scan(whole[:cut])
    if cut < HEADER_SIZE:
        assert result.fault == Torn(0)
        assert result.header is None
    else:
        reached = max(end for end in ends if end <= cut)
        assert len(result.records) == ends.index(reached)
        assert result.fault == (None if cut == reached else Torn(reached))


@given(st.binary(max_size=400))
def test_any_bytes_scan_without_an_error_of_ours(noise: bytes) -> None:
    assert scan(segment([b"one"]) + noise).records[0].payload == b"one"
    scan(noise)


def test_no_flipped_bit_verifies_or_looks_torn() -> None:
    payloads = [b"first", b"the second", b"3"]
    whole = bytearray(segment(payloads))
    starts = [HEADER_SIZE + sum(OVERHEAD + len(payload) for payload in payloads[:i]) for i in range(3)]
    for bit in range(len(whole) * 8):
        whole[bit // 8] ^= 1 << bit % 8
        result = scan(bytes(whole))
        expected = max((start for start in starts if start <= bit // 8), default=0)
        assert isinstance(result.fault, Bad), f"bit {bit} of byte {bit // 8}"
        assert result.fault.offset == expected
        whole[bit // 8] ^= 1 << bit % 8


def test_each_fault_has_its_reason() -> None:
    whole = segment([b"first", b"second"])

    def reason(at: int, *, value: int | None = None) -> Reason:
        changed = whole[:at] + bytes([whole[at] ^ 0xFF if value is None else value]) + whole[at + 1 :]
        fault = scan(changed).fault
        assert isinstance(fault, Bad)
        return fault.reason

    assert reason(0) is Reason.HEADER
    assert reason(20) is Reason.HEADER
    assert reason(HEADER_SIZE) is Reason.LENGTH
    assert reason(HEADER_SIZE + 5) is Reason.LENGTH
    assert reason(HEADER_SIZE + 9) is Reason.CRC
    assert reason(HEADER_SIZE + 12) is Reason.CRC
    assert reason(HEADER_SIZE + 12 + 5) is Reason.CHAIN


def test_another_version_is_named_as_such() -> None:
    whole = segment([b"first"])
    fixed = whole[:8] + b"\x02" + whole[9 : HEADER_SIZE - 4]
    fault = scan(fixed + crc32(fixed).to_bytes(4, "little") + whole[HEADER_SIZE:]).fault
    assert fault == Bad(0, Reason.VERSION)


@pytest.mark.parametrize("size", [0, MAX_PAYLOAD + 1])
def test_a_payload_out_of_bounds_is_not_encoded(size: int) -> None:
    encoder = RecordEncoder(ZERO, 1)
    with pytest.raises(ValueError, match="bytes"):
        encoder.encode(bytes(size))
    assert (encoder.head, encoder.next_seq) == (ZERO, 1)


@pytest.mark.parametrize("size", [8, 9, 11, 12, 100])
def test_a_tail_is_torn_only_if_its_length_holds_good(size: int) -> None:
    whole = segment([b"x" * 100])
    assert scan(whole[: HEADER_SIZE + size]).fault == Torn(HEADER_SIZE)
    changed = whole[: HEADER_SIZE + 4] + b"\0\0\0\0" + whole[HEADER_SIZE + 8 :]
    assert scan(changed[: HEADER_SIZE + size]).fault == Bad(HEADER_SIZE, Reason.LENGTH)


def test_the_longest_payload_fits() -> None:
    assert scan(segment([b"x" * MAX_PAYLOAD])).fault is None


@pytest.mark.parametrize("size", [0, MAX_PAYLOAD + 1])
def test_a_length_out_of_bounds_is_bad_even_with_its_crc(size: int) -> None:
    length = size.to_bytes(4, "little")
    data = segment([]) + length + crc32(length).to_bytes(4, "little") + bytes(100)
    assert scan(data).fault == Bad(HEADER_SIZE, Reason.LENGTH)


def test_names_of_segments() -> None:
    assert segment_name(12) == "00000012.segment"
    assert segment_number("00000012.segment") == 12
    for name in ("12.segment", "00000012.seals", "00000012.segment.new", "x00000012.segment"):
        assert segment_number(name) is None
