"""After any order of faults each event was reported once and in order, and the device is in the wished state."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tdp_peer import TdpPeer
from virtual_line import VirtualLine

from drivers.events import DeviceConnected, DeviceLost, DriverEvent, EventsMissed, Reported
from drivers.wishes import ShufflerWish
from firmware_protocols.tdp.link import EVENTS_KEPT
from firmware_protocols.tdp.schema import DeviceKind

CALM_S = 30.0  # longer than the longest wait, an identification and the silence limits together


class Storm:
    """One table's shuffler, and faults that `rng` chooses at random."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.line = VirtualLine(TdpPeer(DeviceKind.SHUFFLER, now_s=1000.0))
        self.starts = 1
        self.made: list[tuple[int, int]] = []
        self.told: list[tuple[int, int]] = []
        self.alive = False
        self.desired = ShufflerWish()

    def card(self) -> None:
        if self.line.peer.link.waiting_events < EVENTS_KEPT:
            self.made.append((self.line.peer.boot, self.line.peer.card_out(self.line.now_s)))

    def commit(self) -> None:
        if self.told:
            self.line.commit(*self.told[-1])

    def wish(self) -> None:
        self.desired = ShufflerWish(self.rng.choice((None, 0, 1, 2, 3)), lamp=self.rng.random() < 0.5)
        self.line.supervisor.apply(self.desired, self.line.now_s)

    def unplug(self) -> None:
        if self.line.plugged:
            self.line.unplug()

    def plug(self) -> None:
        self.line.plugged = True

    def reboot(self) -> None:
        """The device forgets unacknowledged events; a new boot counts from 1."""
        self.line.peer.reboot(self.line.now_s)

    def restart(self) -> None:
        """The controller dies and starts again: events that were not durable are reported again."""
        self.starts += 1
        durable = self.line.committed
        self.told = [event for event in self.told if event <= durable]
        old, self.alive = self.line, False
        self.line = VirtualLine(old.peer, start_number=self.starts, committed=durable, now_s=old.now_s)
        self.line.supervisor.apply(self.desired, old.now_s)

    def damage(self) -> None:
        self.line.to_host = self.line.to_device = self._damaged

    def repair(self) -> None:
        self.line.to_host = self.line.to_device = lambda data: data

    def _damaged(self, data: bytes) -> bytes:
        chance = self.rng.random()
        if chance < 0.3:
            return b""
        if data and chance < 0.6:
            place = self.rng.randrange(len(data))
            return data[:place] + bytes((self.rng.randrange(256),)) + data[place + 1 :]
        return data * 2 if chance < 0.8 else data

    def pass_time(self, seconds: float) -> None:
        for event in self.line.run(seconds):
            self.take(event)

    def take(self, event: DriverEvent) -> None:
        match event:
            case DeviceConnected():
                assert not self.alive
                self.alive = True
            case DeviceLost():
                assert self.alive
                self.alive = False
            case Reported():
                assert self.alive
                self.told.append((event.boot, event.number))
            case EventsMissed():
                raise AssertionError("the device never had to forget an event")

    def calm_down(self) -> None:
        self.repair()
        self.plug()
        for _ in range(10):
            self.pass_time(CALM_S / 10)
            self.commit()
        self.pass_time(1.0)


ACTIONS = st.sampled_from(
    ["card"] * 6 + ["commit"] * 2 + ["wish", "unplug", "plug", "reboot", "restart", "damage", "repair"]
)
STEPS = st.lists(st.tuples(ACTIONS, st.sampled_from([0.0, 0.003, 0.1, 0.7, 3.0])), min_size=1, max_size=40)


@given(STEPS, st.randoms())
@pytest.mark.slow
def test_no_event_is_lost_or_told_twice(steps: list[tuple[str, float]], rng: Random) -> None:
    storm = Storm(rng)
    for action, seconds in steps:
        getattr(storm, action)()
        storm.pass_time(seconds)
    storm.calm_down()
    last_boot = storm.line.peer.boot
    assert len(set(storm.told)) == len(storm.told)
    assert storm.told == sorted(storm.told)
    assert [e for e in storm.told if e[0] == last_boot] == [e for e in storm.made if e[0] == last_boot]
    assert set(storm.told) <= set(storm.made)
    assert storm.alive
    assert storm.line.peer.link.waiting_events == 0
    status = storm.line.peer.status
    released = status.release_until - status.cards_out
    assert (released > 0) == (storm.desired.release_after == status.cards_out)
    assert released <= 1
    assert storm.line.peer.status.lamp_lit == storm.desired.lamp
