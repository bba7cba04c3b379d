"""Broken paired devices (section 18), written from the text alone."""

from typing import Any, ClassVar

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import PAIRING_S, FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import KEY_BYTES, NO_KEY, covered
from tests.conform.broken.table import breaks


@breaks("18.7", "shoe")
class AnAckOfTheLastOneIsLife(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        is_ack = header.kind == FrameKind.ACK and 0 < header.number < self._next_event
        return is_ack or super()._says_something_new(header)


@breaks("18.7")
class AnAckOfWhatWasNeverMadeIsLife(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        is_ack = header.kind == FrameKind.ACK and header.number >= self._next_event
        return is_ack or super()._says_something_new(header)


@breaks("18.7")
class APayloadThatIsDroppedIsLife(PairableLink):
    def _is_whole(self, kind: int, payload: bytes) -> bool:
        return True


@breaks("18.11", "shoe")
class ItsPadKnowsTheLowByteOfANumber(PairableLink):
    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None:
            head, event = payload[: rows.EVENT_LAYOUT.size], payload[rows.EVENT_LAYOUT.size :]
            payload = head + covered(self._key, number % 256, event, self._pairing.secret_at(event))
        self._io.send(self._header(kind, number), payload, self._key)


@breaks("18.13", "shoe")
class EachHelloBeginsTheMinuteAnew(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        if self._window_until_s is not None:
            self._window_until_s = now_s + PAIRING_S


@breaks("18.13")
class ASessionOfTheMinuteGoesOn(PairableLink):
    def handle_timeout(self, now_s: float) -> None:
        if self._window_until_s is not None and now_s >= self._window_until_s:
            self._window_until_s = None
        super().handle_timeout(now_s)


@breaks("18.15")
class TheSessionThatGaveTheKeyGoesOn(PairableLink):
    _stays = False

    def _take_pair(self, header: Header, key: bytes) -> None:
        self._stays = True
        super()._take_pair(header, key)
        self._stays = False

    def _leave(self) -> None:
        if not self._stays:
            super()._leave()


@breaks("18.13", "shoe")
class TakesAnotherKeyBehindPaired(PairableLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_giver = (header.host_opening, header.device_boot) == (self._paired_by, self._boot)
        if header.kind == FrameKind.PAIR and is_giver and len(payload) == KEY_BYTES:
            self._pairing.key = None if payload == NO_KEY else payload
        super()._receive(header, payload, now_s)


@breaks("18.1", "shoe")
class DeniesAHelloWithoutRoomForANonce(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.tag != NO_TAG and len(payload) < rows.HELLO_LAYOUT.size + 16:
            self._deny(FrameKind.NOT_PROVEN, header.host_opening, now_s)
        super()._greet(header, payload, now_s)


@breaks("18.1")
class DeniesAnOlderHelloOfItsHost(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        try:
            super()._greet(header, payload, now_s)
        except FrameError as error:
            if error.reason is RejectReason.WRONG_SESSION:
                self._deny(FrameKind.NOT_PROVEN, header.host_opening, now_s)
            raise


@breaks("18.1", "display")
class DeniesAHelloOfAnotherBoot(PairableLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\1" and header.device_boot and self.is_paired and header.tag == NO_TAG:
            self._deny(FrameKind.NOT_PROVEN, header.host_opening, now_s)
        super()._take_hello(header, payload, now_s)


@breaks("18.15")
class KeepsTheKeyThatItHas(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        if self.is_paired and key != NO_KEY:
            raise FrameError(RejectReason.OUT_OF_BOUNDS)
        super()._take_pair(header, key)


@breaks("4.2", "shoe")
class AnotherMajorIsAnsweredWithATag(PairableLink):
    def _say_who_it_is(self, opening: int) -> None:
        header = Header(FrameKind.IDENTITY, opening, self._boot, 0)
        self._io.send(header, self._identity_fields() + self._status, self._pairing.key)


@breaks("4.2")
class AStrangerOfAnotherMajorIsDenied(PairableLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] != b"\1" and self.is_paired and header.tag == NO_TAG:
            self._deny(FrameKind.NOT_PROVEN, header.host_opening, now_s)
            raise FrameError(RejectReason.UNPROVEN)
        super()._take_hello(header, payload, now_s)


@breaks("3.2", "shoe")
class TakesAShortKey(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        super()._take_pair(header, key.ljust(KEY_BYTES, b"\0")[:KEY_BYTES])


@breaks("18.3", "shoe")
class TheRetryHasNoTag(PairableLink):
    _again = False

    def _send_again(self, now_s: float) -> None:
        self._again = True
        super()._send_again(now_s)
        self._again = False

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        key = self._key
        if self._again:
            self._key = None
        super()._send(kind, number, payload)
        self._key = key


@breaks("18.12", "shoe")
class TheRetryHasNoPad(PairableLink):
    _again = False

    def _send_again(self, now_s: float) -> None:
        self._again = True
        super()._send_again(now_s)
        self._again = False

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if self._again and kind is FrameKind.EVENT:
            self._io.send(self._header(kind, number), payload, self._key)
        else:
            super()._send(kind, number, payload)


@breaks("18.11", "shoe")
class APadOfTheSessionBefore(PairableLink):
    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None:
            head, event = payload[: rows.EVENT_LAYOUT.size], payload[rows.EVENT_LAYOUT.size :]
            pads = self.__dict__.setdefault("_pads", {})
            key = pads.setdefault(number, self._key)
            payload = head + covered(key, number, event, self._pairing.secret_at(event))
        self._io.send(self._header(kind, number), payload, self._key)


@breaks("18.6", "shoe")
class AFrameOfNoTagEndsTheSession(PairableLink):
    def _expect(self, header: Header, payload: bytes) -> None:
        try:
            super()._expect(header, payload)
        except FrameError as error:
            if error.reason is RejectReason.UNPROVEN and self._key is not None:
                self._leave()
            raise


@breaks("18.6")
class AnUnprovenFrameUsesUpItsNumber(PairableLink):
    def _expect(self, header: Header, payload: bytes) -> None:
        try:
            super()._expect(header, payload)
        except FrameError:
            if self._key is not None and header.kind == FrameKind.HEARTBEAT:
                self._pulses = max(self._pulses, header.number)
            raise


@breaks("18.6", "shoe")
class AnUnprovenCommandUsesUpItsNumber(PairableLink):
    def _expect(self, header: Header, payload: bytes) -> None:
        try:
            super()._expect(header, payload)
        except FrameError:
            is_next = header.kind == FrameKind.COMMAND and header.number == self._command + 1
            if self._key is not None and is_next and header.tag != NO_TAG:
                self._command, self._result = header.number, 0
            raise


@breaks("18.14", "shoe")
class TheSwitchLocksInASessionAlone(PairableLink):
    @property
    def must_lock(self) -> bool:
        return DeviceLink.must_lock.fget(self) or (self._window_until_s is not None and self._key is not None)


@breaks("18.17", "shoe")
class TheKeyOfBeforeComesBackWithThePower(PairableLink):
    _before: ClassVar[dict[int, bytes | None]] = {}

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        was = self._before.pop(id(self._pairing), None)
        self._pairing.key = self._pairing.key or was

    def _take_pair(self, header: Header, key: bytes) -> None:
        self._before[id(self._pairing)] = self._pairing.key
        super()._take_pair(header, key)


@breaks("18.10", "shoe")
class NoSessionBeforeTheFirstSessionHasNoTag(PairableLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        super()._deny(kind, opening, now_s, key if self._key is not None else None)


@breaks("18.9")
class AHelloEndsASilence(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was, silent = self._opening, self._silent
        super()._greet(header, payload, now_s)
        if silent and self._opening == was and self._key is not None:
            DeviceLink._heard(self, now_s)
