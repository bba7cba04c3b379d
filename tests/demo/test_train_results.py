"""The results of a practice: kept whole, shown beside the last one, and refused before the practice if invalid."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from controller.config.profile import GAME_OF, GameName
from controller.core.words import Purpose
from controller.runtime.game import game_of
from simulators.cli import main
from simulators.demo.drills import DRILLS, drill_for, mistakes_in
from simulators.demo.options import DemoOptions
from simulators.demo.practised import (
    FASTEST,
    HASTE,
    NOT_WANTED,
    Refusal,
    Result,
    level_behind,
    tell,
    tell_pace,
)
from simulators.demo.slips import NOT_ASKED
from simulators.demo.talk import Talk
from simulators.devices.cards import Place, make_cards
from simulators.devices.faults import FaultBook, FaultPlan
from simulators.devices.magazine import Box
from simulators.devices.shuffler_model import Passed, ShufflerMechanism
from simulators.kit import procedure_of
from simulators.people.choices import Choices
from simulators.people.hands import CollectTable, PullCard
from simulators.people.pack import Pack
from simulators.people.room import Room
from simulators.people.stack import LOW, TENS

REFUSED = Refusal("take-bets", "seats_exist", "pt.bj.2", "There is no seat 9.", "Name a seat of this table.")
NOW = Result("deal", 10, 42.5, 60, 3.3, {"wrong-seat": 2}, [REFUSED])
BEFORE = Result("deal", 8, 55.0, 50, 10.0, {"too-early": 5}, [])


def test_a_file_that_is_none_is_refused_before_anybody_practises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results.json").write_text('[{"drill": "deal"')
    assert main(["train", "--state-dir", str(tmp_path)]) == 2
    assert "results.json is no file of results" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


def told(now: Result, last: Result | None, capsys: pytest.CaptureFixture[str]) -> str:
    tell(Talk(sys.stdout, {"LANG": "en_GB.UTF-8"}), now, last)
    return " ".join(capsys.readouterr().out.split())


def test_the_result_counts_all_errors_in_a_hundred_acts_beside_those_of_the_last_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    kinds = {"wrong-seat": 2, NOT_ASKED: 1, "forgotten": 1}
    now = replace(NOW, mistakes=kinds, acts=15, errors=4, rounds=1, rounds_due=10, is_broken_off=True)
    last = replace(BEFORE, errors=1, acts=14, level=3, seed=7, date="2026-11-28", profile="pt-shoe", rounds_due=8)
    shown = told(now, last, capsys)
    assert "Errors: 4 in 15 acts (27 a hundred)." in shown
    assert "Broken off at round 2 of 10." in shown
    assert "wrong seat: 2 not asked for: 1 forgotten: 1" in shown
    assert (
        "Last time 1 in 14 acts (7 a hundred). Then: 2026-11-28, pace 3, seed 7, profile pt-shoe. too early: 5."
        in shown
    )
    assert "Take bets: There is no seat 9. Name a seat of this table. (pt.bj.2)" in shown
    assert "A touch on a grey button is not counted." in shown


def test_an_old_result_keeps_its_meaning(capsys: pytest.CaptureFixture[str]) -> None:
    old = replace(BEFORE, mistakes={"too-early": 5, NOT_WANTED: 2})
    assert (old.all_errors, old.errors_per_hundred) == (7, 14.0)
    shown = told(NOW, old, capsys)
    assert "Last time 7 in 50 acts (14 a hundred)." in shown
    assert "Then:" not in shown


def test_the_trainee_is_told_whether_the_pace_rises(capsys: pytest.CaptureFixture[str]) -> None:
    drill = next(one for one in DRILLS if one.name == "deal")
    for result, words in (
        (NOW, "faster: pace 2"),
        (replace(NOW, level=3, errors=30), "slower: pace 2"),
        (replace(NOW, rounds=4), "The pace stays 1"),
    ):
        tell_pace(Talk(sys.stdout, {"LANG": "en_GB.UTF-8"}), result, drill)
        assert words in " ".join(capsys.readouterr().out.split())


def test_the_pace_rises_behind_a_clean_practice_and_falls_behind_a_rough_one() -> None:
    drill = next(one for one in DRILLS if one.name == "deal")
    assert level_behind(None, drill) == 1
    assert level_behind(NOW, drill) == 2
    assert level_behind(replace(NOW, level=FASTEST), drill) == FASTEST
    assert level_behind(BEFORE, drill) == 1  # not played through
    unheard = replace(NOW, mistakes={NOT_WANTED: 2})
    assert level_behind(unheard, drill) == 1
    rough = replace(NOW, level=3, refusals_per_hundred=20.0)
    assert level_behind(rough, drill) == 2
    assert level_behind(replace(rough, level=1), drill) == 1
    usual, fast = DemoOptions().tempo, DemoOptions(haste=HASTE).tempo
    assert fast.act_s == HASTE * usual.act_s < usual.act_s
    assert fast.walk_s == HASTE * usual.walk_s


def mistake(kind: str, act: str, count: int) -> dict[str, object]:
    return {"kind": kind, "act": act, "guard": None, "count": count, "first": 1, "last": 9, "person": 11}


@pytest.mark.parametrize(
    ("profile", "mistakes", "drill"),
    [
        ("pt-csm", [], "deal"),
        ("pt-csm", [mistake("too-early", "take-bets", 3), mistake("too-early", "split-pair", 2)], "deal"),
        ("pt-csm", [mistake("too-early", "take-bets", 3), mistake("too-early", "split-pair", 4)], "split"),
        ("pt-csm", [mistake("too-late", "insure", 1)], "insurance"),
        ("pt-csm", [mistake("wrong-amount", "place-bet", 2), mistake("wrong-seat", "place-bet", 1)], "pay"),
        ("pt-csm", [mistake("wrong-person", "clear-hold", 1)], "jam"),
        ("pt-roulette", [mistake("wrong-seat", "place-chips", 1)], "wheel"),
    ],
)
def test_what_a_table_errs_in_chooses_the_drill(
    tmp_path: Path, profile: str, mistakes: list[dict[str, object]], drill: str
) -> None:
    """The input is a list of `sabot journal mistakes --json`; names of people in it are not read."""
    path = tmp_path / "mistakes.json"
    path.write_text(json.dumps({"mistakes": mistakes}))
    known = {one.name: one for one in DRILLS if one.game is GAME_OF[profile]}
    found = mistakes_in(path)
    assert drill_for(found, known) == drill
    assert "person=" not in repr(found)


def test_a_list_that_is_none_is_refused_before_anybody_practises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for text in ("", "[]", '{"mistakes": [{"kind": "sloppy"}]}'):
        (tmp_path / "mistakes.json").write_text(text)
        assert main(["train", "--from-journal", str(tmp_path / "mistakes.json")]) == 2
        assert "mistakes.json is no list of mistakes" in capsys.readouterr().err


def test_every_act_that_chooses_a_drill_is_one_of_its_game() -> None:
    for drill in DRILLS:
        names = game_of("pt-csm" if drill.game is GameName.BLACKJACK else "pt-roulette").registry.act_named
        assert drill.acts <= set(names), drill.name


def drilled(drill: str, room: Room, rounds: int) -> Iterator[tuple[list[str], list[list[str]]]]:
    """Yields for each round the faces of the bank's first card, and of each seat's first two cards."""
    room.stack = next(one for one in DRILLS if one.name == drill).stack
    for number in range(1, rounds + 1):
        for seat in (1, 2, 0, 1, 2, 0):
            banks = Purpose.HOLE if any(one.seat == 0 for one in room.table) else Purpose.BANK
            purpose = Purpose.SEAT if seat else banks
            room.do(PullCard(purpose, seat, 1, number), 0.0)
        faces = {seat: [one.card.face[:-1] for one in room.table if one.seat == seat] for seat in (0, 1, 2)}
        yield faces[0][:1], [faces[1], faces[2]]
        room.do(CollectTable(1, number), 0.0)


def filled() -> Room:
    """A shoe's table with all cards in the box, in a drawn order."""
    cards = list(make_cards(6))
    Random(7).shuffle(cards)  # noqa: S311
    room = Room(None, {}, Choices(7), outside=[], spare=[], pack=Pack(Box(), 7), procedure=procedure_of("pt-shoe"))
    assert room.pack is not None
    room.pack.machine.put_cards(cards)
    return room


