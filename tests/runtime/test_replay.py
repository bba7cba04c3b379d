"""A journal alone, or its export, replays to the state of the run that wrote it; or the difference is located."""

from pathlib import Path

import pytest

from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Operation
from controller.journal.errors import StorageFailed
from controller.journal.export import export
from controller.journal.signing import Signer
from controller.runtime.replay import replay
from tests.runtime.bench import CHIEF, DEALER, Bench


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.play()
    bench.deal()
    bench.refused(OpenSession, DEALER)
    bench.act(SignIn, CHIEF, operation=Operation.HOLD)
    return bench


@pytest.fixture
def journal(bench: Bench, tmp_path: Path) -> Path:
    directory = tmp_path / "journal"
    directory.mkdir()
    for file in bench.storage.list():
        (directory / file.name).write_bytes(bench.storage.read(file.name))
    return directory


def test_a_journal_replays_to_the_state_of_its_run(bench: Bench, journal: Path) -> None:
    result = replay(journal)
    assert (result.ok, result.reason) == (True, None)
    assert result.entries == bench.runtime.ledger.durable_seq
    assert result.state_digest == bench.digest()


def test_it_needs_no_seal_and_no_key(bench: Bench, journal: Path) -> None:
    for path in journal.glob("*.seals"):
        path.unlink()
    assert replay(journal).state_digest == bench.digest()


def test_its_export_replays_to_the_same_state(bench: Bench, journal: Path, tmp_path: Path) -> None:
    export(journal, tmp_path / "export.jsonl", Signer(bytes(32)))
    assert replay(tmp_path / "export.jsonl") == replay(journal)


def test_damage_is_named_and_what_stands_before_it_is_replayed(journal: Path) -> None:
    segment = journal / "00000001.segment"
    data = bytearray(segment.read_bytes())
    data[len(data) // 2] ^= 1
    segment.write_bytes(data)
    result = replay(journal)
    assert not result.ok
    assert 0 < result.entries < 80
    assert result.state_digest
    assert f"entry {result.entries + 1} does not verify" in (result.reason or "")


def test_an_empty_journal_does_not_replay(tmp_path: Path) -> None:
    result = replay(tmp_path)
    assert (result.ok, result.entries, result.reason) == (False, 0, "no entries")


def test_a_journal_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(StorageFailed):
        replay(tmp_path / "nothing")
