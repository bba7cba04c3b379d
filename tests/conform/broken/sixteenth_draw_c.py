"""The sixteenth draw, third part: sixteen more numbers, drawn after the first two parts had led to better checks."""

from typing import Any

from msgspec import structs
from msgspec.structs import replace

from firmware_protocols.errors import RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import NO_SESSION_EVERY_S, FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import ShufflerApply
from firmware_protocols.tdp.slots import SlotsApply
from simulators.devices.shuffler_firmware import Work
from simulators.devices.shuffler_memory import ShufflerMemory
from simulators.devices.shuffler_model import Passed
from tests.conform.broken.table import breaks


@breaks("3.6", "value-display")
class AnAnswerAgainHasTheBootBefore(DeviceLink):
    _is_again = False

    def _send_again_asked(self) -> None:
        self._is_again = self._boot > 1
        super()._send_again_asked()
        self._is_again = False

    def _header(self, kind: FrameKind, number: int) -> Header:
        header = super()._header(kind, number)
        is_old = self._is_again and kind == FrameKind.ANSWER
        return header._replace(device_boot=self._boot - 1) if is_old else header


@breaks("6.4")
class EachEventOf64HasTheStatusOfNow(DeviceLink):
    def _send_again(self, now_s: float) -> None:
        size = len(self._status)
        for place, (number, payload) in enumerate(self._waiting):
            if number % 64 == 0 and number < self._next_to_send:
                self._waiting[place] = (number, payload[:1] + self._status + payload[1 + size :])
        super()._send_again(now_s)


@breaks("10.18", "shuffler")
class TheLastCardOfTheHopperStays:
    def _next_work(self) -> Any:
        work = super()._next_work()
        return None if work is Work.FEED and len(self.machine.hopper) == 1 else work


@breaks("9.12", "shuffler")
class EachFourthSilenceLeavesAnUnloading:
    _silences = 0
    _was_silent = False

    def _lock_down(self) -> None:
        is_silent = self._link._silent and self._link._opening is not None
        self._silences += is_silent and not self._was_silent
        is_kept = is_silent and self._silences % 4 == 0 and self._orders.unload
        super()._lock_down()
        self._orders.unload, self._was_silent = is_kept, is_silent

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        self._was_silent = self._was_silent and self._link._silent


@breaks("18.2", "shoe")
class TwoDenialsAtOnce(PairableLink):
    """A second denial is said at once, and then none for 0.2 s."""

    _second_until_s = -1.0

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        is_first, is_second = now_s >= self._no_session_from_s, now_s < self._second_until_s
        until_s = self._no_session_from_s
        if is_second and not is_first:
            self._no_session_from_s, self._second_until_s = now_s, -1.0
        super()._deny(kind, opening, now_s, key)
        if is_first and self._pairing.key is not None:
            self._no_session_from_s = now_s + 2 * NO_SESSION_EVERY_S
            self._second_until_s = now_s + NO_SESSION_EVERY_S
        elif is_second:
            self._no_session_from_s = until_s


@breaks("2.7", "shoe")
class With8EventsADamagedFrameTakesTheNext(DeviceLink):
    _is_deaf = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        for found in self._io.frames(data):
            if isinstance(found, RejectReason):
                self.stats.rejected[found] += 1
                self._is_deaf = found is RejectReason.BAD_CRC and len(self._waiting) >= 8
            elif self._is_deaf:
                self._is_deaf = False
            else:
                self._receive(*found, now_s)


@breaks("12.2", "display")
class TheFirstSilenceBehindAStartLeavesTheAmount:
    _is_first = _is_in = False

    def _power_lost(self) -> None:
        super()._power_lost()
        self._is_first = True

    def _lock_down(self) -> None:
        self._is_in = self._is_first and self._link._opening is not None and self._link._silent
        if not self._is_in:
            super()._lock_down()

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        if self._is_in and not self._link._silent:
            self._is_in = self._is_first = False


