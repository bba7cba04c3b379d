"""Worlds of all faults, of every profile: the oracles find nothing, and the worlds equal the recorded ones."""

import pytest

from controller.config.profile import PROFILES
from simulators.world.result import End
from tests.world.golden import SEEDS, kept, play, row

MEANT = (
    "A step that only moves code changes no row (of a state that is only cut otherwise: the last column alone). "
    "Is the change meant, then raise RULES_VERSION where the first column changed (of a change of the simulators alone "
    "say --same-rules), `make golden`, and say in the commit what changed and why. "
    "One world told as a story: sabot-sim world --profile NAME --seeds N:N+1 --rounds 3 --explain"
)


@pytest.mark.first
@pytest.mark.drawn(5)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("profile", PROFILES)
def test_a_world_breaks_nothing_and_plays_as_it_did(profile: str, seed: int) -> None:
    result = play(profile, seed)
    assert result.violations == ()
    assert result.end is End.CLOSED or "bit-flip" in result.faults
    assert row(profile, result) in kept(profile), f"now {row(profile, result)}\n{MEANT}"


def test_every_world_has_its_row() -> None:
    assert {name: len(kept(name)) for name in PROFILES} == dict.fromkeys(PROFILES, len(SEEDS))
