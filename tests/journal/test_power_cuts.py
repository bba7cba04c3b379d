"""Power that goes at every write, sync and byte: the bounded part of `sabot-sim power-cuts`, and that it can fail."""

import json

import pytest

from simulators.cli import main
from simulators.disk import MemoryStorage
from simulators.power_cuts import Sent, power_cuts, sent_by_a_world


@pytest.fixture(scope="module")
def sent() -> Sent:
    return sent_by_a_world(16, seed=3)


def test_every_point_of_the_last_records_is_recovered(sent: Sent) -> None:
    tried = power_cuts(sent, 15, MemoryStorage())
    assert tried.failures == []
    assert tried.points > 2000
    assert tried.recovered == tried.points


class LyingDisk(MemoryStorage):
    """Its sync returns before anything is stored."""

    def sync(self, name: str) -> None:
        """Nothing."""


def test_a_disk_that_lies_is_found_out(sent: Sent) -> None:
    tried = power_cuts(Sent(sent.payloads[:2], sent.digests[:2]), 1, LyingDisk())
    assert tried.recovered < tried.points
    assert "were acknowledged" in tried.failures[0]


def test_a_state_that_is_not_the_live_one_is_found(sent: Sent) -> None:
    other = Sent(sent.payloads[:2], ("0" * 64, *sent.digests[1:2]))
    assert any("another state" in failure for failure in power_cuts(other, 1, MemoryStorage()).failures)


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
