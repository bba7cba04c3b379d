"""No wish of before opens a mouth or ends a jam: of another device, of another boot, of a report not yet answered."""

import pytest

from controller.core import acts as a
from controller.core.words import Device, HoldKind, RoundPhase
from tests.runtime.bench import DEALER, Bench

SYNC_S = 5.0


@pytest.fixture
def bench() -> Bench:
    """Cards are being dealt and the mouth is open for one."""
    bench = Bench()
    bench.play()
    bench.act(a.TakeBets, DEALER, seats=(1,))
    bench.act(a.AnnounceNoMoreBets, DEALER)
    assert bench.shuffler.mouth_is_open
    return bench


def kinds(bench: Bench) -> set[HoldKind]:
    return {hold.kind for hold in bench.latest.holds}


@pytest.mark.parametrize("serial", ["SPARE", ""], ids=["another", "the same"])
def test_a_device_with_a_lower_count_is_not_locked_by_a_release(bench: Bench, serial: str) -> None:
    """A lock that is said as an old count would let cards out where the device's own is lower."""
    bench.shuffler.come_back(bench.now_s, serial=serial, cards_out=bench.shuffler.status.cards_out - 3)
    bench.run(10)
    assert bench.shuffler.releases == 0
    assert not bench.shuffler.mouth_is_open
    assert HoldKind.COUNT in kinds(bench)


def test_a_device_that_comes_while_nothing_is_durable_gets_no_release(bench: Bench) -> None:
    """What the last durable state permits was decided for another device."""
    bench.disk_s = SYNC_S
    bench.act(a.SignOut, DEALER, operation=bench.latest.present[0].operation) if bench.latest.present else None
    bench.shuffler.come_back(bench.now_s, serial="SPARE", cards_out=bench.shuffler.status.cards_out - 1)
    bench.run(SYNC_S - 1)
    assert bench.shuffler.releases == 0


def test_a_controller_that_starts_with_a_spare_device_lets_nothing_out(bench: Bench) -> None:
    bench.kill()
    bench.shuffler.come_back(bench.now_s, serial="SPARE", cards_out=0, cards_in=51, jams=0)
    bench.start()
    bench.run(10)
    assert bench.shuffler.releases == 0


def test_a_release_whose_answers_are_lost_is_taken_back(bench: Bench) -> None:
    """The second command cannot leave before the first is answered: the lock goes in its place."""
    bench.draw("9C")
    bench.run(0.1)
    assert bench.shuffler.mouth_is_open
    bench.shuffler.lid(bench.now_s, is_open=True)
    bench.run(0.0)
    bench.shuffler.lid(bench.now_s, is_open=False)
    bench.run(5)
    assert not bench.shuffler.mouth_is_open
    assert HoldKind.LID in kinds(bench)


def test_a_withdrawn_release_is_not_said_again_before_the_core_has_seen_why(bench: Bench) -> None:
    bench.shuffler.releases = 0
    bench.shuffler.lid(bench.now_s, is_open=True)
    bench.run(0.5)
    assert bench.shuffler.releases == 0
    bench.shuffler.jam(bench.now_s)
    bench.run(0.5)
    assert bench.shuffler.releases == 0


@pytest.mark.parametrize("serial", ["SPARE", ""], ids=["another", "the same"])
def test_a_jam_of_a_device_that_counts_its_jams_anew_ends_by_people_alone(bench: Bench, serial: str) -> None:
    assert bench.latest.jams_ended == 3
    bench.shuffler.come_back(bench.now_s, serial=serial, jams=0)
    bench.run(5)
    bench.shuffler.jam(bench.now_s)
    bench.shuffler.clear_path(bench.now_s)
    bench.run(5)
    assert bench.shuffler.status.jammed
    assert bench.shuffler.releases == 0
    assert HoldKind.JAM in kinds(bench)


def test_a_jam_numbered_lower_in_the_same_boot_holds_and_does_not_end(bench: Bench) -> None:
    bench.shuffler.change(jams=0)
    bench.shuffler.jam(bench.now_s)
    bench.shuffler.clear_path(bench.now_s)
    bench.run(5)
    assert bench.shuffler.status.jammed
    assert kinds(bench) >= {HoldKind.JAM, HoldKind.COUNT}


def test_jams_that_began_anew_are_not_ended_by_what_is_durable(bench: Bench) -> None:
    """The old number of jams ended is durable, the new one is not yet."""
    bench.disk_s = SYNC_S
    bench.shuffler.come_back(bench.now_s, jams=0)
    bench.run(1)
    bench.shuffler.jam(bench.now_s)
    bench.shuffler.clear_path(bench.now_s)
    bench.run(2)
    assert bench.shuffler.status.jammed


@pytest.mark.parametrize(
    "lower", [{"cards_in": 900}, {"cards_out": 900}, {"jams": 2}, {"recounts": 0xFFFF}], ids=lambda lower: next(iter(lower))
)
@pytest.mark.parametrize("way", ["status", "event", "identity", "next-boot"])
def test_any_number_that_went_back_holds_at_once(bench: Bench, lower: dict[str, int], way: str) -> None:
    match way:
        case "status":
            bench.shuffler.change(**lower)
            bench.run(0.6)  # the next heartbeat
        case "event":
            bench.shuffler.change(**lower)
            bench.shuffler.retry(bench.now_s)
            bench.run(0.01)
        case "identity":
            bench.unplug(Device.SHUFFLER)
            bench.shuffler.change(**lower)
            bench.plug(Device.SHUFFLER)
            bench.run(1)
        case _:
            bench.shuffler.come_back(bench.now_s, **lower)
            bench.run(4)
    (count,) = [hold for hold in bench.latest.holds if hold.kind is HoldKind.COUNT]
    assert dict(count.details)["cause"] == "went-back"
    assert bench.latest.round is RoundPhase.DEALING
    assert not bench.shuffler.mouth_is_open


def test_numbers_that_wrap_have_not_gone_back() -> None:
    bench = Bench()
    bench.shuffler.change(cards_out=2**32 - 1, cards_in=2**32 - 1, jams=2**16 - 1, recounts=2**16 - 1)
    bench.play()
    bench.deal()
    assert bench.shuffler.status.cards_out == 4
    assert bench.latest.holds == ()
