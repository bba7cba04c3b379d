"""Firmwares that break sections 2 and 3: frame and header."""

from typing import Any

from cobs import cobs

from firmware_protocols import framing
from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import FrameDecoder, encode_frame
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import HEADER, FrameKind, Header
from firmware_protocols.tdp.link_rows import HELLO_LAYOUT
from tests.conform.broken.table import breaks


class _Decoding(DeviceLink):
    decoder: type[FrameDecoder]

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._io._decoder = self.decoder()


@breaks("2.2")
class BelievesATag(_Decoding):
    class decoder(FrameDecoder):
        def _take(self, frame: bytes, found: list[bytes | RejectReason]) -> None:
            super()._take(frame, found)
            if found[-1] is RejectReason.UNEXPECTED_TAG:
                found[-1] = cobs.decode(frame)[:-12]


@breaks("2.3")
class HearsOneFrameARead(_Decoding):
    class decoder(FrameDecoder):
        def feed(self, data: bytes) -> list[bytes | RejectReason]:
            return super().feed(data)[:1]


@breaks("2.3")
class AsksForAZeroBefore(DeviceLink):
    _zeros = 1

    def receive_data(self, data: bytes, now_s: float) -> None:
        for piece in data.split(b"\0")[:-1]:
            if piece and self._zeros:
                super().receive_data(piece + b"\0", now_s)
            self._zeros = 0 if piece else 1


@breaks("2.4")
class BeginsAnewAtThe206th(_Decoding):
    class decoder(FrameDecoder):
        begins = 206

        def hold(self, data: bytes) -> bool:
            return False

        def feed(self, data: bytes) -> list[bytes | RejectReason]:
            found: list[bytes | RejectReason] = []
            for byte in data:
                if byte == 0:
                    self._end(found)
                    continue
                self._held.append(byte)
                if len(self._held) == self.begins:
                    self._held.clear()
            return found


@breaks("2.4")
class CountsBytesInOne(_Decoding):
    class decoder(BeginsAnewAtThe206th.decoder):
        begins = 256


@breaks("2.5")
class HearsShortFramesAlone(_Decoding):
    class decoder(FrameDecoder):
        def __init__(self) -> None:
            super().__init__(180)


@breaks("2.5")
class LooksAtNoCrc(_Decoding):
    class decoder(FrameDecoder):
        def _take(self, frame: bytes, found: list[bytes | RejectReason]) -> None:
            super()._take(frame, found)
            if found[-1] is RejectReason.BAD_CRC:
                found[-1] = cobs.decode(frame)[:-12]


@breaks("2.7")
class IsDeafBehindNoise(DeviceLink):
    _is_deaf = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        was, self._is_deaf = self._is_deaf, len(data) > 1000
        if not was:
            super().receive_data(data, now_s)


@breaks("2.8")
class SendsATag(DeviceLink):
    def data_to_send(self) -> bytes:
        said = super().data_to_send()
        if self._waiting or not said:
            return said
        body = HEADER.pack(FrameKind.HEARTBEAT_REPLY, self._opening or 0, self._boot, 1)
        return said + b"\0" + encode_frame(body, tag=b"\1" * 8)


@breaks("2.8")
class SendsAKindOfItsOwn(DeviceLink):
    def _send_pulse(self) -> None:
        if self._pulse is not None:
            self._io.unsent += b"\0" + encode_frame(HEADER.pack(0x90, self._opening or 0, self._boot, 1))
        super()._send_pulse()


# --- section 3


@breaks("3.1")
class NewestIsOneBehind(DeviceLink):
    def _send_pulse(self) -> None:
        self._next_event -= 1
        super()._send_pulse()
        self._next_event += 1


@breaks("3.1")
class NewestIsWhatIsAcknowledged(DeviceLink):
    def _send_answer(self, result: int) -> None:
        real, self._next_event = self._next_event, self._oldest()
        super()._send_answer(result)
        self._next_event = real


