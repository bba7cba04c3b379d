"""Firmwares of a sceptic, seventeenth draw: bugs of interrupts, buffers, narrow numbers and forgotten flags."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import ShufflerResult
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


@breaks("14.6", "slots")
class TheSolenoidsWriteBackOldLamps:
    """The solenoid task releases its coils 0.6 s after a collection, by a copy of the port from before the command."""

    _copy: Any = None
    _at_s = 0.0
    _now = 0.0

    def _obey(self, command: Any, now_s: float) -> Any:
        before = (self._lit, self._blinking, self._collections)
        result = super()._obey(command, now_s)
        self._copy = None if hasattr(command, "lit") else self._copy
        if self._collections != before[2] and (self._lit, self._blinking) != before[:2]:
            self._copy, self._at_s = before[:2], now_s + 0.6
        return result

    def next_motion_s(self) -> Any:
        return self._at_s if self._copy is not None else None

    def _move(self, now_s: float) -> None:
        if self._copy is not None and now_s >= self._at_s:
            (self._lit, self._blinking), self._copy = self._copy, None

    def _power_lost(self) -> None:
        self._copy = None
        super()._power_lost()


@breaks("10.16", "shuffler")
class TheMotorLoopComparesSixteenBits:
    """int16_t owed = release_until - cards_out: a release of 32768 or more ahead lets no card go."""

    def _next_work(self) -> Any:
        work = super()._next_work()
        owed = self._memory.owed(self._orders.release_until)
        if work is Work.PRESENT and (owed + 0x8000) % 0x10000 - 0x8000 <= 0:
            return None
        return work


@breaks("3.1", "shuffler")
class AnAnswerNamesTheNewestEventOfBefore(DeviceLink):
    """newest_event is filled in when the command arrives, the status when it has been executed."""

    _latched: Any = None

    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command + 1:
            self._latched = self._next_event - 1
        super()._take_command(number, payload)

    def _send_answer(self, result: int) -> None:
        newest, self._latched = self._latched, None
        if newest is None or newest == self._next_event - 1:
            super()._send_answer(result)
            return
        body = rows.ANSWER_LAYOUT.encode(rows.AnswerBody(newest, result))
        self._send(FrameKind.ANSWER, self._answering, body + self._status)


@breaks("10.30", "shuffler")
class TheSecondStartInAJamCountsItAnew:
    """The start-up check counts a jam that it finds a second time."""

    _starts = 0

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._starts = 0
        super()._jam(stuck, now_s)

    def _begin(self, now_s: float) -> None:
        if self._memory.jammed:
            self._starts += 1
            if self._starts == 2:
                self._memory.jams += 1
        super()._begin(now_s)


@breaks("4.1", "slots")
class OneTimerForNoSessionAndIdentity(DeviceLink):
    """Within 0.1 s behind a NO_SESSION a HELLO is taken and not answered."""

    _hello_s = 0.0

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        if now_s < self._no_session_from_s:
            self._greeting, self._also_greeted = None, []


@breaks("10.9", "shuffler")
class TheLampFollowsTheFallingEdge:
    """The lamp's task acts on the edge of the command's bit: 1 and then 0 puts out a latched jam's lamp."""

    _is_out = False

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was = self._memory.lamp
        result = super()._apply(wanted, now_s)
        self._is_out = (self._is_out or (was and not wanted.lamp)) and self._memory.jammed and not wanted.lamp
        return result

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._is_out = False
        super()._jam(stuck, now_s)

    def _status(self) -> Any:
        status = super()._status()
        return replace(status, lamp_lit=False) if self._is_out and self._memory.jammed else status


@breaks("4.12", "display")
class SpoiltMemoryTakesTheDefaultModel:
    """The model stands in the configuration: where the memory is spoilt, the default one is said."""

    def _forget_counts(self) -> None:
        self._identity = replace(self._identity, model="DEFAULT")
        super()._forget_counts()


@breaks("10.22", "shuffler")
class AnUnloadingThatWasOnDoesNotGoOn:
    """Unloading begins at the rising edge of its bit: asked for during it, a recount ends the motor's work for good."""

    _was_on = False
    _stalled = False

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was = self._orders.unload
        result = super()._apply(wanted, now_s)
        if not self._orders.unload:
            self._stalled = False
        self._was_on = was and self._orders.unload
        return result

    def _lock_down(self) -> None:
        self._stalled = self._was_on = False
        super()._lock_down()

    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._stalled = self._was_on

    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is Work.UNLOAD and self._stalled:
            return None
        return work


@breaks("18.5", "display")
class WipesItsNonceBehindTheSecondAnswer(PairableLink):
    """For safety the buffer of the nonce is wiped: the third IDENTITY of a session has zeros there."""

    _answers = 0

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        self._answers = 0

    def _send_identity(self, opening: int) -> None:
        if self._key is not None and opening == self._opening:
            self._answers += 1
        kept = self._nonce
        if self._answers > 2 and self._key is not None:
            self._nonce = bytes(16)
        super()._send_identity(opening)
        self._nonce = kept


