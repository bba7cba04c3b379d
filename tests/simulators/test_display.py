"""The simulated display: amount, read-back, fault picture, silence; in virtual time."""

from virtual_host import VirtualHost

from firmware_protocols.tdp.common import PlainResult, Query, StartCause
from firmware_protocols.tdp.display import (
    DISPLAY,
    DisplayApply,
    DisplayCommand,
    DisplayEvent,
    DisplayFaulted,
    DisplayStarted,
    DisplayStatus,
)
from simulators.devices.display import SimulatedDisplay
from simulators.devices.faults import AnyFault, DisplayFault, FaultPlan, Reboot, StuckDisplay

Host = VirtualHost[DisplayStatus, DisplayCommand, DisplayEvent]


def display_and_host(*faults: AnyFault) -> tuple[SimulatedDisplay, Host]:
    display = SimulatedDisplay(now_s=0.0, faults=FaultPlan(faults))
    host: Host = VirtualHost(DISPLAY, display)
    host.run(0.0)
    return display, host


def test_it_starts_with_the_fault_picture_and_no_amount() -> None:
    display, host = display_and_host()
    assert display.shown_cents is None
    assert host.status == DisplayStatus(0, fault_shown=True)
    assert host.events == [DisplayStarted(StartCause.POWER_ON)]


def test_it_shows_the_amount_and_reads_it_back() -> None:
    display, host = display_and_host()
    assert host.ask(DisplayApply(1_234_567)) == PlainResult.OK
    assert display.shown_cents == 1_234_567
    assert host.status == DisplayStatus(1_234_567)
    assert host.ask(Query()) == PlainResult.OK
    host.ask(DisplayApply(1_234_568, fault=True))
    assert display.shown_cents is None
    assert host.status == DisplayStatus(1_234_568, fault_shown=True)


def test_a_stuck_display_says_what_it_really_shows() -> None:
    display, host = display_and_host(StuckDisplay(at=2))
    host.ask(DisplayApply(100))
    host.ask(DisplayApply(200))
    assert host.status.shown_cents == 100
    host.ask(DisplayApply(300))
    assert host.events[1:] == [DisplayFaulted(2)], "told once each time that it begins"
    display.unstick(host.now_s)
    host.ask(DisplayApply(200))
    assert host.status.shown_cents == 200


def test_a_stuck_picture_stays_and_comes_right_when_the_panel_is_mended() -> None:
    display, host = display_and_host(StuckDisplay(at=1))
    assert display.faults_met == {}
    host.ask(DisplayApply(0, fault=True))
    assert display.faults_met == {}, "that is what it shows: nothing is stuck yet"
    host.ask(DisplayApply(100))
    assert (display.faults_met, display.shown_cents) == ({"StuckDisplay": 1}, None)
    display.unstick(host.now_s)
    assert display.shown_cents == 100


def test_a_panel_mended_behind_a_silence_shows_no_old_amount() -> None:
    display, host = display_and_host()
    host.ask(DisplayApply(100))
    display.stick(host.now_s)
    host.ask(DisplayApply(200))
    host.cable_in = False
    host.run(3.0)
    assert host.events[1:] == [DisplayFaulted(2)], "told once, and in the silence not again"
    assert display.shown_cents == 100, "it sticks"
    display.unstick(host.now_s)
    assert display.shown_cents is None


def test_a_panel_that_cannot_show_its_fault_picture_says_so() -> None:
    display, host = display_and_host()
    host.ask(DisplayApply(100))
    display.stick(host.now_s)
    host.cable_in = False
    host.run(3.0)
    host.cable_in = True
    host.connect()
    host.run(0.5)
    assert host.events[1:] == [DisplayFaulted(2)]


def test_a_fault_is_an_event() -> None:
    _, host = display_and_host(DisplayFault(at=1, code=3))
    host.ask(DisplayApply(100))
    assert host.events[-1] == DisplayFaulted(3)


def test_without_a_host_no_amount_stays() -> None:
    display, host = display_and_host()
    host.ask(DisplayApply(100))
    host.cable_in = False
    host.run(1.4)
    assert display.shown_cents == 100
    host.run(0.7)
    assert display.shown_cents is None
    assert (display.status.host_silent, display.status.fault_shown) == (True, True)
    host.cable_in = True
    host.connect()
    assert host.status == DisplayStatus(100, fault_shown=True)


def test_a_restarted_host_must_give_the_amount_anew() -> None:
    display, host = display_and_host()
    host.ask(DisplayApply(100))
    host.connect()
    assert display.shown_cents is None
    host.ask(DisplayApply(100))
    assert display.shown_cents == 100


def test_a_loss_of_power_loses_the_amount_also_in_the_middle_of_a_command() -> None:
    display, host = display_and_host(Reboot(at=1, off_s=0.2))
    host.run(0.0)
    host._link.send_command(DISPLAY.encode_command(DisplayApply(100)), host.now_s)
    host.run(3.0)
    assert host.down is not None
    assert host.down.command_unknown == 1
    host.connect()
    assert (display.boot, host.status) == (2, DisplayStatus(0, fault_shown=True))
