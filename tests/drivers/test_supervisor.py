"""Supervision of one device in virtual time, with a toy protocol: openings, losses, waits, and each event once."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toy_driver import STATUS, ToyDriver, card, identity

from drivers.backoff import Backoff
from drivers.driver import DeviceDriver
from drivers.errors import PortBusy, PortError, PortLost, PortMissing, PortRefused
from drivers.events import (
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DriverEvent,
    EventsMissed,
    LostReason,
    Mismatch,
)
from drivers.supervisor import DeviceSupervisor, SupervisorState
from drivers.trouble import Trouble, TroubleCode
from firmware_protocols.tdp.shoe import ShoeApply, ShoeStatus

BACKOFF = Backoff()
MISSING = PortMissing("/dev/shoe", "not there")
GONE = PortLost("/dev/shoe", "hung up")


class Bench:
    """A supervisor and the drivers that it made; does the shell's part of the work at once."""

    def __init__(self, jitter: float = 0.0) -> None:
        self.drivers: list[ToyDriver] = []
        self.supervisor = DeviceSupervisor("shoe", self._make, BACKOFF, lambda: jitter)

    def _make(self, connection: int, now_s: float) -> DeviceDriver:
        self.drivers.append(ToyDriver(connection, now_s))
        return self.drivers[-1]

    @property
    def driver(self) -> ToyDriver:
        return self.drivers[-1]

    def open(self, now_s: float, says: bytes = b"") -> None:
        assert self.supervisor.wants_open
        self.supervisor.port_opened(now_s)
        if says:
            self.supervisor.receive_data(says, now_s)

    def close(self) -> None:
        assert self.supervisor.wants_close
        self.supervisor.port_closed()

    def wait(self) -> float:
        """Lets the supervisor's wait pass; returns the time at its end."""
        due_s = self.supervisor.next_timeout_s()
        assert due_s is not None
        self.supervisor.handle_timeout(due_s - 0.001)
        assert not self.supervisor.wants_open
        self.supervisor.handle_timeout(due_s)
        assert self.supervisor.wants_open
        return due_s


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_the_port_is_wanted_at_once_and_nothing_is_sent_before_it_is_open(bench: Bench) -> None:
    assert bench.supervisor.wants_open
    assert not bench.supervisor.wants_close
    assert bench.supervisor.data_to_send() == b""
    assert bench.supervisor.next_timeout_s() is None


def test_an_open_port_gets_a_driver_and_its_bytes(bench: Bench) -> None:
    bench.open(10.0)
    assert bench.supervisor.state is SupervisorState.LINKED
    assert not bench.supervisor.wants_open
    assert bench.supervisor.data_to_send() == b"?"
    assert bench.supervisor.next_timeout_s() == 11.0
    bench.supervisor.handle_timeout(11.0)
    assert bench.driver.timeouts == [11.0]
    assert not bench.supervisor.connected


def test_a_connection_is_reported_once(bench: Bench) -> None:
    bench.open(10.0, b"C")
    assert bench.supervisor.connected
    assert bench.supervisor.events() == [DeviceConnected(identity(1), STATUS)]
    assert bench.supervisor.events() == []


def test_a_lost_port_is_one_loss_and_must_be_closed_before_it_is_opened_again(bench: Bench) -> None:
    bench.open(10.0, b"C")
    bench.supervisor.events()
    bench.driver.command_outstanding = True
    bench.supervisor.port_lost(GONE, 12.0)
    bench.supervisor.port_lost(GONE, 12.1)
    assert bench.supervisor.events() == [DeviceLost(LostReason.PORT_LOST, "/dev/shoe: hung up", command_unknown=True)]
    assert not bench.supervisor.connected
    assert bench.supervisor.wants_close
    bench.supervisor.handle_timeout(60.0)
    assert not bench.supervisor.wants_open
    assert bench.supervisor.next_timeout_s() is None
    bench.close()
    assert bench.supervisor.next_timeout_s() is not None
    bench.supervisor.handle_timeout(60.0)
    assert bench.supervisor.wants_open


def test_what_came_with_the_loss_is_told_before_it(bench: Bench) -> None:
    bench.open(10.0, b"C")
    bench.driver.reported.append(card(1, 1))
    bench.supervisor.port_lost(GONE, 12.0)
    kinds = [type(event).__name__ for event in bench.supervisor.events()]
    assert kinds == ["DeviceConnected", "Reported", "DeviceLost"]


