"""A game without cards: session, people, holds, journal, replay, restart and status. No module of cards is loaded."""

import subprocess
import sys
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from controller.catalogue import Language, sentence
from controller.cli.render import status_lines
from controller.config.profile import GAME_OF
from controller.config.profile_file import law
from controller.core.engine.act import Act
from controller.core.games.roulette.chips import GiveColour
from controller.core.games.roulette.spins import LaunchBall
from controller.core.games.roulette.state import ChipColour, RouletteState
from controller.core.games.roulette.table import ROULETTE
from controller.core.games.roulette.wheel import SpinEnded
from controller.core.house.attendance import SignIn
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.house.plain_session import EndSession, IndicateClosing, OpenSession
from controller.core.house.rule import ActRule
from controller.core.words import Cents, Closing, HoldId, HoldKind, Operation, Person, Role, SessionPhase
from controller.daemon.rules import rules_digest
from controller.journal.codec import canonical_digest
from controller.journal.storage import DirectoryReader
from controller.journal.verify import entries_of
from controller.protocol.values import ValueDocument
from controller.runtime.answers import Refused
from controller.runtime.checkpoint import newest_checkpoint
from controller.runtime.folded import Folded
from controller.runtime.game import game_of
from controller.runtime.replay import Misfit, ReplayError, fold, replay
from controller.screen.offers import GameOffers, offered_values
from tests.endings import HANGS_S
from tests.runtime.bench import Bench
from tests.runtime.wheel import CHIEF_21, DEALER_11, MANAGER_31, PROFILE, WheelTable, play


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WheelTable]:
    table = WheelTable(tmp_path / "journal")
    yield table
    table.storage.close()


def latest(table: WheelTable) -> RouletteState:
    state = table.runtime.ledger.latest
    assert isinstance(state, RouletteState)
    return state


def refused(table: WheelTable, make: type[Act], who: tuple[Person, Role], *values: object) -> str:
    answer = table.ask(make, who, *values)
    assert isinstance(answer, Refused), answer
    return answer.refusal.guard


def test_the_wheel_spins_in_a_session_and_nowhere_else(table: WheelTable) -> None:
    table.act(SignIn, DEALER_11, Operation.TABLE)
    assert refused(table, LaunchBall, DEALER_11, True) == "session_is_at_this_step"
    table.act(OpenSession, DEALER_11)
    table.launch()
    assert refused(table, LaunchBall, DEALER_11, False) == "round_is_at_this_step"
    assert refused(table, IndicateClosing, MANAGER_31) == "round_is_at_this_step"
    table.land(17)
    assert (latest(table).wheel.last_number, latest(table).game.number) == (17, 1)
    table.act(IndicateClosing, DEALER_11)
    assert refused(table, LaunchBall, DEALER_11, False) == "session_is_at_this_step"
    assert refused(table, EndSession, DEALER_11) == "role_may"
    table.act(EndSession, CHIEF_21)
    assert latest(table).house.session is SessionPhase.CLOSED
    assert latest(table).house.last_closing is Closing.REGULAR


def test_a_hold_is_raised_attended_cleared_and_confirmed(table: WheelTable) -> None:
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.disk_fails_once()
    (hold,) = table.status().holds
    assert (hold.kind, hold.phase, hold.step) == (HoldKind.JOURNAL_FAULT.value, "raised", 1)
    assert [one.what for one in hold.evidence] == ["journal_is_writing"] * 2
    assert refused(table, LaunchBall, DEALER_11, True) == "no_hold_forbids_it"
    table.act(AttendHold, CHIEF_21, HoldId(1))
    table.act(ClearHold, CHIEF_21, HoldId(1))
    table.act(ConfirmHold, CHIEF_21, HoldId(1))
    assert table.status().holds == []
    table.launch()


