"""The status: shown at once, marked until it is durable, in the table's language, without a face."""

import msgspec
import pytest

from controller.catalogue import Language
from controller.core.custody.rulings import CallForRuling
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.attendance import SignIn
from controller.core.house.hold_acts import AttendHold, AttestRepair, CallTechnician, ClearHold
from controller.core.house.plain_session import OpenSession
from controller.core.house.state import Hold
from controller.core.words import Cause, Device, HoldId, HoldKind, HoldPhase, Operation, TableMs
from controller.games.table_status import hands
from controller.protocol.status import KEYS, Status, StepState
from controller.screen.status import StatusMaker, who_may_go_on
from controller.screen.table_view import TableView
from tests.runtime.bench import CHIEF, DEALER, TECHNICIAN, Bench

DESIGN_KEYS = {
    "table", "simulated", "session", "round", "holds", "counts", "next", "duties", "journal", "devices",
}  # fmt: skip
COUNT_KEYS = {
    "outside", "inside", "rack", "table", "burnt", "pending", "jammed", "in_hand", "withdrawn", "spare",
    "foreign", "total",
}  # fmt: skip


@pytest.fixture
def bench() -> Bench:
    return Bench()


def status(bench: Bench, language: Language = Language.EN) -> Status:
    return StatusMaker(bench.runtime, language).status(bench.now_s, [])


def test_it_has_the_keys_that_are_promised(bench: Bench) -> None:
    bench.run(1)
    document = msgspec.to_builtins(status(bench))
    assert set(document) == set(KEYS) >= DESIGN_KEYS
    assert set(document["counts"]) == COUNT_KEYS
    assert {"seq", "head", "lag_ms"} <= set(document["journal"])
    assert list(document["devices"]) == ["shuffler", "shoe", "jackpot_display"]


def test_a_hold_is_shown_at_once_and_marked_until_it_is_durable(bench: Bench) -> None:
    bench.play()
    bench.disk_s = 5.0
    bench.shuffler.jam(bench.now_s)
    bench.run(0.1)
    shown = status(bench)
    assert [(hold.kind, hold.recorded) for hold in shown.holds] == [("jam", False)]
    bench.run(5.1)
    assert [hold.recorded for hold in status(bench).holds] == [True]
    hold = bench.latest.house.holds[0]
    bench.ask(AttendHold, CHIEF, hold=hold.id)
    assert [(hold.phase, hold.recorded) for hold in status(bench).holds] == [("attended", False)]


def test_a_hold_says_since_when_it_stands(bench: Bench) -> None:
    bench.play()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    (jam,) = status(bench).holds
    bench.run(60)
    bench.ask(AttendHold, CHIEF, hold=bench.latest.house.holds[0].id)
    bench.ask(CallForRuling, CHIEF, cause=Cause.DISPUTE)
    attended, ruling = status(bench).holds
    assert (attended.since, ruling.since - jam.since) == (jam.since, pytest.approx(60_000, abs=1_000))


def test_a_jam_says_what_where_what_to_do_and_who(bench: Bench) -> None:
    bench.play()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    (hold,) = status(bench).holds
    assert (hold.id, hold.device, hold.who) == ("H1", "shuffler", ["chief_supervisor"])
    assert "mouth" in hold.text
    assert len(hold.steps) > 3
    assert "jam" in status(bench).state
    (portuguese,) = status(bench, Language.PT).holds
    assert portuguese.text != hold.text


def test_what_is_next_comes_from_what_is_durable(bench: Bench) -> None:
    bench.run(1)
    bench.act(SignIn, DEALER, operation=Operation.TABLE)
    bench.disk_s = 5.0
    bench.ask(OpenSession, DEALER)
    bench.run(0.1)
    shown = status(bench)
    assert shown.session == "opened"
    assert "number-deck-set" not in [one.act for one in shown.next]
    bench.run(5)
    assert "number-deck-set" in [one.act for one in status(bench).next]


def test_the_part_without_words_is_made_once_for_the_two_states_behind_it(bench: Bench) -> None:
    bench.play()
    view = TableView(bench.runtime)
    part = view.part()
    makers = [StatusMaker(bench.runtime, language, view=view) for language in (Language.EN, Language.PT)]
    assert all(maker.status(bench.now_s, []).counts is part.counts for maker in makers)
    bench.disk_s = 5.0
    bench.ask(TakeBets, DEALER, seats=(1, 3))
    bench.run(0.1)
    latest = view.part()
    assert (latest.seats, latest.figures) == ((1, 3), part.figures)
    bench.run(5)
    assert view.part() is not latest


def test_the_card_that_comes_next_is_told_only_once_it_may_come(bench: Bench) -> None:
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1, 3))
    bench.disk_s = 5.0
    bench.ask(AnnounceNoMoreBets, DEALER)
    bench.run(0.1)
    assert status(bench).owed is None
    bench.run(5)
    owed = status(bench).owed
    assert owed is not None
    assert (owed.purpose, owed.seat) == ("seat", 1)


def test_a_slow_journal_is_said_to_be_slow(bench: Bench) -> None:
    bench.run(1)
    bench.disk_s = 5.0
    bench.ask(SignIn, DEALER, operation=Operation.TABLE)
    bench.run(0.5)
    journal = status(bench).journal
    assert not journal.slow
    assert 400 <= journal.lag_ms <= 600
    bench.run(1)
    journal = status(bench).journal
    assert journal.slow
    assert journal.waiting == 1
    seq = journal.seq
    bench.run(5)
    journal = status(bench).journal
    assert (journal.slow, journal.waiting, journal.lag_ms, journal.seq) == (False, 0, 0, seq + 1)


