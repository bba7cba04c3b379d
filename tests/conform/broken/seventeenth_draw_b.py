"""Firmwares of a sceptic, seventeenth draw, twenty more: chapter, then number, then kind."""

from typing import Any
from zlib import crc32

from msgspec.structs import replace

from firmware_protocols.errors import RejectReason
from firmware_protocols.framing import CRC_BYTES, MAX_BODY, NO_TAG, TAG_BYTES
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, body_of
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import is_proven
from tests.conform.broken.table import breaks


@breaks("7.8", "shoe")
class AShortSilenceIsAHiccup:
    """A silence of less than 0.5 s behind its beginning was no silence: the lock is as it was before."""

    _was_open = False
    _silent_s = 0.0

    def on_time(self, now_s: float) -> None:
        was, was_open = self._link.must_lock, not self._locked
        super().on_time(now_s)
        if not was and self._link.must_lock and self._link.in_session:
            self._was_open, self._silent_s = was_open, now_s

    def receive_data(self, data: bytes, now_s: float) -> None:
        was, opening = self._link.must_lock, self._link._opening
        super().receive_data(data, now_s)
        if was and not self._link.must_lock:
            if self._was_open and now_s < self._silent_s + 0.5 and opening == self._link._opening:
                self._locked = False
                self._settle(now_s)
            self._was_open = False

    def _power_lost(self) -> None:
        self._was_open = False
        super()._power_lost()


@breaks("14.2", "slots")
class SeesChangesByAChecksum:
    """Changes are seen by chips ^ broken ^ collections: 1 ^ 0 and 0 ^ 1 are the same."""

    def _update(self, now_s: float) -> None:
        told, status = self._told, self._status()
        now = (status.chips, status.broken, status.collections)
        if now != told and now[0] ^ now[1] ^ now[2] == told[0] ^ told[1] ^ told[2]:
            self._told = now
            return
        super()._update(now_s)


@breaks("14.4", "slots")
class ASlotThatBlinksIsNotOpened:
    """The task that blinks holds the slot's port: where the lamp blinks already, the collection leaves the chip."""

    def _apply(self, command: Any) -> None:
        self._held = self._blinking
        super()._apply(command)

    def _take_in(self, slots: int) -> None:
        super()._take_in(slots & ~self._held)


@breaks("11.10", "shoe")
class AnErrorThatStandsAtAStartIsAFlagAlone:
    """The reader's task forgets an error with the power, and reads on, though the status says `error`."""

    _forgotten = False

    def _power_lost(self) -> None:
        self._forgotten = self._error is not None
        super()._power_lost()

    def _read(self, card: Any) -> int:
        if self._error is None or not self._forgotten:
            return super()._read(card)
        kept, self._error = self._error, None
        read = super()._read(card)
        self._error = kept
        return read

    def clear_error(self, now_s: float) -> None:
        self._forgotten = False
        super().clear_error(now_s)


@breaks("3.6", "value-display")
class SendsTheFramesOfTheSessionBefore(DeviceLink):
    """Events wait as whole frames: in a new session they go once with the opening of the one before."""

    _before: Any = None
    _built: Any = None

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        before = self._opening
        super()._open(opening, hello)
        if before is not None:
            self._before, self._built = before, {number for number, _ in self._waiting}

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._built and number in self._built:
            self._built.discard(number)
            self._io.send(Header(kind, self._before, self._boot, number), payload)
            return
        super()._send(kind, number, payload)


@breaks("7.6", "shoe")
class ARetransmissionStartsTheSilenceAnew(DeviceLink):
    """One timer object: sending the events again restarts the dead man's time too."""

    def _send_again(self, now_s: float) -> None:
        super()._send_again(now_s)
        if self._waiting and not self._silent:
            self._silent_at_s = max(self._silent_at_s, now_s + 2.0)


@breaks("2.5", "shoe")
class TakesALastBlockThatIsTooLong(DeviceLink):
    """The COBS decoder stops at the end of the frame, also where the last code promises more bytes."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        inner = self._io._decoder._decode

        def lenient(frame: bytes) -> Any:
            found = inner(frame)
            if found is not RejectReason.BAD_COBS:
                return found
            out, at = bytearray(), 0
            while at < len(frame):
                code = frame[at]
                if code == 0:
                    return found
                out += frame[at + 1 : at + code]
                at += code
                if at < len(frame) and code < 255:
                    out.append(0)
            block = bytes(out)
            is_long = TAG_BYTES + CRC_BYTES < len(block) <= MAX_BODY + TAG_BYTES + CRC_BYTES
            if not is_long or crc32(block) != 0x2144DF1C or not block[:-CRC_BYTES].endswith(NO_TAG):
                return found
            return block[: -CRC_BYTES - TAG_BYTES]

        self._io._decoder._decode = lenient


@breaks("9.5", "shuffler")
class LooksIntoItsSlotsAtEachStart:
    """`inside` is what the slot sensors see at a start, without a recount."""

    def _begin(self, now_s: float) -> None:
        seen = self.machine.inside
        if self._memory.inside is not None and self._memory.inside != seen:
            self._memory.inside = seen
        super()._begin(now_s)


@breaks("12.1", "display")
class HalfTheAmountIsTheCommands:
    """A torn u64: the upper half of shown_cents is the command's, the lower half is read back."""

    def _status(self) -> Any:
        status = super()._status()
        if self._wanted is None or self._wanted.cents >> 32 == status.shown_cents >> 32:
            return status
        return replace(status, shown_cents=self._wanted.cents >> 32 << 32 | status.shown_cents & 0xFFFFFFFF)