def test_a_device_that_ends_the_connection_is_closed_and_says_nothing_more(bench: Bench) -> None:
    bench.open(10.0, b"C1S")
    assert [type(event).__name__ for event in bench.supervisor.events()] == [
        "DeviceConnected",
        "Reported",
        "DeviceLost",
    ]
    assert bench.supervisor.wants_close
    assert bench.supervisor.data_to_send() == b""
    bench.supervisor.receive_data(b"2", 10.0)
    bench.supervisor.apply(ShoeApply(locked=True), 10.0)
    bench.supervisor.acknowledge(1, 1)
    assert bench.supervisor.events() == []
    assert bench.driver.applied == bench.driver.acknowledged == []


def test_a_device_that_never_identified_itself_is_trouble_but_no_loss(bench: Bench) -> None:
    bench.open(10.0, b"S")
    assert bench.supervisor.events() == []
    assert bench.supervisor.trouble == Trouble(TroubleCode.SILENT, "toy")


def test_waits_double_up_to_the_cap_while_the_port_is_missing(bench: Bench) -> None:
    now_s, waits = 10.0, []
    for _ in range(8):
        bench.supervisor.port_failed(MISSING, now_s)
        due_s = bench.wait()
        waits.append(round(due_s - now_s, 6))
        now_s = due_s
    assert waits == [0.2, 0.4, 0.8, 1.6, 3.2, 5.0, 5.0, 5.0]
    assert bench.supervisor.events() == []


def test_a_good_connection_makes_the_next_wait_short_again(bench: Bench) -> None:
    now_s = 10.0
    for _ in range(8):
        bench.supervisor.port_failed(MISSING, now_s)
        now_s = bench.wait()
    bench.open(now_s, b"C")
    bench.supervisor.port_lost(GONE, now_s + BACKOFF.stable_s)
    bench.close()
    assert bench.wait() == pytest.approx(now_s + BACKOFF.stable_s + BACKOFF.first_s)


def test_connections_that_do_not_last_wait_longer_and_longer(bench: Bench) -> None:
    now_s, waits = 10.0, []
    for _ in range(6):
        bench.open(now_s, b"CS")
        bench.close()
        due_s = bench.wait()
        waits.append(round(due_s - now_s, 6))
        now_s = due_s
    assert waits == [0.4, 0.8, 1.6, 3.2, 5.0, 5.0]


def test_a_refused_port_and_a_wrong_device_wait_at_the_cap() -> None:
    bench = Bench()
    bench.supervisor.port_failed(PortRefused("/dev/shoe", "no permission"), 10.0)
    assert bench.wait() == 15.0
    bench.open(20.0, b"W")
    bench.close()
    assert bench.wait() == 25.0


def test_jitter_shortens_a_wait_by_a_quarter_at_most() -> None:
    bench = Bench(jitter=1.0)
    bench.supervisor.port_failed(PortRefused("/dev/shoe", "no permission"), 10.0)
    assert bench.wait() == pytest.approx(13.75)


@given(st.integers(1, 10**9), st.floats(0, 1))
def test_no_wait_passes_the_cap_or_is_nothing(failures: int, jitter: float) -> None:
    assert 0.75 * BACKOFF.first_s <= BACKOFF.delay_s(failures, jitter) <= BACKOFF.cap_s
    assert 0.75 * BACKOFF.cap_s <= BACKOFF.longest_s(jitter) <= BACKOFF.cap_s


def test_a_wrong_device_is_told_once_until_something_changes(bench: Bench) -> None:
    refusal = DeviceRefused(Mismatch.SERIAL, "1", "2")
    now_s = 10.0
    for told in ([refusal], [], []):
        bench.open(now_s, b"W")
        assert bench.supervisor.events() == told
        told_as = "serial: expected 1, found 2"
        assert bench.supervisor.trouble == Trouble(TroubleCode.WRONG_DEVICE, told_as, Mismatch.SERIAL, "1", "2")
        bench.close()
        now_s = bench.wait()
    bench.supervisor.port_failed(MISSING, now_s)  # the plug was pulled
    now_s = bench.wait()
    bench.open(now_s, b"W")
    assert bench.supervisor.events() == [refusal]
    bench.close()
    now_s = bench.wait()
    bench.open(now_s, b"CS")
    bench.supervisor.events()
    bench.close()
    bench.open(bench.wait(), b"W")
    assert bench.supervisor.events() == [refusal]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (MISSING, TroubleCode.PORT_MISSING),
        (PortBusy("/dev/shoe", "held"), TroubleCode.PORT_BUSY),
        (PortRefused("/dev/shoe", "no tty"), TroubleCode.PORT_REFUSED),
        (GONE, TroubleCode.PORT_LOST),
    ],
)
def test_status_can_say_why_there_is_no_connection(bench: Bench, error: PortError, code: TroubleCode) -> None:
    assert bench.supervisor.trouble is None
    bench.supervisor.port_failed(error, 10.0)
    assert bench.supervisor.trouble == Trouble(code, str(error))
    bench.wait()
    bench.open(20.0, b"C")
    assert bench.supervisor.trouble is None