def test_the_status_has_what_every_table_has_and_no_cards(table: WheelTable) -> None:
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    status = table.status()
    assert (status.profile, status.session, status.round) == (PROFILE, "in-play", "idle")
    assert (status.counts, status.owed, status.shoe, status.hands) == (None, None, None, [])
    assert [one.person for one in status.present] == [DEALER_11[0]]
    offered = {one.act for one in status.next}
    assert {"sign-in", "give-colour", "launch-ball", "hand-over-shift", "indicate-closing"} <= offered
    assert not offered & {"open-session", "announce-number", "confirm-payments", "end-session"}
    assert offered <= set(ROULETTE.act_named)
    assert status.journal.seq == table.runtime.ledger.durable_seq > 0
    assert status.state_digest == canonical_digest(latest(table))


def test_the_status_says_in_words_whose_colour_is_worth_what_and_where_the_ball_rests(table: WheelTable) -> None:
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.act(GiveColour, DEALER_11, 1, ChipColour.RED, Cents(500))
    table.launch()
    table.fact(SpinEnded(1, 9))
    lines = status_lines(table.status(), Language.EN)
    assert {"The ball rests on 9, red.", "Player 1: red, each chip 5.00"} <= set(lines)


def test_an_evening_replays_and_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    table = play(tmp_path / "journal")
    table.stop()
    before = canonical_digest(latest(table))
    result = replay(tmp_path / "journal")
    assert (result.ok, result.state_digest) == (True, before)
    with DirectoryReader(tmp_path / "journal") as storage:
        newest = newest_checkpoint(storage).checkpoint
    assert newest is not None
    assert isinstance(newest.folded.state, RouletteState)
    table.start()
    assert latest(table).house.start_number == 2
    assert latest(table).wheel.last_number == 0
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    assert latest(table).house.session_number == 2
    table.stop()
    assert replay(tmp_path / "journal").ok


def test_a_journal_of_another_game_is_no_continuation(tmp_path: Path) -> None:
    play(tmp_path / "journal").stop()
    folded = reduce(fold, entries_of(tmp_path / "journal"), Folded())
    bench = Bench()
    bench.run(1)
    start = replace(bench.entries()[0], seq=folded.last_seq + 1, table_ms=folded.table_ms)
    with pytest.raises(ReplayError) as caught:
        fold(folded, start)
    assert caught.value.misfit is Misfit.OTHER_GAME


def test_a_journal_of_a_profile_that_nobody_knows_does_not_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path / "journal").stop()
    monkeypatch.delitem(GAME_OF, PROFILE)
    result = replay(tmp_path / "journal")
    assert (result.ok, result.entries, result.misfit) == (False, 0, Misfit.UNKNOWN)


def test_a_status_in_words_says_nothing_of_cards(table: WheelTable) -> None:
    of_cards = sentence("status.counts", {"cards": "0", "total": "0"}, Language.EN)
    assert of_cards not in status_lines(table.status(), Language.EN)


@pytest.mark.waits
def test_no_module_of_cards_is_loaded(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-m", "tests.runtime.wheel", str(tmp_path / "journal")]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=HANGS_S)
    assert done.stdout.split() == []


def test_every_act_says_what_it_may_be_asked_for_with(table: WheelTable) -> None:
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.act(GiveColour, DEALER_11, 1, ChipColour.RED, Cents(500))
    offers, state = game_of(PROFILE).screen().offers, latest(table)
    offered = {
        rule.name: {value.name: [one.value for one in value.choices] for value in _values(offers, state, rule)}
        for rule in ROULETTE.acts
    }
    assert offered["give-colour"]["colour"] == [
        colour.value for colour in state.colours if colour is not ChipColour.RED
    ]
    assert offered["confirm-value"]["player"] == ["1"]
    assert offered["launch-ball"]["clockwise"] == ["yes", "no"]
    assert len(rules_digest(law(PROFILE))) == 64


def _values(offers: GameOffers[RouletteState], state: RouletteState, rule: ActRule[Any, Any]) -> list[ValueDocument]:
    return offered_values(offers, state, rule, Language.EN, allowed=True).values
