"""Firmwares of a sceptic, seventeenth draw: habits of real firmwares, among them times, widths and orders."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import ShufflerResult
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


class _Pause(DeviceLink):
    """A frame ends with a pause of `pause_s` between its bytes."""

    pause_s = 0.0
    _last_s = 0.0

    def receive_data(self, data: bytes, now_s: float) -> None:
        if data and now_s - self._last_s > self.pause_s and self._io._decoder._held:
            self._io._decoder._held.clear()
        self._last_s = now_s
        super().receive_data(data, now_s)


@breaks("2.3", "slots")
class APauseOf20MsEndsAFrame(_Pause):
    """A timeout between bytes, as of Modbus."""

    pause_s = 0.02


@breaks("2.3", "slots")
class APauseOf300MsEndsAFrame(_Pause):
    """The same timeout, longer."""

    pause_s = 0.3


@breaks("3.5", "display")
class ACommandWithoutAnIdIsDroppedFirst(DeviceLink):
    """The length of a COMMAND is looked at before its session: without an id it hears no NO_SESSION."""

    def _refuse_session(self, header: Header, now_s: float) -> None:
        if header.kind == FrameKind.COMMAND and self._empty:
            raise FrameError(RejectReason.BAD_LENGTH)
        super()._refuse_session(header, now_s)

    _empty = False

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._empty = not payload
        super()._receive(header, payload, now_s)


@breaks("5.3", "shoe")
class NumbersOfCommandsAreU16(DeviceLink):
    """The number of a COMMAND is compared by its low 16 bits."""

    def _take_command(self, number: int, payload: bytes) -> None:
        if number != self._command + 1 and number % 65536 == (self._command + 1) % 65536:
            self._command = number - 1
        super()._take_command(number, payload)


@breaks("9.21", "shuffler")
class ALidLeavesTheCardInTheMouth:
    """The lid withdraws the next card: one that stands in the mouth can still be drawn behind lid-closed."""

    _kept = False

    def _look_at_sensors(self, now_s: float) -> None:
        is_news = self.machine.lid_open and not self._seen_lid_open
        was = self._presented
        super()._look_at_sensors(now_s)
        if is_news:
            self._kept = was

    def pull_cards(self, now_s: float) -> Any:
        if self._kept and not self.machine.lid_open and not self._presented:
            self._presented, self._kept = True, False
        return super().pull_cards(now_s)


@breaks("10.8", "shuffler")
class TheEndOfAJamPutsOutTheLamp:
    """jam-ended puts out the lamp behind the step that lit it: lamp 1 in the apply that ends a jam is lost."""

    def _end_jam(self, wanted: Any, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._end_jam(wanted, now_s)
        if was and not self._memory.jammed and self._memory.lamp:
            self._memory.lamp = False
        return result


@breaks("10.14", "shuffler")
class ARecountInTheSameApplyIsEnough:
    """With counts_unknown a release is not refused where its apply asks for a recount too."""

    def _refusal_to_move(self, wanted: Any) -> Any:
        found = super()._refusal_to_move(wanted)
        if found == ShufflerResult.REFUSED_COUNTS_UNKNOWN and wanted.recount_request != self._memory.recounts:
            return None
        return found


@breaks("10.24", "shuffler")
class AFeedThatGoesOnComesFirst:
    """An unloading that is asked for while the feed works waits for the feed's end."""

    _is_feeding = False

    def _apply(self, wanted: Any, now_s: float) -> Any:
        is_feeding = self._work is Work.FEED
        result = super()._apply(wanted, now_s)
        self._is_feeding = is_feeding and self._orders.feed_open and self._orders.unload
        return result

    def _next_work(self) -> Any:
        work = super()._next_work()
        if self._is_feeding and work is Work.UNLOAD and self._orders.feed_open and self.machine.can_feed:
            return Work.FEED
        return work


class _Sleeps:
    """Something is dark when the host has been silent for 30 s."""

    sleep_s = 30.0
    _sleep_at_s: Any = None

    def next_motion_s(self) -> Any:
        return self._sleep_at_s

    def on_time(self, now_s: float) -> None:
        was = self._link.must_lock
        super().on_time(now_s)
        if not was and self._link.must_lock:
            self._sleep_at_s = now_s + self.sleep_s

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        if not self._link.must_lock:
            self._sleep_at_s = None

    def _power_lost(self) -> None:
        self._sleep_at_s = None
        super()._power_lost()

    def _move(self, now_s: float) -> None:
        if self._sleep_at_s is not None and now_s >= self._sleep_at_s:
            self._sleep_at_s = None
            self._sleep()
        super()._move(now_s)


