"""A restart is a replay: after every entry the state and the holds are the same. Nothing is lost or taken twice."""

import pytest
from msgspec.structs import replace

from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Device, HoldKind, Operation, RoundPhase
from controller.journal.codec import canonical_digest
from controller.runtime.folded import Folded
from controller.runtime.replay import ReplayError, fold
from simulators.disk import Call, Verb
from tests.runtime.bench import CHIEF, DEALER, Bench


@pytest.fixture
def bench() -> Bench:
    return Bench()


def a_full_story(bench: Bench) -> None:
    bench.play()
    bench.deal()
    bench.refused(OpenSession, DEALER)
    bench.act(TurnHoleCard, DEALER)
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    bench.unplug(Device.SHOE)
    bench.run(0.3)
    bench.plug(Device.SHOE)
    bench.run(6)


def test_the_fold_gives_the_state_of_the_run_after_every_entry(bench: Bench) -> None:
    states: list[str] = []
    add = bench.runtime.ledger.add
    bench.runtime.ledger.add = lambda entry: (add(entry), states.append(canonical_digest(entry.state)))[0]
    a_full_story(bench)
    folded, replayed = Folded(), []
    for entry in bench.entries():
        folded = fold(folded, entry)
        replayed.append(canonical_digest(folded.state))
    assert len(states) > 80
    assert replayed[-len(states) :] == states


def test_the_next_run_begins_with_the_state_of_the_last(bench: Bench) -> None:
    a_full_story(bench)
    before = bench.digest()
    bench.kill()
    bench.start()
    assert canonical_digest(bench.booted.start.state) == before
    assert bench.latest.house.start_number == 2
    assert bench.entries()[-1].seq == bench.booted.start.last_seq


def test_a_jam_stays_a_jam_and_the_lamp_stays_lit_over_a_restart(bench: Bench) -> None:
    bench.play()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    holds = bench.latest.house.holds
    bench.kill()
    bench.run_devices_alone(0.5)
    bench.start()
    bench.run(1)
    assert [hold.id for hold in bench.latest.house.holds if hold.kind is HoldKind.JAM] == [holds[0].id]
    assert bench.shuffler.status.lamp_lit
    assert not bench.shuffler.mouth_is_open


def test_the_lamp_is_lit_again_in_a_device_that_has_forgotten_it(bench: Bench) -> None:
    bench.play()
    bench.shuffler.jam(bench.now_s)
    bench.run(0.3)
    bench.kill()
    bench.shuffler.change(lamp_lit=False)
    bench.start()
    bench.run(0.3)
    assert bench.shuffler.status.lamp_lit


@pytest.mark.parametrize("wait_s", [0.0, 0.0005, 0.002, 0.05, 0.3])
def test_a_card_is_counted_once_whenever_the_process_dies(bench: Bench, wait_s: float) -> None:
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(AnnounceNoMoreBets, DEALER)
    for number in range(4):
        bench.shuffler.card_out(bench.now_s)
        bench.shoe.card_passed("9C", bench.now_s)
        bench.run(wait_s)
        bench.kill()
        bench.run_devices_alone(0.1)
        bench.start()
        bench.run(3)
        assert len(bench.latest.game.dealt) == number + 1
        assert bench.latest.custody.book.table == number + 1
        assert bench.latest.custody.book.inside == bench.shuffler.status.inside
        assert HoldKind.COUNT not in [hold.kind for hold in bench.latest.house.holds]
    assert bench.latest.game.phase is RoundPhase.PLAYING
    assert bench.shuffler.acknowledged == bench.shuffler.posted


def test_twice_within_a_second(bench: Bench) -> None:
    bench.play()
    for _ in range(3):
        bench.shuffler.card_in(bench.now_s)
        bench.run(0.01)
        bench.kill()
        bench.start()
        bench.run(0.2)
    bench.run(3)
    assert bench.latest.devices.shuffler.link.taken == bench.shuffler.posted
    assert bench.latest.custody.book.inside == bench.shuffler.status.inside
    assert bench.latest.house.start_number == 4


