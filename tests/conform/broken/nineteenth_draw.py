"""Firmwares of a sceptic, nineteenth draw: a state or a value in which two rules meet."""

from typing import Any
from zlib import crc32

from msgspec.structs import replace

from firmware_protocols.framing import encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENT_WINDOW, EVENTS_KEPT, FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import covered
from firmware_protocols.tdp.shuffler import JamEnded, ShufflerResult
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


@breaks("9.5", "shuffler")
class UnknownCountsAreKeptInMemoryAlone:
    """Counts that prove nothing are not worth a write: after a start they are those of the last boot's beginning."""

    _at_start = (0, 0)

    def _begin(self, now_s: float) -> None:
        self._at_start = (self._memory.cards_in, self._memory.cards_out)
        super()._begin(now_s)

    def _power_lost(self) -> None:
        if self._memory.counts_unknown:
            self._memory.cards_in, self._memory.cards_out = self._at_start
        super()._power_lost()


@breaks("9.10", "shuffler")
class ARecountNumbersTheJamsAnew:
    """A recount writes its whole record anew, with the jams as they were when the last recount was made."""

    _jams = 0

    def _recount(self, now_s: float) -> None:
        if self._jams and not self._memory.jammed:
            self._memory.jams = self._jams
        super()._recount(now_s)
        self._jams = self._memory.jams


@breaks("9.22", "shuffler")
class ARefusalForTheCountsLeavesTheUnloading:
    """Unloading is not refused with counts unknown, so that the refusal of a release beside it leaves it on."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was = self._orders.unload
        result = super()._apply(wanted, now_s)
        if result == ShufflerResult.REFUSED_COUNTS_UNKNOWN and was and wanted.unload:
            self._orders.unload = True
        return result


@breaks("2.5", "display")
class TwoBadCopiesAlikeAreBelieved(DeviceLink):
    """A frame that fails its CRC is taken where the same bytes come again: noise is never twice the same."""

    _bad = _held = b""

    def receive_data(self, data: bytes, now_s: float) -> None:
        *whole, self._held = (self._held + data).split(b"\0")
        super().receive_data(b"".join(self._repaired(frame) + b"\0" for frame in whole), now_s)

    def _repaired(self, frame: bytes) -> bytes:
        body = _unstuffed(frame)
        if not 25 <= len(body) <= 204 or crc32(body[:-4]).to_bytes(4, "little") == body[-4:]:
            return frame
        is_again, self._bad = frame == self._bad, frame
        return encode_frame(body[:-12], body[-12:-4])[:-1] if is_again else frame


def _unstuffed(frame: bytes) -> bytes:
    """The block in a frame without its zero; b"" if it is no COBS."""
    out, at = bytearray(), 0
    while at < len(frame):
        if at + frame[at] > len(frame):
            return b""
        out += frame[at + 1 : at + frame[at]] + b"\0"
        at += frame[at]
    return bytes(out[:-1])


@breaks("5.5", "shuffler")
class ALockUnderTheSameNumberIsDone(DeviceLink):
    """Locking is never wrong: while it feeds or unloads, a lock is executed also under the number of the last one."""

    def _take_command(self, number: int, payload: bytes) -> None:
        is_lock = len(payload) == 12 and payload[0] == 1 and not any(payload[5:7])
        if number == self._command and self._result == 0 and is_lock and self._status[-2] & _MOVES:
            self._command, self._result = number - 1, None
        super()._take_command(number, payload)


_MOVES = 0b101  # of the flags: feed_open, unloading


@breaks("12.3", "display")
class AFaultInASilenceIsNotTold:
    """A fault counts as told where a silence asks for the fault picture: no host is there to be told."""

    def _tell_stuck(self, now_s: float) -> None:
        self._stuck_told = self._stuck_told or self._link.host_silent
        super()._tell_stuck(now_s)


@breaks("10.16", "shuffler")
class AReleaseRaisedWhileACardStandsInTheMouthIsForgotten:
    """The mouth looks at the release that it opened for: one that is raised meanwhile lets nothing go."""

    _opened_for: int | None = None
    _done: int | None = None

    def _move(self, now_s: float) -> None:
        was = self._presented
        super()._move(now_s)
        if self._presented and not was:
            self._opened_for = self._orders.release_until

    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        super()._count(work, motion, now_s)
        self._done, self._opened_for = self._opened_for if work is Work.PRESENT else None, None

    def _apply(self, wanted: Any, now_s: float) -> Any:
        self._done = None
        return super()._apply(wanted, now_s)

    def _next_work(self) -> Any:
        work = super()._next_work()
        is_done = self._done is not None and self._memory.owed(self._done) <= 0
        return None if work is Work.PRESENT and is_done else work


@breaks("10.4", "shuffler")
class AWordAheadOfTheJamLooksAtNoPath:
    """A word for a jam to come is taken for the maker's own reset: the path's sensor is not asked."""

    def _end_jam(self, wanted: Any, now_s: float) -> Any:
        is_ahead = self._memory.is_ended(wanted.jams_ended) and wanted.jams_ended != self._memory.jams
        if not is_ahead or not self.machine.path_blocked:
            return super()._end_jam(wanted, now_s)
        self._memory.jammed = False
        self._post(JamEnded(), now_s)
        return None


@breaks("18.6", "slots")
class TheKeyOfTheSessionBeforeIsGoodUntilTheFirstFrame(PairableLink):
    """Between HELLO and the new session's first frame the key of the session before is there still, and opens."""

    _old: bytes | None = None

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._old = self._key
        super()._begin_session(opening, host_nonce)

    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        is_right = super()._has_tag(key, header, payload)
        if header.kind == FrameKind.HELLO or key is None or self._old is None:
            return is_right
        if is_right:
            self._old = None
            return True
        return super()._has_tag(self._old, header, payload)


