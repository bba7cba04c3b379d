"""The fifteenth draw, second part: numbers stored in too few bytes, and state that one session or start leaves to the
next.
"""

from typing import Any

from msgspec.structs import replace

from firmware_protocols import framing
from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, SessionOpened
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import covered
from firmware_protocols.tdp.shuffler import Jammed, ShufflerApply, ShufflerResult
from firmware_protocols.tdp.shuffler import Place as WirePlace
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


@breaks("9.17", "shoe")
class TheEndOfTheMinuteUnlocks:
    link_type = PairableLink
    _before = None

    def switch_pairing_on(self, now_s: float) -> bool:
        if self._before is None:
            self._before = self._locked
        return super().switch_pairing_on(now_s)

    def on_time(self, now_s: float) -> None:
        had = getattr(self._link, "_window_until_s", None)
        super().on_time(now_s)
        if had is not None and self._link._window_until_s is None and (self._before is not None):
            if not self._link.must_lock and (not self._before):
                self._locked = False
                self._settle(now_s)
            self._before = None


@breaks("5.3", "slots")
class CommandsAreCountedIn16Bits(DeviceLink):
    def _take_command(self, number: int, payload: bytes) -> None:
        super()._take_command(number % 65536, payload)


@breaks("7.2", "display")
class RepliesHave16Bits(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number % 65536, payload)


@breaks("6.13", "shoe")
class AcksAreOf16Bits(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number % 65536, payload)


@breaks("5.6", "value-display")
class TheGoodMarkersAreTaken:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\x01" and len(payload) == 49:
            values = [int.from_bytes(payload[1 + 4 * i : 5 + 4 * i], "little") for i in range(12)]
            if max(values) > 99999999 and max(values[:-1]) <= 99999999 and self._takes_pictures():
                names = self._picture.__struct_fields__
                new = replace(self._picture, **dict(zip(names[:-1], values[:-1], strict=True)))
                self._show(new, now_s)
        super()._answer(number, payload, now_s)


@breaks("5.2", "shuffler")
class ARepeatedRefusalIsOk(DeviceLink):
    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        super().answer(number, result, status_payload)
        if number == self._command and result > 1:
            self._result = 0


@breaks("9.20", "shuffler")
class ASilenceLeavesTheRecount:
    def _lock_down(self) -> None:
        kept = self._orders.recount_request
        is_begun = self._work is Work.RECOUNT and self._link._silent
        super()._lock_down()
        if is_begun and kept is not None:
            self._orders.recount_request = kept


@breaks("10.23", "shuffler")
class ABegunRecountGoesOn:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> ShufflerResult:
        kept = self._orders.recount_request
        is_begun = self._work is Work.RECOUNT
        result = super()._apply(wanted, now_s)
        if is_begun and result is ShufflerResult.OK and (self._orders.recount_request is None):
            self._orders.recount_request = kept
        return result


@breaks("10.22", "shuffler")
class ARecountEndsTheUnloading:
    def _recount(self, now_s: float) -> None:
        self._orders.unload = False
        super()._recount(now_s)


@breaks("10.30", "shuffler")
class AStartFindsANewJam:
    def _begin(self, now_s: float) -> None:
        super()._begin(now_s)
        if self._memory.jammed and self.machine.path_blocked:
            self._memory.jam()
            self._post(Jammed(WirePlace.MOUTH, 1), now_s)


@breaks("12.3", "display")
class ASessionTellsTheFaultAgain:
    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened):
            self._stuck_told = False
        super()._hear(happened, now_s)


@breaks("12.1", "display")
class TheAnswerSaysWhatWasTold:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        self._is_answering = payload[:1] == b"\x01"
        super()._answer(number, payload, now_s)
        self._is_answering = False

    _is_answering = False

    def _status(self) -> Any:
        status = super()._status()
        if self._is_answering and self._wanted is not None and (self._wanted != self._picture):
            return replace(status, shown_cents=self._wanted.cents)
        return status


@breaks("13.5", "value-display")
class WhatCameAt48IsDoneLater:
    _later = None

    def _obey(self, command: Any, now_s: float) -> Any:
        if hasattr(command, "red"):
            self._later = command if self._link.must_lock else None
        return super()._obey(command, now_s)

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        if self._later is not None and (not self._link.must_lock):
            later, self._later = (self._later, None)
            self._show(later, now_s)
            self._settle(now_s)


@breaks("14.3", "slots")
class TheCollectionIsStoredInAByte:
    def _power_lost(self) -> None:
        self._collections %= 256
        super()._power_lost()


