"""`sabot journal show`: filters find their entries, a round reads as a story, and neither has a hidden face."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.cli.main import main
from controller.core.custody.complaints import DecideComplaint, RecordComplaint
from controller.core.custody.putting_back import BeginPuttingBack
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.bets.seats import CancelBets, TakeBets
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.settlement import CollectHand, ConfirmSettled
from controller.core.words import Role
from controller.record.names import StaffNames
from controller.runtime.answers import Refused
from controller.staff import HashCost, StaffBook, known_of, save_staff
from tests.found import stands_in
from tests.runtime.bench import CHIEF, DEALER, Bench
from tests.runtime.shown import documents, heard, shown, with_one_more, written

HOLE = "6C"


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Plays a first round with one seat and the bank, whose face-down card still lies there."""
    bench = Bench()
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", HOLE))
    bench.act(DrawCard, DEALER, seat=1)
    bench.shuffler.card_out(bench.now_s)  # counted first, read after
    bench.run(0.05)
    bench.shoe.card_passed("7D", bench.now_s)
    bench.run(0.2)
    return bench


@pytest.fixture
def journal(bench: Bench, tmp_path: Path) -> str:
    return written(bench.storage, tmp_path / "journal")


def test_a_round_is_told_card_by_card(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    story = shown(capsys, journal, "--session", "1", "--round", "1", "--story")
    assert [line for line in heard(story) if " is for " in line] == [
        "3C is for seat 1",
        "4C is for the bank",
        "5C is for seat 1",
        "a card, face down, is for the bank",
        "7D is for seat 1",
    ]
    assert "shoe: saw a card that lies face down; its face is sealed" in story
    assert HOLE not in story
    assert not stands_in(HOLE, shown(capsys, journal))
    assert "null" not in story


def test_a_turned_card_is_told_when_it_is_turned(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench.act(TurnHoleCard, DEALER)
    story = shown(capsys, written(bench.storage, tmp_path / "later"), "--round", "1", "--story")
    assert story.count(f"{HOLE} is for the bank") == 1


def test_a_hand_that_is_collected_tells_no_card_of_another_seat_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bench = Bench()
    bench.play()
    bench.deal((1, 2), ("10C", "3C", "4C", "9D", "5C", "8D"))
    bench.act(DrawCard, DEALER, seat=1)
    bench.draw("KD")
    bench.act(CollectHand, DEALER, seat=1)
    path = written(bench.storage, tmp_path / "journal")
    story = shown(capsys, path, "--round", "1", "--story")
    assert [story.count(f"{card} is for") for card in ("10C", "3C", "4C", "9D", "5C", "KD")] == [1] * 6
    assert "collect-hand" in {document["kind"] for document in documents(capsys, path, "--seat", "1")}
    assert "collect-hand" not in {document["kind"] for document in documents(capsys, path, "--seat", "2")}


def test_whose_pin_was_refused_is_shown(bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = b'{"act":"sign-in","person":12}'
    path = with_one_more(bench, "pin-refused", body, tmp_path)
    assert (
        shown(capsys, path)
        .splitlines()[-1]
        .endswith("a wrong PIN for 12, who was asked for it to: come to this table for one operation")
    )


@pytest.mark.parametrize("body", [b'{"person":11,"role":"emperor"}', b'{"person":[],"role":{}}', b'{"count":3}'])
def test_what_another_program_knew_is_shown_by_its_name(
    body: bytes, bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = with_one_more(bench, "dance", body, tmp_path, wall_synced=False)
    assert " dance" in shown(capsys, path).splitlines()[-1]
    assert " dance" in shown(capsys, path, "--round", "1", "--story").splitlines()[-1]
    assert main(["journal", "summary", path]) == 0
    assert "Clock: not synchronised in 1 of " in (told := capsys.readouterr().out)
    assert ("emperor 11" in told) == (b"emperor" in body)


@pytest.mark.parametrize(
    ("filters", "kinds"),
    [
        (("--person", str(CHIEF), "--round", "0"), {"number-deck-set", "sign-in", "open-packet", "close-packet"}),
        (("--device", "shoe", "--round", "1"), {"card-read"}),
        (("--seat", "1", "--round", "1"), {"take-bets", "card-read", "card-counted-out", "draw-card"}),
    ],
)
def test_what_is_looked_for_is_found(
    journal: str, capsys: pytest.CaptureFixture[str], filters: tuple[str, ...], kinds: set[str]
) -> None:
    found = {str(document["kind"]) for document in documents(capsys, journal, *filters)}
    assert found == kinds


def test_bets_belong_to_the_round_that_they_are_for(
    bench: Bench, journal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kinds = [document["kind"] for document in documents(capsys, journal, "--round", "1")]
    assert kinds[:2] == ["take-bets", "announce-no-more-bets"]
    assert "take-bets" not in {document["kind"] for document in documents(capsys, journal, "--round", "0")}


def test_bets_that_are_cancelled_are_of_the_same_round(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench()
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(CancelBets, DEALER)
    found = documents(capsys, written(bench.storage, tmp_path / "journal"), "--round", "1")
    assert [document["kind"] for document in found] == ["take-bets", "cancel-bets"]


@pytest.mark.parametrize("device", ["shovel", "jackpot-display"])
def test_a_device_that_no_table_has_is_refused(journal: str, device: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["journal", "show", journal, "--device", device])
    assert "jackpot_display" in capsys.readouterr().err


def test_times_bound_what_is_shown(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    everything = documents(capsys, journal)
    middle = str(everything[len(everything) // 2]["wall"]).replace(" ", "T") + "Z"
    early, late = documents(capsys, journal, "--until", middle), documents(capsys, journal, "--since", middle)
    assert 0 < len(early) < len(everything)
    assert {str(one["seq"]) for one in early + late} <= {str(one["seq"]) for one in everything}
    assert all(str(one["wall"]).replace(" ", "T") + "Z" >= middle for one in late)


def test_a_bound_in_whole_seconds_takes_its_second_in(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    everything = documents(capsys, journal)
    when = str(everything[-1]["wall"]).replace(" ", "T") + "Z"
    found = documents(capsys, journal, "--since", when, "--until", when)
    assert found == [one for one in everything if one["wall"] == everything[-1]["wall"]]
    assert documents(capsys, journal, "--since", when, "--until", f"{when[:-1]}.000Z") == []


@pytest.fixture
def in_lisbon(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sets the room's zone an hour ahead of UTC for the time of a test, like Lisbon's in summer."""
    monkeypatch.setenv("TZ", "WEST-1")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.usefixtures("in_lisbon")
def test_a_time_is_the_rooms_own_and_names_its_zone(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A shown time can be given back unchanged; a time without a zone is read in the room's zone."""
    first = shown(capsys, journal).splitlines()[0]
    assert " 2023-11-14 23:30:00+01:00  " in first
    assert shown(capsys, journal, "--until", "2023-11-14 23:30:00+01:00").startswith(first)
    assert shown(capsys, journal, "--until", "2023-11-14 23:30:00").startswith(first)
    assert shown(capsys, journal, "--until", "2023-11-14 22:30:00") == ""


def test_what_an_inspector_looks_for_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench()
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", HOLE))
    bench.act(TurnHoleCard, DEALER)
    bench.act(ConfirmSettled, DEALER)
    bench.act(RecordComplaint, DEALER, seat=1, words="A banca pagou 17 como 18.")
    assert isinstance(bench.outcome(BeginPuttingBack, DEALER), Refused)  # a complaint is open
    bench.act(DecideComplaint, CHIEF, upheld=False)
    path = written(bench.storage, tmp_path / "journal")

    def kinds(only: str) -> list[object]:
        return [one["kind"] for one in documents(capsys, path, "--only", only)]

    assert kinds("complaints") == ["record-complaint", "decide-complaint"]
    assert 'in the player\'s words: "A banca pagou 17 como 18."' in shown(capsys, path, "--only", "complaints")
    assert kinds("holds") == ["record-complaint", "decide-complaint"]
    assert kinds("refusals") == ["begin-putting-back"]
    assert "sign-in" in kinds("people")
    assert "take-bets" not in kinds("people")
    assert main(["journal", "summary", path, "--json"]) == 0
    evening = json.loads(capsys.readouterr().out)
    assert (evening["session"], evening["rounds"], evening["complaints"], evening["upheld"]) == (1, 1, 1, 0)
    assert evening["ended_ms"] is None
    assert len(evening["refusals"]) == 1
    assert [(hold["kind"], hold["ended_after_ms"] is None) for hold in evening["holds"]] == [("complaint", False)]
    assert main(["journal", "summary", path, "--session", "1"]) == 0
    assert {"  Complaints: 1", "  Clock: synchronised"} <= set(capsys.readouterr().out.splitlines())
    assert main(["journal", "summary", path, "--session", "7"]) == 1
    assert "no session 7" in capsys.readouterr().err


def test_a_story_has_names_where_the_staff_file_is_given(
    journal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    staff = tmp_path / "staff.toml"
    book = StaffBook(cost=HashCost(memory_kib=8, time_cost=1, parallelism=1))
    save_staff(book.with_person(DEALER, "Ana Silva", Role.DEALER, "481516", ""), staff)
    story = shown(capsys, journal, "--round", "1", "--story", "--staff", str(staff))
    assert f"dealer {DEALER} (Ana Silva) took the bets (seats: 1)" in story


def test_a_name_is_the_one_of_then_where_a_staff_file_has_it() -> None:
    cost = HashCost(memory_kib=8, time_cost=1, parallelism=1)
    then = StaffBook(cost=cost).with_person(DEALER, "Ana Silva", Role.DEALER, "481516", "")
    now = StaffBook(cost=cost).with_person(DEALER, "Rui Costa", Role.DEALER, "481517", "")
    known = known_of(then)
    assert StaffNames((then, now), Language.EN).at(known) == {DEALER: "Ana Silva"}
    assert StaffNames((now,), Language.EN).at(known) == {DEALER: "now Rui Costa"}
    assert StaffNames((now,), Language.EN).at(known_of(now)) == {DEALER: "Rui Costa"}
    assert StaffNames((), Language.EN).at(known) == {}


def test_what_nothing_matches_is_said(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "show", journal, "--person", "999"]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert "entries is such a one" in told.err


def test_a_directory_that_is_no_journal_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "show", str(tmp_path)]) == 2
    assert f"{tmp_path} has no entries of a journal" in capsys.readouterr().err


def test_a_story_needs_a_round_that_there_was(journal: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "show", journal, "--story"]) == 2
    assert main(["journal", "show", journal, "--round", "9", "--story"]) == 1
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("made", "said"), [(None, "there is no such file"), (b"short", "it is no public key")])
def test_a_key_that_is_none_is_named_with_what_is_wrong(
    made: bytes | None, said: str, journal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key = tmp_path / "a.pub"
    if made is not None:
        key.write_bytes(made)
    assert main(["journal", "verify", journal, "--public-key", str(key)]) == 2
    assert f"The key {key} cannot be used: {said}" in capsys.readouterr().err


def test_verify_says_whether_what_is_wrong_ends_the_journal(
    bench: Bench, journal: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    count = len(bench.entries())
    assert main(["journal", "verify", journal]) == 0
    assert "--public-key FILE compares" in (told := capsys.readouterr().out)
    assert "--head CODE shows" in told
    (tmp_path / "other.pub").write_text("ab" * 32)
    assert main(["journal", "verify", journal, "--public-key", str(tmp_path / "other.pub")]) == 1
    told = capsys.readouterr().out
    assert "entry 1: it is signed or begun with another table's key" in told
    assert f"Otherwise {count} entries verify" in told
    storage = bench.storage.after_kill()
    storage.flip("00000001.segment", 8 * (len(storage.read("00000001.segment")) - 100))
    assert main(["journal", "verify", written(storage, tmp_path / "damaged")]) == 1
    assert f"{count - 1} entries verify; entry {count} does not" in capsys.readouterr().out


def test_what_stands_before_a_damage_is_shown(bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    storage = bench.storage.after_kill()
    storage.flip("00000001.segment", 8 * (len(storage.read("00000001.segment")) - 100))
    path = written(storage, tmp_path / "damaged")
    assert main(["journal", "show", path]) == 1
    told = capsys.readouterr()
    assert len(told.out.splitlines()) == len(bench.entries()) - 1
    assert f"damaged from entry {len(bench.entries())} on" in told.err
