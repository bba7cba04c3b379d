"""The sixteenth draw of broken firmwares, by a sceptic: thirty-two numbers drawn from all kinds and sections."""

from typing import Any

from msgspec import structs
from msgspec.structs import replace

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameIo, FrameKind, Header, SessionOpened, is_newer
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import JamEnded, ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply
from simulators.devices.shuffler_memory import ShufflerMemory
from tests.conform.broken.table import breaks


@breaks("12.2", "display")
class AProvenSessionLeavesTheAmount:
    link_type = PairableLink

    def _hear(self, happened: Any, now_s: float) -> None:
        link: Any = self._link
        if not (isinstance(happened, SessionOpened) and link._key is not None and not self._picture.fault):
            super()._hear(happened, now_s)


@breaks("10.28", "shuffler")
class AJamFoundAtAStartEndsWithItsPath:
    _is_found = False

    def _begin(self, now_s: float) -> None:
        self._is_found = self._memory.jammed
        super()._begin(now_s)

    def _look_at_sensors(self, now_s: float) -> None:
        if self._is_found and self._seen_blocked and not self.machine.path_blocked:
            self._memory.jammed = self._is_found = False
        super()._look_at_sensors(now_s)

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._is_found = False
        super()._jam(stuck, now_s)


@breaks("9.7", "shuffler")
class KeepsTheNumberOfItsRecountWithoutTheCounts:
    def _forget_counts(self) -> None:
        kept = self._memory.recounts
        super()._forget_counts()
        self._memory.recounts = kept


@breaks("4.4")
class ASecondHostOfBeforeStaysOut(DeviceLink):
    """An older opening gets in behind a silence once in a boot."""

    _was_let_in = False

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        is_old = self._opening is not None and self._silent and not is_newer(opening, self._opening)
        if is_old and self._was_let_in:
            raise FrameError(RejectReason.WRONG_SESSION)
        super()._open(opening, hello)
        self._was_let_in |= is_old


@breaks("18.15", "shoe")
class ASessionForgetsThePair(PairableLink):
    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        self._paired_by = None


class _SaysAndStoresAnother(PairableLink):
    """A key that comes over another one is answered by its PAIRED, and another one is stored."""

    _said: tuple[int, bytes] | None = None

    def _stored(self, key: bytes, _before: bytes) -> bytes:
        return key

    def _take_pair(self, header: Header, key: bytes) -> None:
        before = self._pairing.key
        super()._take_pair(header, key)
        if before is not None and self._pairing.key is not None:
            self._said, self._pairing.key = (header.host_opening, key), self._stored(key, before)

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_said = self._said == (header.host_opening, payload)
        if header.kind == FrameKind.PAIR and header.tag == NO_TAG and is_said:
            self._io.send(Header(FrameKind.PAIRED, header.host_opening, self._boot, 0), b"", payload)
        else:
            super()._receive(header, payload, now_s)


@breaks("18.19", "shoe")
class AKeyOverAKeyIsNotStored(_SaysAndStoresAnother):
    def _stored(self, _key: bytes, before: bytes) -> bytes:
        return before


@breaks("18.19", "display")
class TheLastByteOfASecondKeyIsNotWritten(_SaysAndStoresAnother):
    def _stored(self, key: bytes, before: bytes) -> bytes:
        return key[:-1] + before[-1:]


class _InLessOut(ShufflerMemory):
    def count_in(self) -> None:
        super().count_in()
        if self.inside is not None:
            self.inside = (self.cards_in - self.cards_out) % 2**32


@breaks("10.1", "shuffler")
class InsideIsInLessOutBehindAStart:
    def _begin(self, now_s: float) -> None:
        if self._boot > 1:
            self._memory = _InLessOut(**structs.asdict(self._memory))
        super()._begin(now_s)


@breaks("10.8", "shuffler")
class TheLampOfEach32ndApplyIsLost:
    _applies = 0

    def _power_lost(self) -> None:
        self._applies = 0
        super()._power_lost()

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        self._applies = (self._applies + 1) % 32
        lamp = wanted.lamp if self._applies else self._memory.lamp
        return super()._apply(replace(wanted, lamp=lamp), now_s)


@breaks("10.4", "shuffler")
class AWordSaidTwiceEndsAJamOnABlockedPath:
    _refused = (0, -9.0)

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        memory, (number, at_s) = self._memory, self._refused
        is_again = number == memory.jams and now_s - at_s < 5.0
        if is_again and memory.is_ended(wanted.jams_ended) and not self.machine.lid_open:
            memory.jammed = False
            self._post(JamEnded(), now_s)
            return None
        result = super()._end_jam(wanted, now_s)
        if result is ShufflerResult.REFUSED_PATH_BLOCKED:
            self._refused = (memory.jams, now_s)
        return result