@breaks("11.5", "shoe")
class BehindAFullRingAPassageIsOneBehind:
    """A passage is the oldest's in the ring and those behind it: once one was pushed out, it stays behind."""

    def _post(self, event: Any, now_s: float) -> None:
        if hasattr(event, "passage") and self._link.waiting_events >= EVENTS_KEPT:
            event = replace(event, passage=(event.passage - 1) % 2**32)
        super()._post(event, now_s)


@breaks("4.8", "shuffler")
class AHelloCommitsTheWindowAlone(DeviceLink):
    """A HELLO commits no more events than the window has."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        waiting = list(self._waiting)
        super()._greet(header, payload, now_s)
        gone = len(waiting) - len(self._waiting)
        self._waiting.extendleft(reversed(waiting[EVENT_WINDOW:gone]))


@breaks("4.5", "display")
class AnOlderOpeningCountsOn(DeviceLink):
    """A session that takes over from a silent one by an older opening goes on with its commands."""

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        was, command = self._opening, self._command
        super()._open(opening, hello)
        if was is not None and (opening - was) % 2**32 >= 2**31:
            self._command = command


@breaks("12.5", "display")
class AFaultPictureChangesNoAmountAt48:
    """An apply of the fault picture that comes while 48 wait changes nothing: the picture stands already."""

    def _show(self, wanted: Any, now_s: float) -> None:
        if not (wanted.fault and self._link.must_lock):
            super()._show(wanted, now_s)


@breaks("9.24", "shuffler")
class ASilenceUnderTheLidLightsTheLamp:
    """With the lid open and no host the lamp calls for people."""

    def _status(self) -> Any:
        status = super()._status()
        return replace(status, lamp_lit=True) if self._link.host_silent and self.machine.lid_open else status


@breaks("18.12", "shoe")
class ACardsFourthSendingHasAnotherPad(PairableLink):
    """The fourth time that it is sent, a card has the pad of the number before."""

    _sent: dict[tuple[bytes, int], int]

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._sent = {}

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        size = rows.EVENT_LAYOUT.size
        if kind is not FrameKind.EVENT or self._key is None or payload[size] != 2:
            super()._send(kind, number, payload)
            return
        times = self._sent[self._key, number] = self._sent.get((self._key, number), 0) + 1
        event = covered(self._key, number - (times == 4), payload[size:], self._pairing.secret_at(payload[size:]))
        self._io.send(self._header(kind, number), payload[:size] + event, self._key)
