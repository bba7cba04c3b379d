"""Firmwares with a broken link (sections 2 to 9), written from the text alone."""

from typing import Any
from zlib import crc32

from cobs import cobs

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import FrameDecoder
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, is_newer
from firmware_protocols.tdp.shoe import ShoeApply
from tests.conform.broken.frames import _Decoding
from tests.conform.broken.sessions import AnswersLate
from tests.conform.broken.table import breaks

# --- section 2


@breaks("4.2")
class HasNoRoomForALongHelloOfAnotherMajor(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\1" or len(payload) <= 160:
            super()._take_hello(header, payload, now_s)


@breaks("2.3")
class HearsFourFramesARead(_Decoding):
    class decoder(FrameDecoder):
        def feed(self, data: bytes) -> list[bytes | RejectReason]:
            return super().feed(data)[:4]


@breaks("2.3", "shoe")
class ForgetsHalfAFrameAfterAPause(DeviceLink):
    _last_s = 0.0

    def receive_data(self, data: bytes, now_s: float) -> None:
        if now_s - self._last_s > 0.05:
            self._io._decoder._held.clear()
        self._last_s = now_s
        super().receive_data(data, now_s)


@breaks("2.3")
class ItsDriverTakesXonAndXoff(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data.replace(b"\x11", b"").replace(b"\x13", b""), now_s)


@breaks("2.3", "shoe")
class ItsDriverEndsLines(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data.replace(b"\x0d", b"\x0a"), now_s)


@breaks("2.3", "display")
class ItsDriverStripsTheHighBit(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data.replace(b"\xff", b"\x7f"), now_s)


@breaks("2.3", "shoe")
class KeepsTheLastFrameOfARead(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        *ended, rest = data.split(b"\0")
        whole = [piece for piece in ended if piece]
        super().receive_data(b"\0".join([*whole[:1], *whole[1:][-1:], rest]) if whole else data, now_s)


@breaks("2.5")
class LooksAtHalfACrc(_Decoding):
    class decoder(FrameDecoder):
        def _take(self, frame: bytes, found: list[bytes | RejectReason]) -> None:
            super()._take(frame, found)
            if found[-1] is RejectReason.BAD_CRC:
                block = cobs.decode(frame)
                if crc32(block[:-4]).to_bytes(4, "little")[:2] == block[-4:-2]:
                    found[-1] = block[:-12]


# --- section 3


@breaks("3.7", "shoe")
class AnyBootIsBootZero(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.kind != FrameKind.HELLO and header.device_boot == 0:
            header = header._replace(device_boot=self._boot)
        super()._receive(header, payload, now_s)


@breaks("3.7")
class OpeningZeroIsAnyOpening(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.kind != FrameKind.HELLO and header.host_opening == 0 and self._opening is not None:
            header = header._replace(host_opening=self._opening)
        super()._receive(header, payload, now_s)


@breaks("3.7")
class TakesANewerOpeningForItsOwn(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        opening = self._opening
        if header.kind != FrameKind.HELLO and opening is not None and is_newer(header.host_opening, opening):
            header = header._replace(host_opening=opening)
        super()._receive(header, payload, now_s)


@breaks("3.7", "shoe")
class TheSessionBeforeGoesOn(DeviceLink):
    """Frames of the session before are taken for a second after the new one has opened."""

    _before: int | None = None
    _until_s = 0.0

    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        was = self._opening
        super()._take_hello(header, payload, now_s)
        if self._opening != was:
            self._before, self._until_s = was, now_s + 1.0

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_before = header.host_opening == self._before and now_s < self._until_s
        if header.kind != FrameKind.HELLO and is_before and self._opening is not None:
            header = header._replace(host_opening=self._opening)
        super()._receive(header, payload, now_s)


@breaks("4.13")
class NoSessionSaysTheSessionsOpening(DeviceLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        super()._deny(kind, self._opening or opening, now_s, key)


@breaks("4.13", "shoe")
class EachRefusalPutsTheNextOneOff(DeviceLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        super()._deny(kind, opening, now_s, key)
        self._no_session_from_s = now_s + 0.1


@breaks("3.1")
class NewestIsWhatIsSent(DeviceLink):
    def _send_pulse(self) -> None:
        real = self._next_event
        self._next_event = min(real, max(self._next_to_send, self._oldest()))
        super()._send_pulse()
        self._next_event = real


@breaks("3.2")
class AHeartbeatMayBeLonger(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload[:1] if len(payload) == 4 else payload)


# --- section 4


@breaks("4.1", "shoe")
class AnswersNoHelloRightBehindAnother(DeviceLink):
    _said_s = -1.0

    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening != self._opening or now_s - self._said_s > 0.1:
            super()._take_hello(header, payload, now_s)
            self._said_s = now_s


@breaks("4.3", "shoe")
class TheSameHelloBeginsAnewBehindASilence(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and self._silent and payload[:1] == b"\1":
            self._command, self._result = 0, None
        super()._take_hello(header, payload, now_s)


@breaks("4.3")
class TheSameHelloSendsTheEventsAgain(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and payload[:1] == b"\1":
            self._next_to_send, self._retry_at_s, self._retry_s = 1, None, 0.2
        super()._take_hello(header, payload, now_s)


@breaks("3.1", "slots")
class TheSameHelloHasTheIdentityOfThen(DeviceLink):
    _then: tuple[int | None, bytes, bytes] = (None, b"", b"")

    def _send_identity(self, opening: int) -> None:
        if self._then[0] != opening:
            self._then = opening, self._identity_fields(), self._status
        self._io.send(Header(FrameKind.IDENTITY, opening, self._boot, 0), self._then[1] + self._then[2])


@breaks("4.8")
class TheSameHelloAcknowledgesNothing(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and payload[:1] == b"\1" and len(payload) == 10:
            payload = payload[:2] + bytes(8)
        super()._take_hello(header, payload, now_s)


@breaks("4.9")
class ACommitOfTheNextEventAcknowledges(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._take_hello(header, payload, now_s)
        if payload[:1] == b"\1":
            hello = rows.HELLO_LAYOUT.decode(payload)
            if hello.committed_boot == self._boot and hello.committed_number == self._next_event:
                self._forget_through(hello.committed_number)


@breaks("9.11", "shoe")
class AHostThatResumesKeepsWhatItHad:
    """A HELLO that names a committed event of this boot is for it the same host, come back."""

    def _hear(self, happened: Any, now_s: float) -> None:
        kept = self._locked
        super()._hear(happened, now_s)
        if type(happened).__name__ == "SessionOpened" and self._link._greeting_commits:
            self._locked = kept

    class link_type(DeviceLink):
        _greeting_commits = False

        def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
            self._greeting_commits = int.from_bytes(payload[2:6], "little") == self._boot
            super()._take_hello(header, payload, now_s)


# --- section 5


@breaks("5.1")
class ABadCommandUsesUpNoNumber(DeviceLink):
    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        super().answer(number, result, status_payload)
        if result == 1:
            self._command -= 1
            self._result = 0


@breaks("5.3")
class ADroppedNumberIsTheLast(DeviceLink):
    def _take_command(self, number: int, payload: bytes) -> None:
        was = self._command
        super()._take_command(number, payload)
        if was + 1 < number < was + 1000:
            self._command, self._result = number, 0


@breaks("5.6")
class DropsACommandWithoutAnId(DeviceLink):
    def _take_command(self, number: int, payload: bytes) -> None:
        if payload:
            super()._take_command(number, payload)


@breaks("5.8", "shuffler")
class ARefusalIsAnsweredLate(AnswersLate):
    def _send_answer(self, result: int) -> None:
        if result > 1:
            super()._send_answer(result)
        else:
            DeviceLink._send_answer(self, result)


@breaks("5.2", "slots")
class AnAnswerIsForgottenAfterAWhile(DeviceLink):
    _answered_s = 0.0
    _now_s = 0.0

    def receive_data(self, data: bytes, now_s: float) -> None:
        self._now_s = now_s
        super().receive_data(data, now_s)

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        super().answer(number, result, status_payload)
        self._answered_s = self._now_s

    def _take_command(self, number: int, payload: bytes) -> None:
        if number != self._command or self._now_s - self._answered_s < 2.0:
            super()._take_command(number, payload)


@breaks("2.3", "shoe")
class TheNextCommandBehindARepeatedOneIsLost(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        self._repeated = False
        super().receive_data(data, now_s)

    _repeated = False

    def _take_command(self, number: int, payload: bytes) -> None:
        if not self._repeated:
            super()._take_command(number, payload)
        self._repeated = number == self._command and self._is_asked_again


# --- section 6


@breaks("6.5")
class AnOldAckMovesTheOldestBack(DeviceLink):
    _last_ack: int | None = None

    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number, payload)
        self._last_ack = number

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._last_ack = None

    def _oldest(self) -> int:
        oldest = super()._oldest()
        return oldest if self._last_ack is None else max(1, min(oldest, self._last_ack + 1))


@breaks("6.7")
class ItsWindowGrowsWithEachRetry(DeviceLink):
    def _send_again(self, now_s: float) -> None:
        super()._send_again(now_s)
        self._send_ninth(now_s)

    def _send_ninth(self, now_s: float) -> None:
        if len(self._waiting) > 8:
            number, payload = self._waiting[8]
            head = rows.EVENT_LAYOUT.encode(rows.EventBody(self._oldest()))
            self._io.send(self._header(FrameKind.EVENT, number), head + payload)


@breaks("6.8")
class AnAckLetsOneGo(DeviceLink):
    """The rest of the window waits for the retry time."""

    def _take_ack(self, number: int, payload: bytes) -> None:
        sent = self._next_to_send
        super()._take_ack(number, payload)
        if self._waiting and self._retry_at_s is None and sent > self._oldest() - 1:
            self._only = sent

    _only: int | None = None

    def _send_window(self, now_s: float) -> None:
        if self._only is None or self._silent or not self._waiting:
            self._only = None
            super()._send_window(now_s)
            return
        only, self._only = self._only, None
        held = [one for one in self._waiting if one[0] > only]
        for _ in held:
            self._waiting.pop()
        super()._send_window(now_s)
        self._waiting.extend(held)
        self._next_to_send = max(self._next_to_send, min(only + 8, self._next_event))
        if self._retry_at_s is None:
            self._retry_at_s = now_s + self._retry_s


@breaks("6.15")
class LocksOnceInABoot(DeviceLink):
    _has_locked = False

    @property
    def must_lock(self) -> bool:
        is_full = len(self._waiting) + self._is_one_coming >= 48
        if is_full:
            self._first = getattr(self, "_first", self._opening)
        return self._silent or (is_full and self._first == self._opening)


@breaks("6.15", "shoe")
class CountsEventsSinceTheLastAck(DeviceLink):
    _since = 0

    def post_event(self, payload: bytes, now_s: float) -> int:
        self._since += 1
        return super().post_event(payload, now_s)

    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number, payload)
        self._since = 0

    @property
    def must_lock(self) -> bool:
        return self._silent or self._since + self._is_one_coming >= 48


@breaks("9.23", "shoe")
class StaysLockedUntilAllIsAcknowledged(DeviceLink):
    _is_full = False

    @property
    def must_lock(self) -> bool:
        wait = len(self._waiting) + self._is_one_coming
        self._is_full = wait >= 48 or (self._is_full and wait > 0)
        return self._silent or self._is_full


@breaks("6.6")
class TheOldestEightGo(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        if len(self._waiting) == 64:
            for _ in range(7):
                self._waiting.popleft()
        return super().post_event(payload, now_s)


@breaks("6.17", "shoe")
class ACommandThatEndsASilenceBringsNothing(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        was = self._silent
        super()._receive(header, payload, now_s)
        if was and not self._silent and header.kind == FrameKind.COMMAND:
            self._io.unsent.clear()


# --- section 7


@breaks("7.4", "shoe")
class AHeartbeatOfTheSameNumberIsNoSignOfLife(DeviceLink):
    _last: int | None = None

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._is_copy = header.kind == FrameKind.HEARTBEAT and header.number == self._last and not self._silent
        if header.kind == FrameKind.HEARTBEAT:
            self._last = header.number
        super()._receive(header, payload, now_s)

    _is_copy = False

    def _heard(self, now_s: float) -> None:
        if not self._is_copy:
            super()._heard(now_s)


@breaks("7.6", "shoe")
class ADroppedHelloIsLife(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        try:
            super()._open(opening, hello)
        except FrameError:
            self._heard(self._now_s)
            raise

    _now_s = 0.0

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._now_s = now_s
        super()._receive(header, payload, now_s)


@breaks("7.6", "display")
class NeverSilentBeforeTheFirstFrame(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was = self._opening
        super()._greet(header, payload, now_s)
        if self._opening != was:
            self._silent_at_s = now_s + 1000.0


@breaks("9.12", "shoe")
class LocksOnceInASession:
    _locked_in: int | None = None

    def _lock_down(self) -> None:
        link = self._link
        if link.host_silent and link.in_session:
            if self._locked_in == link._opening and not self._locked:
                return
            self._locked_in = link._opening
        super()._lock_down()


@breaks("7.6", "shoe")
class ASlowHostMayBeSilentLonger(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        if payload == b"\1":
            self._silent_at_s += 8.0


# --- section 9


@breaks("9.26", "shoe")
class SaysAnotherCause:
    def _started(self, cause: Any) -> Any:
        return super()._started(StartCause.COMMANDED)


@breaks("5.9", "display")
class ThePictureOfBeforeIsNoChange:
    _last: Any = None

    def _obey(self, command: Any, now_s: float) -> Any:
        if hasattr(command, "cents"):
            if command == self._last:
                return 0
            self._last = command
        return super()._obey(command, now_s)


@breaks("5.9", "shoe")
class TheLockOfBeforeIsNoChange:
    _last: Any = None

    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, ShoeApply):
            if command == self._last:
                return 0
            self._last = command
        return super()._obey(command, now_s)
