"""Worlds play as they played when their golden digests were written, to the last byte."""

import pytest

from controller.config.profile import PROFILES
from tests.world.golden import kept, played

MEANT = (
    "A step that only moves code changes no row (of a state that is only cut otherwise: the last column alone). "
    "Is the change meant, then `make golden`, and say in the commit what changed and why. "
    "One world told as a story: sabot-sim world --profile NAME --seeds N:N+1 --rounds 3 --explain"
)


@pytest.mark.parametrize("profile", PROFILES)
def test_worlds_play_as_they_did(profile: str) -> None:
    now, before = played(profile), kept(profile)
    changed = [f"{was}  now {row.split(maxsplit=2)[2]}" for was, row in zip(before, now, strict=True) if was != row]
    assert not changed, "\n".join([f"of {profile}'s worlds {len(changed)} rows changed:", *changed, MEANT])
