"""The sheet of a shift's hand-over: the present table, and the sheet that both supervisors have signed."""

from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.core.custody.complaints import RecordComplaint
from controller.core.custody.turning import TurnHoleCard
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.attendance import SignIn
from controller.core.house.hold_acts import AttendHold
from controller.core.house.plain_session import OpenSession
from controller.core.house.shift_acts import HandOverShift, TakeOverShift
from controller.core.house.state import Duty, Presence
from controller.core.money import units
from controller.core.words import DutyId, DutyKind, HoldId, Operation, Person, Role, TableMs
from controller.journal.entry import encode_entry
from controller.journal.page import decode_page, digest_of
from controller.journal.signing import Signer
from controller.protocol.record import RecordDocument, RecordKind
from controller.record.names import names_of
from controller.record.read import Wish, read
from controller.record.shift import Sheet, Since, shift_document
from controller.record.shown import entries_shown
from controller.record.story import clock_text
from tests.panel.dealt import Dealt
from tests.runtime.bench import CHIEF, DEALER, MANAGER, Bench
from tests.runtime.shown import signed, written
from tests.runtime.wheel import CHIEF_21, DEALER_11, MANAGER_31, WheelTable

SIGNER = Signer(bytes(32))


def sheet(journal: Path, what: RecordKind, language: Language = Language.EN) -> RecordDocument:
    return read(Wish(journal, what, 1, 0, language, names_of([], language)), lambda _percent: None)


