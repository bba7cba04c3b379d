"""Firmwares of a sceptic, eighteenth draw, continued: narrow counters, found behind many cards or hours."""

from typing import Any

from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.pairable_link import PairableLink
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


class _OfSoMany:
    """A work is of so many cards: the rest waits for another apply."""

    work = Work.PRESENT
    most = 30
    _moved = 0

    def _apply(self, wanted: Any, now_s: float) -> Any:
        self._moved = 0
        return super()._apply(wanted, now_s)

    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        self._moved += work is self.work
        super()._count(work, motion, now_s)

    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is self.work and self._moved >= self.most:
            return None
        return work


@breaks("10.16", "shuffler")
class AReleaseIsOf30Cards(_OfSoMany):
    """The table of a release has thirty places."""


@breaks("10.18", "shuffler")
class AFeedIsOf30Cards(_OfSoMany):
    """The motor of the feed rests behind thirty cards, and waits for a word."""

    work = Work.FEED


@breaks("7.6", "shoe")
class CountsASilenceInMicroseconds(DeviceLink):
    """(uint32_t)(micros() - heard) > 2000000: 71 minutes behind its beginning a silence is none for two seconds."""

    _heard_s = 0.0

    def _heard(self, now_s: float) -> None:
        super()._heard(now_s)
        self._heard_s = now_s

    def next_timeout_s(self) -> float | None:
        due_s = super().next_timeout_s()
        if due_s is None and self._silent and self._opening is not None:
            return self._heard_s + 2**32 / 1e6
        return due_s

    def handle_timeout(self, now_s: float) -> None:
        if self._silent and self._opening is not None and now_s >= self._heard_s + 2**32 / 1e6:
            self._heard_s = now_s
            super()._heard(now_s)
            self._send_window(now_s)
        super().handle_timeout(now_s)


@breaks("6.16", "slots")
class HasLost128EventsAtMost(DeviceLink):
    """The count of events that were lost is a signed byte: where it is full the newest goes, and not the oldest."""

    _lost = 0

    def post_event(self, payload: bytes, now_s: float) -> int:
        if len(self._waiting) == 64:
            self._lost += 1
            if self._lost > 127:
                self._is_one_coming = False
                self._next_event += 1
                return self._next_event - 1
        return super().post_event(payload, now_s)

    def _forget_through(self, number: int) -> bool:
        is_news = super()._forget_through(number)
        self._lost = 0 if is_news else self._lost
        return is_news


@breaks("9.5", "shoe")
class TheFirstCardOfEachPageIsNotStored:
    """A page of the memory has 16 places: the card that begins a page is stored with the next one."""

    _stored = 0

    def _post(self, event: Any, now_s: float) -> None:
        if self._passages % 16:
            self._stored = self._passages
        super()._post(event, now_s)

    def _power_lost(self) -> None:
        if self._passages != self._stored and self._passages % 16 == 0:
            self._passages = self._stored
        super()._power_lost()


@breaks("10.20", "shuffler")
class ARecountUnderALitLampIsNotTold:
    """The task of the lamp and that of the recount share a flag: with the lamp lit it has no event."""

    def _post(self, event: Any, now_s: float) -> None:
        if type(event).__name__ == "Recounted" and self._memory.lamp:
            return
        super()._post(event, now_s)


@breaks("12.3", "display")
class AFaultOfAnAmountAboveAMillionIsNotTold:
    """The comparison behind the read-back has 32 bits: a difference above them is none."""

    def _tell_stuck(self, now_s: float) -> None:
        wanted = self._wanted
        shown = self._picture
        is_same = wanted is not None and (wanted.cents - shown.cents) % 2**32 == 0 and wanted.fault == shown.fault
        if not is_same:
            super()._tell_stuck(now_s)


@breaks("18.17", "slots")
class TheKeyIsStoredWithoutItsFirstZero:
    """The key is kept as a text: one that has a zero in it ends there, and is another one behind a start."""

    link_type = PairableLink

    def _power_lost(self) -> None:
        key = self.pairing.key
        if key is not None and 0 in key:
            self.pairing.key = key[: key.index(0)].ljust(32, b"\0")
        super()._power_lost()
