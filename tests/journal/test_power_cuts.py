"""Power cuts at every write, sync and byte: a bounded part of `sabot-sim power-cuts`, which finds planted faults."""

import json
from functools import partial
from typing import Final

import pytest

from controller.journal import recovery
from controller.journal.format import segment_name
from controller.journal.recovery import Recovery
from controller.journal.storage import Storage
from simulators.cli import main
from simulators.disk import MemoryStorage
from simulators.power_cuts import Sent, power_cuts, sent_by_a_world

LAST: Final = 8
"""The number of an entry that is a batch by itself, with a tenth of the first entry's bytes."""


@pytest.fixture(scope="session")
def sent() -> Sent:
    return sent_by_a_world(LAST + 1, seed=3)


@pytest.mark.slow
def test_every_point_of_the_last_records_is_recovered(sent: Sent) -> None:
    tried = power_cuts(sent, LAST, MemoryStorage())
    assert tried.failures == []
    assert tried.points > 2000
    assert tried.recovered == tried.points


class LyingDisk(MemoryStorage):
    """A disk whose sync returns before anything is stored."""

    def sync(self, name: str) -> None:
        """Returns without storing anything."""


@pytest.mark.slow
def test_a_disk_that_lies_is_found_out(sent: Sent) -> None:
    tried = power_cuts(Sent(sent.payloads[:1], sent.digests[:1]), 1, LyingDisk())
    assert tried.recovered < tried.points
    assert "were acknowledged" in tried.failures[0]


@pytest.mark.slow
def test_a_state_that_is_not_the_live_one_is_found(sent: Sent) -> None:
    other = Sent(sent.payloads[:LAST], (*sent.digests[: LAST - 1], "0" * 64))
    assert any("another state" in failure for failure in power_cuts(other, LAST, MemoryStorage()).failures)


def settled_without(what: str, storage: Storage, found: Recovery) -> None:
    """Recovers like `settle`, but leaves out `what`: the cut or the last sync."""
    if found.torn is not None and what != "cut":
        storage.truncate(segment_name(found.torn.segment), found.torn.offset)
        storage.sync(segment_name(found.torn.segment))


@pytest.mark.parametrize(
    ("what", "tells"), [("cut", "a torn tail that still stands"), ("sync", "an entry that the next power cut takes")]
)
@pytest.mark.slow
def test_a_recovery_that_leaves_something_undone_is_found(
    what: str, tells: str, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "settle", partial(settled_without, what))
    tried = power_cuts(Sent(sent.payloads[:LAST], sent.digests[:LAST]), LAST, MemoryStorage())
    assert any(tells in failure for failure in tried.failures)


@pytest.mark.slow
def test_more_last_ones_than_there_are_means_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power-cuts", "--entries", "1", "--last", "9", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert 0 < document["points"] == document["recovered"]


@pytest.mark.parametrize("wrong", [["--entries", "0"], ["--entries", "-3"], ["--last", "0"], ["--seed", "x"]])
def test_wrong_numbers_are_refused(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["power-cuts", *wrong])
    assert ended.value.code == 2
    assert "usage" in capsys.readouterr().err
