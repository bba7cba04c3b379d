"""`sabot journal incidents`: the incidents with recordings to keep, from entry to entry, and their last day."""

import json
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from msgspec import structs

from controller.catalogue import Language
from controller.cli.main import main
from controller.core.custody.complaints import DecideComplaint, RecordComplaint
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.house.clocks import CompareClock
from controller.core.words import DutyKind, HoldKind, Role, SessionPhase
from controller.protocol.record import RecordKind
from controller.record.incidents import OF_HOLD, Incident, IncidentKind, Moment, incidents_of
from controller.record.names import names_of
from controller.record.read import Wish, read
from controller.record.shown import Shown, entries_shown
from controller.record.story import clock_text
from tests.runtime.bench import CHIEF, DEALER, SETUP, Bench, wall
from tests.runtime.shown import written
from tests.runtime.wheel import play as play_wheel


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Plays a table with a decided complaint, an open jam, and an irregular closing because of the jam."""
    bench = Bench()
    bench.play()
    bench.deal((1,), ("3C", "4C", "5C", "6C"))
    bench.act(TurnHoleCard, DEALER)
    bench.act(ConfirmSettled, DEALER)
    bench.act(RecordComplaint, DEALER, seat=1, words="A banca pagou 17 como 18.")
    bench.act(DecideComplaint, CHIEF, upheld=False)
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    return bench


@pytest.fixture
def journal(bench: Bench, tmp_path: Path) -> Path:
    return Path(written(bench.storage, tmp_path / "journal"))


def kinds_at(path: Path) -> dict[int, str]:
    return {one.entry.seq: one.entry.kind for one in entries_shown(path)}


def listed(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> dict[str, object]:
    assert main(["journal", "incidents", str(path), "--json", *words]) == 0
    document: dict[str, object] = json.loads(capsys.readouterr().out)
    return document


def test_each_has_the_entries_at_which_it_began_and_ended(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kinds, document = kinds_at(journal), listed(capsys, journal)
    complaint, jam = document["incidents"]
    assert (complaint["kind"], complaint["hold"], complaint["session"], complaint["round"]) == ("complaint", "H1", 1, 1)
    assert kinds[complaint["began"]["entry"]] == "record-complaint"
    assert kinds[complaint["ended"]["entry"]] == "decide-complaint"
    assert (jam["kind"], jam["ended"], jam["keep_until"]) == ("malfunction", None, None)
    assert kinds[jam["began"]["entry"]] == "shuffler-jammed"
    assert document["days"] == 30
    ended = datetime.fromtimestamp(complaint["ended"]["wall_ms"] // 1000).astimezone().date()
    assert complaint["keep_until"] == str(ended + timedelta(days=30))
    assert listed(capsys, journal, "--days", "90")["incidents"][0]["keep_until"] == str(ended + timedelta(days=90))
    assert listed(capsys, journal, "--session", "2")["incidents"] == []
    assert listed(capsys, journal, "--days", "36525")["days"] == 36_525
    assert main(["journal", "incidents", str(journal), "--days", str(10**30)]) == 2
    assert "--days" in capsys.readouterr().err


def test_people_read_a_line_for_each_and_the_panel_shows_the_same(
    journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["journal", "incidents", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(",")[0] for line in lines] == ["complaint H1", "malfunction H2"]
    assert ", it goes on (from entry " in lines[1]
    assert "keep the recordings; not marked yet" in lines[1]
    assert all("the recorder's clock beside it: not compared;" in line for line in lines)
    wish = Wish(journal, RecordKind.INCIDENTS, 1, 0, Language.EN, names_of([], Language.EN))
    assert [row.text for row in read(wish, lambda _percent: None).rows] == lines
    assert main(["journal", "incidents", str(journal), "--session", "9"]) == 0
    assert "Nothing stands here" in capsys.readouterr().out


def test_a_clock_that_was_not_synchronised_at_either_end_is_told() -> None:
    alone, known = (
        Moment(1, 1_700_000_000_000, is_synchronised=False),
        Moment(2, 1_700_000_000_000, is_synchronised=True),
    )
    for began, ended, expected in (
        (known, known, True),
        (alone, known, False),
        (known, alone, False),
        (known, None, True),
    ):
        assert Incident(IncidentKind.RULING, 1, 1, 1, began, ended).is_synchronised is expected


def recorder_shows(bench: Bench, ahead_s: int) -> None:
    """Lets a person state the recorder's clock, which is `ahead_s` seconds ahead of the table's."""
    shows = datetime.fromtimestamp(wall(bench.now_s).ms // 1000).astimezone() + timedelta(seconds=ahead_s)
    bench.act(CompareClock, DEALER, hour=shows.hour, minute=shows.minute, second=shows.second)


@pytest.mark.parametrize("ahead_s", [0, 12, -75, 43_199, -43_200])
def test_the_last_comparison_of_the_session_says_how_far_the_recorders_clock_is(
    bench: Bench, tmp_path: Path, capsys: pytest.CaptureFixture[str], ahead_s: int
) -> None:
    recorder_shows(bench, 500)
    recorder_shows(bench, ahead_s)
    bench.refused(CompareClock, DEALER, hour=24, minute=0, second=0)
    path = Path(written(bench.storage, tmp_path / "journal"))
    entry = [seq for seq, kind in kinds_at(path).items() if kind == "compare-clock"][-2]
    complaint, jam = listed(capsys, path)["incidents"]
    at = complaint["recorder"]["wall_ms"]
    assert complaint["recorder"] == jam["recorder"] == {"entry": entry, "wall_ms": at, "ahead_s": ahead_s}
    assert main(["journal", "incidents", str(path)]) == 0
    compared = f"{ahead_s:+d} s, as compared last at {clock_text(at)} (entry {entry});"
    assert f"the recorder's clock beside it: {compared}" in capsys.readouterr().out
    assert main(["journal", "show", str(path)]) == 0
    assert "compared the recorder's clock (the recorder shows " in capsys.readouterr().out


def with_house(one: Shown, **values: object) -> Shown:
    """Returns the entry as it would be if the core had decided with these values of the house."""
    assert one.decision is not None
    state = one.decision.state
    return replace(
        one,
        decision=structs.replace(
            one.decision, state=structs.replace(state, house=structs.replace(state.house, **values))
        ),
    )


def test_a_void_round_goes_from_its_first_bet_to_the_act_that_voids_it(journal: Path) -> None:
    entries = list(entries_shown(journal))
    voids = next(place for place, one in enumerate(entries) if one.entry.kind == "confirm-settled")
    tally = entries[-1].decision.state.house.tally
    later = [with_house(one, tally=structs.replace(tally, voided=1)) for one in entries[voids:]]
    found = [one for one in incidents_of([*entries[:voids], *later]) if one.kind is IncidentKind.VOID_ROUND]
    (void,) = found
    assert void.ended is not None
    assert (kinds_at(journal)[void.began.seq], void.ended.seq) == ("take-bets", entries[voids].entry.seq)


@pytest.mark.parametrize("is_withdrawn", [False, True])
def test_an_irregular_closing_goes_from_its_proposal_to_the_end_of_the_session(
    journal: Path, is_withdrawn: bool
) -> None:
    entries = list(entries_shown(journal))
    first, middle, last = entries[-3:]
    proposed = with_house(first, irregular_proposed_by=21)
    goes_on = middle if is_withdrawn else with_house(middle, irregular=True)
    closed = with_house(last, irregular=not is_withdrawn, session=SessionPhase.CLOSED)
    found = incidents_of([*entries[:-3], proposed, goes_on, closed])
    closings = [one for one in found if one.kind is IncidentKind.IRREGULAR_CLOSING]
    spans = [] if is_withdrawn else [(first.entry.seq, last.entry.seq)]
    assert [(one.began.seq, one.ended and one.ended.seq) for one in closings] == spans


def test_each_kind_of_hold_is_decided() -> None:
    assert set(OF_HOLD) == set(HoldKind)
    assert {kind for kind in OF_HOLD.values() if kind} | {
        IncidentKind.VOID_ROUND,
        IncidentKind.IRREGULAR_CLOSING,
    } == set(IncidentKind)


def test_the_day_is_counted_from_the_end() -> None:
    end = datetime(2026, 11, 27, 12, tzinfo=datetime.now().astimezone().tzinfo)
    moment = Moment(2, int(end.timestamp() * 1000), is_synchronised=True)
    assert Incident(IncidentKind.RULING, 1, 1, 1, moment, moment).kept_until(30) == date(2026, 12, 27)


def test_a_wheels_journal_is_read_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play_wheel(tmp_path / "wheel").stop()
    (fault,) = listed(capsys, tmp_path / "wheel")["incidents"]
    assert (fault["kind"], fault["hold"], fault["session"]) == ("malfunction", "H1", 1)
    assert fault["ended"] is not None


def test_where_the_profile_asks_the_comparison_is_owed_until_it_is_done(tmp_path: Path) -> None:
    bench = Bench(setup=structs.replace(SETUP, procedure=structs.replace(SETUP.procedure, clock_compared=True)))
    bench.play()
    owed = [(duty.kind, duty.who) for duty in bench.latest.house.duties]
    assert owed == [(DutyKind.COMPARE_CLOCK, Role.DEALER)]
    names = names_of([], Language.EN)
    wish = Wish(Path(written(bench.storage, tmp_path / "owed")), RecordKind.SHIFT, 1, 0, Language.EN, names)
    assert "D1 comparison of the recorder's clock: the dealer owes it" in [
        row.text for row in read(wish, lambda _percent: None).rows
    ]
    recorder_shows(bench, 3)
    assert bench.latest.house.duties == ()
    recorder_shows(bench, 4)
    assert bench.latest.house.duties == ()