@breaks("14.9")
class BehindAStart48EventsLetBlink:
    def _obey(self, command: Any, now_s: float) -> Any:
        result = super()._obey(command, now_s)
        if self._boot > 1 and self._link.must_lock and isinstance(command, SlotsApply):
            self._blinking = command.blinking
        return result


@breaks("9.21", "shuffler")
class TheMouthStaysOpenForTheLastCard:
    _is_held = False

    def _lock_down(self) -> None:
        is_last = self._presented and self._memory.owed(self._orders.release_until) == 1
        self._is_held = self._is_held or is_last
        super()._lock_down()

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        self._is_held = False
        return super()._apply(wanted, now_s)

    def _power_lost(self) -> None:
        self._is_held = False
        super()._power_lost()

    def _status(self) -> Any:
        status = super()._status()
        return replace(status, mouth_open=status.mouth_open or self._is_held)

    def pull_cards(self, now_s: float) -> Any:
        if not self._is_held:
            return super().pull_cards(now_s)
        self._is_held = False
        motion = self.machine.deal()
        self._finish(Work.PRESENT, motion, now_s)
        self._settle(now_s)
        return motion.cards if isinstance(motion, Passed) else ()


@breaks("4.14", "display")
class EachAckOfAnotherSessionIsDenied(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        if header.kind == FrameKind.ACK:
            self._no_session_from_s = now_s
        super()._refuse_session(header, now_s)


@breaks("10.3", "shuffler")
class AnUnloadingWithAReleaseOpensTheMouth:
    def _status(self) -> Any:
        status = super()._status()
        is_both = self._orders.unload and self._memory.owed(self._orders.release_until) > 0
        return replace(status, mouth_open=True) if is_both else status


@breaks("4.1", "shoe")
class ACommandFirstBringsIdentityAgain(DeviceLink):
    _is_first = False

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._is_first = True

    def _take(self, header: Header, payload: bytes) -> None:
        if self._is_first and header.kind == FrameKind.COMMAND:
            self._send_identity(header.host_opening)
        self._is_first = False
        super()._take(header, payload)


class _NeverZero(ShufflerMemory):
    def count_out(self) -> None:
        was = self.inside
        super().count_out()
        self.inside = 1 if was == 1 else self.inside


@breaks("10.1", "shuffler")
class InsideIsNeverZeroAgain:
    def _begin(self, now_s: float) -> None:
        self._memory = _NeverZero(**structs.asdict(self._memory))
        super()._begin(now_s)


@breaks("18.17", "value-display")
class TheKeyIsLostWithTheSecondStart:
    link_type = PairableLink
    _starts = 0
    _of: bytes | None = None

    def _power_lost(self) -> None:
        super()._power_lost()
        self._starts = self._starts + 1 if self._of == self.pairing.key else 1
        self._of = self.pairing.key
        self.pairing.key = None if self._starts == 2 else self.pairing.key


@breaks("4.6")
class ASecondSessionWithoutAnAckSendsNothingAgain(DeviceLink):
    _oldest_then: int | None = None
    _kept: int | None = None

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        sent = self._next_to_send
        super()._open(opening, hello)
        oldest = self._waiting[0][0] if self._waiting else None
        is_second = oldest is not None and oldest == self._oldest_then
        self._oldest_then, self._kept = (None, sent) if is_second else (oldest, None)

    def _heard(self, now_s: float) -> None:
        super()._heard(now_s)
        if self._kept is not None:
            self._next_to_send, self._kept = self._kept, None


@breaks("7.8", "shoe")
class AShortSilenceGivesBack:
    _began_s: float | None = None
    _of: int | None = None

    def on_time(self, now_s: float) -> None:
        was_open, was_silent = not self._locked, self._link._silent
        super().on_time(now_s)
        if self._link._silent and was_open and not was_silent:
            self._began_s = now_s

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        if self._began_s is not None and not self._link.must_lock:
            is_soon = now_s - self._began_s < 0.5 and self._link._opening == self._of
            self._locked, self._began_s = self._locked and not is_soon, None
            self._settle(now_s)
        self._of = self._link._opening
