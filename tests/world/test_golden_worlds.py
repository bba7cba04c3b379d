"""Worlds of all faults, of every profile: the oracles find nothing, and the worlds equal the recorded ones."""

import sys
from pathlib import Path

import pytest

from controller.config.profile import PROFILES
from simulators.world.result import End
from tests.world import golden
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


class InThisProcess:
    """A pool that plays at once (satisfies the part of an executor that the writer uses)."""

    def __enter__(self) -> "InThisProcess":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    map = staticmethod(map)


def test_worlds_that_play_otherwise_are_refused_at_once_and_told_the_way_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "worlds.golden"
    own.write_bytes(before := golden.FILE.read_bytes())
    monkeypatch.setattr(golden, "FILE", own)
    monkeypatch.setattr(golden, "ProcessPoolExecutor", InThisProcess)
    monkeypatch.setattr(golden, "_played", lambda profile: [f"{profile} 0 other other other"])
    monkeypatch.setattr(golden, "_searched", lambda _story: pytest.fail("a story is searched for nothing"))
    monkeypatch.setattr(sys, "argv", ["golden"])
    with pytest.raises(SystemExit, match=golden.SAME_RULES) as ended:
        golden.main()
    assert str(ended.value).splitlines()[1:] == [f"{profile} 0" for profile in PROFILES]
    assert own.read_bytes() == before
