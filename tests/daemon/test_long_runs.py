"""A controller that runs for months: many segments of the journal, and no more open files than at its start."""

import resource
from pathlib import Path
from typing import Final

import pytest

from controller.daemon.limits import MOST_CLIENTS
from controller.daemon.prepare import prepare
from controller.doctor.descriptors import NEEDED
from controller.journal.recovery import list_segments
from controller.journal.storage import KEPT_OPEN, DirectoryReader
from controller.journal.verify import verify
from tests.daemon.rig import DEALER, Rig
from tests.daemon.test_two_copies import configured, in_step

pytestmark = pytest.mark.waits

ACTS: Final = 120
FEW_DESCRIPTORS: Final = 50
AT_WORK: Final = 2 * KEPT_OPEN + 4
"""The most open files: those of both copies that stay open, and those that a request opens for a moment."""

OTHER_LINES: Final = 12
"""The number of devices and parts that a table can have besides the three of this one."""


def sign_in_and_out(rig: Rig, acts: int) -> None:
    for _ in range(acts // 2):
        assert rig.act("sign-in", DEALER, operation="table").ok
        assert rig.act("sign-out").ok


def segments(directory: Path) -> int:
    with DirectoryReader(directory) as storage:
        return len(list_segments(storage))


@pytest.fixture
def small_segments(rig: Rig, tmp_path: Path) -> Rig:
    """A rig with a second copy, in which each batch ends a segment."""
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
    assert at_first + AT_WORK + MOST_CLIENTS + OTHER_LINES <= NEEDED["sabot"]
    sign_in_and_out(rig, ACTS)
    assert rig.descriptors() <= at_first + AT_WORK
    assert in_step(rig)
    assert rig.descriptors() <= at_first + AT_WORK
    assert segments(rig.journal) == segments(tmp_path / "second") > ACTS
    assert rig.stop()[0] == 0
    assert verify(rig.journal).ok
    assert verify(tmp_path / "second").ok


class Reads:
    """Records the names of the journals' files that this process reads."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.names: list[str] = []
        whole = DirectoryReader.read

        def read(reader: DirectoryReader, name: str) -> bytes:
            self.names.append(name)
            return whole(reader, name)

        monkeypatch.setattr(DirectoryReader, "read", read)


def reads_of_a_start(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> int:
    with monkeypatch.context() as patched:
        reads = Reads(patched)
        prepared = prepare(rig.config, {})
        prepared.listener.close()
        prepared.socket_path.unlink()
        prepared.storage.close()
    return len(reads.names)


def test_a_start_reads_no_more_of_a_long_journal(small_segments: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """A start reads only the segments after the last checkpoint of a closed table, also of the second copy."""
    rig = small_segments
    sign_in_and_out(rig, 4)
    rig.stop()
    of_a_short_one = reads_of_a_start(rig, monkeypatch)
    rig.start(SABOT_TEST_SEGMENT="1")
    sign_in_and_out(rig, ACTS)
    rig.stop()
    assert reads_of_a_start(rig, monkeypatch) <= of_a_short_one + 2
