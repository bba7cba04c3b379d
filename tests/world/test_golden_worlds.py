"""Worlds of all faults, of every profile: the oracles object to nothing, and they play as they were written down."""

import pytest

from controller.config.profile import PROFILES
from simulators.world.result import End
from tests.world.golden import kept, play, rows

MEANT = (
    "A step that only moves code changes no row (of a state that is only cut otherwise: the last column alone). "
    "Is the change meant, then raise RULES_VERSION where the first column changed (of a change of the simulators alone "
    "say --same-rules), `make golden`, and say in the commit what changed and why. "
    "One world told as a story: sabot-sim world --profile NAME --seeds N:N+1 --rounds 3 --explain"
)


@pytest.mark.slow
@pytest.mark.parametrize("profile", PROFILES)
def test_worlds_break_nothing_and_play_as_they_did(profile: str) -> None:
    results = play(profile)
    assert {result.seed: result.violations for result in results if result.violations} == {}
    assert all(result.end is End.CLOSED for result in results if "bit-flip" not in result.faults)
    now, before = rows(profile, results), kept(profile)
    assert len(before) == len(now), MEANT
    changed = [f"{was}  now {row.split(maxsplit=2)[2]}" for was, row in zip(before, now, strict=True) if was != row]
    assert not changed, "\n".join([f"of {profile}'s worlds {len(changed)} rows changed:", *changed, MEANT])
