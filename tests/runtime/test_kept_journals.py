"""The present program reads each release's journals as that release did."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from controller.runtime.replay import replay
from tests.runtime.keep import KEPT
from tests.world.golden import JOURNALS, kept, replayed

EXPECTED: list[tuple[Path, dict[str, Any]]] = [
    (release / name, row)
    for release in sorted(KEPT.iterdir())
    for name, row in tomllib.loads((release / "expected.toml").read_text()).items()
]


@pytest.mark.parametrize(
    ("journal", "expected"), EXPECTED, ids=[f"{path.parent.name}-{path.name}" for path, _ in EXPECTED]
)
def test_it_is_read_to_its_end(journal: Path, expected: dict[str, Any]) -> None:
    result = replay(journal)
    assert (result.ok, result.entries) == (expected["ok"], expected["entries"])


@pytest.mark.parametrize("journal", JOURNALS, ids=str)
def test_its_state_is_the_recorded_one(journal: Path) -> None:
    assert replayed(journal) in kept("journal"), "a new field of the state or setup alone: make golden"


def test_each_release_has_kept_a_whole_a_torn_and_a_damaged_one() -> None:
    for release in KEPT.iterdir():
        assert {path.name for path, _ in EXPECTED if path.parent == release} == {"evening", "torn", "damaged"}
    wholes = [row for path, row in EXPECTED if path.name == "evening"]
    assert all(row["ok"] and row["entries"] > 90 for row in wholes)
