"""The walk names the duty that a missing or unjustified EVENT breaks, by the reason for which the event was due."""

import pytest

from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENT_WINDOW
from tests.conform.broken.table import KINDS, NOW_S, Device, device_of
from tests.conform.broken.tenth_draw import AHelloAgainMakesTheRetryTimeShort
from tests.conform.line import StallingLine
from tests.conform.test_conform import host_of
from tests.conform.test_walk import RealRig, walked

pytestmark = pytest.mark.waits

SEEDS = range(1, 4)


class TheEndSendsNothingAgain(DeviceLink):
    """Events that were sent before a silence come again at their time, and not when the silence ends."""

    def _heard(self, now_s: float) -> None:
        was_silent, next_to_send = self.host_silent, self._next_to_send
        super()._heard(now_s)
        if was_silent:
            self._next_to_send = next_to_send


class EachThirdTimeIsLeftOut(DeviceLink):
    _times = 0

    def _send_again(self, now_s: float) -> None:
        self._times += 1
        if self._times % 3:
            super()._send_again(now_s)
        else:
            self._retry_at_s = now_s + self._retry_s


class EachTimeIsTooShort(DeviceLink):
    def _send_window(self, now_s: float) -> None:
        before = self._retry_at_s
        super()._send_window(now_s)
        if before is None and self._retry_at_s is not None:
            self._retry_at_s = now_s + self._retry_s / 2


class AnAckLeavesTheTimeLong(DeviceLink):
    def _forget_through(self, number: int) -> bool:
        retry_s = self._retry_s
        is_news = super()._forget_through(number)
        self._retry_s = retry_s
        return is_news


class AnAckLetsNoneGo(DeviceLink):
    """The next ones go at the retry time."""

    _waits = False

    def _take_ack(self, number: int, payload: bytes) -> None:
        before = self.waiting_events
        super()._take_ack(number, payload)
        self._waits = self.waiting_events < before > EVENT_WINDOW

    def _send_window(self, now_s: float) -> None:
        if self._waits and self._waiting:
            self._waits, self._retry_at_s = False, now_s + self._retry_s
            return
        super()._send_window(now_s)


class ASilenceStopsNoNewOne(DeviceLink):
    def _send_window(self, now_s: float) -> None:
        was_silent, self._silent = self._silent, self._silent and not self.in_session
        super()._send_window(now_s)
        self._silent = was_silent
        self._retry_at_s = None if was_silent else self._retry_at_s


NAMED = (
    ("6.17", TheEndSendsNothingAgain),
    ("6.9", EachThirdTimeIsLeftOut),
    ("6.9", EachTimeIsTooShort),
    ("6.10", AnAckLeavesTheTimeLong),
    ("6.8", AnAckLetsNoneGo),
    ("6.17", ASilenceStopsNoNewOne),
    ("4.3", AHelloAgainMakesTheRetryTimeShort),
)


def device_with(link: type[DeviceLink], kind: str = "shoe") -> Device:
    return device_of(kind, type(link.__name__, (KINDS[kind],), {"link_type": link}))


@pytest.mark.parametrize(("number", "link"), NAMED, ids=lambda one: one if isinstance(one, str) else one.__name__)
def test_an_event_that_is_missing_or_too_many_has_its_number(number: str, link: type[DeviceLink]) -> None:
    found = [set(walked(host_of(device_with(link)), seed)) for seed in SEEDS]
    assert {number} in found
    assert [one for one in found if one not in (set(), {number})] == []


class NothingComesAgain(DeviceLink):
    def _send_again(self, _now_s: float) -> None:
        self._retry_at_s = None


class AllComeAgainAllTheTime(DeviceLink):
    def _send_window(self, now_s: float) -> None:
        super()._send_window(now_s)
        if self._retry_at_s is not None:
            self._retry_at_s = now_s + 0.05


@pytest.mark.parametrize("link", [NothingComesAgain, AllComeAgainAllTheTime])
def test_a_line_that_stalls_hides_no_device_that_never_or_always_sends(link: type[DeviceLink]) -> None:
    found = []
    for seed in SEEDS:
        device = device_with(link, "slots")  # a command makes its events
        stalling = StallingLine(device, NOW_S, seed, 0.5)
        bench = RealRig(device, stalling.now_s)
        found.append(set(walked(Host(stalling, device._schema, 1000, is_simulated=True, bench=bench), seed)))
    assert {"6.9"} in found
    assert [one for one in found if one not in (set(), {"6.9"})] == []
