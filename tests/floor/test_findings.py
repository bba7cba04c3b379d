"""A finding stays until a named person ends it with a reason; both are kept, and the same fault is found anew."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from controller.floor.__main__ import main
from controller.floor.database import Database
from controller.floor.findings import all_findings, named
from controller.floor.ledger import Ledger
from controller.protocol.carried import Finding, FindingKind, Said
from simulators.floor.room import Room
from tests.floor.kit import FloorTable

pytestmark = pytest.mark.waits

WHO = ("--by", "Ana Silva", "--evidence", "Both media compared; the old one is locked away.")


@pytest.fixture
def config(tmp_path_factory: pytest.TempPathFactory, conninfo: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    directory = tmp_path_factory.mktemp("room")
    with Room(directory, conninfo):
        yield str(directory / "floor.toml")


@contextmanager
def twin(ledger: Ledger, table: FloorTable) -> Iterator[FloorTable]:
    """Starts a table's new computer, and yields it after the floor has found the old one still sending."""
    table.grown(3)
    table.give(ledger, 1, 3)
    new = table.restored(3, 2)
    new.give(ledger, 4, 4)
    table.grown(1)
    assert table.give(ledger, 4, 4).said is Said.OLD_EPOCH
    yield new


def test_a_finding_is_ended_by_a_named_person_and_the_entry_of_it_is_kept(
    ledger: Ledger, table: FloorTable, config: str, database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    with twin(ledger, table) as new:
        assert main(["--config", config, "--findings"]) == 0
        (line,) = capsys.readouterr().out.splitlines()
        assert (json.loads(line)["table"], json.loads(line)["kind"], json.loads(line)["ended_by"]) == (
            "BJ-07",
            "twin",
            None,
        )
        assert main(["--config", config, "--end", "BJ-07:twin:1:0", *WHO]) == 0
        assert ledger.place("BJ-07").findings == []
        (kept,) = all_findings(database)
        assert (kept.ended_by, kept.evidence, kept.times) == (WHO[1], WHO[3], 1)
        assert kept.account
        assert kept.ended_at is not None
        assert main(["--config", config, "--end", "BJ-07:twin:1:0", *WHO]) == 1
        assert "does not stand" in capsys.readouterr().err
        assert table.give(ledger, 4, 4).said is Said.OLD_EPOCH  # its end permits nothing
        assert new.grown(1).give(ledger, 5, 5).findings == [Finding(FindingKind.TWIN, 1, 0)]
        assert [one.ended_by for one in all_findings(database)] == [WHO[1], None]


@pytest.mark.parametrize("more", [(), WHO[:2], WHO[2:], ("--by", " ", *WHO[2:]), ("--by", "A\nB", *WHO[2:])])
def test_without_a_name_or_without_evidence_nothing_is_ended(
    ledger: Ledger, table: FloorTable, config: str, capsys: pytest.CaptureFixture[str], more: tuple[str, ...]
) -> None:
    with twin(ledger, table):
        assert main(["--config", config, "--end", "BJ-07:twin:1:0", *more]) == 2
        assert "--by NAME and --evidence TEXT" in capsys.readouterr().err
        assert ledger.place("BJ-07").findings == [Finding(FindingKind.TWIN, 1, 0)]


def test_a_name_of_a_finding_is_read_from_its_end_since_a_table_may_have_a_colon() -> None:
    assert named("A:B:gap:2:17") == ("A:B", Finding(FindingKind.GAP, 2, 17))
    for wrong in ("", "BJ-07", "BJ-07:none:1:2", "BJ-07:gap:x:2", "BJ-07:gap:1:²", "BJ-07:gap:1"):
        assert named(wrong) is None, wrong