def figures(document: RecordDocument) -> dict[str, str]:
    return {one.label: one.value for one in document.figures}


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Opens a complaint and a jam before one supervisor hands over; another takes over while a further hold is open."""
    bench = Bench()
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", "6C"))
    bench.act(TurnHoleCard, DEALER)
    bench.act(ConfirmSettled, DEALER)
    bench.act(RecordComplaint, DEALER, seat=1, words="A banca pagou 17 como 18.")
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    bench.act(HandOverShift, CHIEF)
    return bench


def test_what_waits_for_the_second_signature_is_of_the_table_as_it_stands(bench: Bench, tmp_path: Path) -> None:
    journal = Path(written(bench.storage, tmp_path / "journal"))
    document = sheet(journal, RecordKind.SHIFT)
    found = figures(document)
    assert (found["Holds"], found["Duties open"], found["Complaints undecided"]) == ("2", "0", "1")
    assert found["Handed over by"].startswith("chief supervisor 21, ")
    assert "Taken over by" not in found
    assert "inside" in found["Cards"]
    assert found["Signed in"].startswith("dealer 11 since ")
    assert [row.text.split()[:2] for row in document.rows[:2]] == [["H1", "complaint"], ["H2", "jam"]]
    assert found["Recordings to be kept"] == str(len(document.rows) - 2) == "2"
    assert sheet(journal, RecordKind.HANDOVER).figures == []


def test_the_signed_sheet_stays_as_it_was_signed(bench: Bench, tmp_path: Path) -> None:
    bench.act(TakeOverShift, MANAGER)
    taken = bench.entries()[-1].seq
    before = sheet(Path(written(bench.storage, tmp_path / "then")), RecordKind.HANDOVER)
    for make in (AttendHold, HandOverShift):
        bench.act(make, CHIEF, **({"hold": HoldId(2)} if make is AttendHold else {}))
    journal = Path(written(bench.storage, tmp_path / "later"))
    signed, now = sheet(journal, RecordKind.HANDOVER), sheet(journal, RecordKind.SHIFT)
    assert signed == before
    assert f"entry {taken}, " in signed.text
    found = figures(signed)
    assert found["Handed over by"].startswith("chief supervisor 21, ")
    assert found["Taken over by"].startswith("room manager 31, ")
    assert "waits for somebody" in signed.rows[1].text
    assert "taken charge of" in now.rows[1].text
    assert "Taken over by" not in figures(now)


def test_the_signed_sheet_is_printed_with_the_code_of_its_second_signature(bench: Bench, tmp_path: Path) -> None:
    path = Path(written(bench.storage, tmp_path / "journal"))
    assert "Without a code to print" in sheet(path, RecordKind.HANDOVER).text
    journal = signed(path, SIGNER)
    document = sheet(journal, RecordKind.HANDOVER)
    page = decode_page(document.page.encode())
    taken = next(one for one in bench.entries() if one.kind == "take-over-shift")
    assert (page.first, page.last, page.digest) == (taken.seq, taken.seq, digest_of([encode_entry(taken)]))
    assert "Without a code" not in document.text
    assert sheet(journal, RecordKind.SHIFT).page == "", "the table as it stands has no signature yet"


@pytest.mark.parametrize("language", Language)
def test_each_language_says_every_part_of_it(bench: Bench, tmp_path: Path, language: Language) -> None:
    document = sheet(Path(written(bench.storage, tmp_path / "journal")), RecordKind.SHIFT, language)
    assert len(document.figures) == 8
    assert not any("{" in text for text in (document.text, *(one.text for one in document.rows)))


def test_at_a_wheel_it_has_no_cards_and_the_rest(tmp_path: Path) -> None:
    table = WheelTable(tmp_path)
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.launch()
    table.act(HandOverShift, CHIEF_21)
    table.act(TakeOverShift, MANAGER_31)
    table.stop()
    document = sheet(tmp_path, RecordKind.HANDOVER)
    assert set(figures(document)) >= {"Handed over by", "Taken over by", "Holds", "Signed in"}
    assert "Cards" not in figures(document)


def test_the_jackpot_and_each_open_duty_stand_on_it(bench: Bench, tmp_path: Path) -> None:
    *_before, last = entries_shown(Path(written(bench.storage, tmp_path / "journal")))
    played = Dealt(jackpot="manual").player.state
    duty = Duty(DutyId(7), DutyKind.REPORT_DAMAGED_CARD, Role.CHIEF_SUPERVISOR, TableMs(0))
    state = replace(played, house=replace(played.house, duties=(duty,)))
    at = Since(last.entry.wall_ms, last.entry.seq)
    since = dict.fromkeys((*state.house.holds, duty, *state.house.present), at)
    names = names_of([], Language.EN)
    document = shift_document(Sheet(last, state, since, [], None, None), RecordKind.SHIFT, Language.EN, names)
    found = figures(document)
    assert state.house.pool is not None
    assert (found["Jackpot"], found["Duties open"]) == (units(state.house.pool.cents), "1")
    assert [row.text for row in document.rows] == ["D7 report of a damaged card: the chief supervisor owes it"]


def test_a_person_signed_in_twice_is_named_once_with_every_post(bench: Bench, tmp_path: Path) -> None:
    *_before, last = entries_shown(Path(written(bench.storage, tmp_path / "journal")))
    played = Dealt().player.state
    chief = Presence(Person(21), Role.CHIEF_SUPERVISOR, Operation.LOADING, TableMs(1), TableMs(1))
    watching = replace(chief, operation=Operation.HOLD, since_ms=TableMs(2))
    manager = replace(watching, role=Role.ROOM_MANAGER, since_ms=TableMs(3))
    other = replace(chief, person=Person(22), since_ms=TableMs(4))
    present = (manager, watching, chief, other)
    state = replace(played, house=replace(played.house, present=present, holds=(), duties=()))
    since = {one: Since(last.entry.wall_ms + 60_000 * one.since_ms, one.since_ms) for one in present}
    names = names_of([], Language.EN)
    document = shift_document(Sheet(last, state, since, [], None, None), RecordKind.SHIFT, Language.EN, names)
    first, second = figures(document)["Signed in"].split(", chief supervisor 22")
    assert first == f"room manager, chief supervisor 21 since {clock_text(since[chief].wall_ms)[11:19]}"
    assert second.startswith(" since ")
