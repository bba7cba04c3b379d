"""`sabot journal mistakes`: refused acts and corrected entries, by kind; by person only on request."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs

from controller.cli.main import main
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.correcting import CorrectHandEntry
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.settlement import ConfirmSettled
from controller.core.games.blackjack.table import ACT_RULES
from controller.core.games.roulette.table import ROULETTE
from controller.core.words import RoundPhase
from controller.journal.entry import EntryRefusal
from controller.record.mistakes import OF_GUARD, MistakeKind, mistakes_of
from controller.record.shown import entries_shown
from tests.runtime.bench import CHIEF, DEALER, Bench
from tests.runtime.shown import written


@pytest.fixture(scope="module")
def bench() -> Bench:
    """Plays a round with a surplus bet, a wrong seat, an early card and a premature settlement."""
    bench = Bench()
    bench.play()
    bench.refused(TakeBets, CHIEF, seats=(1,))
    bench.refused(TakeBets, DEALER, seats=(9,))
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.refused(ConfirmSettled, DEALER)
    bench.refused(ConfirmSettled, DEALER)
    bench.act(AnnounceNoMoreBets, DEALER)
    bench.refused(TakeBets, DEALER, seats=(2,))
    for card in ("3C", "4C", "5C", "6C"):
        bench.draw(card)
    bench.act(TurnHoleCard, DEALER)
    bench.act(ConfirmSettled, DEALER)
    for person in (DEALER, CHIEF):
        bench.act(CorrectHandEntry, person, entry=bench.latest.log.correctable()[-1].number)
    bench.act(ConfirmSettled, DEALER)
    return bench


@pytest.fixture
def journal(bench: Bench, tmp_path: Path) -> Path:
    return Path(written(bench.storage, tmp_path / "journal"))


def listed(capsys: pytest.CaptureFixture[str], path: Path, *words: str) -> list[dict[str, object]]:
    assert main(["journal", "mistakes", str(path), "--json", *words]) == 0
    document: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return document["mistakes"]


def test_each_guard_of_each_table_has_one_kind() -> None:
    rules = (*ACT_RULES, *ROULETTE.acts)
    guards = {guard.name for rule in rules for guard in rule.all_guards()} | {"role_may"}
    assert set(OF_GUARD) == guards
    assert set(OF_GUARD.values()) == set(MistakeKind)


ROWS = [
    ("too-late", "take-bets", "bets_are_not_closed", 1),
    ("wrong-seat", "take-bets", "seats_exist", 1),
    ("forgotten", "confirm-settled", "round_is_at_this_step", 2),
    ("wrong-person", "take-bets", "role_may", 1),
    ("other", "confirm-settled", None, 1),
]


def test_each_is_told_with_act_guard_count_and_the_entries_between_which_it_stands(
    bench: Bench, journal: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = listed(capsys, journal)
    assert [(row["kind"], row["act"], row["guard"], row["count"]) for row in rows] == ROWS
    refused = [one.seq for one in bench.entries() if one.kind == "confirm-settled" and one.refusal is not None]
    forgotten = next(row for row in rows if row["kind"] == "forgotten")
    assert [forgotten["first"], forgotten["last"]] == refused
    put_right = next(row for row in rows if row["guard"] is None)
    assert put_right["first"] == max(one.seq for one in bench.entries() if one.kind == "correct-entry")
    assert listed(capsys, journal, "--session", "2") == []


def test_no_person_is_named_unless_it_is_asked_for(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [row for row in listed(capsys, journal) if "person" in row] == []
    by_person = {(row["kind"], row["person"]) for row in listed(capsys, journal, "--by-person")}
    assert by_person >= {("wrong-person", 21), ("wrong-seat", 11), ("other", 11)}
    assert main(["journal", "mistakes", str(journal)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(ROWS)
    assert not [line for line in lines if "person 11" in line]
    assert main(["journal", "mistakes", str(journal), "--by-person"]) == 0
    assert "person 11" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ({"seat": 2}, MistakeKind.WRONG_SEAT),
        ({"bettor": 4}, MistakeKind.WRONG_SEAT),
        ({"seat": 2, "amount": 500}, MistakeKind.WRONG_AMOUNT),
        ({"seat": None}, MistakeKind.OTHER),
        ({"instead": "retract-card"}, MistakeKind.OTHER),
    ],
)
def test_a_corrected_entry_goes_by_the_value_that_was_wrong(
    journal: Path, changes: dict[str, object], kind: MistakeKind
) -> None:
    entries = list(entries_shown(journal))
    corrected = [replace(one, body=one.body | changes) if one.entry.kind == "correct-entry" else one for one in entries]
    (found,) = (one for one in mistakes_of(corrected) if not one.guard)
    assert (found.kind, found.act, found.person) == (kind, "confirm-settled", 11)


@pytest.mark.parametrize(
    ("kind", "body", "found"),
    [
        ("add-entry", {"adds": "insure"}, (MistakeKind.FORGOTTEN, "insure")),
        ("report-misdealt", {"seat": 1}, (MistakeKind.WRONG_SEAT, "report-misdealt")),
    ],
)
def test_what_was_not_entered_and_a_card_at_the_wrong_hand_are_mistakes(
    journal: Path, kind: str, body: dict[str, object], found: tuple[MistakeKind, str]
) -> None:
    entries = list(entries_shown(journal))
    last = replace(entries[-1], body=entries[-1].body | body, entry=structs.replace(entries[-1].entry, kind=kind))
    *_, mistake = mistakes_of([*entries[:-1], last])
    assert (mistake.kind, mistake.act) == found


@pytest.mark.parametrize(
    ("act", "phase", "kind"),
    [
        ("confirm-settled", RoundPhase.BETTING, MistakeKind.FORGOTTEN),
        ("confirm-settled", RoundPhase.DEALING, MistakeKind.TOO_EARLY),
        ("confirm-settled", RoundPhase.SETTLED, MistakeKind.TOO_LATE),
        ("indicate-closing", RoundPhase.PLAYING, MistakeKind.TOO_EARLY),
    ],
)
def test_a_step_of_the_round_goes_by_the_table_as_it_stood(
    journal: Path, act: str, phase: RoundPhase, kind: MistakeKind
) -> None:
    before, one = list(entries_shown(journal))[-2:]
    assert before.decision is not None
    state = before.decision.state
    at_phase = structs.replace(state, game=structs.replace(state.game, phase=phase))
    refusal = EntryRefusal(clause=None, reason="round_is_at_this_step")
    earlier = replace(before, decision=structs.replace(before.decision, state=at_phase))
    refused = replace(one, entry=structs.replace(one.entry, kind=act, refusal=refusal))
    *_, found = mistakes_of([earlier, refused])
    assert found.kind is kind


def test_one_person_alone_can_be_asked_for(journal: Path) -> None:
    assert [one.kind for one in mistakes_of(entries_shown(journal), person=21)] == [MistakeKind.WRONG_PERSON]


def test_a_journal_without_mistakes_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench = Bench()
    bench.load()
    assert main(["journal", "mistakes", written(bench.storage, tmp_path / "journal")]) == 0
    assert "No act was refused" in capsys.readouterr().out