@breaks("14.8", "slots")
class ASessionBehindASilencePutsOutWhatBlinks:
    def receive_data(self, data: bytes, now_s: float) -> None:
        self._was_silent = self._link._silent and self._link._opening is not None
        super().receive_data(data, now_s)

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._was_silent:
            self._blinking = 0
        super()._hear(happened, now_s)


@breaks("14.2", "slots")
class ASilenceSwallowsTheChange:
    def _update(self, now_s: float) -> None:
        if self._link._silent and self._link._opening is not None:
            status = self._status()
            told = (status.chips, status.broken, status.collections)
            self._told = told
        super()._update(now_s)


@breaks("2.2", "slots")
class HalfTheTagMustBeZero(DeviceLink):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)

        def decode(frame: bytes) -> bytes | RejectReason:
            signed = framing.decode_signed(frame)
            if not isinstance(signed, bytes):
                return signed
            if signed[-8:-4] == b"\x00\x00\x00\x00":
                return signed[:-8]
            return RejectReason.UNEXPECTED_TAG

        self._io._decoder._decode = decode


@breaks("2.5", "display")
class ACrcOfZeroIsNone(DeviceLink):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        from cobs import cobs

        def decode(frame: bytes) -> bytes | RejectReason:
            try:
                block = cobs.decode(frame)
            except cobs.DecodeError:
                return RejectReason.BAD_COBS
            if 12 < len(block) <= 204 and block[-12:] == bytes(12):
                return block[:-12]
            return framing.decode_frame(frame)

        self._io._decoder._decode = decode


@breaks("4.13", "shoe")
class AnAckOfAnotherSessionIsDropped(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        if header.kind == FrameKind.ACK:
            raise FrameError(RejectReason.WRONG_SESSION)
        super()._refuse_session(header, now_s)


@breaks("4.8", "display")
class ACopyCommitsNothing(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and len(payload) == 10:
            payload = payload[:2] + bytes(8)
        super()._greet(header, payload, now_s)


@breaks("6.10", "slots")
class ACommittedNumberLeavesTheRetryTime(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was, opening = (self._retry_s, self._opening)
        super()._greet(header, payload, now_s)
        if opening == self._opening:
            self._retry_s = was


@breaks("18.4", "shoe")
class TheNonceBeginsAnew:
    link_type = PairableLink

    def _draw_nonce(self) -> bytes:
        self._nonces += 1
        return bytes(8) + self._nonces.to_bytes(8, "little")

    def _power_lost(self) -> None:
        self._nonces = 0
        super()._power_lost()


@breaks("18.8", "value-display")
class ProvenHeartbeatsAreKeptIn16Bits(PairableLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        self._pulses %= 65536


@breaks("18.7", "display")
class AnOldAckIsASign(PairableLink):
    def _says_something_new(self, header: Header) -> bool:
        if header.kind == FrameKind.ACK and header.number < self._oldest():
            return True
        return super()._says_something_new(header)


@breaks("18.11", "shoe")
class ThePadIsOfTheLowByte(PairableLink):
    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None and (number > 255):
            head, event = (payload[: rows.EVENT_LAYOUT.size], payload[rows.EVENT_LAYOUT.size :])
            at = self._pairing.secret_at(event)
            payload = head + covered(self._key, number % 256, event, at)
            self._io.send(self._header(kind, number), payload, self._key)
            return
        super()._send(kind, number, payload)


@breaks("18.13", "slots")
class TheMinuteIsNotBegunAnew(PairableLink):
    def allow_pairing(self, now_s: float) -> None:
        if self._window_until_s is None:
            super().allow_pairing(now_s)


@breaks("18.15", "display")
class PairedIsSaidUntilTheNextHello(PairableLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if self._paired_by is not None and self._paired_by != header.host_opening:
            self._paired_by = None
        super()._take_hello(header, payload, now_s)


@breaks("18.17", "shoe")
class ZerosAreNotStored:
    link_type = PairableLink
    _stored = None

    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        if self.pairing.key is not None:
            self._stored = self.pairing.key

    def _power_lost(self) -> None:
        if self.pairing.key is None and self._stored is not None:
            self.pairing.key = self._stored
        super()._power_lost()


@breaks("18.10", "slots")
class NoSessionHasNoTagBeforeTheFirst(PairableLink):
    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if self._opening is None and key is not None:
            key = None
        super()._deny(kind, opening, now_s, key)
