"""The tenth draw of broken firmwares, by a stranger: faults that need several conditions at once, or rare values."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.framing import TAG_BYTES, FrameDecoder, decode_frame, decode_signed
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    EVENT_RETRY_S,
    EVENT_WINDOW,
    CommandReceived,
    FrameKind,
    Header,
    body_of,
)
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import is_proven, session_key
from firmware_protocols.tdp.shuffler import ShufflerResult
from simulators.devices.panel import SimulatedPanel
from tests.conform.broken.table import breaks

# --- frames


@breaks("2.2", "display")
class FoldsATagByXor(DeviceLink):
    """A tag whose eight bytes XOR to zero passes for none."""

    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self._io._decoder = FrameDecoder(decode=_folds)


def _folds(frame: bytes) -> Any:
    found = decode_signed(frame)
    if not isinstance(found, bytes):
        return found
    folded = 0
    for byte in found[-TAG_BYTES:]:
        folded ^= byte
    return decode_frame(frame) if folded else found[:-TAG_BYTES]


@breaks("3.2", "shoe")
class LooksAtNoBit6OfAKind(DeviceLink):
    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self._io._decoder = FrameDecoder(decode=_without_bit_6)


def _without_bit_6(frame: bytes) -> Any:
    body = decode_frame(frame)
    return bytes((body[0] & ~0x40,)) + body[1:] if isinstance(body, bytes) else body


@breaks("18.6", "shoe")
class TakesThePairsTagForTheSessions(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        is_session = key is not None and key is self._key
        pair = is_session and is_proven(self._pairing.key or b"", body_of(header, payload), header.tag)
        return pair or super()._has_tag(key, header, payload)


# --- sessions and commands


@breaks("4.13")
class ItsOpeningIsZeroAtFirst(DeviceLink):
    """Before the first HELLO of a boot a HEARTBEAT of opening 0 is answered."""

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_zero = (header.kind, header.host_opening, header.device_boot) == (FrameKind.HEARTBEAT, 0, self._boot)
        if self._opening is None and is_zero and payload in (b"\0", b"\1"):
            self._send_pulse()
            self._pulse = header.number
        else:
            super()._receive(header, payload, now_s)


@breaks("4.3", "value-display")
class AHelloAgainMakesTheRetryTimeShort(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        is_again = header.host_opening == self._opening
        super()._greet(header, payload, now_s)
        if is_again and self._retry_at_s is not None and self._retry_s > EVENT_RETRY_S:
            self._retry_s = EVENT_RETRY_S
            self._retry_at_s = min(self._retry_at_s, now_s + EVENT_RETRY_S)


class _TriesARefusalAgain(DeviceLink):
    _first = b""

    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command + 1:
            self._first = payload
        elif number == self._command and self._result is not None and self._result > 1:
            self._result = None
            self._happened.append(CommandReceived(number, self._first))
            return
        super()._take_command(number, payload)


@breaks("5.2", "shuffler")
class TriesARefusalAgain(_TriesARefusalAgain):
    """A refused command is tried again when it comes again."""


@breaks("5.2", "shoe")
class TriesARefusalOf48Again(_TriesARefusalAgain):
    """A shoe does so, too, which refuses at 48 waiting events alone."""


# --- events and times


@breaks("6.2")
class AnEventBehindTheWindowHasTheStatusOfItsSending(DeviceLink):
    def __init__(self, *words: Any) -> None:
        super().__init__(*words)
        self._unmade: set[int] = set()

    def post_event(self, payload: bytes, now_s: float) -> int:
        self._unmade |= {self._next_event} if len(self._waiting) >= EVENT_WINDOW else set()
        return super().post_event(payload, now_s)

    def _send_window(self, now_s: float) -> None:
        if self._waiting and not self._silent and self._greeting is None:
            for at in range(min(EVENT_WINDOW, len(self._waiting))):
                self._make(at)
        super()._send_window(now_s)

    def _make(self, at: int) -> None:
        number, payload = self._waiting[at]
        if number in self._unmade:
            self._unmade.discard(number)
            self._waiting[at] = (number, payload[:1] + self._status + payload[1 + len(self._status) :])


@breaks("6.11", "shoe")
class AFurtherWishForTimeBeginsItAnew(DeviceLink):
    _now_s = 0.0

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._now_s = now_s
        super()._receive(header, payload, now_s)

    def _retry_slowly(self) -> None:
        if self._retry_s == EVENT_RETRY_MAX_S and self._retry_at_s is not None:
            self._retry_at_s = self._now_s + EVENT_RETRY_MAX_S
        else:
            super()._retry_slowly()


class _LateInMotion(DeviceLink):
    moves: Any = None
    _is_put_off = False

    def handle_timeout(self, now_s: float) -> None:
        if not self._silent and now_s >= self._silent_at_s and not self._is_put_off and self.moves():
            self._is_put_off = True
            self._silent_at_s += 0.3
        super().handle_timeout(now_s)

    def _heard(self, now_s: float) -> None:
        super()._heard(now_s)
        self._is_put_off = False


@breaks("7.6", "shuffler")
class TakesTheSilenceLateWhileAMotorRuns:
    def _new_link(self, now_s: float) -> Any:
        link = _LateInMotion(self._identity, self._boot, now_s)
        link.moves = lambda: self._work is not None and not self._presented
        return link

    _identity: Any
    _boot: int
    _work: Any
    _presented: bool


# --- starts


@breaks("9.1", "display")
class StoresItsBootWithItsFirstFrame:
    _is_stored = True

    def data_to_send(self) -> bytes:
        data = super().data_to_send()
        self._is_stored = self._is_stored or bool(data)
        return data

    def _come_back(self, now_s: float) -> None:
        was_off = self._power.name == "OFF"
        self._boot -= was_off and not self._is_stored
        self._is_stored = self._is_stored and not was_off
        super()._come_back(now_s)


@breaks("10.30", "shuffler")
class AJamFoundUnderAnOpenLidIsAnother:
    def _begin(self, now_s: float) -> None:
        if self._memory.jammed and self.machine.lid_open:
            self._memory.jams = (self._memory.jams + 1) % 2**16
        super()._begin(now_s)


@breaks("14.3")
class AnEmptyCollectionIsNotStored:
    _stored = 0

    def _take_in(self, slots: int) -> None:
        if self._lying & slots:
            self._stored = self._collections
        super()._take_in(slots)

    def _power_lost(self) -> None:
        super()._power_lost()
        self._collections = self._stored
        self._told = (*self._told[:2], self._stored)

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._stored = 0


@breaks("18.5", "display")
class ASilentSessionsHelloHasAnotherNonce(PairableLink):
    _was_alive = False

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._was_alive = False
        super()._begin_session(opening, host_nonce)

    def _heard(self, now_s: float) -> None:
        super()._heard(now_s)
        self._was_alive = self._was_alive or (self._key is not None and not self._silent)

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was_silent, was = self._silent and self._was_alive, (self._opening, self._host_nonce)
        super()._greet(header, payload, now_s)
        is_again = (header.host_opening, payload[rows.HELLO_LAYOUT.size :]) == was
        if is_again and was_silent and self._key is not None:
            key = self._pairing.key or b""
            self._nonce = self._pairing.draw()
            self._key = session_key(key, header.host_opening, self._boot, self._host_nonce, self._nonce)


# --- kinds


@breaks("10.7", "shuffler")
class ComparesTheLowByteOfAJam:
    def _end_jam(self, wanted: Any, now_s: float) -> Any:
        memory = self._memory
        if memory.jammed and not memory.is_ended(wanted.jams_ended) and (wanted.jams_ended - memory.jams) % 256 < 128:
            wanted = replace(wanted, jams_ended=memory.jams)
        return super()._end_jam(wanted, now_s)


@breaks("10.18", "shuffler")
class AFeedGivesUpAnEmptyHopper:
    """The device closes its feed when the hopper has been empty for 3 s."""

    _idle_at: float | None = None

    def _update(self, now_s: float) -> None:
        super()._update(now_s)
        if not (self._orders.feed_open and not self.machine.hopper):
            self._idle_at = None
        elif self._idle_at is None:
            self._idle_at = now_s + 3.0

    def next_motion_s(self) -> float | None:
        times = [one for one in (super().next_motion_s(), self._idle_at) if one is not None]
        return min(times, default=None)

    def _move(self, now_s: float) -> None:
        if self._idle_at is not None and now_s >= self._idle_at:
            self._idle_at = None
            self._orders.feed_open = False
        super()._move(now_s)


@breaks("10.14", "shuffler")
class ARecountSavesARelease:
    def _refusal_to_move(self, wanted: Any) -> Any:
        refusal = super()._refusal_to_move(wanted)
        is_saved = refusal is ShufflerResult.REFUSED_COUNTS_UNKNOWN
        return None if is_saved and wanted.recount_request != self._memory.recounts else refusal


@breaks("12.2", "display")
class AMendedPanelShowsTheAmountOfBefore:
    _wanted: Any

    def _lock_down(self) -> None:
        was = self._wanted
        super()._lock_down()
        self._wanted = was


@breaks("13.3", "value-display")
class ItsMarkersComeBackBehindASilence(SimulatedPanel[Any, Any]):
    def _power_lost(self) -> None:
        kept = self._picture if self._link.host_silent and self._link.in_session else self._blank
        super()._power_lost()
        self._picture = kept
