"""The fifteenth draw of broken firmwares, by a sceptic: thirty numbers drawn from all kinds and sections."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import PlainResult
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import CommandReceived, FrameKind, Header, SessionOpened, body_of
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import NONCE_BYTES, tag_of
from firmware_protocols.tdp.shoe import ReaderErrorCleared
from firmware_protocols.tdp.shuffler import JamEnded, Jammed, LidOpened, ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersStatus
from simulators.devices.shuffler_firmware import WIRE_PLACES
from tests.conform.broken.table import breaks


@breaks("2.4", "shuffler")
class AnIdleLineEndsTheDropping(DeviceLink):
    _last_s = 0.0

    def receive_data(self, data: bytes, now_s: float) -> None:
        decoder = self._io._decoder
        if decoder._discarding and now_s - self._last_s >= 0.05:
            decoder._discarding = False
        self._last_s = now_s
        super().receive_data(data, now_s)


class _Floor(DeviceLink):
    _floor = 0

    def _send_pulse(self) -> None:
        if self._pulse is not None:
            newest = max(self._next_event - 1, self._floor)
            body = rows.REPLY_LAYOUT.encode(rows.ReplyBody(newest))
            self._send(FrameKind.HEARTBEAT_REPLY, self._pulse, body + self._status)
            self._pulse = None


@breaks("3.1", "value-display")
class TheNewestEventIsThatOfTheBootBefore:
    link_type = _Floor

    def _new_link(self, now_s: float) -> Any:
        old = getattr(self, "_link", None)
        made = super()._new_link(now_s)
        made._floor = old._next_event - 1 if old is not None else 0
        return made


@breaks("3.2", "shuffler")
class AProvenHeartbeatMayBeLonger(PairableLink):
    def _is_whole(self, kind: int, payload: bytes) -> bool:
        if kind == FrameKind.HEARTBEAT and self._key is not None:
            return payload[:1] in (b"\x00", b"\x01")
        return super()._is_whole(kind, payload)

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if self._key is not None and len(payload) > 1:
            payload = payload[:1]
        super()._take_heartbeat(number, payload)


@breaks("3.5", "display")
class TheFlagIsLookedAtBeforeTheSession(DeviceLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_ours = (header.host_opening, header.device_boot) == (self._opening, self._boot)
        if header.kind == FrameKind.HEARTBEAT and (not is_ours) and (len(payload) == 1) and (payload[0] > 1):
            self.stats.rejected[RejectReason.OUT_OF_BOUNDS] += 1
            return
        super()._receive(header, payload, now_s)


@breaks("4.9", "shoe")
class TheNextEventCountsAsReached(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        hello = rows.HELLO_LAYOUT.decode(payload)
        if hello.committed_boot == self._boot and hello.committed_number == self._next_event:
            self._forget_through(hello.committed_number)


@breaks("4.14", "slots")
class TheLimitIsOfEachOpening(DeviceLink):
    _denied = -1

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if opening != self._denied:
            self._no_session_from_s = now_s
        self._denied = opening
        super()._deny(kind, opening, now_s, key)


@breaks("4.15", "slots")
class AMinorOf128IsNegative(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if len(payload) > 1 and payload[0] == 1 and (payload[1] >= 128):
            raise FrameError(RejectReason.OUT_OF_BOUNDS, "minor")
        super()._take_hello(header, payload, now_s)


@breaks("5.11", "shoe")
class AQueryClearsTheError:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        super()._answer(number, payload, now_s)
        if payload == b"\x02" and self._error is not None:
            self._error = None


@breaks("6.1", "value-display")
class TheQueueOutlivesTheStart:
    def _new_link(self, now_s: float) -> Any:
        old = getattr(self, "_link", None)
        made = super()._new_link(now_s)
        if old is not None and len(old._waiting) > 1:
            made._waiting, made._next_event = (old._waiting, old._next_event)
        return made


@breaks("7.6", "value-display")
class SendingAgainFeedsTheDeadMan(DeviceLink):
    def _send_again(self, now_s: float) -> None:
        super()._send_again(now_s)
        self._silent_at_s = now_s + 2.0


@breaks("9.5", "shoe")
class APassageIsStoredWhenAcknowledged:
    def _power_lost(self) -> None:
        lost = sum((payload[0] == 2 for _, payload in self._link._waiting))
        self._passages -= lost
        super()._power_lost()


@breaks("9.7", "shuffler")
class RecountsStayWhenCountsAreLost:
    def _forget_counts(self) -> None:
        kept = self._memory.recounts
        super()._forget_counts()
        self._memory.recounts = kept


@breaks("9.14", "shuffler")
class AJamLeavesUnloading:
    def _jam(self, stuck: Any, now_s: float) -> None:
        self._memory.jam()
        self._seen_blocked = True
        unload = self._orders.unload
        self._lock_down()
        self._orders.unload = unload
        self._post(Jammed(WIRE_PLACES[stuck.spot], stuck.cards), now_s)


@breaks("9.15", "shuffler")
class ALidLeavesWhatWaits:
    def _look_at_sensors(self, now_s: float) -> None:
        opens = self.machine.lid_open and (not self._seen_lid_open)
        if opens and self._work is None:
            self._seen_lid_open = True
            self._post(LidOpened(), now_s)
        super()._look_at_sensors(now_s)


@breaks("10.1", "shuffler")
class ACaughtCardIsNotInside:
    def _jam(self, stuck: Any, now_s: float) -> None:
        if self._memory.inside is not None:
            self._memory.inside -= stuck.cards
        super()._jam(stuck, now_s)


@breaks("10.5", "shuffler")
class TheLatchGoesBeforeTheLidIsSeen:
    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> ShufflerResult | None:
        if not self._memory.is_ended(wanted.jams_ended):
            return None
        if self.machine.path_blocked:
            return ShufflerResult.REFUSED_PATH_BLOCKED
        self._memory.jammed = False
        self._post(JamEnded(), now_s)
        if self.machine.lid_open:
            return ShufflerResult.REFUSED_LID_OPEN
        return None


@breaks("10.8", "shuffler")
class TheLampIsSetBeforeTheJamIsEnded:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> ShufflerResult:
        return super()._apply(replace(wanted, lamp=wanted.lamp or self._memory.jammed), now_s)


@breaks("10.29", "shuffler")
class TheLidEndsAJamThatWasClearedUnderIt:
    _blocked_under = False

    def _look_at_sensors(self, now_s: float) -> None:
        machine = self.machine
        if machine.lid_open and machine.path_blocked:
            self._blocked_under = True
        closes = self._seen_lid_open and (not machine.lid_open)
        if closes and self._blocked_under and (not machine.path_blocked) and self._memory.jammed:
            self._memory.jammed = False
        if closes:
            self._blocked_under = False
        super()._look_at_sensors(now_s)


@breaks("10.34", "shuffler")
class AnEmptyMachineIsCountedByUnloading:
    def _update(self, now_s: float) -> None:
        super()._update(now_s)
        machine = self.machine
        is_run_out = self._orders.unload and (not machine.can_deal) and (not machine.lid_open) and (not machine.jammed)
        if is_run_out and self._orders.recount_request is None and (self._memory.inside != 0):
            self._memory.inside = 0


@breaks("11.9", "shoe")
class AnErrorIsClearedByItsEventOnce:
    _is_told = False

    def clear_error(self, now_s: float) -> None:
        if self._error is None:
            return
        code, self._error = (self._error, None)
        if not self._is_told:
            self._post(ReaderErrorCleared(code), now_s)
        self._is_told = True
        self._settle(now_s)


@breaks("12.4", "display")
class TheTestPictureIsInTheStatus:
    _is_testing = True

    def _status(self) -> Any:
        status = super()._status()
        if self._is_testing:
            return replace(status, shown_cents=888888)
        return status

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened):
            self._is_testing = False
        super()._hear(happened, now_s)

    def _power_lost(self) -> None:
        super()._power_lost()
        self._is_testing = True


@breaks("12.5", "display")
class At48TheAmountIsForgotten:
    def _show(self, wanted: Any, now_s: float) -> None:
        if self._link.must_lock:
            return
        super()._show(wanted, now_s)


@breaks("13.1", "value-display")
class ASessionLoadsTheStatusFromTheCommand:
    _shadow: Any = None

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._wanted is not None:
            self._shadow = self._wanted
        if isinstance(happened, CommandReceived) and happened.payload[:1] == b"\x01":
            self._shadow = None
        super()._hear(happened, now_s)

    def _status(self) -> Any:
        values = self.values if self._shadow is None else self._shadow.values
        return MarkersStatus(*values, self._link.must_lock)

    def unstick(self, now_s: float) -> None:
        self._shadow = None
        super().unstick(now_s)

    def _power_lost(self) -> None:
        self._shadow = None
        super()._power_lost()


@breaks("13.3", "value-display")
class TheLastMarkerStaysOverAStart:
    def _power_lost(self) -> None:
        last = self._picture.turquoise
        super()._power_lost()
        self._picture = replace(self._picture, turquoise=last)


@breaks("14.5", "slots")
class TheSameCollectionCollectsAgain:
    def _apply(self, command: SlotsApply) -> None:
        before = self._collections
        super()._apply(command)
        if command.collection == before:
            self._take_in(command.seats)


@breaks("9.22", "shuffler")
class TheLastRefusalStopsNothing:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> ShufflerResult:
        before = replace(self._orders)
        result = super()._apply(wanted, now_s)
        if result is ShufflerResult.REFUSED_COUNTS_UNKNOWN:
            self._orders = before
        return result


@breaks("18.2", "display")
class EachDenialHasItsLimit(PairableLink):
    _not_proven_from_s = 0.0

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if kind is not FrameKind.NOT_PROVEN:
            super()._deny(kind, opening, now_s, key)
            return
        others, self._no_session_from_s = (self._no_session_from_s, self._not_proven_from_s)
        super()._deny(kind, opening, now_s, key)
        self._not_proven_from_s, self._no_session_from_s = (self._no_session_from_s, others)


@breaks("18.5", "shoe")
class ADroppedHelloLeavesItsNonce(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        nonce = payload[rows.HELLO_LAYOUT.size :]
        is_ours = self._key is not None and header.host_opening == self._opening and not self._silent
        is_whole = self._is_of_the_pair(header, payload) and len(nonce) == NONCE_BYTES
        is_other = is_ours and is_whole and nonce != self._host_nonce
        try:
            super()._greet(header, payload, now_s)
        finally:
            if is_other:
                self._host_nonce = nonce


@breaks("18.6", "value-display")
class HalfTheTagIsCompared(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        if key is None or key is not self._key:
            return super()._has_tag(key, header, payload)
        right = tag_of(key, body_of(header, payload))
        return right[:4] == header.tag[:4]


@breaks("18.14", "slots")
class TheSwitchLocksInTheStatusAlone:
    link_type = PairableLink

    def _obey(self, command: Any, now_s: float) -> Any:
        window = self._link._window_until_s
        if isinstance(command, SlotsApply) and window is not None and (not DeviceLink.must_lock.fget(self._link)):
            self._apply(command)
            self._update(now_s)
            return PlainResult.OK
        return super()._obey(command, now_s)
