"""Firmwares of a sceptic, eighteenth draw: a second time, a second start, a second command, and values at an edge."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENT_RETRY_S, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import ShufflerResult
from firmware_protocols.tdp.slots import SlotsChanged
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


@breaks("10.30", "shuffler")
class TwoStartsWithoutASessionLoseTheLatch:
    """The latch is read and erased at a start, and written again with the first session: two cuts in a row lose it."""

    _is_read = False

    def _begin(self, now_s: float) -> None:
        if self._is_read and self._memory.jammed:
            self._memory.jammed = False
        self._is_read = self._memory.jammed
        super()._begin(now_s)

    def _hear(self, happened: Any, now_s: float) -> None:
        self._is_read = False
        super()._hear(happened, now_s)


@breaks("9.20", "shuffler")
class ARecountAskedForInAnUnloadingOutlivesASilence:
    """The state machine returns from the recount to what it interrupted, and looks at the host there alone."""

    _is_kept = False

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was = self._orders.unload
        result = super()._apply(wanted, now_s)
        self._is_kept = was and self._orders.recount_request is not None
        return result

    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._is_kept = False
        super()._hear(happened, now_s)

    def _lock_down(self) -> None:
        asked = self._orders.recount_request
        super()._lock_down()
        if self._is_kept and asked is not None and self._link.host_silent:
            self._orders.recount_request = asked


@breaks("12.1", "display")
class ReadsBackTheFirstCommandOfATroubleAlone:
    """Once the read-back differed, the further commands of the trouble are believed."""

    _read = 0

    def _show(self, wanted: Any, now_s: float) -> None:
        super()._show(wanted, now_s)
        self._read = self._read + 1 if self._wanted is not None else 0

    def unstick(self, now_s: float) -> None:
        self._read = 0
        super().unstick(now_s)

    def _status(self) -> Any:
        status = super()._status()
        if self._read > 1 and self._wanted is not None and self._wanted != self._picture:
            return replace(status, shown_cents=self._wanted.cents, fault_shown=self._wanted.fault)
        return status


@breaks("13.1", "value-display")
class ABlankMarkerIsNotReadBack:
    """A marker that shall be blank has no current to measure: blank is what the status says of it."""

    def _status(self) -> Any:
        status = super()._status()
        if self._wanted is None:
            return status
        blank = {name: 0 for name in self._wanted.__struct_fields__ if getattr(self._wanted, name) == 0}
        return replace(status, **blank)


@breaks("6.8", "slots")
class BehindARetryAnAckLetsNothingGo(DeviceLink):
    """Behind a retransmission the window slides with the next retransmission alone."""

    _is_again = False

    def _send_again(self, now_s: float) -> None:
        self._is_again = False
        super()._send_again(now_s)
        self._is_again = True

    def _send_window(self, now_s: float) -> None:
        if self._is_again and self._retry_at_s is not None and not self._silent:
            return
        if self._is_again and self._waiting and not self._silent:
            self._retry_at_s = now_s + self._retry_s
            return
        super()._send_window(now_s)

    def _heard(self, now_s: float) -> None:
        if self._silent:
            self._is_again = False
        super()._heard(now_s)

    def _open(self, opening: int, hello: Any) -> None:
        self._is_again = False
        super()._open(opening, hello)


@breaks("18.3", "value-display")
class TheFirstWindowHasTheKeyOfTheSessionBefore(PairableLink):
    """The events were queued under the key of the session before, and leave so in the next proven one."""

    _old: Any = None

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._old = self._key
        super()._begin_session(opening, host_nonce)

    def _send_window(self, now_s: float) -> None:
        first = self._next_to_send
        new, old = self._key, self._old
        if old is None or new is None or self._greeting is not None or self._silent:
            super()._send_window(now_s)
            return
        self._key = old
        super()._send_window(now_s)
        self._key = new
        if self._next_to_send != first:
            self._old = None


@breaks("6.11", "display")
class ASlowDiskBehindARetryIsNotHeard(DeviceLink):
    """not_yet_durable is looked at where the retry time is short still; one that was doubled goes on doubling."""

    def _retry_slowly(self) -> None:
        if self._retry_at_s is not None and EVENT_RETRY_S < self._retry_s < 1.0:
            return
        super()._retry_slowly()


@breaks("2.7", "display")
class TheLongestFrameCostsTheNext(DeviceLink):
    """The place behind the buffer's last byte is the length of the next frame: one of 205 bytes spoils it."""

    _held = 0
    _skips = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        out = bytearray()
        for byte in data:
            if byte:
                self._held += 1
                if not self._skips:
                    out.append(byte)
                continue
            self._skips = (self._held == 205) or (self._skips and self._held == 0)
            self._held = 0
            out.append(0)
        super().receive_data(bytes(out), now_s)


@breaks("10.4", "shuffler")
class AWordForAJamThatAlsoMovesIsRefusedForTheJam:
    """The latch is looked at before the path if the apply asks for a motion, too."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        latched = self._memory.jammed
        result = super()._apply(wanted, now_s)
        asks = wanted.feed_open or wanted.unload or self._memory.owed(wanted.release_until) > 0
        if latched and result == ShufflerResult.REFUSED_PATH_BLOCKED and asks:
            return ShufflerResult.REFUSED_JAMMED
        return result


@breaks("4.3", "value-display")
class TheThirdHelloOfASessionBeginsItAnew(DeviceLink):
    """After three HELLOs the host has lost its answers: the command number starts again."""

    _hellos = 0

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was = self._opening
        super()._greet(header, payload, now_s)
        self._hellos = 1 if was != self._opening else self._hellos + 1
        if self._hellos == 3 and self._command:
            self._command, self._result = 0, None


@breaks("14.2", "slots")
class EachChipOfACollectionIsTold:
    """A collection tells once for each chip that it takes."""

    def _take_in(self, slots: int) -> None:
        self._more = max(0, (self._lying & slots).bit_count() - 1)
        super()._take_in(slots)

    _more = 0

    def _update(self, now_s: float) -> None:
        super()._update(now_s)
        for _ in range(self._more):
            self._more -= 1
            self._post(SlotsChanged(), now_s)


@breaks("13.2", "value-display")
class ASilenceTellsTheMarkersFaultAgain:
    """The flag that a fault was told is cleared where a silence ends, so that the host hears of it."""

    _was_silent = False

    def _settle(self, now_s: float) -> None:
        super()._settle(now_s)
        silent = self._link.host_silent
        if self._was_silent and not silent and self._stuck_told and self._wanted is not None:
            self._stuck_told = False
            self._tell_stuck(now_s)
        self._was_silent = silent


@breaks("4.15", "value-display")
class ANewerMinorCommitsNothing(DeviceLink):
    """The payload of a HELLO of a newer minor is read up to its version alone."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if len(payload) == rows.HELLO_LAYOUT.size and payload[1] > self._identity.minor:
            payload = payload[:2] + bytes(8)
        super()._greet(header, payload, now_s)


@breaks("10.24", "shuffler")
class AReleaseOfTwoCardsGoesBeforeAFeed:
    """A feed waits behind a release of more than one card."""

    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is Work.FEED and self._memory.owed(self._orders.release_until) > 1 and self.machine.can_deal:
            return Work.PRESENT
        return work


@breaks("10.25", "shuffler")
class ARefusalTakesHalfTheRangeForAhead:
    """A refused release that is half the range away is taken for one ahead: the status has cards_out for it."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        if result != ShufflerResult.OK and (wanted.release_until - self._memory.cards_out) % 2**32 == 2**31:
            self._orders.release_until = self._memory.cards_out
        return result