def test_the_head_is_that_of_the_last_durable_entry(bench: Bench) -> None:
    bench.run(1)
    assert bench.writer is not None
    assert status(bench).journal.head == bench.writer.durable.head.hex()


def test_a_device_that_is_not_there_says_why(bench: Bench) -> None:
    bench.run(1)
    bench.unplug(Device.SHOE)
    bench.run(1)
    shown = status(bench).devices["shoe"]
    assert not shown.connected
    assert shown.trouble in {"port-missing", "port-lost"}
    assert "NOT CONNECTED" in shown.text
    assert shown.last_good_s is not None
    assert 0.5 < shown.last_good_s < 2
    assert status(bench, Language.PT).devices["shoe"].text.startswith("DESLIGADO")


def test_no_face_stands_in_it(bench: Bench) -> None:
    bench.play()
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    bench.shuffler.jam(bench.now_s)
    bench.run(0.5)
    found = status(bench)
    document = msgspec.json.encode(found).decode()
    assert not any(f'"{face}"' in document for face in ("2C", "3C", "4C", "5C", "KH"))
    assert [(hand.seat, hand.cards) for hand in found.hands] == [(1, [None, None]), (0, [None, None])]
    assert [hand.cards for hand in hands(bench.durable)] == [["3C", "5C"], ["4C", None]], "for who is signed in"


@pytest.mark.parametrize("kind", HoldKind)
@pytest.mark.parametrize("phase", [HoldPhase.RAISED, HoldPhase.ATTENDED, HoldPhase.CLEARED])
def test_somebody_may_always_go_on_with_a_hold(kind: HoldKind, phase: HoldPhase) -> None:
    assert who_may_go_on(Hold(HoldId(1), kind, phase, TableMs(0)))


def test_the_status_says_at_which_step_of_a_hold_one_is(bench: Bench) -> None:
    bench.play()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)

    def step() -> tuple[str, list[str]]:
        (hold,) = status(bench).holds
        (*_along, shown) = [one for one in hold.plan if one.state is StepState.NEXT]
        assert hold.steps[hold.step - 1] == next(one.text for one in hold.plan if one.state is StepState.NEXT)
        return shown.name, [act.act for act in shown.acts]

    assert step() == ("take-charge", ["attend-hold"])
    assert "Call" in status(bench).holds[0].steps[0]
    hold = bench.latest.house.holds[0].id
    bench.act(AttendHold, CHIEF, hold=hold)
    assert step() == ("free", [])
    bench.act(CallTechnician, CHIEF, hold=hold)
    assert step() == ("repair", ["attest-repair"])
    bench.act(AttestRepair, TECHNICIAN, hold=hold)
    bench.shuffler.clear_path(bench.now_s)
    bench.run(0.3)
    assert step() == ("clear", ["clear-hold"])
    bench.act(ClearHold, CHIEF, hold=hold)
    bench.run(0.5)
    assert step() == ("confirm", ["confirm-hold"])


def test_a_hold_says_what_it_forbids_how_grave_it_is_and_which_evidence_is_there(bench: Bench) -> None:
    bench.play()
    bench.ask(CallForRuling, CHIEF, cause=Cause.DISPUTE)
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    shown = status(bench)
    ruling, jam = shown.holds
    assert (ruling.priority, jam.priority) == (2, 1)
    assert {"draw", "bet", "close"} <= set(jam.forbids)
    assert jam.clause == "pt.bj.51c"
    met = {(one.what, one.to): one.met for one in jam.evidence}
    assert not met["path_is_clear", "clear"]
    assert met["lid_is_closed", "clear"]
    bench.shuffler.clear_path(bench.now_s)
    bench.run(0.3)
    (_ruling, jam) = status(bench).holds
    assert {(one.what, one.to): one.met for one in jam.evidence}["path_is_clear", "clear"]


def test_a_presence_says_until_when_it_counts(bench: Bench) -> None:
    bench.run(1)
    bench.act(SignIn, DEALER, operation=Operation.TABLE)
    bench.act(SignIn, CHIEF, operation=Operation.LOADING)
    dealer, chief = status(bench).present
    assert dealer.until is None
    confirmed = next(one.confirmed_ms for one in bench.latest.house.present if one.person == chief.person)
    assert chief.until == confirmed + bench.latest.setup.parameters.presence_timeout_ms


def test_a_scene_changes_with_what_acts_depend_on_and_with_nothing_else(bench: Bench) -> None:
    bench.play()
    seen = [status(bench).scene]
    bench.run(2)
    bench.shuffler.retry(bench.now_s)
    bench.run(0.3)
    assert status(bench).scene == seen[-1]
    bench.act(TakeBets, DEALER, seats=(1, 3))
    seen.append(status(bench).scene)
    bench.act(AnnounceNoMoreBets, DEALER)
    seen.append(status(bench).scene)
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    seen.append(status(bench).scene)
    bench.act(AttendHold, CHIEF, hold=bench.latest.house.holds[0].id)
    seen.append(status(bench).scene)
    assert len(set(seen)) == len(seen)
