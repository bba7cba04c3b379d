"""The fifteenth draw, third part: faults in two states at once, state left by a dropped frame, and neighbours of
earlier faults.
"""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENTS_LOCK, SILENT_AFTER_S, FrameKind, Header, SessionOpened
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import NONCE_BYTES
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersStatus
from tests.conform.broken.table import breaks


def in_window(device: Any) -> bool:
    return device._link._window_until_s is not None and (not DeviceLink.must_lock.fget(device._link))


@breaks("18.14", "shoe")
class TheSwitchLetsUnlock:
    link_type = PairableLink

    def _obey(self, command: Any, now_s: float) -> Any:
        result = super()._obey(command, now_s)
        if getattr(command, "locked", None) is False and in_window(self):
            self._wanted_open = True
            return type(result)(0)
        return result


@breaks("18.14", "display")
class TheSwitchLetsShow:
    link_type = PairableLink

    def _show(self, wanted: Any, now_s: float) -> None:
        super()._show(wanted, now_s)
        if in_window(self) and (not wanted.fault):
            self._picture = wanted

    def _lock_down(self) -> None:
        if not in_window(self):
            super()._lock_down()


@breaks("18.14", "shuffler")
class TheSwitchRefusesNoFeed:
    link_type = PairableLink

    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        found = super()._refusal_to_move(wanted)
        if found is ShufflerResult.REFUSED_HOST_SILENT and in_window(self):
            return None
        return found