@breaks("7.3", "shuffler")
class ASlowHostReadsTheReplyOfBefore(DeviceLink):
    """not_yet_durable returns early with the reply's buffer as it was filled last."""

    _kept: Any = None
    _is_slow = False

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._kept = None

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        self._is_slow = payload == b"\1"

    def _send_pulse(self) -> None:
        if self._pulse is None:
            return
        now = rows.REPLY_LAYOUT.encode(rows.ReplyBody(self._next_event - 1)) + self._status
        if self._is_slow and self._kept is not None and self._kept != now:
            self._send(FrameKind.HEARTBEAT_REPLY, self._pulse, self._kept)
            self._pulse = None
            return
        self._kept = now
        super()._send_pulse()


@breaks("18.6", "display")
class TheKeyOfThePairProvesAFrameToo(PairableLink):
    """One function verifies with either key: a frame of the session with the pair's tag is taken."""

    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        if super()._has_tag(key, header, payload):
            return True
        pair = self._pairing.key
        if key is None or key == pair or pair is None or header.kind == FrameKind.HELLO:
            return False
        return is_proven(pair, body_of(header, payload), header.tag)


@breaks("7.4", "shuffler")
class AnAckOutOfBoundsIsNoLife(DeviceLink):
    """An ACK of an event that was never made is thrown away before the timer is touched."""

    def _heard(self, now_s: float) -> None:
        if not self._is_wild:
            super()._heard(now_s)

    _is_wild = False

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._is_wild = header.kind == FrameKind.ACK and header.number >= self._next_event
        super()._receive(header, payload, now_s)
        self._is_wild = False


@breaks("4.6", "value-display")
class TheRingKeepsTheLowByteOfANumber(DeviceLink):
    """uint8_t in the ring: in a new session the upper bytes are those of the counter now."""

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        upper = (self._next_event - 1) & ~0xFF
        for at, (number, payload) in enumerate(self._waiting):
            if number & ~0xFF != upper:
                self._waiting[at] = (upper | number & 0xFF, payload)


@breaks("11.2", "shoe")
class EverySecondStartReadsTheOtherPlace:
    """Two places in the EEPROM, and counts_unknown stands in one: the second start behind it reads the other."""

    _starts = 0

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._starts = 0

    def _begin(self, now_s: float) -> None:
        if self._counts_unknown:
            self._starts += 1
            if self._starts == 3:
                self._counts_unknown = False
        super()._begin(now_s)


@breaks("14.3", "slots")
class ItsRingOfFourCellsEndsTooEarly:
    """The number goes round four cells; the search for the newest one does not look behind the end of the ring."""

    def _power_lost(self) -> None:
        if self._collections and self._collections % 4 == 0:
            self._collections -= 1
        super()._power_lost()


@breaks("10.20", "shuffler")
class NoRequestIs65535:
    """recount_request 0xFFFF means none, as an empty EEPROM has it."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        if self._orders.recount_request == 0xFFFF:
            self._orders.recount_request = None
        return result


@breaks("13.5", "value-display")
class WhatWasToldAtFortyEightComesLater:
    """The apply waits in its buffer, and is shown when fewer events wait."""

    _later: Any = None

    def _obey(self, command: Any, now_s: float) -> Any:
        if hasattr(command, "red"):
            self._later = command if self._link.must_lock else None
        return super()._obey(command, now_s)

    def _settle(self, now_s: float) -> None:
        if self._later is not None and not self._link.must_lock:
            later, self._later = self._later, None
            self._show(later, now_s)
        super()._settle(now_s)

    def _power_lost(self) -> None:
        self._later = None
        super()._power_lost()


@breaks("9.26", "value-display")
class TheResetRegisterIsNeverCleared:
    """From the third power-on the cause is 3, of a reset long ago."""

    _starts = 0

    def _started(self, cause: StartCause) -> Any:
        self._starts += 1
        if self._starts < 3:
            return super()._started(cause)
        return super()._started(StartCause(3))


@breaks("7.5", "display")
class SixteenSlowHeartbeatsLock(DeviceLink):
    """Sixteen heartbeats running that say not_yet_durable are a dead host."""

    _slow = 0

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._slow = 0

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        self._slow = self._slow + 1 if payload == b"\1" else 0

    @property
    def must_lock(self) -> bool:
        return super().must_lock or self._slow >= 16
