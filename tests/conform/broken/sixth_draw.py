"""The sixth draw of broken firmwares, of every kind: for numbers drawn by lot, after the kit had found all of the
fifth.
"""

from typing import Any

from msgspec import structs

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import PAIRING_S, FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shoe import ReaderErrorRaised
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply, SlotsChanged
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


@breaks("9.5", "shuffler")
class StoresItsCountsWithANewSession:
    _stored: Any = None

    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if type(happened).__name__ == "SessionOpened":
            self._stored = self._counts()

    def _counts(self) -> tuple[int, int, int | None]:
        return self._memory.cards_in, self._memory.cards_out, self._memory.inside

    def _power_lost(self) -> None:
        if self._stored is not None:
            self._memory.cards_in, self._memory.cards_out, self._memory.inside = self._stored
        super()._power_lost()


@breaks("11.10", "shoe")
class ReadsWithAnErrorOfTheBootBefore:
    _is_old = False

    def _begin(self, now_s: float) -> None:
        self._is_old = self._error is not None
        super()._begin(now_s)

    def _post(self, event: Any, now_s: float) -> None:
        self._is_old = self._is_old and not isinstance(event, ReaderErrorRaised)
        super()._post(event, now_s)

    def _read(self, card: Any) -> int:
        kept = self._error
        self._error = None if self._is_old else kept
        read = super()._read(card)
        self._error = kept
        return read


@breaks("5.7", "shoe")
class TheThirdAnswerToACommandIsMarked(DeviceLink):
    _times = 0

    def _take_command(self, number: int, payload: bytes) -> None:
        self._times = self._times + 1 if number == self._command else 1
        super()._take_command(number, payload)

    def _send_again_asked(self) -> None:
        kept = self._result
        if self._is_asked_again and kept is not None and self._times > 2:
            self._result = kept | 0x80
        super()._send_again_asked()
        self._result = kept


@breaks("9.16", "shuffler")
class FeedsOnBehindAStartUntilASession:
    _fed = False

    def _power_lost(self) -> None:
        self._fed = self._orders.feed_open
        super()._power_lost()

    def _next_work(self) -> Any:
        is_alone = self._fed and not self._link.in_session
        return Work.FEED if is_alone and self.machine.can_feed else super()._next_work()


@breaks("10.25", "shuffler")
class ARefusalForUnknownCountsLeavesTheRecountThatRuns:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._orders.recount_request
        result = super()._apply(wanted, now_s)
        if result is ShufflerResult.REFUSED_COUNTS_UNKNOWN:
            self._orders.recount_request = was
        return result


@breaks("18.7", "display")
class ACommandOfTheSameByteIsLife(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        is_like = header.kind == FrameKind.COMMAND and header.number % 256 == (self._command + 1) % 256
        return is_like or super()._says_something_new(header)


@breaks("6.16")
class TheOldestOnTheWayStays(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        if len(self._waiting) == 64:
            del self._waiting[1]
        return super().post_event(payload, now_s)


@breaks("14.6")
class TheFirstCommandOfASessionOnlyAddsLamps:
    _is_new = False

    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._is_new = True
        super()._hear(happened, now_s)

    def _apply(self, command: SlotsApply) -> None:
        if self._is_new:
            lit, blinking = command.lit | self._lit, command.blinking | self._blinking
            command = structs.replace(command, lit=lit, blinking=blinking)
        self._is_new = False
        super()._apply(command)


@breaks("18.14", "display")
class TheSwitchLocksForFiftySeconds(PairableLink):
    _is_late = False

    @property
    def must_lock(self) -> bool:
        return DeviceLink.must_lock.fget(self) or (self._window_until_s is not None and not self._is_late)

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        until_s = self._window_until_s
        self._is_late = until_s is not None and now_s > until_s - PAIRING_S + 50.0
        super()._receive(header, payload, now_s)


@breaks("14.2")
class ACollectionThatTakesAChipIsNotTold:
    _takes = False

    def _apply(self, command: SlotsApply) -> None:
        was = self._lying
        super()._apply(command)
        self._takes = self._lying != was

    def _post(self, event: Any, now_s: float) -> None:
        if not (isinstance(event, SlotsChanged) and self._takes):
            super()._post(event, now_s)
        self._takes = False


@breaks("2.2", "display")
class TakesAHelloUnderAnyTag(PairableLink):
    def _expect(self, header: Header, payload: bytes) -> None:
        is_hello = header.kind == FrameKind.HELLO and not self.is_paired
        super()._expect(header._replace(tag=NO_TAG) if is_hello else header, payload)

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header if self.is_paired else header._replace(tag=NO_TAG), payload, now_s)


@breaks("14.9")
class ObeysAt50:
    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, SlotsApply) and self._link.waiting_events >= 50:
            self._apply(command)
            self._update(now_s)
            return 0
        return super()._obey(command, now_s)
