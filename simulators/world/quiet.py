"""Lines at rest: heartbeats that change nothing are counted instead of sent.

A table waits most of its time. On an idle line all heartbeats are alike: the same bytes except for a number, the same
status, the same times except for a shift. So the clock has no calls for the heartbeats of a line at rest. At an event
on the line, this module sets both ends to the state that the skipped exchanges would have left, and puts a
half-finished exchange on its way.

A test plays worlds with and without this module: they agree to the last byte. The module reads and sets private fields
of both ends, so that production code need not know of it.
"""

# ruff: noqa: SLF001

from collections.abc import Callable
from math import ceil

from drivers.supervisor import DeviceSupervisor
from drivers.tdp_driver import TdpDriver
from firmware_protocols.framing import CRC_BYTES, TAG_BYTES
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import HEADER, HEARTBEAT_EVERY_S, SILENT_AFTER_S
from firmware_protocols.tdp.pairable_link import PairableLink
from simulators.devices.firmware import Power
from simulators.world.clock import Alarm, ShiftedClock, on_tick
from simulators.world.device_end import DeviceEnd
from simulators.world.machine import Quiet
from simulators.world.wires import ADAPTER_S, BYTE_S, Line

_ENVELOPE = HEADER.size + TAG_BYTES + CRC_BYTES + 3  # COBS adds one byte, and there is a zero at each end
_DOWN_S = (_ENVELOPE + rows.HEARTBEAT_LAYOUT.size) * BYTE_S + ADAPTER_S
_REPLY_BYTES = _ENVELOPE + rows.REPLY_LAYOUT.size


class QuietLine(Quiet):
    """The line between a supervisor and a device. An idle line may rest: its heartbeats are counted instead of sent."""

    def __init__(
        self,
        end: DeviceEnd,
        clock: ShiftedClock,
        line: Line,
        supervisor: DeviceSupervisor,
        alarm: Alarm,
        may_rest: Callable[[], bool],
    ) -> None:
        self._clock = clock.of_world
        self._line = line
        self._end = end
        self._supervisor = supervisor
        self._alarm = alarm
        self._may_rest = may_rest
        self._origin_s = clock.origin_s
        end.device.before_talk = self.wake

    def rest(self) -> bool:
        line, links = self._line, self._links()
        if links is None or line.down.under_way or line.up.under_way:
            return False
        if not self._is_at_rest(*links) or not self._may_rest():
            return False
        self.is_resting = self._end.is_resting = True
        self._end.set_alarm()
        return True

    def wake(self) -> None:
        if not self.is_resting:
            return
        self.catch_up()
        self.is_resting = self._end.is_resting = False
        if (links := self._links()) is not None:
            self._begin_exchange(*links)
        self._alarm.set(self._supervisor.next_timeout_s())
        self._end.set_alarm()

    def catch_up(self) -> None:
        """Counts at both ends the heartbeats skipped until now; called before the counts are read."""
        links = self._links()
        if not self.is_resting or links is None:
            return
        host, device = links
        due_s = host._due_s + self._origin_s
        arrives_s = on_tick(due_s + _DOWN_S) - due_s
        answered_s = on_tick(due_s + arrives_s + self._up_s(device)) - due_s
        beats = ceil((self._clock.now_s - answered_s - due_s) / HEARTBEAT_EVERY_S)
        if beats > 0:
            last_s = host._due_s + (beats - 1) * HEARTBEAT_EVERY_S
            _exchanged(host, beats, last_s, answered_s)
            _heard(device, beats, last_s + self._origin_s + arrives_s)

    def _begin_exchange(self, host: HostLink, device: DeviceLink) -> None:
        """Puts the last heartbeat on its way if it was due during the rest and has not arrived yet. Gives an arrived
        heartbeat to the device, and puts the answer on its way.
        """
        sent_s = host._due_s
        if sent_s + self._origin_s >= self._clock.now_s:
            return  # that heartbeat will be sent normally
        behind = host._io.drain()  # output of this very moment
        host._beat(sent_s)
        beat = host._io.drain()
        host._io.unsent += behind
        arrives_s = on_tick(sent_s + self._origin_s + _DOWN_S)
        if arrives_s >= self._clock.now_s:
            self._line.down.put_on_its_way(beat, sent_s + self._origin_s)
        else:
            device.receive_data(beat, arrives_s)
            self._line.up.put_on_its_way(device.data_to_send(), arrives_s)

    def _links(self) -> tuple[HostLink, DeviceLink] | None:
        driver, device = self._supervisor._driver, self._end.device._link
        if isinstance(driver, TdpDriver) and isinstance(device, DeviceLink):
            return driver._link, device
        return None

    def _up_s(self, device: DeviceLink) -> float:
        return (_REPLY_BYTES + len(device._status)) * BYTE_S + ADAPTER_S

    def _is_at_rest(self, host: HostLink, device: DeviceLink) -> bool:
        return (
            _host_rests(host)
            and _device_rests(device)
            and self._line.is_sound
            and (device._opening, device._boot) == (host._opening, host._boot)
            and self._ends_agree(device)
        )

    def _ends_agree(self, link: DeviceLink) -> bool:
        driver, device = self._supervisor._driver, self._end.device
        return (
            isinstance(driver, TdpDriver)
            and driver.end is None
            and not driver.reported
            and driver._obedience.due_s is None
            and not self._supervisor.reported
            and device.power is Power.ON
            and driver._status_after == link._next_event - 1
            and driver._told == device.shown
        )


def _host_rests(link: HostLink) -> bool:
    return (
        link.is_identified
        and link._outstanding is None
        and link._heartbeats == link._replies
        and not link._ack_due
        and not link._io.unsent
        and not link.inbox.has_uncommitted
        and not link._happened
        and not link._rejected
    )


def _device_rests(link: DeviceLink) -> bool:
    return not (link._silent or link._waiting or link._io.unsent or link._happened)


def _exchanged(link: HostLink, beats: int, last_s: float, answered_s: float) -> None:
    """Sets the host's end to its state after `beats` exchanged heartbeats, the last of which was sent at `last_s`."""
    link._heartbeats += beats
    link._replies += beats
    link._heartbeat_sent_s = last_s
    link._due_s = last_s + HEARTBEAT_EVERY_S
    link._measure(answered_s)
    link.stats.rtt_s = _smoothed(link.stats.rtt_s or answered_s, answered_s, beats - 1)
    link.stats.good_frames += beats
    link.stats.last_good_s = last_s + answered_s
    link._silent_at_s = last_s + answered_s + SILENT_AFTER_S


def _smoothed(rtt_s: float, sample_s: float, times: int) -> float:
    """Returns the smoothed round-trip time after `HostLink._measure` has taken the same sample `times` times."""
    for _ in range(times):
        smoothed_s = rtt_s + (sample_s - rtt_s) / 8
        if smoothed_s == rtt_s:
            break
        rtt_s = smoothed_s
    return rtt_s


def _heard(link: DeviceLink, beats: int, last_s: float) -> None:
    link.stats.good_frames += beats
    link.stats.last_good_s = last_s
    if isinstance(link, PairableLink):
        link._pulses += beats
    link._silent_at_s = last_s + SILENT_AFTER_S