@breaks("2.2")
class ATagBelowZeroIsNone(DeviceLink):
    """A tag is compared as a signed number."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._io = FrameIo(from_device=False, takes_tags=True)
        self.stats = self._io.stats

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if int.from_bytes(header.tag, "little", signed=True) <= 0:
            super()._receive(header._replace(tag=NO_TAG), payload, now_s)


@breaks("14.6")
class TheLastChipPutsTheBlinkingOut:
    def take_chip(self, seat: int, now_s: float) -> None:
        if self._lying == 1 << (seat - 1):
            self._blinking = 0
        super().take_chip(seat, now_s)


@breaks("4.2", "shuffler")
class AnotherMajorWithANewerOpeningWithdraws(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        is_newer_one = self._opening is not None and is_newer(header.host_opening, self._opening)
        if is_newer_one and len(payload) > 1 and payload[0] != self._identity.major:
            self._happened.append(SessionOpened(header.host_opening, payload[0], payload[1]))
        super()._take_hello(header, payload, now_s)


@breaks("10.7", "shuffler")
class TheStoreHasTheLatchsFirstNumber:
    """Behind a start the word for the first of two latched jams ends both."""

    _first: int | None = None
    _is_loaded = False

    def _jam(self, stuck: Any, now_s: float) -> None:
        was = self._memory.jammed
        super()._jam(stuck, now_s)
        self._is_loaded = False
        self._first = self._first if was else self._memory.jams

    def _power_lost(self) -> None:
        self._is_loaded = self._memory.jammed and self._first is not None
        super()._power_lost()

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._first = self._memory.jams or None

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        memory = self._memory
        if self._is_loaded and memory.jammed and (wanted.jams_ended - self._first) % 2**16 < 2**15:
            wanted = replace(wanted, jams_ended=memory.jams)
        return super()._end_jam(wanted, now_s)


@breaks("5.4", "shoe")
class AResultIsKeptOverAStart(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        is_first = self._opening is None and self._boot > 1
        super()._open(opening, hello)
        self._result = 0 if is_first else None


@breaks("3.2", "shoe")
class TheFlagOfALongHeartbeatIsTaken(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if len(payload) > 1 and payload[0] == 1:
            self._retry_slowly()
        super()._take_heartbeat(number, payload)


@breaks("4.13", "shuffler")
class TheOpeningBeforeIsDeniedByNothing(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        if self._opening is not None and header.host_opening == self._opening - 1:
            raise FrameError(RejectReason.WRONG_SESSION)
        super()._refuse_session(header, now_s)


@breaks("4.6")
class ASessionInASilenceGoesOnWithTheNextEvent(DeviceLink):
    _sent = 1

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        is_kept = self._silent and self._opening is not None and header.host_opening != self._opening
        sent = self._sent
        super()._greet(header, payload, now_s)
        if is_kept and self._greeting == header.host_opening:
            self._next_to_send = sent

    def _send_window(self, now_s: float) -> None:
        super()._send_window(now_s)
        if not self._silent and self._greeting is None:
            self._sent = max(self._sent, self._next_to_send)


@breaks("4.15", "shuffler")
class Minor255IsNone(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[1] == 255:
            raise FrameError(RejectReason.OUT_OF_BOUNDS)
        super()._greet(header, payload, now_s)


@breaks("5.6", "display")
class AnAmountHas48Bits:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\1" and len(payload) == 10:
            payload = payload[:7] + b"\0\0" + payload[9:]
        super()._answer(number, payload, now_s)


@breaks("10.14", "shuffler")
class CountsAreKnownThreeSecondsBehindAStart:
    _begun_s = _said_s = 0.0

    def _begin(self, now_s: float) -> None:
        self._begun_s = now_s
        super()._begin(now_s)

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        self._said_s = now_s
        return super()._apply(wanted, now_s)

    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        refusal = super()._refusal_to_move(wanted)
        is_late = self._said_s - self._begun_s > 3.0
        return None if is_late and refusal is ShufflerResult.REFUSED_COUNTS_UNKNOWN else refusal


@breaks("14.4")
class ACollectionTakesTheNextSeatToo:
    def _take_in(self, slots: int) -> None:
        super()._take_in((slots | slots << 1) & 0xFFFF)


@breaks("7.3", "shuffler")
class TheReplyBehindAClosedLidIsOfBefore(DeviceLink):
    _before: tuple[int, bytes] = (0, b"")
    _stale: tuple[int, bytes] | None = None

    def expect_event(self) -> None:
        self._before = (self._next_event - 1, self._status)
        super().expect_event()

    def post_event(self, payload: bytes, now_s: float) -> int:
        if payload[0] == 9:
            self._stale = self._before
        return super().post_event(payload, now_s)

    def _send_pulse(self) -> None:
        if self._pulse is not None and self._stale is not None:
            (newest, status), self._stale = self._stale, None
            reply = rows.REPLY_LAYOUT.encode(rows.ReplyBody(newest))
            self._send(FrameKind.HEARTBEAT_REPLY, self._pulse, reply + status)
            self._pulse = None
        super()._send_pulse()


@breaks("6.17")
class ACommandThatEndsAProvenSilenceBringsNoWindow(PairableLink):
    _kind = 0

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._kind = header.kind
        super()._receive(header, payload, now_s)

    def _heard(self, now_s: float) -> None:
        was = self._silent
        super()._heard(now_s)
        if was and not self._silent and self._key is not None and self._kind == FrameKind.COMMAND:
            self._next_to_send = self._next_event
            self._retry_at_s = now_s + self._retry_s


@breaks("4.8", "value-display")
class TheSameHelloCommitsOneLess(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and len(payload) == rows.HELLO_LAYOUT.size:
            hello = rows.HELLO_LAYOUT.decode(payload)
            payload = rows.HELLO_LAYOUT.encode(replace(hello, committed_number=max(0, hello.committed_number - 1)))
        super()._greet(header, payload, now_s)


@breaks("6.2")
class AnEventHasABlinkingOfEightSeats(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        return super().post_event(payload[:8] + b"\0" + payload[9:], now_s)


@breaks("12.1", "display")
class TheReadBackIsOfTheLastCommand:
    """A panel that hands have mended is not read back."""

    _read: int | None = None

    def _status(self) -> Any:
        status = super()._status()
        return status if self._read is None else replace(status, shown_cents=self._read)

    def _show(self, wanted: Any, now_s: float) -> None:
        self._read = None
        super()._show(wanted, now_s)

    def unstick(self, now_s: float) -> None:
        self._read = self._read if self._wanted is None else self._picture.cents
        super().unstick(now_s)

    def _power_lost(self) -> None:
        self._read = None
        super()._power_lost()


@breaks("9.16", "display")
class AStartWithEventsBehindItShowsTheAmount:
    _is_restored = False

    def _power_lost(self) -> None:
        picture, many = self._picture, self._link.waiting_events >= 8
        super()._power_lost()
        if many and picture.cents:
            self._picture, self._is_restored = replace(picture, fault=False), True

    def _lock_down(self) -> None:
        link: Any = self._link
        if not self._is_restored or link._opening is not None:
            self._is_restored = False
            super()._lock_down()


@breaks("13.1", "value-display")
class BehindAStartStuckMarkersSayTheirCommand:
    def _status(self) -> Any:
        status = super()._status()
        if self._boot > 1 and self._wanted is not None:
            return type(status)(*self._wanted.values, status.host_silent)
        return status


@breaks("14.5")
class TheNumberOfACollectionIsOneByte:
    def _apply(self, command: SlotsApply) -> None:
        wanted = (self._collections + 1) % 2**16
        is_it = command.collection % 256 == wanted % 256
        super()._apply(replace(command, collection=wanted) if is_it else command)


@breaks("14.8")
class BehindAStartASessionPutsTheBlinkingOut:
    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._boot > 1:
            self._blinking = 0
        super()._hear(happened, now_s)


@breaks("18.2", "display")
class EachOpeningIsDeniedAtOnce(PairableLink):
    _denied: int | None = None

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if opening != self._denied and self._pairing.key is not None:
            self._no_session_from_s = now_s
        self._denied = opening
        super()._deny(kind, opening, now_s, key)


@breaks("10.6", "shuffler")
class TheEndOfAJamFoundAtAStartIsNotStored:
    _is_found = _is_left = False

    def _begin(self, now_s: float) -> None:
        self._is_found = self._memory.jammed
        super()._begin(now_s)

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._is_found = self._is_left = False
        super()._jam(stuck, now_s)

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._end_jam(wanted, now_s)
        self._is_left |= was and not self._memory.jammed and self._is_found
        return result

    def _power_lost(self) -> None:
        self._memory.jammed |= self._is_left
        self._is_left = False
        super()._power_lost()
