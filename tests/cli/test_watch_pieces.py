"""`sabot device watch` gives a driver pieces that are small enough to keep the order of the results."""

from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.cli.device_watch import pieces
from firmware_protocols.alpha.answers import AnswerDecoder
from firmware_protocols.angel_eye.framing import FrameDecoder
from tests.night import examples

PLAYER_8S = bytes.fromhex("05 31 44 81 B8 03 34 46")

# Bytes with a meaning on some wire, more often than by chance.
TELLING = st.sampled_from(bytes.fromhex("00 01 02 03 04 05 06 15 22 30 34 46 40 60 81 99 FF"))
WIRE = st.lists(st.one_of(TELLING.map(lambda byte: bytes((byte,))), st.binary(max_size=60), st.just(PLAYER_8S)))


@given(WIRE.map(b"".join))
def test_the_pieces_are_the_bytes(data: bytes) -> None:
    assert b"".join(pieces(data)) == data


@pytest.mark.parametrize("make", [FrameDecoder, AnswerDecoder])
@settings(max_examples=examples(100))
@given(before=WIRE.map(b"".join), data=WIRE.map(b"".join))
@example(before=PLAYER_8S[:-1], data=PLAYER_8S[-1:] + b"?" + PLAYER_8S)
@example(before=b"", data=PLAYER_8S[:-2] + b"G" + PLAYER_8S + b"\x15\x99\xaa")
def test_a_piece_of_more_than_a_byte_completes_one_thing_at_most(
    make: Callable[[], FrameDecoder | AnswerDecoder], before: bytes, data: bytes
) -> None:
    decoder = make()
    decoder.feed(before)
    for piece in pieces(data):
        assert len(decoder.feed(piece)) <= 1 or len(piece) == 1, piece.hex()


def test_noise_is_not_fed_byte_by_byte() -> None:
    assert len(list(pieces(bytes(range(0x20, 0x100)) * 20))) <= 3
