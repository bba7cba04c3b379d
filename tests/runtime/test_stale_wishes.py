"""An old wish neither opens a mouth nor ends a jam: a wish for another device or boot, or from before a report."""

import pytest
from msgspec.structs import replace

from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.hold_acts import AttendHold, AttestRepair, ClearHold, ConfirmHold
from controller.core.house.jackpot_acts import ApproveJackpot
from controller.core.words import Device, HoldKind, Person, Role, RoundPhase
from controller.scenario.table import make_table
from firmware_protocols.tdp.display import DisplayFaulted
from tests.runtime.bench import CHIEF, DEALER, PARAMETERS, TECHNICIAN, Bench

SYNC_S = 5.0


@pytest.fixture
def bench() -> Bench:
    """Makes a table in the deal, with the mouth open for one card."""
    bench = Bench()
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(AnnounceNoMoreBets, DEALER)
    assert bench.shuffler.mouth_is_open
    bench.shuffler.releases = 0
    return bench


def kinds(bench: Bench) -> set[HoldKind]:
    return {hold.kind for hold in bench.latest.house.holds}


@pytest.mark.parametrize("serial", ["SPARE", ""], ids=["another", "the same"])
def test_a_device_with_a_lower_count_is_not_locked_by_a_release(bench: Bench, serial: str) -> None:
    """A lock in the form of an old count would let cards out where the device's own count is lower."""
    bench.shuffler.come_back(bench.now_s, serial=serial, cards_out=bench.shuffler.status.cards_out - 3)
    bench.run(10)
    assert bench.shuffler.releases == 0
    assert not bench.shuffler.mouth_is_open
    assert HoldKind.COUNT in kinds(bench)


def test_a_device_that_comes_while_nothing_is_durable_gets_no_release(bench: Bench) -> None:
    """The last durable state's permission was decided for another device."""
    bench.disk_s = SYNC_S
    bench.shuffler.come_back(bench.now_s, serial="SPARE", cards_out=bench.shuffler.status.cards_out - 1)
    bench.run(SYNC_S - 1)
    assert bench.shuffler.releases == 0


def test_a_controller_that_starts_with_a_spare_device_lets_nothing_out(bench: Bench) -> None:
    bench.kill()
    bench.shuffler.come_back(bench.now_s, serial="SPARE", cards_out=0, cards_in=51, jams=0)
    bench.start()
    bench.run(10)
    assert bench.shuffler.releases == 0


def test_a_withdrawn_release_is_not_said_again_before_the_core_has_seen_why(bench: Bench) -> None:
    bench.shuffler.lid(bench.now_s, is_open=True)
    bench.run(0.5)
    assert bench.shuffler.releases == 0
    bench.shuffler.jam(bench.now_s)
    bench.run(0.5)
    assert bench.shuffler.releases == 0


@pytest.mark.parametrize("serial", ["SPARE", ""], ids=["another", "the same"])
def test_a_jam_of_a_device_that_counts_its_jams_anew_ends_by_people_alone(bench: Bench, serial: str) -> None:
    assert bench.latest.devices.jams_ended == 3
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
    """The old number of ended jams is durable, the new one is not yet."""
    bench.disk_s = SYNC_S
    bench.shuffler.come_back(bench.now_s, jams=0)
    bench.run(1)
    bench.shuffler.jam(bench.now_s)
    bench.shuffler.clear_path(bench.now_s)
    bench.run(2)
    assert bench.shuffler.status.jammed


LOWER = ({"cards_in": 900}, {"cards_out": 900}, {"jams": 2}, {"recounts": 0xFFFF})


@pytest.mark.parametrize("lower", LOWER, ids=lambda lower: next(iter(lower)))
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
    (count,) = [hold for hold in bench.latest.house.holds if hold.kind is HoldKind.COUNT]
    assert dict(count.details)["cause"] == "went-back"
    assert bench.latest.game.phase is RoundPhase.DEALING
    assert not bench.shuffler.mouth_is_open


@pytest.mark.parametrize("way", ["status", "event"])
def test_a_count_that_goes_back_while_the_table_is_held_is_locked_anew(bench: Bench, way: str) -> None:
    """The released figure is ahead of its count again, by the number of forgotten cards."""
    bench.shuffler.lid(bench.now_s, is_open=True)
    bench.run(3)
    for _ in range(2):
        bench.shuffler.change(cards_out=bench.shuffler.status.cards_out - 3)
        if way == "event":
            bench.shuffler.retry(bench.now_s)
        bench.run(1)
        assert not bench.shuffler.mouth_is_open


