"""A real controller on a card with two roots: its journal names the root that runs, and the people who permitted a new
one.
"""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.catalogue import Language
from controller.journal.root import RELEASE, Release, keep_updated, updated_path
from controller.journal.verify import entries_of
from controller.record.findings import found_at_start
from tests.daemon.rig import CHIEF, TECHNICIAN, Rig
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

OLD, NEW = Release(20261101000000, 1_764_000_000), Release(20261201000000, 1_764_000_000)


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    with Rig(tmp_path) as made:
        yield made


def findings(rig: Rig, **environment: str) -> list[str]:
    """Starts the controller once more; returns the start's findings, once its mark is written."""
    rig.start(**environment)
    wait_for(lambda: not updated_path(rig.journal).exists(), rig.log.read_text)
    rig.stop()
    started = [one for one in entries_of(rig.journal) if one.kind == "controller-started"][-1]
    found: list[str] = msgspec.json.decode(bytes(started.body))["findings"]
    return [one for one in found if one.startswith(("root", "updated"))]


def test_the_newest_root_stays_known_after_the_way_back_and_without_a_card(rig: Rig) -> None:
    assert findings(rig) == []
    assert findings(rig, **{RELEASE: str(NEW)}) == [f"root {NEW} newest {NEW}"]
    assert findings(rig, **{RELEASE: str(OLD)}) == [f"root {OLD} newest {NEW}"]
    assert findings(rig) == [f"root none newest {NEW}"]


def test_the_first_start_after_an_update_says_who_let_it_in(rig: Rig) -> None:
    assert findings(rig, **{RELEASE: str(OLD)}) == [f"root {OLD} newest {OLD}"]
    keep_updated(rig.journal, str(NEW), TECHNICIAN, CHIEF)
    said = findings(rig, **{RELEASE: str(NEW)})
    assert said == [f"updated {NEW} technician {TECHNICIAN} chief-supervisor {CHIEF}", f"root {NEW} newest {NEW}"]
    words = list(found_at_start(msgspec.json.decode(msgspec.json.encode(said)), 9, Language.EN))
    assert [str(TECHNICIAN) in words[0], str(NEW) in words[0], str(NEW) in words[1]] == [True, True, True]
    assert findings(rig, **{RELEASE: str(NEW)}) == [f"root {NEW} newest {NEW}"]
