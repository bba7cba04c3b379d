"""Firmwares that break section 18: frames that a paired device must refuse, and the taking of a key."""

from typing import Any, ClassVar

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENTS_LOCK, PAIRING_S, FrameKind, Header, body_of
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import NO_KEY, covered, tag_of
from tests.conform.broken.table import breaks


@breaks("18.1")
class OpensASessionForAnybody(PairableLink):
    def _is_of_the_pair(self, header: Header, payload: bytes) -> bool:
        return header.tag == NO_TAG or super()._is_of_the_pair(header, payload)


@breaks("18.1")
class SaysNothingToAStranger(PairableLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if kind is not FrameKind.NOT_PROVEN:
            super()._deny(kind, opening, now_s, key)


@breaks("18.1", "shoe")
class AStrangerEndsTheSession(PairableLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        super()._deny(kind, opening, now_s, key)
        if kind is FrameKind.NOT_PROVEN:
            self._leave()


@breaks("18.1", "shoe")
class TakesAnybodyInASilence(PairableLink):
    def _is_of_the_pair(self, header: Header, payload: bytes) -> bool:
        is_alone = self._silent and self._opening is not None and header.tag == NO_TAG
        return is_alone or super()._is_of_the_pair(header, payload)


@breaks("18.2")
class DeniesEachKindByItself(PairableLink):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._from_s = {FrameKind.NOT_PROVEN: 0.0, FrameKind.NO_SESSION: 0.0}

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        self._no_session_from_s = self._from_s[kind]
        super()._deny(kind, opening, now_s, key)
        self._from_s[kind] = self._no_session_from_s


@breaks("18.2")
class DeniesEachHello(PairableLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if kind is FrameKind.NOT_PROVEN:
            self._no_session_from_s = now_s
        super()._deny(kind, opening, now_s, key)


@breaks("18.3")
class AnswersWithoutATag(PairableLink):
    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.ANSWER:
            DeviceLink._send(self, kind, number, payload)
        else:
            super()._send(kind, number, payload)


@breaks("18.3", "display")
class IdentityHasThePairsTag(PairableLink):
    def _send_identity(self, opening: int) -> None:
        key, self._key = self._key, self._key and self._pairing.key
        super()._send_identity(opening)
        self._key = key


@breaks("18.4")
class OneNonceForABoot(PairableLink):
    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        draw, self._pairing.draw = self._pairing.draw, lambda: self._boot.to_bytes(16, "little")
        super()._begin_session(opening, host_nonce)
        self._pairing.draw = draw


@breaks("18.4", "shoe")
class CountsItsNoncesFromEachStart(PairableLink):
    _sessions = 0

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._sessions += 1
        draw, self._pairing.draw = self._pairing.draw, lambda: self._sessions.to_bytes(16, "little")
        super()._begin_session(opening, host_nonce)
        self._pairing.draw = draw


@breaks("18.5")
class ANonceForEachHello(PairableLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        was = self._opening
        super()._take_hello(header, payload, now_s)
        if header.host_opening == was and self._key is not None:
            self._begin_session(header.host_opening, self._host_nonce)


@breaks("18.5", "shoe")
class LooksAtNoNonce(PairableLink):
    def _replace_silent(self, header: Header) -> None:
        """Accepts any nonce as the session's."""


@breaks("18.6")
class LooksAtFourBytesOfATag(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        right = NO_TAG if key is None else tag_of(key, body_of(header, payload))
        return header.tag[:4] == right[:4]


@breaks("18.6")
class LooksAtNoTag(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        return header.kind != FrameKind.HELLO or super()._has_tag(key, header, payload)


@breaks("18.6", "shoe")
class TakesThePairsTag(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        return super()._has_tag(key, header, payload) or super()._has_tag(self._pairing.key, header, payload)


@breaks("18.6", "slots")
class AnAckNeedsNoTag(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        return header.kind == FrameKind.ACK or super()._has_tag(key, header, payload)


@breaks("18.6", "display")
class LivesOnWhatHasNoTag(PairableLink):
    def _expect(self, header: Header, payload: bytes) -> None:
        try:
            super()._expect(header, payload)
        except FrameError as error:
            if error.reason is RejectReason.UNPROVEN:
                DeviceLink._heard(self, self._now_s)
            raise

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._now_s = now_s
        super()._receive(header, payload, now_s)


@breaks("18.7")
class ACommandAgainIsLife(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        return header.kind == FrameKind.COMMAND or super()._says_something_new(header)


@breaks("18.7", "shoe")
class ALaterCommandIsLife(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        is_later = header.kind == FrameKind.COMMAND and header.number > self._command
        return is_later or super()._says_something_new(header)


@breaks("18.7", "value-display")
class AnyAckIsLife(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        return header.kind == FrameKind.ACK or super()._says_something_new(header)


@breaks("18.7", "shoe")
class AHeartbeatAgainIsLife(PairableLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if self._is_news:
            super()._take_heartbeat(number, payload)
        else:
            DeviceLink._heard(self, self._now_s)

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._now_s = now_s
        super()._receive(header, payload, now_s)


@breaks("18.8", "shoe")
class TakesHeartbeat0(PairableLink):
    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        self._pulses = -1


@breaks("18.8")
class AnswersAHeartbeatAgain(PairableLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if self._is_news:
            super()._take_heartbeat(number, payload)
        else:
            self._pulse = number


@breaks("18.9")
class AHelloIsLife(PairableLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._take_hello(header, payload, now_s)
        DeviceLink._heard(self, now_s)


@breaks("18.9", "shoe")
class ANewSessionIsLife(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was = self._opening
        super()._greet(header, payload, now_s)
        if self._opening != was:
            DeviceLink._heard(self, now_s)


@breaks("18.10")
class DeniesWithoutATag(PairableLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        super()._deny(kind, opening, now_s)


@breaks("18.11", "shoe")
class TellsTheFace(PairableLink):
    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        self._io.send(self._header(kind, number), payload, self._key)


@breaks("18.12", "shoe")
class CoversEachTimeAnew(PairableLink):
    _sent = 0

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None:
            self._sent += 1
            head, event = payload[: rows.EVENT_LAYOUT.size], payload[rows.EVENT_LAYOUT.size :]
            payload = head + covered(self._key, 1000 + self._sent, event, self._pairing.secret_at(event))
        self._io.send(self._header(kind, number), payload, self._key)


@breaks("18.13")
class TakesAKeyAtAnyTime(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        self._window_until_s = self._window_until_s or 0.0
        super()._take_pair(header, key)


@breaks("18.13", "display")
class TheSwitchStaysOn(PairableLink):
    def allow_pairing(self, now_s: float) -> None:
        super().allow_pairing(now_s + 30)


@breaks("18.13", "shoe")
class TheSwitchOutlivesAStart(PairableLink):
    _until_s: ClassVar[dict[int, float]] = {}

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._window_until_s = self._until_s.get(id(self._pairing))

    def allow_pairing(self, now_s: float) -> None:
        super().allow_pairing(now_s)
        self._until_s[id(self._pairing)] = now_s + PAIRING_S

    def _take_pair(self, header: Header, key: bytes) -> None:
        super()._take_pair(header, key)
        self._until_s.clear()


@breaks("18.14", "shoe")
class TheSwitchWithdrawsNothing:
    link_type = PairableLink

    def _lock_down(self) -> None:
        if self._link._window_until_s is None or self._link.host_silent:
            super()._lock_down()


@breaks("18.14")
class PermitsWithTheSwitchOn(PairableLink):
    @property
    def must_lock(self) -> bool:
        return self._silent or len(self._waiting) + self._is_one_coming >= EVENTS_LOCK


@breaks("18.15")
class AnswersPairOnce(PairableLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.kind == FrameKind.PAIR:
            self._paired_by = None
        super()._receive(header, payload, now_s)


@breaks("18.15", "shoe")
class PairedHasNoTag(PairableLink):
    def _say_paired(self, header: Header) -> None:
        self._io.send(Header(FrameKind.PAIRED, header.host_opening, self._boot, 0))


@breaks("18.16")
class ZerosAreAKey(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        super()._take_pair(header, key)
        self._pairing.key = key


@breaks("18.16", "display")
class IsNeverUnpaired(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        if key != NO_KEY:
            super()._take_pair(header, key)


@breaks("18.17")
class ForgetsItsKeyAtAStart(PairableLink):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        if self._boot > 1:
            self._pairing.key = None


@breaks("18.4", "shoe")
class HasSixteenNonces(PairableLink):
    _sessions = 0

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._sessions = (self._sessions + 1) % 16
        nonce = self._boot.to_bytes(8, "little") + self._sessions.to_bytes(8, "little")
        draw, self._pairing.draw = self._pairing.draw, lambda: nonce
        super()._begin_session(opening, host_nonce)
        self._pairing.draw = draw


@breaks("18.6", "shoe")
class TakesAKeyInAProvenSession(PairableLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_ours = (header.host_opening, header.device_boot) == (self._opening, self._boot)
        if header.kind == FrameKind.PAIR and is_ours:
            self._key = None
        super()._receive(header, payload, now_s)


@breaks("18.11", "shoe")
class CountsItsPadsFromTheOtherEnd(PairableLink):
    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None:
            head, event = payload[: rows.EVENT_LAYOUT.size], payload[rows.EVENT_LAYOUT.size :]
            swapped = int.from_bytes(number.to_bytes(4, "little"), "big")
            payload = head + covered(self._key, swapped, event, self._pairing.secret_at(event))
        self._io.send(self._header(kind, number), payload, self._key)


@breaks("18.13", "shoe")
class TheSwitchStaysOnBehindAKey(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        until_s = self._window_until_s
        super()._take_pair(header, key)
        self._window_until_s = until_s


@breaks("18.19", "shoe")
class StoresItsKeyWithItsFirstSession(PairableLink):
    _before: ClassVar[dict[int, bytes | None]] = {}

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        if id(self._pairing) in self._before:
            self._pairing.key = self._before.pop(id(self._pairing))

    def _take_pair(self, header: Header, key: bytes) -> None:
        was = self._pairing.key
        super()._take_pair(header, key)
        if key != NO_KEY:
            self._before[id(self._pairing)] = was

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        if self._key is not None:
            self._before.pop(id(self._pairing), None)
