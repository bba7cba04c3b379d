"""The fifth draw of broken firmwares, of every kind: written from the text, each for one of 24 numbers drawn by lot."""

from typing import Any

from msgspec import structs

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, is_newer
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import KEY_BYTES
from firmware_protocols.tdp.shuffler import JamEnded, Jammed, ShufflerApply, ShufflerResult
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.shufflers import Says
from tests.conform.broken.table import breaks

# --- the link


@breaks("6.11", "display")
class ASlowHostIsGivenTimeFromTheNextRetryOn(DeviceLink):
    def _retry_slowly(self) -> None:
        self._retry_s = 1.0


@breaks("7.3", "shoe")
class TheReplyToASlowHostThatEndsASilenceIsSilent(DeviceLink):
    _woke = False

    def _heard(self, now_s: float) -> None:
        self._woke = self._silent and self._opening is not None
        super()._heard(now_s)

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        self._is_late = self._woke and payload == b"\1"

    _is_late = False

    def _send_pulse(self) -> None:
        was = self._status
        if self._pulse is not None and self._is_late:
            self._status, self._is_late = was[:-1] + bytes((was[-1] | 4,)), False
        super()._send_pulse()
        self._status = was


@breaks("4.8")
class OneCommitIsTakenInASession(DeviceLink):
    _is_taken = False

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._is_taken = False

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and self._is_taken:
            payload = payload[:2] + bytes(8)
        super()._greet(header, payload, now_s)
        self._is_taken = self._is_taken or payload[2:] != bytes(8)


@breaks("2.7", "shoe")
class IsDeafBehindADamagedFrameBehindAnOverlongOne(DeviceLink):
    _last: RejectReason | None = None
    _is_deaf = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        for found in self._io.frames(data):
            if isinstance(found, RejectReason):
                self.stats.rejected[found] += 1
                self._is_deaf = self._last is RejectReason.OVERSIZE and found is RejectReason.BAD_CRC
                self._last = found
            elif self._is_deaf:
                self._is_deaf = False
            else:
                self._last = None
                self._receive(*found, now_s)


@breaks("6.4", "shoe")
class AnEventOfASilenceIsAwakeWhenItIsSentAgain(DeviceLink):
    def _send_again(self, now_s: float) -> None:
        size = len(self._status)
        for place, (number, payload) in enumerate(self._waiting):
            if number > 1 and payload[size] & 4:
                self._waiting[place] = (number, payload[:size] + bytes((payload[size] & ~4,)) + payload[size + 1 :])
        super()._send_again(now_s)


