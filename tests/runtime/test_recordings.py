"""A supervisor records where the recording of an incident is kept, and the lists of incidents show that place."""

import json
from pathlib import Path

import pytest
from msgspec import structs

from controller.catalogue import Language
from controller.cli.main import main
from controller.core.custody.complaints import DecideComplaint, RecordComplaint
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.recordings import KeepRecording
from controller.core.words import EntryNumber, Person
from controller.journal.words import commitments_in, delete_words, words_of
from controller.protocol.record import RecordKind
from controller.record.names import names_of
from controller.record.read import Wish, read
from controller.runtime.replay import replay
from tests.runtime.bench import CHIEF, DEALER, MANAGER, SETUP, Bench
from tests.runtime.shown import shown, written

WHERE = "recorder 2, disk Zoraida, 2026-11-28"


@pytest.fixture
def bench() -> Bench:
    """Plays a table with a decided complaint; a jam goes on."""
    bench = Bench()
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", "6C"))
    bench.act(TurnHoleCard, DEALER)
    bench.act(ConfirmSettled, DEALER)
    bench.act(RecordComplaint, DEALER, seat=1)
    bench.act(DecideComplaint, CHIEF, upheld=False)
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    return bench


def began(bench: Bench, kind: str) -> EntryNumber:
    return EntryNumber(next(entry.seq for entry in bench.entries() if entry.kind == kind))


def marks(bench: Bench, incident: EntryNumber, place: str = WHERE, person: Person = CHIEF) -> int:
    """Marks the recording of the incident that began with this entry, and returns the entry of the mark."""
    bench.act(KeepRecording, person, incident=incident, kept_at=place)
    return bench.entries()[-1].seq


def listed(capsys: pytest.CaptureFixture[str], path: Path) -> dict[str, list[dict[str, object]]]:
    assert main(["journal", "incidents", str(path), "--json"]) == 0
    document: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return document


def test_the_last_mark_of_an_ended_incident_counts_and_every_mark_stays(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    complaint, jam = began(bench, "record-complaint"), began(bench, "shuffler-jammed")
    marks(bench, complaint, "vault 3")
    entry = marks(bench, complaint, person=MANAGER)
    bench.refused(KeepRecording, CHIEF, incident=complaint, kept_at="x" * 81)
    early = marks(bench, jam)
    none = marks(bench, EntryNumber(9_999_999))
    path = Path(written(bench.storage, tmp_path / "journal"))
    document = listed(capsys, path)
    of_complaint, of_jam = (one["kept"] for one in document["incidents"])
    assert isinstance(of_complaint, dict)
    assert of_jam is None, "the incident goes on: its recording cannot be kept whole yet"
    by = {"person": MANAGER, "role": "room_manager", "place": WHERE}
    assert of_complaint | {"wall_ms": 0} == {"incident": complaint, "entry": entry, "wall_ms": 0} | by
    assert [(one["entry"], one["incident"]) for one in document["marks_of_none"]] == [(early, jam), (none, 9_999_999)]
    assert main(["journal", "incidents", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert f"; the recording is kept at {WHERE}, by the room manager {MANAGER}, " in lines[0]
    assert lines[1].endswith("; not marked yet")
    assert f"The mark of entry {none} names entry 9999999" in lines[3]
    assert "marked where the recording is kept (the incident of entry #" in shown(capsys, str(path))


def test_the_panel_shows_the_same_line_and_offers_the_mark_once_the_incident_has_ended(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks(bench, began(bench, "record-complaint"))
    path = Path(written(bench.storage, tmp_path / "journal"))
    assert main(["journal", "incidents", str(path)]) == 0
    wish = Wish(path, RecordKind.INCIDENTS, 1, 0, Language.EN, names_of([], Language.EN))
    rows = read(wish, lambda _percent: None).rows
    assert [row.text for row in rows] == capsys.readouterr().out.splitlines()
    assert [(row.may_be_marked, row.is_done) for row in rows] == [(True, True), (False, False)]


def test_the_place_stands_beside_the_chain_and_can_be_deleted(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks(bench, began(bench, "record-complaint"))
    segments = [file.name for file in bench.storage.list() if file.name.endswith(".segment")]
    assert not [name for name in segments if b"Zoraida" in bench.storage.read(name)]
    assert len(commitments_in(bytes(bench.entries()[-1].body))) == 1
    path = Path(written(bench.storage, tmp_path / "journal"))
    before = replay(path)
    delete_words(path, words_of(bench.storage))
    assert main(["journal", "incidents", str(path)]) == 0
    assert "the recording is kept at forgotten, by" in capsys.readouterr().out
    assert replay(path) == before


def test_the_days_are_those_of_the_tables_profile(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for days in (30, 90):
        bench = Bench(setup=structs.replace(SETUP, parameters=structs.replace(SETUP.parameters, recording_days=days)))
        bench.play()
        bench.shuffler.jam(bench.now_s)
        bench.run(0.3)
        document = listed(capsys, Path(written(bench.storage, tmp_path / str(days))))
        found.append((document["days"], document["incidents"][0]["days"]))
    assert found == [(30, 30), (90, 90)]
