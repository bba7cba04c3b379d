"""Fuzzing: the kept corpus takes every way through each decoder, and no mutation makes one contradict the bytes."""

import sys
from random import Random

import pytest
from decoder import Decoder, stand_in_order
from decoders import DECODERS
from mutations import kept, mutated, reached
from traced import code_of, lines_left, tracing, ways_left

MUTATIONS = 3000

READS_THE_COMPILED_CODE = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the measure reads the code as Python 3.11 compiles it"
)


@pytest.fixture(params=sorted(DECODERS))
def decoder(request: pytest.FixtureRequest) -> Decoder:
    return DECODERS[request.param]


@READS_THE_COMPILED_CODE
def test_the_corpus_reaches_every_line_and_goes_every_way(decoder: Decoder) -> None:
    taken = reached(decoder, kept(decoder.name))
    assert lines_left(decoder.codes, taken) == []
    assert ways_left(decoder.codes, taken) == []


def test_mutated_frames_say_nothing_that_they_do_not_contain(decoder: Decoder) -> None:
    rng = Random(7)  # noqa: S311 (the same mutations in each run)
    for _ in range(MUTATIONS):
        chunks = mutated(rng, decoder.frames)
        try:
            decoder.run(chunks)
        except AssertionError as error:
            raise AssertionError(" ".join(chunk.hex() for chunk in chunks)) from error


def two_ways(number: int) -> str:
    if number > 1 and number % 2:
        return "odd"
    return "other"


@READS_THE_COMPILED_CODE
def test_the_measure_sees_what_was_not_taken() -> None:
    codes = code_of(two_ways)
    with tracing(codes) as taken:
        two_ways(2)
    assert len(lines_left(codes, taken)) == 1
    assert len(ways_left(codes, taken)) == 2
    with tracing(codes) as taken:
        for number in (1, 2, 3):
            two_ways(number)
    assert (lines_left(codes, taken), ways_left(codes, taken)) == ([], [])


def test_frames_stand_in_order_or_they_do_not() -> None:
    assert stand_in_order([b"ab", b"ab"], b"xababx")
    assert not stand_in_order([b"aba", b"bab"], b"xababx")
