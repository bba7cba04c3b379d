"""The records of a wheel: spins as rounds, holds, refusals, complaints, shifts, proofs, in each language."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from controller.catalogue import Language, has_key
from controller.cli.main import main
from controller.core.games.roulette.spins import DeclareNullSpin
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Device, Operation
from controller.journal.export import export
from controller.journal.page import decode_page
from controller.journal.proof import check_proof
from controller.journal.signing import public_path
from controller.journal.storage import DirectoryReader
from controller.protocol.lines import RecordAnswer
from controller.protocol.record import RecordDocument, RecordKind
from controller.record.incidents import IncidentKind, incidents_of
from controller.record.names import names_of
from controller.record.order import Order
from controller.record.read import Wish, read
from controller.record.shown import entries_shown, session_shown, stored_shown
from controller.record.story import heard_with, in_words
from tests.endings import HANGS_S
from tests.runtime.shown import documents, heard, shown, signed
from tests.runtime.wheel import DEALER_11, SIGNER, WheelTable
from tests.runtime.wheel_evening import REFUSED, play

SPINS = {
    1: ["place-chips", "launch-ball", "spin-ended", "announce-number", "pay-prizes", "confirm-payments"],
    2: [
        *("place-chips", "launch-ball", "confirm-payments", "declare-null-spin", "put-ball-back", "launch-ball"),
        *("spin-ended", "correct-spin-entry", "correct-spin-entry", "announce-number", "confirm-payments"),
    ],
}
"""The kinds of the entries of each spin in the first session, in their order."""


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Plays the evening, and returns its journal with key and mark beside it."""
    path = tmp_path_factory.mktemp("wheel") / "journal"
    play(path).stop()
    return signed(path, SIGNER)


def record(journal: Path, what: RecordKind, number: int = 0, language: Language = Language.EN) -> RecordDocument:
    return read(Wish(journal, what, 1, number, language, names_of([], language)), lambda _percent: None)


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["journal", *words, "--json"]) == 0
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


def kinds(capsys: pytest.CaptureFixture[str], journal: Path, *filters: str) -> list[object]:
    return [one["kind"] for one in documents(capsys, str(journal), *filters)]


# --- sessions and spins


def test_each_entry_has_its_session_and_its_spin(journal: Path) -> None:
    entries = list(entries_shown(journal))
    assert [one.session for one in entries] == sorted(one.session for one in entries)
    assert {one.session for one in entries} == {0, 1, 2}
    assert {one.round for one in entries if one.session == 1} == {0, 1, 2}
    assert {one.round for one in entries if one.session == 2} == {0, 1}, "a session's spins are numbered anew"
    of_spins = [(one.session, one.round, one.entry.kind) for one in entries if one.is_of_a_round]
    assert [kind for session, number, kind in of_spins if (session, number) == (1, 1)] == SPINS[1]
    assert [kind for session, number, kind in of_spins if (session, number) == (1, 2)] == SPINS[2]
    assert [found for found in of_spins if found[0] == 2] == [(2, 1, "place-chips"), (2, 1, "controller-stopped")]
    assert {one.seats for one in entries} == {()}, "a wheel has no seats"


def test_a_session_reads_the_same_alone(journal: Path) -> None:
    whole = [(one.entry.seq, one.round) for one in entries_shown(journal) if one.session == 2]
    assert [(one.entry.seq, one.round) for one in session_shown(journal, 2) if one.session == 2] == whole


def test_a_reading_from_the_last_checkpoint_has_the_same_spins(journal: Path) -> None:
    with DirectoryReader(journal) as storage:
        found = [(one.entry.seq, one.session, one.round) for one in stored_shown(storage, SIGNER.public_key)]
    assert found
    assert found == [(one.entry.seq, one.session, one.round) for one in entries_shown(journal)][-len(found) :]