@breaks("18.5", "display")
class InASilenceTheNonceIsNew(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if self._key is not None and self._silent and (header.host_opening == self._opening):
            is_again = payload[10:] == self._host_nonce and self._is_of_the_pair(header, payload)
            self._opening = None if is_again else self._opening
        super()._greet(header, payload, now_s)


@breaks("18.12", "shoe")
class TheFaceIsCoveredInPlace(PairableLink):
    _done: dict = {}

    def _open(self, opening: int, hello: Any) -> None:
        super()._open(opening, hello)
        self._done = {}

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None and self._done.get(number, 0) % 2:
            self._io.send(self._header(kind, number), payload, self._key)
        else:
            super()._send(kind, number, payload)
        if kind is FrameKind.EVENT:
            self._done[number] = self._done.get(number, 0) + 1


@breaks("12.2", "display")
class AStuckPanelHearsOfNoSession:
    def _hear(self, happened: Any, now_s: float) -> None:
        kept = self._wanted
        super()._hear(happened, now_s)
        if isinstance(happened, SessionOpened) and kept is not None:
            self._wanted = kept


@breaks("12.2", "display")
class AStuckPanelHearsOfNoSilence:
    def _settle(self, now_s: float) -> None:
        kept = self._wanted
        super()._settle(now_s)
        if kept is not None and self._link._silent and (self._link._opening is not None) and (self._wanted is not None):
            self._wanted = kept


@breaks("11.2", "shoe")
class TheSecondStartKnowsItsCount:
    _starts = 0

    def _power_lost(self) -> None:
        super()._power_lost()
        self._starts += self._counts_unknown
        if self._counts_unknown and self._starts > 1:
            self._counts_unknown, self._starts = (False, 0)


@breaks("10.14", "shuffler")
class UnknownCountsRefuseARecount:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        found = super()._refusal_to_move(wanted)
        if found is None and self._memory.counts_unknown and (wanted.recount_request != self._memory.recounts):
            return ShufflerResult.REFUSED_COUNTS_UNKNOWN
        return found


@breaks("10.19", "shuffler")
class AnEmptyMachineEndsTheUnloading:
    def _update(self, now_s: float) -> None:
        machine = self.machine
        is_empty = not machine.inside and not machine.jammed and not machine.lid_open
        if self._orders.unload and is_empty and self._orders.recount_request is None:
            self._orders.unload = False
        super()._update(now_s)


@breaks("10.18", "shuffler")
class AnEmptyHopperClosesTheFeed:
    _fed = False

    def _update(self, now_s: float) -> None:
        super()._update(now_s)
        if self._orders.feed_open and (not self.machine.hopper) and self._fed:
            self._orders.feed_open = False
        self._fed = bool(self.machine.hopper)


@breaks("10.13", "shuffler")
class At48ARecountIsDone:
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        found = super()._refusal_to_move(wanted)
        moves = wanted.feed_open or wanted.unload or self._memory.owed(wanted.release_until) > 0
        if found is ShufflerResult.REFUSED_HOST_SILENT and (not moves):
            return None
        return found


@breaks("10.4", "shuffler")
class TheLidIsSeenBeforeThePath:
    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        if self._memory.is_ended(wanted.jams_ended) and self.machine.lid_open:
            return ShufflerResult.REFUSED_LID_OPEN
        return super()._end_jam(wanted, now_s)


@breaks("9.23", "shoe")
class TheLockOf48EndsAt24(DeviceLink):
    _latched = False

    @property
    def must_lock(self) -> bool:
        waiting = len(self._waiting) + self._is_one_coming
        if waiting >= EVENTS_LOCK:
            self._latched = True
        elif waiting <= 24:
            self._latched = False
        return self._silent or self._latched


@breaks("14.6", "slots")
class ACollectionLightsItsLamps:
    def _take_in(self, slots: int) -> None:
        self._lit |= self._lying & slots
        super()._take_in(slots)


@breaks("14.9", "slots")
class At48ACollectionIsMade:
    def _obey(self, command: Any, now_s: float) -> Any:
        is_full = self._link.must_lock and not self._link._silent
        if isinstance(command, SlotsApply) and is_full and command.collection == (self._collections + 1) % 65536:
            self._collections = command.collection
            self._take_in(command.seats)
            self._update(now_s)
        return super()._obey(command, now_s)


@breaks("18.1", "shoe")
class ADeniedHelloCommits(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if self.is_paired and (not self._is_of_the_pair(header, payload)) and (len(payload) >= 10):
            hello = rows.HELLO_LAYOUT.decode(payload[:10])
            if hello.committed_boot == self._boot and hello.committed_number < self._next_event:
                self._forget_through(hello.committed_number)
        super()._greet(header, payload, now_s)


@breaks("18.1", "value-display")
class ADeniedHelloIsASign(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        is_denied = self.is_paired and not self._is_of_the_pair(header, payload)
        if is_denied and header.host_opening == self._opening and not self._silent:
            self._silent_at_s = now_s + SILENT_AFTER_S
        super()._greet(header, payload, now_s)


@breaks("3.2", "display")
class ALongPairIsTaken(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        if len(key) > 32 and self._window_until_s is not None:
            key = key[:32]
        super()._take_pair(header, key)


@breaks("18.6", "shoe")
class AnAckIsTakenWithoutATag(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        if key is not None and key is self._key and (header.kind == FrameKind.ACK) and (header.tag == NO_TAG):
            return True
        return super()._has_tag(key, header, payload)


@breaks("13.2", "value-display")
class AMarkersFaultIsToldOnce:
    _ever = False

    def _tell_stuck(self, now_s: float) -> None:
        if not self._ever:
            self._ever = True
            super()._tell_stuck(now_s)


@breaks("9.18", "shuffler")
class ASessionPutsOutTheLamp:
    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened):
            self._memory.lamp = False
        super()._hear(happened, now_s)


@breaks("2.3", "display")
class APauseBeginsTheFrameAnew(DeviceLink):
    _last_s = 0.0

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self._io._decoder._held and now_s - self._last_s >= 0.1:
            self._io._decoder._held.clear()
        self._last_s = now_s
        super().receive_data(data, now_s)


@breaks("11.9", "shoe")
class ASessionForgetsTheError:
    _hidden = False

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._error is not None:
            self._hidden = True
        super()._hear(happened, now_s)

    def raise_error(self, code: int, now_s: float) -> None:
        self._hidden = False
        super().raise_error(code, now_s)

    def _status(self) -> Any:
        status = super()._status()
        return replace(status, error=False) if self._hidden else status

    def clear_error(self, now_s: float) -> None:
        self._hidden = False
        super().clear_error(now_s)


@breaks("13.1", "value-display")
class TheEndOfASilenceLoadsTheStatus:
    _shadow: Any = None

    def _settle(self, now_s: float) -> None:
        was = self._was_silent
        self._was_silent = self._link._silent
        if was and (not self._link._silent) and (self._wanted is not None) and (self._wanted != self._picture):
            self._shadow = self._wanted
        if self._wanted is None:
            self._shadow = None
        super()._settle(now_s)

    _was_silent = True

    def _status(self) -> Any:
        values = self.values if self._shadow is None else self._shadow.values
        return MarkersStatus(*values, self._link.must_lock)


@breaks("12.1", "display")
class TheIdentitySaysWhatWasTold:
    class link_type(DeviceLink):
        said = staticmethod(lambda status: status)

        def _send_identity(self, opening: int) -> None:
            kept = self._status
            self._status = self.said(kept)
            super()._send_identity(opening)
            self._status = kept

    def _new_link(self, now_s: float) -> Any:
        made = super()._new_link(now_s)

        def said(status: bytes) -> bytes:
            if self._wanted is not None and self._wanted.cents != self._picture.cents:
                return self._wanted.cents.to_bytes(8, "little") + status[8:]
            return status

        made.said = said
        return made


@breaks("9.5", "shuffler")
class InsideIsStoredWithEachFifthCard:
    _stored = 0

    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        super()._count(work, motion, now_s)
        if (self._memory.cards_in + self._memory.cards_out) % 5 == 0:
            self._stored = self._memory.inside
        self._fresh = True

    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._stored = self._memory.inside

    def _power_lost(self) -> None:
        if self._memory.inside is not None and self._stored is not None and (self._stored != self._memory.inside):
            self._memory.inside = self._stored
        super()._power_lost()


@breaks("5.4", "shoe")
class CommandZeroIsAnsweredInANewSession(DeviceLink):
    _kept: int | None = None

    def _open(self, opening: int, hello: Any) -> None:
        kept = self._result
        super()._open(opening, hello)
        self._result = kept


@breaks("5.11", "shuffler")
class AQueryInAJamPutsTheLampOut:
    _out = False

    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        super()._answer(number, payload, now_s)
        self._out = (self._out or payload == b"\x02") and self._memory.jammed

    def _status(self) -> Any:
        s = super()._status()
        return replace(s, lamp_lit=False) if self._out and self._memory.jammed else s


@breaks("5.11", "slots")
class AQueryStopsWhatBlinks:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        super()._answer(number, payload, now_s)
        if payload == b"\x02" and self._blinking:
            self._blinking = 0


@breaks("18.14", "value-display")
class TheSwitchLetsMark:
    link_type = PairableLink

    def _takes_pictures(self) -> Any:
        if in_window(self):
            return True
        return super()._takes_pictures()


@breaks("18.14", "display")
class TheSwitchForgetsTheAmount:
    link_type = PairableLink

    def _show(self, wanted: Any, now_s: float) -> None:
        if in_window(self):
            return
        super()._show(wanted, now_s)


@breaks("18.13", "shoe")
class TheSwitchIsAToggle(PairableLink):
    def allow_pairing(self, now_s: float) -> None:
        if self._window_until_s is None:
            super().allow_pairing(now_s)
        else:
            self._window_until_s = now_s


@breaks("18.5", "slots")
class AShortHelloLeavesItsNonce(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        nonce = payload[10:]
        bad = self._key is not None and self._is_of_the_pair(header, payload) and (len(nonce) != NONCE_BYTES)
        try:
            super()._greet(header, payload, now_s)
        finally:
            if bad:
                self._host_nonce = nonce


@breaks("18.5", "shuffler")
class AStrangersHelloMakesANewNonce(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if self._key is not None and (not self._is_of_the_pair(header, payload)):
            self._nonce = self._pairing.draw()
        super()._greet(header, payload, now_s)


@breaks("12.1", "display")
class TheFaultEventHasWhatWasTold:
    _telling = False

    def _tell_stuck(self, now_s: float) -> None:
        self._telling = True
        super()._tell_stuck(now_s)
        self._telling = False

    def _status(self) -> Any:
        s = super()._status()
        if self._telling and self._wanted is not None:
            return replace(s, shown_cents=self._wanted.cents)
        return s


@breaks("2.4", "display")
class EachReadCountsAnew(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        d = self._io._decoder
        if d._discarding:
            d._discarding = False
        super().receive_data(data, now_s)


@breaks("10.34", "shuffler")
class AClosedLidMakesInsideUnknown:
    def close_lid(self, now_s: float) -> None:
        if self.machine.lid_open and self._memory.inside is not None:
            self._memory.inside = None
        super().close_lid(now_s)


@breaks("10.14", "shuffler")
class UnknownCountsRefuseUnloading:
    def _refusal_to_move(self, wanted: Any) -> Any:
        found = super()._refusal_to_move(wanted)
        if found is None and self._memory.counts_unknown and wanted.unload:
            return ShufflerResult.REFUSED_COUNTS_UNKNOWN
        return found