def test_a_sign_whose_events_are_withheld_is_read_all_the_same() -> None:
    """The sign's amount is promised to players, with or without an event of its own."""
    bench = Bench(setup=make_table("pt-csm", [("jackpot", "manual")], ("1 A-A-suited rest",)).setup)
    bench.run(1)
    bench.runtime.act(1, ApproveJackpot(Person(51), Role.ROOM_MANAGER, reference="G-1"), bench.now_s)
    bench.run(1)
    bench.display.withheld = True
    bench.display.post(DisplayFaulted(7), bench.now_s, shown_cents=99_999)
    bench.run(7)
    assert bench.display.status.fault_shown


def test_a_lid_that_only_the_status_tells_of_holds_in_time(bench: Bench) -> None:
    """The lid's event is withheld: a missing event blinds the table no longer than a difference may last."""
    bench.shuffler.withheld = True
    bench.shuffler.lid(bench.now_s, is_open=True)
    bench.run(0.6 + PARAMETERS.difference_ms / 1000)
    assert HoldKind.COUNT in kinds(bench)
    (count,) = [hold for hold in bench.latest.house.holds if hold.kind is HoldKind.COUNT]
    assert dict(count.details)["figures"].startswith("shuffler_events ")
    assert bench.shuffler.releases == 0


def test_events_that_come_at_last_are_no_hold(bench: Bench) -> None:
    bench.shuffler.withheld = True
    bench.shuffler.retry(bench.now_s)
    bench.run(1.0)
    bench.shuffler.withheld = False
    bench.run(5)
    assert bench.latest.house.holds == ()


def test_a_device_that_waits_for_acknowledgements_is_not_waited_for() -> None:
    """No entry becomes durable: the device may send no more events, and its waiting events count as no difference."""
    bench = Bench()
    bench.run(1)
    bench.disk_s = 3 * SYNC_S
    for _ in range(30):
        bench.shuffler.retry(bench.now_s)
    bench.run(2 * SYNC_S)
    assert "events-awaited" not in bench.kinds()
    assert bench.latest.custody.differing_since_ms is None


def another_firmware(bench: Bench, version: str) -> None:
    bench.unplug(Device.SHUFFLER)
    bench.shuffler.identity = replace(bench.shuffler.identity, firmware=version)
    bench.shuffler.come_back(bench.now_s)
    bench.plug(Device.SHUFFLER)
    bench.run(2)


def test_another_firmware_under_the_same_serial_number_waits_for_a_technician(bench: Bench) -> None:
    another_firmware(bench, "6.6.6")
    (hold,) = bench.latest.house.holds
    assert (hold.kind, dict(hold.details)["reason"]) == (HoldKind.DEVICE_LOST, "other-version")
    another_firmware(bench, "6.6.7")  # its loss meanwhile does not hide it
    bench.act(AttendHold, CHIEF, hold=hold.id)
    assert bench.refused(ClearHold, CHIEF, hold=hold.id).refusal.guard == "repair_is_attested"
    bench.act(AttestRepair, TECHNICIAN, hold=hold.id)
    bench.act(ClearHold, CHIEF, hold=hold.id)
    bench.act(ConfirmHold, CHIEF, hold=hold.id)
    assert bench.latest.house.holds == ()
    another_firmware(bench, "6.6.7")
    assert dict(bench.latest.house.holds[0].details)["reason"] != "other-version", "it is the one that was attested"


def test_an_approved_firmware_needs_nobodys_word() -> None:
    bench = Bench(approved=("6.6.6",))
    bench.run(1)
    another_firmware(bench, "6.6.6")
    assert bench.latest.house.holds == ()
    another_firmware(bench, "6.6.7")
    assert [dict(hold.details)["reason"] for hold in bench.latest.house.holds] == ["other-version"]


def test_a_reader_whose_number_of_passages_went_back_holds(bench: Bench) -> None:
    bench.unplug(Device.SHOE)
    bench.shoe.change(passages=3)
    bench.plug(Device.SHOE)
    bench.run(1)
    assert HoldKind.COUNT in kinds(bench)


def test_numbers_that_wrap_have_not_gone_back() -> None:
    bench = Bench()
    bench.shuffler.change(cards_out=2**32 - 1, cards_in=2**32 - 1, jams=2**16 - 1, recounts=2**16 - 1)
    bench.play()
    bench.deal()
    assert bench.shuffler.status.cards_out == 4
    assert bench.shuffler.status.cards_in == 51
    assert bench.latest.house.holds == ()