@pytest.mark.slow
def test_a_power_cut_loses_nothing_that_was_acknowledged_or_answered(bench: Bench) -> None:
    bench.play()
    cuts = 0

    def cut(call: Call) -> None:
        nonlocal cuts
        if call.verb is not Verb.SYNC:
            return
        for disk in bench.storage.power_cuts():
            assert bench.state_on(disk).devices.shuffler.link.taken >= bench.shuffler.acknowledged
            cuts += 1

    bench.storage.on_call = cut
    bench.shuffler.card_in(bench.now_s)
    bench.run(0.1)
    assert cuts > 100


def test_a_torn_tail_is_cut_and_said_in_the_next_entry(bench: Bench) -> None:
    bench.play()
    bench.kill()
    name = "00000001.segment"
    whole = bench.storage.read(name)
    bench.storage.replace(name, whole[:-5])
    bench.start()
    bench.run(1)
    started = [entry for entry in bench.entries() if entry.kind == "controller-started"][-1]
    assert b"torn-tail segment 1" in bytes(started.body)


def test_table_time_goes_on_and_stands_still_while_down(bench: Bench) -> None:
    bench.play()
    last = bench.entries()[-1].table_ms
    bench.kill()
    bench.now_s += 3600
    bench.start()
    bench.run(0.5)
    first = next(entry for entry in reversed(bench.entries()) if entry.kind == "controller-started")
    assert first.table_ms == last
    times = [entry.table_ms for entry in bench.entries()]
    assert times == sorted(times)


def test_a_monotonic_clock_that_begins_anew_changes_nothing(bench: Bench) -> None:
    bench.play()
    bench.kill()
    bench.now_s = 3.0
    for peer in bench.peers.values():
        peer.reboot(3.0)
    bench.start()
    bench.run(0.5)
    times = [entry.table_ms for entry in bench.entries()]
    assert times == sorted(times)


def test_a_timer_fires_once_at_its_table_time(bench: Bench) -> None:
    bench.run(1)
    bench.act(SignIn, DEALER, operation=Operation.TABLE)
    bench.act(OpenSession, DEALER)
    bench.act(SignIn, CHIEF, operation=Operation.LOADING)
    began = bench.latest.house.present[-1].confirmed_ms
    bench.run(600)
    fired = [entry for entry in bench.entries() if entry.kind == "timer-fired"]
    assert [entry.table_ms for entry in fired] == [began + 180_000]
    assert len(bench.latest.house.present) == 1


def test_a_device_that_does_not_come_after_a_restart_holds_the_table(bench: Bench) -> None:
    bench.play()
    bench.kill()
    bench.shoe.plugged = False
    bench.start()
    bench.run(4.9)
    assert bench.latest.house.holds == ()
    bench.run(0.2)
    assert [(hold.kind, hold.device) for hold in bench.latest.house.holds] == [(HoldKind.DEVICE_LOST, Device.SHOE)]


def test_a_journal_that_does_not_begin_with_a_start_is_refused(bench: Bench) -> None:
    bench.play()
    with pytest.raises(ReplayError, match="the entries before it are not here"):
        fold(Folded(), bench.entries()[1])
    with pytest.raises(ReplayError, match="begins with a start"):
        fold(Folded(), replace(bench.entries()[1], seq=1))


def test_an_act_that_would_be_decided_otherwise_is_named(bench: Bench) -> None:
    bench.run(1)
    bench.refused(OpenSession, DEALER)
    entries = bench.entries()
    folded = Folded()
    for entry in entries[:-1]:
        folded = fold(folded, entry)
    with pytest.raises(ReplayError, match=f"entry {entries[-1].seq}: open-session was allowed then and is refused"):
        fold(folded, replace(entries[-1], refusal=None))
