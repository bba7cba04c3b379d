"""The fourth draw of broken firmwares, of every kind: written from the text once the kit had found all of the third."""

from typing import Any

from msgspec import structs

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.common import Query
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import NO_KEY
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerResult
from tests.conform.broken.shufflers import Told
from tests.conform.broken.table import breaks


@breaks("9.18", "shuffler")
class At48TheLampGoesOut:
    def _lock_down(self) -> None:
        super()._lock_down()
        if self._link.must_lock and not self._link.host_silent:
            self._memory.lamp = False


@breaks("10.18", "shuffler")
class AReleaseEndsAFeed(Told):
    def _changed(self, c: ShufflerApply) -> ShufflerApply:
        return structs.replace(c, feed_open=False) if self._owed(c) > 0 else c


@breaks("10.8", "shuffler")
class AFeedPutsTheLampOut(Told):
    def _changed(self, c: ShufflerApply) -> ShufflerApply:
        return structs.replace(c, lamp=c.lamp and not c.feed_open)


@breaks("18.15", "shoe")
class ForgetsItsGiverWithASession(PairableLink):
    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        self._paired_by = None


@breaks("18.16")
class TakesNoZerosWithoutAKey(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        if key == NO_KEY and not self.is_paired:
            raise FrameError(RejectReason.OUT_OF_BOUNDS, "zeros")
        super()._take_pair(header, key)


@breaks("4.8")
class ACommitOfTheNewestIsNone(DeviceLink):
    def _take_hello(self, h: Header, p: bytes, now_s: float) -> None:
        if len(p) == 10 and int.from_bytes(p[6:10], "little") == self._next_event - 1:
            p = p[:2] + bytes(8)
        super()._take_hello(h, p, now_s)


@breaks("9.20", "shuffler")
class ARecountSurvivesAStart:
    _asked = None

    def _power_lost(self) -> None:
        self._asked = self._orders.recount_request
        super()._power_lost()

    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if self._asked is not None:
            self._orders.recount_request, self._asked = self._asked, None


@breaks("10.25", "shuffler")
class ARefusalForThePathFeeds:
    def _apply(self, w: ShufflerApply, now_s: float) -> Any:
        r = super()._apply(w, now_s)
        if r is ShufflerResult.REFUSED_PATH_BLOCKED:
            self._orders.feed_open = w.feed_open
        return r


@breaks("5.11", "shoe")
class AQueryIsRefusedAt48:
    def _obey(self, c: Any, now_s: float) -> Any:
        return 5 if isinstance(c, Query) and self._link.must_lock else super()._obey(c, now_s)


@breaks("10.15", "shuffler")
class AnEmptyMachineRefusesToUnload:
    def _refusal_to_move(self, w: ShufflerApply) -> Any:
        is_empty = w.unload and not self.machine.inside
        return super()._refusal_to_move(w) or (ShufflerResult.REFUSED_PATH_BLOCKED if is_empty else None)


@breaks("10.15", "shuffler")
class AReleaseOfNothingIsNone(Told):
    def _changed(self, c: ShufflerApply) -> ShufflerApply:
        return c if self.machine.inside else structs.replace(c, release_until=self._memory.cards_out)


@breaks("18.1", "shoe")
class AStrangerMayComeBehindTheMinute(PairableLink):
    _was_on = False

    def handle_timeout(self, now_s: float) -> None:
        on = self._window_until_s is not None
        super().handle_timeout(now_s)
        self._was_on |= on and self._window_until_s is None

    def _is_of_the_pair(self, h: Header, p: bytes) -> bool:
        return (self._was_on and h.tag == NO_TAG) or super()._is_of_the_pair(h, p)


@breaks("18.13", "shoe")
class ItsHostIsAStrangerInTheMinute(PairableLink):
    def _is_of_the_pair(self, h: Header, p: bytes) -> bool:
        return h.tag == NO_TAG if self._window_until_s is not None else super()._is_of_the_pair(h, p)


@breaks("4.4", "shoe")
class ASessionLastsATenthOfASecond(DeviceLink):
    _opened_s = -1.0

    def _greet(self, h: Header, p: bytes, now_s: float) -> None:
        if h.host_opening != self._opening and now_s - self._opened_s < 0.1:
            raise FrameError(RejectReason.WRONG_SESSION, "too soon")
        was = self._opening
        super()._greet(h, p, now_s)
        if was != self._opening:
            self._opened_s = now_s


@breaks("6.6")
class AnEventIsKeptForThirtySeconds(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        n = super().post_event(payload, now_s)
        self.__dict__.setdefault("_made", {})[n] = now_s
        return n

    def handle_timeout(self, now_s: float) -> None:
        made = self.__dict__.get("_made", {})
        while self._waiting and now_s - made.get(self._waiting[0][0], now_s) > 30:
            self._waiting.popleft()
        super().handle_timeout(now_s)


@breaks("5.1", "shoe")
class TheSameWishAgainIsNotAnswered(DeviceLink):
    _last = b""

    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command + 1 and payload == self._last and len(payload) > 1:
            return
        self._last = payload
        super()._take_command(number, payload)


@breaks("7.2", "slots")
class ASlowHostsHeartbeatIsNotAnswered(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        if payload == b"\1":
            self._pulse = None