@breaks("3.2")
class AnswersUnknownKinds(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        rejected = sum(self.stats.rejected.values())
        super().receive_data(data, now_s)
        for piece in data.split(b"\0"):
            body = framing.decode_frame(piece) if piece else b""
            if isinstance(body, bytes) and body[:1] == b"\x05" and self._opening == int.from_bytes(body[1:5], "little"):
                self._pulse = 1
        assert sum(self.stats.rejected.values()) >= rejected


@breaks("3.3")
class TakesAnyHeartbeat(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload if payload in (b"\0", b"\1") else b"\0")


@breaks("3.2")
class TakesAnAckWithAPayload(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number, b"")


@breaks("3.2")
class TakesALongHello(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        short = payload[: HELLO_LAYOUT.size] if payload[:1] == b"\1" else payload
        super()._take_hello(header, short, now_s)


@breaks("3.4")
class SetsABitWithoutMeaning(DeviceLink):
    def set_status(self, status_payload: bytes) -> None:
        super().set_status(status_payload[:-1] + bytes((status_payload[-1] | 0x80,)))


@breaks("3.5")
class LooksAtThePayloadFirst(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        raise FrameError(RejectReason.WRONG_SESSION)

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_ours = (header.host_opening, header.device_boot) == (self._opening, self._boot)
        is_bad = (header.kind == FrameKind.HEARTBEAT and len(payload) != 1) or (
            header.kind == FrameKind.ACK and bool(payload)
        )
        if not is_ours and header.kind != FrameKind.HELLO and not is_bad and now_s >= self._no_session_from_s:
            self._no_session_from_s = now_s + 0.1
            self._io.send(Header(FrameKind.NO_SESSION, header.host_opening, self._boot, 0))
        super()._receive(header, payload, now_s)


@breaks("3.6")
class EventsCarryNoOpening(DeviceLink):
    def _header(self, kind: FrameKind, number: int) -> Header:
        header = super()._header(kind, number)
        return header._replace(host_opening=1) if kind is FrameKind.EVENT and number > 2 else header


@breaks("3.7")
class ExecutesCommandsOfAnotherBoot(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.kind == FrameKind.COMMAND and header.host_opening == self._opening:
            header = header._replace(device_boot=self._boot)
        super()._receive(header, payload, now_s)


@breaks("3.7")
class TakesAcksOfAnotherBoot(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.kind == FrameKind.ACK and not payload and header.number < self._next_event:
            self._forget_through(header.number)
        super()._receive(header, payload, now_s)


@breaks("3.7", "shoe")
class LivesOnFramesOfAnotherSession(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        self._heard(now_s)
        super()._refuse_session(header, now_s)


@breaks("3.8")
class TakesAHelloWithABoot(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._take_hello(header._replace(device_boot=0), payload, now_s)


@breaks("3.8")
class TakesAHelloWithANumber(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._take_hello(header._replace(number=0), payload, now_s)


@breaks("2.7", "shoe")
class DropsTheFrameBehindADamagedOne(DeviceLink):
    _is_behind = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        for found in self._io.frames(data):
            was, self._is_behind = self._is_behind, found is RejectReason.BAD_CRC
            if isinstance(found, tuple) and not was:
                self._receive(*found, now_s)


@breaks("3.1", "shoe")
class TheAnswerAgainHasTheNewestEventOfThen(DeviceLink):
    _then = 0

    def _send_answer(self, result: int) -> None:
        if not self._is_asked_again:
            self._then = self._next_event
        now, self._next_event = self._next_event, self._then
        super()._send_answer(result)
        self._next_event = now


@breaks("3.7", "shoe")
class ComparesTheLowByteOfABoot(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.kind != FrameKind.HELLO and header.device_boot % 256 == self._boot % 256:
            header = header._replace(device_boot=self._boot)
        super()._receive(header, payload, now_s)