def test_a_drill_deals_what_its_name_promises() -> None:
    aces = [bank for bank, _seats in drilled("insurance", filled(), 20)]
    assert aces.count(["A"]) >= 12
    hands = [seat for _bank, seats in drilled("split", filled(), 20) for seat in seats]
    assert sum(one[0] == one[1] for one in hands) >= 24
    rounds = list(drilled("pay", filled(), 20))
    assert all(bank[0] in LOW for bank, _seats in rounds)
    assert sum("A" in one and bool(TENS & {*one}) for _bank, seats in rounds for one in seats) >= 15
    by_chance = [seat for _bank, seats in drilled("hands", filled(), 20) for seat in seats]
    assert sum(one[0] == one[1] for one in by_chance) <= 8


def test_a_stacked_shuffler_gives_the_same_cards_in_another_order() -> None:
    machine = ShufflerMechanism(Random(7), FaultBook(FaultPlan()))  # noqa: S311
    cards = list(make_cards(6))
    machine.put_in_hopper(cards)
    while machine.feed():
        pass
    dealt = []
    for ranks in (frozenset({"8"}), frozenset({"A"}), frozenset[str]()) * 8:
        machine.next_ranks = ranks
        motion = machine.deal()
        assert isinstance(motion, Passed)
        assert not ranks or motion.cards[0].face[:-1] in ranks
        dealt += motion.cards
    inside = machine.cards_by_place()
    assert sorted(card.number for card in (*dealt, *inside[Place.SLOTS], *inside[Place.BUFFER])) == sorted(
        card.number for card in cards
    )