def test_the_summary_has_the_evenings_figures(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening = told(capsys, "summary", str(journal), "--session", "1")
    figures = ("session", "rounds", "voided", "complaints", "upheld", "irregular")
    assert [evening[name] for name in figures] == [1, 2, 1, 1, 0, False]
    assert evening["refusals"] == dict.fromkeys(REFUSED, 1)
    holds = [(one["id"], one["kind"], one["attended_after_ms"], one["ended_after_ms"]) for one in evening["holds"]]
    assert holds == [("H1", "complaint", None, 2000), ("H2", "journal-fault", 4000, 10000)]
    assert isinstance(evening["ended_ms"], int)
    assert evening["ended_ms"] > evening["began_ms"]
    assert {one["number"] for one in evening["people"]} == {11, 21, 31}
    assert told(capsys, "summary", str(journal))["ended_ms"] is None
    assert main(["journal", "summary", str(journal), "--session", "1"]) == 0
    lines = capsys.readouterr().out
    assert "Closing: regular" in lines
    assert "Rounds: 2" in lines
    assert "Cards drawn" not in lines


# --- the filters of `sabot journal show`


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        (("--only", "holds"), ["record-claim", "decide-claim", "journal-failed", "attend-hold", "clear-hold"]),
        (("--only", "refusals"), ["launch-ball", "place-chips", "confirm-payments"]),
        (("--only", "complaints"), ["record-claim", "decide-claim"]),
        (("--only", "people"), ["sign-in", "sign-in", "sign-in"]),
        (("--session", "2", "--round", "1"), ["place-chips", "controller-stopped"]),
        (("--device", Device.ROULETTE_WHEEL.value), []),
        (("--person", "31"), ["take-over-shift"]),
        (("--seat", "1"), []),
        (("--session", "1", "--round", "1", "--story"), SPINS[1]),
        (("--session", "1", "--round", "2", "--story"), SPINS[2]),
    ],
)
def test_each_filter_finds_its_entries(
    journal: Path, capsys: pytest.CaptureFixture[str], filters: tuple[str, ...], found: list[str]
) -> None:
    assert [kind for kind in kinds(capsys, journal, *filters) if kind != "confirm-hold"] == found