def test_every_reason_for_a_loss_has_a_word_for_the_status() -> None:
    assert {reason.value for reason in LostReason} <= {code.value for code in TroubleCode}


def test_what_is_desired_is_kept_for_the_next_connection(bench: Bench) -> None:
    bench.supervisor.apply(ShoeApply(locked=True), 9.0)
    bench.open(10.0, b"C")
    assert bench.driver.applied == [ShoeApply(locked=True)]
    bench.supervisor.apply(ShoeApply(locked=False), 11.0)
    bench.supervisor.port_lost(GONE, 12.0)
    bench.supervisor.apply(ShoeApply(locked=True), 12.0)
    bench.close()
    bench.open(bench.wait(), b"")
    assert bench.driver.connection == 2
    assert bench.driver.applied == [ShoeApply(locked=True)]


def test_an_event_resent_after_a_reconnect_is_told_once(bench: Bench) -> None:
    bench.open(10.0, b"C12S")
    bench.close()
    bench.supervisor.events()
    bench.open(bench.wait(), b"C123")
    assert bench.supervisor.events()[1:] == [card(1, 3)]


def test_another_boot_counts_anew(bench: Bench) -> None:
    bench.open(10.0, b"C12S")
    bench.close()
    bench.supervisor.events()
    bench.open(bench.wait(), b"c12")
    assert bench.supervisor.events()[1:] == [card(2, 1), card(2, 2)]


def test_a_gap_is_told_once_and_only_as_far_as_it_is_new(bench: Bench) -> None:
    bench.open(10.0, b"C123m6S")
    assert bench.supervisor.events()[1:-1] == [
        card(1, 1),
        card(1, 2),
        card(1, 3),
        EventsMissed(4, 5),
        card(1, 6),
    ]
    bench.close()
    bench.open(bench.wait(), b"Cm67")
    assert bench.supervisor.events()[1:] == [card(1, 7)]


def test_acknowledgements_reach_the_connection(bench: Bench) -> None:
    bench.supervisor.acknowledge(1, 1)
    bench.open(10.0, b"C12")
    bench.supervisor.acknowledge(1, 2)
    assert bench.driver.acknowledged == [(1, 2)]


def test_counters_go_on_over_connections(bench: Bench) -> None:
    assert bench.supervisor.stats.reconnects == 0
    assert bench.supervisor.stats.last_good_s is None
    bench.open(10.0, b"C12S")
    bench.close()
    bench.open(bench.wait(), b"C3")
    stats = bench.supervisor.stats
    assert (stats.good, stats.rejected, stats.retransmissions) == (6, {"odd": 2}, 4)
    assert (stats.reconnects, stats.rtt_ms) == (1, None)
    assert stats.last_good_s == bench.driver.made_s


LETTERS = st.text("123456789mS", max_size=6).map(str.encode)
TURNS = st.lists(st.tuples(st.booleans(), LETTERS, st.booleans()), max_size=30)


@given(TURNS)
def test_losses_and_connections_alternate_whatever_happens(turns: list[tuple[bool, bytes, bool]]) -> None:
    bench, now_s, told = Bench(), 0.0, []
    for opens, says, pulled in turns:
        if opens:
            bench.open(now_s, b"C" + says)
            if pulled:
                bench.supervisor.port_lost(GONE, now_s)
            bench.supervisor.receive_data(b"S", now_s)
            bench.close()
        else:
            bench.supervisor.port_failed(MISSING, now_s)
        told += [isinstance(event, DeviceConnected) for event in of_connection(bench.supervisor.events())]
        now_s = bench.wait()
    assert told == [True, False] * sum(opens for opens, _, _ in turns)


def of_connection(events: list[DriverEvent]) -> list[DriverEvent]:
    return [event for event in events if isinstance(event, DeviceConnected | DeviceLost)]


def test_what_a_device_said_last_of_itself_is_known_when_it_is_lost(bench: Bench) -> None:
    assert bench.supervisor.status is None
    bench.open(0.0, b"C")
    newest = ShoeStatus(passages=9)
    bench.driver.status = newest
    assert bench.supervisor.status == newest
    bench.supervisor.port_lost(GONE, 0.1)
    bench.close()
    bench.open(bench.wait())
    assert bench.supervisor.status == newest