@breaks("4.1", "value-display")
class AnswersTwiceWhenAHelloEndsASilence(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        is_end = self._silent and header.host_opening == self._opening
        super()._greet(header, payload, now_s)
        if is_end:
            self._send_identity(header.host_opening)


@breaks("4.2")
class AHelloOfAnotherMajorWithABootIsDropped(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] != b"\1" and header.device_boot:
            raise FrameError(RejectReason.OUT_OF_BOUNDS, "boot of HELLO is 0")
        super()._take_hello(header, payload, now_s)


@breaks("4.4", "shoe")
class ADroppedHelloPutsAnotherHostOff(DeviceLink):
    _tried_s = -10.0

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        ours, opening = self._opening, header.host_opening
        if ours is not None and opening != ours and not is_newer(opening, ours):
            is_soon, self._tried_s = now_s - self._tried_s < 2.0, now_s
            if is_soon:
                raise FrameError(RejectReason.WRONG_SESSION, "older")
        super()._greet(header, payload, now_s)


@breaks("4.9")
class ACommitOfNumberZeroAcknowledgesAll(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        hello = rows.HELLO_LAYOUT.decode(payload[: rows.HELLO_LAYOUT.size])
        if hello.committed_boot == self._boot and not hello.committed_number:
            self._forget_through(self._next_event - 1)


@breaks("2.8", "display")
class AnAnswerAgainHasATag(DeviceLink):
    def _send_again_asked(self) -> None:
        self._is_again = self._is_asked_again
        super()._send_again_asked()
        self._is_again = False

    _is_again = False

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        key = bytes(KEY_BYTES - 1) + b"\1" if self._is_again and kind is FrameKind.ANSWER else None
        self._io.send(self._header(kind, number), payload, key)


@breaks("18.13", "value-display")
class AWrongPairEndsTheMinute(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            self._window_until_s = None
        super()._take_pair(header, key)


# --- shuffler


@breaks("9.24", "shuffler")
class FortyEightEventsLightTheLamp(Says):
    def _changed_status(self, status: Any) -> Any:
        is_full = status.host_silent and not self._link.host_silent
        return structs.replace(status, lamp_lit=True) if is_full else status


@breaks("9.5", "shuffler")
class AnUnloadedCardIsNotStored:
    _unstored = 0

    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        super()._count(work, motion, now_s)
        self._unstored += work is Work.UNLOAD

    def _power_lost(self) -> None:
        if self._memory.inside is not None:
            self._memory.cards_out -= self._unstored
            self._memory.inside += self._unstored
        self._unstored = 0
        super()._power_lost()


@breaks("9.22", "shuffler")
class ARefusalLikeTheOneBeforeLightsNoLamp:
    _before: Any = 0

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        lamp = self._memory.lamp
        result = super()._apply(wanted, now_s)
        if result and result == self._before:
            self._memory.lamp = lamp
        self._before = result
        return result


@breaks("10.5", "shuffler")
class ALidThatIsOpenAtAStartIsNotInTheWay:
    _was_open = False

    def _begin(self, now_s: float) -> None:
        super()._begin(now_s)
        self._was_open = self.machine.lid_open

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._end_jam(wanted, now_s)
        self._was_open = self._was_open and self.machine.lid_open
        if result is not ShufflerResult.REFUSED_LID_OPEN or not self._was_open:
            return result
        self._memory.jammed = False
        self._post(JamEnded(), now_s)
        return None


@breaks("10.3", "shuffler")
class TheMouthIsSaidOpenWhileItFeeds(Says):
    def _changed_status(self, status: Any) -> Any:
        is_owed = self._memory.owed(status.release_until) > 0
        return structs.replace(status, mouth_open=True) if self._work is Work.FEED and is_owed else status


@breaks("10.27", "shuffler")
class AJamOfAFeedIsToldBeforeTheFeedEnds(Says):
    _is_told = False

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._fed = self._orders.feed_open
        super()._jam(stuck, now_s)

    _fed = False

    def _post(self, event: Any, now_s: float) -> None:
        self._is_told = isinstance(event, Jammed) and self._fed
        super()._post(event, now_s)
        self._is_told = False

    def _changed_status(self, status: Any) -> Any:
        return structs.replace(status, feed_open=True) if self._is_told else status


@breaks("10.12", "shuffler")
class ANewSessionForgetsTheOpenLid:
    _is_forgotten = False

    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._is_forgotten = self.machine.lid_open
        super()._hear(happened, now_s)

    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        self._is_forgotten = self._is_forgotten and self.machine.lid_open
        is_open, self.machine.lid_open = self.machine.lid_open, self.machine.lid_open and not self._is_forgotten
        refused = super()._refusal_to_move(wanted)
        self.machine.lid_open = is_open
        return refused


@breaks("9.19", "shuffler")
class StoresTheFirstChangeOfItsLampInABoot:
    _stored: bool | None = None
    _changes = 0

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.lamp
        if self._stored is None:
            self._stored = was
        result = super()._apply(wanted, now_s)
        if self._memory.lamp is not was:
            self._changes += 1
            self._stored = self._memory.lamp if self._changes == 1 else self._stored
        return result

    def _power_lost(self) -> None:
        super()._power_lost()
        self._memory.lamp = self._memory.lamp if self._stored is None else self._stored
        self._changes = 0


@breaks("5.2", "shuffler")
class AnAnswerAgainInAJamIsARefusal(DeviceLink):
    def _send_again_asked(self) -> None:
        was = self._result
        if self._is_asked_again and was is not None and self._status[18] & 8:
            self._result = 2
        super()._send_again_asked()
        self._result = was


# --- shoe, display, slots


@breaks("6.3", "shoe")
class TheFirstCardBehindAStartIsNoEvent:
    _is_first = False

    def _begin(self, now_s: float) -> None:
        super()._begin(now_s)
        self._is_first = self._boot > 1

    def _post(self, event: Any, now_s: float) -> None:
        if type(event).__name__ == "CardPassed" and self._is_first:
            self._is_first = False
        else:
            super()._post(event, now_s)


@breaks("5.7", "value-display")
class IsBusyForASecondBehindAStart:
    _ready_s = 0.0

    def _begin(self, now_s: float) -> None:
        super()._begin(now_s)
        self._ready_s = now_s + 1.0 if self._boot > 1 else now_s

    def _obey(self, command: Any, now_s: float) -> Any:
        return 6 if now_s < self._ready_s else super()._obey(command, now_s)


@breaks("6.2")
class AnEventOfASilenceHasTheStatusBeforeIt:
    _before: Any = None

    def _status(self) -> Any:
        return super()._status() if self._before is None else self._before

    def _post(self, event: Any, now_s: float) -> None:
        if self._link.host_silent and self._link.in_session and self._shown is not None:
            self._before = structs.replace(self._shown, host_silent=True)
        super()._post(event, now_s)
        self._before = None


@breaks("14.8")
class AnotherHostFindsItsLampsDark:
    _opening = 0

    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if type(happened).__name__ == "SessionOpened":
            if self._opening and not is_newer(happened.opening, self._opening):
                self._lit = self._blinking = 0
            self._opening = happened.opening
