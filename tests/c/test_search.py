"""The C core beside our firmware: output and state are equal whatever frames the line loses, doubles or reorders."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from simulators.c.build import SANITIZED, device_program
from simulators.c.firmware import CProgram
from tests.c.pair import LETTERS, Pair, Path
from tests.c.proven_pair import PROVEN, ProvenPair
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits


@pytest.fixture
def program() -> Iterator[CProgram]:
    made = CProgram(device_program(SANITIZED), "shuffler")
    yield made
    made.close()


MORE = 2 if IS_NIGHT else 0
DEPTHS = {
    (): 1 + MORE,
    ("hello",): 1 + MORE,
    ("hello", "ack-all"): 1 + MORE,
    ("hello", "release", "a-retry"): 1 + MORE,
    ("hello", *["flutter"] * 3): 1 + MORE,
}
WALKS = 4000 if IS_NIGHT else 50
STEPS = 60


@pytest.mark.parametrize("start", DEPTHS, ids="-".join)
def test_every_short_story_is_the_same(start: tuple[str, ...], program: CProgram) -> None:
    """All orders of so many letters, with repetitions: every result of a line's faults on a host's frames."""
    for letters in product(LETTERS, repeat=DEPTHS[start]):
        Path((*start, *letters)).walk(Pair(program), LETTERS)


def test_long_stories_are_the_same(program: CProgram) -> None:
    rng = Random(39)  # noqa: S311
    for _ in range(WALKS):
        Path(("hello", *rng.choices(tuple(LETTERS), k=STEPS))).walk(Pair(program), LETTERS)


PROVEN_DEPTHS = {
    (): 1 + MORE,
    ("hello", "beat-1"): 1 + MORE,
    ("hello", "beat-1", "ack-all", "release"): 1 + MORE,
    ("switch", "hello-newer-of-nobody"): 1 + MORE,
    ("switch", "hello-newer-of-nobody", "pair"): 1 + MORE,
    ("switch", "hello-newer-of-nobody", "minute"): 1 + MORE,
}


@pytest.mark.parametrize("start", PROVEN_DEPTHS, ids="-".join)
def test_every_short_story_of_a_pair_is_the_same(start: tuple[str, ...], program: CProgram) -> None:
    """Hosts with the key and without, the switch, and an attacker on the cable who repeats recorded frames."""
    for letters in product(PROVEN, repeat=PROVEN_DEPTHS[start]):
        Path((*start, *letters)).walk(ProvenPair(program), PROVEN)


def test_long_stories_of_a_pair_are_the_same(program: CProgram) -> None:
    rng = Random(18)  # noqa: S311
    for _ in range(WALKS):
        Path(("hello", *rng.choices(tuple(PROVEN), k=STEPS))).walk(ProvenPair(program), PROVEN)
