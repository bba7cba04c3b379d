"""The twelfth draw of broken firmwares, by a sceptic: counts in too few bytes, and waits that end too early."""

from math import ceil

from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import SILENT_AFTER_S
from tests.conform.broken.table import breaks

TWO_BYTES_S = 65.536
PACKET = 64
TRIES = 20
PATIENT_S = 5.0


@breaks("2.3")
class KeepsAReadOfWholePackets(DeviceLink):
    """The driver waits for a shorter packet behind a full one."""

    _kept = b""

    def receive_data(self, data: bytes, now_s: float) -> None:
        data, self._kept = self._kept + data, b""
        if data and len(data) % PACKET == 0:
            self._kept = data
        else:
            super().receive_data(data, now_s)


@breaks("6.9", "shoe")
class GivesAnEventUpBehind20Times(DeviceLink):
    _times = 0

    def _send_again(self, now_s: float) -> None:
        self._times += 1
        if self._times < TRIES:
            super()._send_again(now_s)
        else:
            self._retry_at_s = None

    def _forget_through(self, number: int) -> bool:
        self._times = 0
        return super()._forget_through(number)


@breaks("7.5", "shoe")
class HasFiveSecondsForASlowDisk(DeviceLink):
    _since_s: float | None = None

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        now_s = self.stats.last_good_s or 0.0
        is_slow = payload == b"\1"
        self._since_s = (self._since_s or now_s) if is_slow else None
        if self._since_s is not None and now_s - self._since_s > PATIENT_S:
            self._silent = True
        super()._take_heartbeat(number, payload)


@breaks("7.6")
class CountsASilenceInTwoBytes(DeviceLink):
    """Behind each 65,536 ms of a silence the host counts as heard for 2 s."""

    def handle_timeout(self, now_s: float) -> None:
        silence_s = round(now_s - (self.stats.last_good_s or now_s), 6) % TWO_BYTES_S
        if self._silent and self._opening is not None and silence_s < SILENT_AFTER_S:
            self._silent, self._silent_at_s = False, now_s + SILENT_AFTER_S - silence_s
        super().handle_timeout(now_s)

    def next_timeout_s(self) -> float | None:
        heard_s = self.stats.last_good_s
        if not self._silent or self._opening is None or heard_s is None:
            return super().next_timeout_s()
        return heard_s + TWO_BYTES_S * ceil((self._silent_at_s - heard_s) / TWO_BYTES_S)