@breaks("13.1", "value-display")
class ReadsBackBehindACommandAlone:
    """The read-back is a cache that only a command makes anew: what a repair shows does not stand in the status."""

    _read: Any = None

    def _status(self) -> Any:
        true = super()._status()
        if self._read is None:
            return true
        return replace(self._read, host_silent=true.host_silent)

    def _show(self, wanted: Any, now_s: float) -> None:
        self._read = None
        super()._show(wanted, now_s)
        self._read = super()._status()

    def _power_lost(self) -> None:
        self._read = None
        super()._power_lost()


@breaks("10.31", "shuffler")
class OnePathClearedForALatch:
    """The flag that path-cleared was said is reset with the latch, and not with the next card that sticks."""

    _said = False

    def _post(self, event: Any, now_s: float) -> None:
        if type(event).__name__ == "JamEnded":
            self._said = False
        if type(event).__name__ == "PathCleared":
            if self._said:
                return
            self._said = self._memory.jammed
        super()._post(event, now_s)


@breaks("4.13", "shoe")
class AFullWindowLeavesNoRoomForNoSession(DeviceLink):
    """The queue of frames to send has eight places: with eight events on the way a stranger hears nothing."""

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if len(self._waiting) >= 8 and not self._silent:
            return
        super()._deny(kind, opening, now_s, key)


@breaks("9.19", "shuffler")
class TheLatchIsStoredWithTheLampOfBefore:
    """Latch and lamp are one byte of the EEPROM, written as the latch goes, before the command's lamp is taken."""

    _stored: Any = None

    def _apply(self, wanted: Any, now_s: float) -> Any:
        lamp, latch = self._memory.lamp, self._memory.jammed
        result = super()._apply(wanted, now_s)
        if latch and not self._memory.jammed:
            self._stored = lamp
        elif lamp != self._memory.lamp:
            self._stored = None
        return result

    def _power_lost(self) -> None:
        if self._stored is not None and self._stored != self._memory.lamp:
            self._memory.lamp = self._stored
        super()._power_lost()


@breaks("7.7", "display")
class SpoiltMemoryLeavesTheHostAlive:
    """The start with spoilt memory skips a line of the initialisation: host_silent is 0 until the first session."""

    _is_skipped = False

    def _forget_counts(self) -> None:
        self._is_skipped = True
        super()._forget_counts()

    def _power_lost(self) -> None:
        self._is_skipped = False
        super()._power_lost()

    def _status(self) -> Any:
        status = super()._status()
        if self._is_skipped and not self._link.in_session and status.host_silent:
            return replace(status, host_silent=False)
        return status


@breaks("10.23", "shuffler")
class ARecountIsTakenBackByRestAlone:
    """The number that was served takes a recount back only where the apply asks for nothing else that moves."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        asked = self._orders.recount_request
        result = super()._apply(wanted, now_s)
        is_served = wanted.recount_request == self._memory.recounts
        is_moving = wanted.feed_open or wanted.unload or self._memory.owed(wanted.release_until) > 0
        if result == ShufflerResult.OK and is_served and is_moving and asked is not None:
            self._orders.recount_request = asked
        return result


@breaks("13.3", "value-display")
class TheLastMarkerIsNotBlanked:
    """for (i = 0; i < 11; i++): turquoise stays over a start."""

    def _power_lost(self) -> None:
        kept = self._picture.turquoise
        super()._power_lost()
        self._picture = replace(self._picture, turquoise=kept)


@breaks("10.25", "shuffler")
class TheLastRefusalForgetsTheRecount:
    """The path of REFUSED_COUNTS_UNKNOWN takes back release, feed and unloading, and not a recount."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        asked = self._orders.recount_request
        result = super()._apply(wanted, now_s)
        if result == ShufflerResult.REFUSED_COUNTS_UNKNOWN and asked is not None:
            self._orders.recount_request = asked
        return result


@breaks("6.10", "shuffler")
class AHelloThatAcknowledgesLeavesTheRetryTime(DeviceLink):
    """A HELLO of the session acknowledges events, and leaves the retry time long."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was, retry_s, waiting = self._opening, self._retry_s, len(self._waiting)
        super()._greet(header, payload, now_s)
        if self._opening == was and len(self._waiting) < waiting and self._waiting and retry_s > self._retry_s:
            self._retry_s = retry_s


@breaks("12.5", "display")
class TheHiddenAmountIsTakenOnce:
    """The place for the amount behind the lock is filled once: another apply while 48 wait leaves the first one."""

    _is_full = False

    def _show(self, wanted: Any, now_s: float) -> None:
        is_locked = self._link.must_lock
        if is_locked and self._is_full:
            wanted = replace(wanted, cents=self._picture.cents)
        self._is_full = is_locked
        super()._show(wanted, now_s)


@breaks("5.2", "display")
class AnAnswerAgainIsTheBufferOfThen(DeviceLink):
    """The answer is kept as bytes, and only an event makes it stale: what a silence changed is not in it."""

    _kept = (0, b"")

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        super().answer(number, result, status_payload)
        self._kept = (self._next_event, status_payload)

    def _send_again_asked(self) -> None:
        now = self._status
        if self._is_asked_again and self._kept[0] == self._next_event:
            self._status = self._kept[1]
        super()._send_again_asked()
        self._status = now