def test_a_hold_ends_with_its_last_entry(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert kinds(capsys, journal, "--only", "holds")[-1] == "confirm-hold"


def test_times_bound_what_is_shown(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everything = documents(capsys, str(journal))
    at = next(str(one["wall"]).replace(" ", "T") + "Z" for one in everything if one["kind"] == "decide-claim")
    assert kinds(capsys, journal, "--until", at, "--since", at)[0] == "decide-claim"
    assert len(documents(capsys, str(journal), "--until", at)) < len(everything)


def test_the_story_of_a_spin_tells_what_people_heard(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    story = heard(shown(capsys, str(journal), "--session", "1", "--round", "1", "--story"))
    assert story.count("Announce and mark: 9, red") == 1
    assert story.count("Player 1, red: 10.00 (10.00 at 1:1, pt.rou.27b)") == 1
    assert main(["journal", "show", str(journal), "--round", "1", "--story"]) == 2
    assert "1, 2. Say which with --session N" in capsys.readouterr().err


# --- mistakes and incidents


def test_mistakes_go_by_the_spins_own_steps(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "mistakes", str(journal), "--session", "1")["mistakes"]
    assert [(one["kind"], one["act"], one["guard"]) for one in found] == [
        ("wrong-seat", "place-chips", "player_has_a_colour"),
        ("wrong-amount", "place-chips", None),
        ("forgotten", "confirm-payments", "round_is_at_this_step"),
        ("other", "launch-ball", "launch_alternates"),
    ]
    assert told(capsys, "mistakes", str(journal), "--session", "2")["mistakes"] == []


def test_an_incident_has_its_spin_from_the_first_bet_on(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    at = {one.entry.seq: one.entry.kind for one in entries_shown(journal)}
    found = told(capsys, "incidents", str(journal))["incidents"]
    assert [
        (one["kind"], one["session"], one["round"], at[one["began"]["entry"]], at[one["ended"]["entry"]])
        for one in found
    ] == [
        ("complaint", 1, 1, "record-claim", "decide-claim"),
        ("void-round", 1, 2, "place-chips", "declare-null-spin"),
        ("malfunction", 1, 2, "journal-failed", "confirm-hold"),
    ]
    assert all(one["recorder"] is not None for one in found)


def test_a_void_spin_begins_after_the_spin_before_it(tmp_path: Path) -> None:
    table = WheelTable(tmp_path / "journal")
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.launch()
    table.land(17)
    table.launch()  # no entry lies between the two spins
    table.act(DeclareNullSpin, DEALER_11)
    table.stop()
    entries = list(entries_shown(tmp_path / "journal"))
    launched = [one.entry.seq for one in entries if one.entry.kind == "launch-ball"]
    (void,) = incidents_of(entries)
    assert (void.kind, void.round, void.began.seq) == (IncidentKind.VOID_ROUND, 2, launched[1])


# --- proofs and exports


@pytest.mark.parametrize(
    ("which", "first", "last"),
    [
        (("--round", "1", "--session", "1"), "place-chips", "confirm-payments"),
        (("--round", "2"), "place-chips", "confirm-payments"),
        (("--hold", "H1"), "record-claim", "decide-claim"),
        (("--hold", "H2"), "journal-failed", "confirm-hold"),
        (("--entry", "2:5"), "wheel-heard", "give-colour"),
    ],
)
def test_a_part_of_the_evening_is_proved(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], which: tuple[str, ...], first: str, last: str
) -> None:
    out = tmp_path / "part.proof"
    made = told(capsys, "prove", str(journal), *which, "--out", str(out))
    at = {one.entry.seq: one.entry.kind for one in entries_shown(journal)}
    assert (at[made["first"]], at[made["last"]]) == (first, last)
    checked = told(capsys, "verify", str(out), "--public-key", str(public_path(journal)))
    assert (checked["ok"], checked["entries"]) == (True, [*range(made["first"], made["last"] + 1)])


def test_a_spin_of_two_sessions_is_asked_for(journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "none.proof"
    assert main(["journal", "prove", str(journal), "--round", "1", "--out", str(out), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["error"]["code"] == "prove-which-session"
    assert not out.exists()


def test_an_export_of_the_evening_verifies_and_reads_the_same(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "evening.txt"
    export(journal, out, SIGNER)
    checked = told(capsys, "verify", str(out), "--public-key", str(public_path(journal)))
    assert (checked["ok"], checked["entries"]) == (True, len(list(entries_shown(journal))))
    for filters in (("--only", "holds"), ("--session", "1", "--round", "2", "--story")):
        assert kinds(capsys, out, *filters) == kinds(capsys, journal, *filters)


# --- the panel's records


def test_the_printed_story_of_a_spin_has_the_code_of_its_entries(
    journal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document, out = record(journal, RecordKind.STORY, 2), tmp_path / "spin.proof"
    told(capsys, "prove", str(journal), "--round", "2", "--out", str(out))
    page = decode_page(document.page.encode())
    assert check_proof(out.read_bytes(), SIGNER.public_key, (), page).wrong is None
    assert [row.seq for row in document.rows] == [*range(page.first, page.last + 1)]
    assert {row.round for row in document.rows} == {2}


@pytest.mark.parametrize(
    ("what", "rows"),
    [
        (RecordKind.HOLDS, 6),
        (RecordKind.REFUSALS, 3),
        (RecordKind.COMPLAINTS, 2),
        (RecordKind.PEOPLE, 2),
        (RecordKind.INCIDENTS, 3),
        (RecordKind.SUMMARY, 2),
        (RecordKind.SHIFT, 3),
        (RecordKind.HANDOVER, 3),
    ],
)
def test_a_screen_lists_what_the_commands_list(journal: Path, what: RecordKind, rows: int) -> None:
    assert len(record(journal, what).rows) == rows


@pytest.mark.parametrize("what", [RecordKind.SHIFT, RecordKind.HANDOVER])
def test_the_sheet_of_a_shift_has_spins_and_recordings_and_no_cards(journal: Path, what: RecordKind) -> None:
    document = record(journal, what)
    figures = {one.label: one.value for one in document.figures}
    assert (figures["Rounds"], figures["Recordings to be kept"]) == ("2", "3")
    assert figures["Taken over by"].startswith("room manager 31, ")
    assert "Cards" not in figures
    assert {row.round for row in document.rows} == {1, 2}
    assert (document.page != "") is (what is RecordKind.HANDOVER)


@pytest.mark.waits
@pytest.mark.parametrize("what", [RecordKind.STORY, RecordKind.HOLDS, RecordKind.SUMMARY, RecordKind.HANDOVER])
def test_the_process_beside_the_controller_reads_the_same(journal: Path, what: RecordKind) -> None:
    order = Order(str(journal), what, 1, 2, Language.EN, "")
    command = [sys.executable, "-W", "error", "-m", "controller.record"]
    done = subprocess.run(command, input=msgspec.json.encode(order), capture_output=True, check=True, timeout=HANGS_S)
    answer = msgspec.json.decode(done.stdout, type=RecordAnswer)
    assert answer.record == record(journal, what, 2)
    assert answer.record.rows


# --- words


@pytest.mark.parametrize("language", Language)
def test_refusals_and_notices_have_words_in_each_language(journal: Path, language: Language) -> None:
    entries = list(entries_shown(journal))
    refusals = {one.entry.refusal.reason: in_words(one, language) for one in entries if one.entry.refusal is not None}
    assert tuple(refusals) == REFUSED
    assert not [guard for guard, text in refusals.items() if guard in text or "{" in text or "guard." in text]
    notices = [text for one in entries for text in heard_with(one, language)]
    keys = {notice.key for one in entries if one.decision for notice in one.decision.notices}
    assert keys >= {"number-came", "null-spin", "nothing-more", "prize", "entry-corrected"}
    assert all(has_key(f"notice.{key}") for key in keys)
    assert not [text for text in notices if "{" in text or text in keys or "notice." in text]