@breaks("13.4", "value-display")
class MarkersSleep(_Sleeps):
    """Markers are blank behind 30 s of silence."""

    def _sleep(self) -> None:
        self._picture = self._blank


@breaks("14.8", "slots")
class LampsSleep(_Sleeps):
    """Lamps are dark behind 30 s of silence."""

    def _sleep(self) -> None:
        self._lit = self._blinking = 0


@breaks("18.13", "shoe")
class ASecondTurnIsNotCounted(PairableLink):
    """The minute counts from the first turn of the switch."""

    def allow_pairing(self, now_s: float) -> None:
        if self._window_until_s is not None:
            return
        super().allow_pairing(now_s)


@breaks("14.5", "slots")
class TheLowByteOfACollectionCounts:
    """uint8_t: collections + 257 is one more too."""

    def _apply(self, command: Any) -> None:
        is_low = command.collection % 256 == (self._collections + 1) % 256
        if is_low and command.collection != (self._collections + 1) % 65536:
            self._collections = (command.collection - 1) % 65536
        super()._apply(command)


@breaks("14.9", "slots")
class TheLampsAreTakenAtFortyEight:
    """At 48 no collection is made, and the lamps follow all the same: blinking alone."""

    def _obey(self, command: Any, now_s: float) -> Any:
        if hasattr(command, "lit") and self._link.must_lock and self._blinking != command.blinking:
            self._blinking = command.blinking
        return super()._obey(command, now_s)


@breaks("4.2", "shuffler")
class AHelloOfAnotherMajorHasAtMost64Bytes(DeviceLink):
    """The buffer for a foreign HELLO has 64 bytes; a longer one is dropped."""

    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if len(payload) > 64 and payload[0] != self._identity.major:
            raise FrameError(RejectReason.BAD_LENGTH)
        super()._take_hello(header, payload, now_s)


@breaks("13.1", "value-display")
class ReadsBackSixteenBits:
    """The low 16 bits of a stuck marker are read back, the rest is the command's."""

    def _status(self) -> Any:
        status = super()._status()
        if self._wanted is None:
            return status
        mixed = {
            name: getattr(self._wanted, name) >> 16 << 16 | getattr(status, name) & 0xFFFF
            for name in self._picture.__struct_fields__
        }
        return replace(status, **mixed)


@breaks("11.5", "shoe")
class TheEighthCardOfAReadHasTheNumberBefore:
    """The field `passage` is filled by a task that lags: with seven events waiting or more it is one behind."""

    def _post(self, event: Any, now_s: float) -> None:
        if hasattr(event, "passage") and self._link.waiting_events >= 60:
            event = replace(event, passage=event.passage - 1)
        super()._post(event, now_s)


@breaks("9.12", "shoe")
class AReplayedCommandUnlocksInSilence:
    """The withdrawal of a silence is skipped where an unlock came within the last 2 s before it (a grace of 3 s)."""

    _until_s = 0.0
    _at = 0.0

    def _obey(self, command: Any, now_s: float) -> Any:
        if getattr(command, "locked", True) is False:
            self._until_s = now_s + 2.05
        return super()._obey(command, now_s)

    def on_time(self, now_s: float) -> None:
        self._at = now_s
        super().on_time(now_s)

    def _lock_down(self) -> None:
        link: Any = self._link
        if link._silent and link.in_session and not self._locked and self._at < self._until_s:
            return
        super()._lock_down()

    def next_motion_s(self) -> Any:
        return self._until_s if self._until_s > self._at and not self._locked else None


@breaks("6.4", "shoe")
class AnErrorsCodeIsThatOfNow(DeviceLink):
    """The event of an error points to the error's code: sent again behind its end it has code 255."""

    def _send_window(self, now_s: float) -> None:
        if any(payload[0] == 4 for _, payload in self._waiting):
            for at, (number, payload) in enumerate(self._waiting):
                if payload[0] == 3 and number < self._next_to_send and payload[-1] != 255:
                    self._waiting[at] = (number, payload[:-1] + b"\xff")
        super()._send_window(now_s)
