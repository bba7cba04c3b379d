"""A controller that runs for months: many segments of the journal, and no more open files than at its start."""

import resource
from pathlib import Path
from typing import Final

import pytest

from controller.journal.recovery import list_segments
from controller.journal.storage import KEPT_OPEN, DirectoryReader
from controller.journal.verify import verify
from tests.daemon.rig import DEALER, Rig
from tests.daemon.test_two_copies import configured, in_step

ACTS: Final = 120
FEW_DESCRIPTORS: Final = 50
AT_WORK: Final = 2 * KEPT_OPEN + 4
"""Files of both copies that may stay open, and what a question and a look at the disk have open for a moment."""


def sign_in_and_out(rig: Rig, acts: int) -> None:
    for _ in range(acts // 2):
        assert rig.act("sign-in", DEALER, operation="table").ok
        assert rig.act("sign-out").ok


def segments(directory: Path) -> int:
    with DirectoryReader(directory) as storage:
        return len(list_segments(storage))


@pytest.fixture
def small_segments(rig: Rig, tmp_path: Path) -> Rig:
    """Runs with a second copy; each batch ends a segment."""
    configured(rig, tmp_path / "second")
    rig.start(SABOT_TEST_SEGMENT="1")
    rig.connected()
    assert in_step(rig)
    return rig


def test_a_table_plays_through_many_segments_with_few_descriptors(small_segments: Rig, tmp_path: Path) -> None:
    rig = small_segments
    assert rig.child is not None
    resource.prlimit(rig.child.pid, resource.RLIMIT_NOFILE, (FEW_DESCRIPTORS, FEW_DESCRIPTORS))
    at_first = rig.descriptors()
    sign_in_and_out(rig, ACTS)
    assert rig.descriptors() <= at_first + AT_WORK
    assert in_step(rig)
    assert rig.descriptors() <= at_first + AT_WORK
    assert segments(rig.journal) == segments(tmp_path / "second") > ACTS
    assert rig.stop()[0] == 0
    assert verify(rig.journal).ok
    assert verify(tmp_path / "second").ok
