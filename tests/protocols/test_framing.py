"""The decoder finds frames in any chunks, noise and flood. It invents none, and keeps a bounded number of bytes."""

import tracemalloc
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_protocols.errors import RejectReason, ValueOutOfBounds
from firmware_protocols.framing import MAX_BODY, MAX_FRAME, FrameDecoder, decode_frame, encode_frame

BODIES = st.binary(min_size=1, max_size=MAX_BODY)


def fed_in_pieces(data: bytes, cuts: list[int]) -> list[bytes | RejectReason]:
    """The decoder's findings when the stream is cut in these places."""
    decoder = FrameDecoder()
    places = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    pieces = [data[start:end] for start, end in pairwise(places)]
    return [found for piece in pieces for found in decoder.feed(piece)]


@given(st.lists(BODIES, max_size=8), st.lists(st.integers(0, 10_000), max_size=40))
def test_bodies_come_out_as_they_went_in_however_the_stream_is_cut(bodies: list[bytes], cuts: list[int]) -> None:
    stream = b"".join(encode_frame(body) for body in bodies)
    assert fed_in_pieces(stream, cuts) == bodies


@given(BODIES, st.binary(max_size=3 * MAX_FRAME), BODIES, st.lists(st.integers(0, 10_000), max_size=40))
def test_noise_between_frames_that_begin_with_a_zero_costs_no_frame(
    first: bytes, noise: bytes, second: bytes, cuts: list[int]
) -> None:
    stream = encode_frame(first) + noise + b"\0" + encode_frame(second)
    bodies = [found for found in fed_in_pieces(stream, cuts) if isinstance(found, bytes)]
    assert bodies == [first, second]


@given(st.binary(max_size=5 * MAX_FRAME), st.lists(st.integers(0, 10_000), max_size=40))
def test_how_noise_is_cut_does_not_change_what_is_found(noise: bytes, cuts: list[int]) -> None:
    assert fed_in_pieces(noise, cuts) == fed_in_pieces(noise, [])


@given(BODIES, st.integers(0, 10_000), st.integers(1, 255))
def test_a_damaged_byte_never_gives_another_body(body: bytes, place: int, damage: int) -> None:
    frame = bytearray(encode_frame(body))
    frame[place % len(frame)] ^= damage
    assert all(isinstance(found, RejectReason) for found in FrameDecoder().feed(bytes(frame) + b"\0"))


@given(BODIES)
def test_a_frame_has_one_zero_and_is_its_last_byte(body: bytes) -> None:
    frame = encode_frame(body)
    assert frame.index(0) == len(frame) - 1
    assert len(frame) <= MAX_FRAME + 1


@pytest.mark.parametrize("body", [b"", bytes(MAX_BODY + 1)])
def test_a_body_has_1_to_192_bytes(body: bytes) -> None:
    with pytest.raises(ValueOutOfBounds):
        encode_frame(body)


# Frames made by hand: COBS( body 61 | tag | CRC-32 ).
@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        ("0261", RejectReason.BAD_LENGTH),
        ("0561", RejectReason.BAD_COBS),
        ("01010101010101010569df2265", RejectReason.BAD_LENGTH),
        ("02610101010101010105498111ac", RejectReason.BAD_CRC),
    ],
)
def test_a_rejected_frame_says_why(wire: str, reason: RejectReason) -> None:
    assert decode_frame(bytes.fromhex(wire)) is reason


def test_a_frame_with_a_tag_is_for_somebody_else() -> None:
    frame = bytes.fromhex("0e" + "61" + "0102030405060708" + "e5d6f9f7")
    assert decode_frame(frame) is RejectReason.UNEXPECTED_TAG


def test_empty_frames_mean_nothing() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(bytes(1000)) == []
    assert decoder.bytes_dropped == 0


def test_an_endless_frame_is_reported_once_and_the_next_is_found() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"\x55" * 10_000) == [RejectReason.OVERSIZE]
    assert decoder.feed(b"\x55" * 10_000) == []
    assert decoder.feed(b"\0" + encode_frame(b"found")) == [b"found"]
    assert decoder.bytes_dropped == 20_000


def test_ten_megabytes_of_noise_are_not_kept() -> None:
    rng = Random(5)  # noqa: S311 (noise, the same in each run)
    noise = [rng.randbytes(4096) for _ in range(64)]
    decoder = FrameDecoder()
    tracemalloc.start()
    for turn in range(10_000_000 // 4096):
        assert all(isinstance(found, RejectReason) for found in decoder.feed(noise[turn % 64]))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 200_000
