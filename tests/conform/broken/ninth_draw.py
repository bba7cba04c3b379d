"""The ninth draw of broken firmwares: each fault depends on other fields of a command or picture, or on past state."""

from typing import Any

from msgspec import structs

from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENT_WINDOW, FrameKind, Header
from firmware_protocols.tdp.link_rows import HelloBody
from firmware_protocols.tdp.pairable_link import PairableLink
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks

HALF = 2**31


@breaks("10.20", "shuffler")
class ARequest256AheadCountsAsServed:
    def _apply(self, wanted: Any, now_s: float) -> Any:
        if wanted.recount_request % 256 == self._memory.recounts % 256:
            wanted = structs.replace(wanted, recount_request=self._memory.recounts)
        return super()._apply(wanted, now_s)


@breaks("10.24", "shuffler")
class FeedsFirstBehindARecount:
    _feeds_first = False

    def _apply(self, wanted: Any, now_s: float) -> Any:
        self._feeds_first = False
        return super()._apply(wanted, now_s)

    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._feeds_first = self._orders.unload and self._orders.feed_open

    def _next_work(self) -> Work | None:
        orders = self._orders
        if self._feeds_first and orders.recount_request is None and orders.feed_open and self.machine.can_feed:
            return Work.FEED
        return super()._next_work()


@breaks("10.1", "shuffler")
class UnloadingCountsDownFromTheApply:
    _from: int | None = None

    def _apply(self, wanted: Any, now_s: float) -> Any:
        inside = self._memory.inside
        result = super()._apply(wanted, now_s)
        self._from = inside if self._orders.unload and self._orders.recount_request is not None else None
        return result

    def _lock_down(self) -> None:
        super()._lock_down()
        self._from = None

    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        if work is Work.UNLOAD and self._from is not None:
            self._memory.inside, self._from = self._from, None
        super()._count(work, motion, now_s)


@breaks("14.7", "slots")
class BlinkingComesBackWhereNothingWasLit:
    def _power_lost(self) -> None:
        blinking = 0 if self._lit else self._blinking
        super()._power_lost()
        self._blinking = blinking


@breaks("14.6", "slots")
class BlinkingEndsWithTheChip:
    def take_chip(self, seat: int, now_s: float) -> None:
        if self.has_chip(seat):
            self._blinking &= ~(1 << (seat - 1))
        super().take_chip(seat, now_s)


@breaks("4.5", "slots")
class ASessionOfAnOlderOpeningCountsOn(DeviceLink):
    def _open(self, opening: int, hello: HelloBody) -> None:
        was, command, result = self._opening, self._command, self._result
        super()._open(opening, hello)
        if was is not None and (opening - was) % 2**32 >= HALF:
            self._command, self._result = command, result


@breaks("5.2", "shoe")
class TheAnswerToARefusalAgainIsTheFrameOfThen(DeviceLink):
    _kept = (0, b"")

    def _send_answer(self, result: int) -> None:
        was = self._status
        if self._is_asked_again and result and self._kept[0] == self._command:
            self._status = self._kept[1]
        elif result:
            self._kept = (self._command, self._status)
        super()._send_answer(result)
        self._status = was


@breaks("6.2", "shoe")
class FlagsAreReadWhenAnEventLeaves(DeviceLink):
    def __init__(self, *words: Any) -> None:
        self._late: set[int] = set()
        super().__init__(*words)

    def post_event(self, payload: bytes, now_s: float) -> int:
        number = super().post_event(payload, now_s)
        if len(self._waiting) > EVENT_WINDOW:
            self._late.add(number)
        return number

    def _send_window(self, now_s: float) -> None:
        if not self._silent and self._greeting is None:
            for at in range(min(EVENT_WINDOW, len(self._waiting))):
                number, payload = self._waiting[at]
                if number in self._late:
                    self._late.remove(number)
                    self._waiting[at] = (number, payload[:5] + self._status[4:5] + payload[6:])
        super()._send_window(now_s)


@breaks("6.10", "shoe")
class ACommitLeavesTheRetryTimeLong(DeviceLink):
    _is_again = False

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        self._is_again = header.host_opening == self._opening
        super()._greet(header, payload, now_s)
        self._is_again = False

    def _forget_through(self, number: int) -> bool:
        before = self._retry_s
        is_news = super()._forget_through(number)
        self._retry_s = before if self._is_again else self._retry_s
        return is_news


@breaks("12.3", "display")
class TellsAFaultOncePerAmount:
    _told_of: Any = None

    def _show(self, wanted: Any, now_s: float) -> None:
        was_told = self._stuck_told
        if self._wanted is not None and wanted == self._told_of:
            self._stuck_told = True
        super()._show(wanted, now_s)
        if self._stuck_told and not was_told:
            self._told_of = wanted


@breaks("13.2", "value-display")
class AFaultOfTheLastMarkerIsNotTold:
    def _show(self, wanted: Any, now_s: float) -> None:
        names = wanted.__struct_fields__[:-1]
        is_last_alone = all(getattr(wanted, name) == getattr(self._picture, name) for name in names)
        if self._wanted is not None and not self._stuck_told and is_last_alone:
            self._wanted = wanted
        else:
            super()._show(wanted, now_s)


@breaks("18.7", "display")
class ABadCommandAgainIsLife(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        if header.kind == FrameKind.COMMAND and header.number == self._command and self._result:
            return True
        return super()._says_something_new(header)


@breaks("18.14", "display")
class TheSwitchLeavesAProvenSession(PairableLink):
    @property
    def must_lock(self) -> bool:
        return DeviceLink.must_lock.__get__(self) or (self._window_until_s is not None and self._key is None)
