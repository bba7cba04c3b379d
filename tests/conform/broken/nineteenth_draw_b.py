"""Firmwares of a sceptic, nineteenth draw, continued."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import EVENTS_LOCK
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import ShufflerResult
from tests.conform.broken.table import breaks


@breaks("7.3", "shuffler")
class AReplyToASlowHostThatEndsASilenceIsSilent(DeviceLink):
    """A heartbeat that says not_yet_durable is answered before the silence is ended."""

    _was_silent = False

    def _heard(self, now_s: float) -> None:
        self._was_silent = self._silent and self._opening is not None
        super()._heard(now_s)

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        if self._was_silent and payload == b"\1":
            self._status = self._status[:-2] + bytes((self._status[-2] | 64, self._status[-1]))
            self._send_pulse()
        self._was_silent = False


@breaks("14.6", "slots")
class AnApplyOfTheSameLitLeavesTheBlinking:
    """The lamps' register is written where `lit` has changed; with a change of `blinking` alone it is not."""

    def _apply(self, command: Any) -> None:
        lit, blinking = self._lit, self._blinking
        super()._apply(command)
        if lit == command.lit != 0:
            self._blinking = blinking


@breaks("10.7", "shuffler")
class AWordIsComparedInAByte:
    """The word about a jam is compared in eight bits: one that is older by 200 is newer by 56."""

    def _end_jam(self, wanted: Any, now_s: float) -> Any:
        memory = self._memory
        if memory.jammed and (wanted.jams_ended - memory.jams) % 256 < 128:
            wanted = replace(wanted, jams_ended=memory.jams)
        return super()._end_jam(wanted, now_s)


@breaks("10.13", "shuffler")
class ARecountAt48IsNoMotion:
    """At 48 events a recount alone is answered OK: no card leaves by it."""

    def _refusal_to_move(self, wanted: Any) -> Any:
        refusal = super()._refusal_to_move(wanted)
        moves = wanted.feed_open or wanted.unload or self._memory.owed(wanted.release_until) > 0
        return None if refusal == ShufflerResult.REFUSED_HOST_SILENT and not moves else refusal


@breaks("10.20", "shuffler")
class ARequestOfZeroIsNone:
    """The request 0 asks for nothing."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        self._orders.recount_request = self._orders.recount_request or None
        return result


@breaks("3.2", "shuffler")
class ALengthHasSevenBits(DeviceLink):
    """The length of a payload is kept in seven bits: an ACK with 128 bytes is one without any."""

    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number, payload[: len(payload) % 128])

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload[: len(payload) % 128])


@breaks("18.4", "value-display")
class AnotherNonceUnderTheSameOpeningHasTheNonceOfBefore(PairableLink):
    """A nonce is drawn for each opening: a session of the same one by another nonce of the host has that of before."""

    _drawn: tuple[int, bytes] = (0, b"")

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        draw, (was, drawn) = self._pairing.draw, self._drawn
        if opening == was and drawn:
            self._pairing.draw = lambda: drawn
        super()._begin_session(opening, host_nonce)
        self._pairing.draw, self._drawn = draw, (opening, self._nonce)


@breaks("14.6", "slots")
class ATakenChipLightsItsBlinkingLamp:
    """A lamp that blinks beside a slot whose chip is taken in is lit by the collection."""

    def _take_in(self, slots: int) -> None:
        taken = self._lying & slots & self._blinking & ~self._lit
        self._lit |= taken
        self._blinking &= ~taken
        super()._take_in(slots)


@breaks("7.2", "value-display")
class TwoAlikeInOneReadHaveOneReply(DeviceLink):
    """A heartbeat of the number whose reply stands in the queue still is answered by that reply."""

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if self._pulse == number:
            self._pulse = None
        super()._take_heartbeat(number, payload)


@breaks("10.30", "shuffler")
class AJamBesideALatchIsNotStored:
    """The latch and the number are stored where the latch changes: a second jam under it is forgotten at a start."""

    _stored = 0

    def _jam(self, stuck: Any, now_s: float) -> None:
        if not self._memory.jammed:
            self._stored = self._memory.jams + 1
        super()._jam(stuck, now_s)

    def _power_lost(self) -> None:
        if self._memory.jammed and self._stored:
            self._memory.jams = self._stored
        super()._power_lost()


@breaks("7.5", "display")
class AHostThatIsSlowForEightSecondsIsDead(DeviceLink):
    """A host whose disk is slow for sixteen heartbeats in a row is given up."""

    _slow = 0

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        self._slow = self._slow + 1 if payload == b"\1" else 0

    @property
    def must_lock(self) -> bool:
        return super().must_lock or self._slow > 16


@breaks("9.13", "display")
class TheSecond48thShowsTheAmount:
    """The lock at 48 events is an edge of the boot: a second time the amount stays."""

    _edges = 0
    _is_full = False

    def _lock_down(self) -> None:
        is_full = self._link.must_lock and not self._link.host_silent
        self._edges += is_full and not self._is_full
        self._is_full = is_full
        if not is_full or self._edges <= 1 or self._picture.fault:
            super()._lock_down()

    def _settle(self, now_s: float) -> None:
        super()._settle(now_s)
        self._is_full = self._is_full and self._link.must_lock


@breaks("10.9", "shuffler")
class ARefusalForTheLidPutsTheLampOut:
    """With the people's word the lamp goes out, though the lid is open and the latch stays."""

    _is_out = False

    def _end_jam(self, wanted: Any, now_s: float) -> Any:
        result = super()._end_jam(wanted, now_s)
        self._is_out = result == ShufflerResult.REFUSED_LID_OPEN and not wanted.lamp
        return result

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._is_out = False
        super()._jam(stuck, now_s)

    def _status(self) -> Any:
        status = super()._status()
        is_dark = self._is_out and self._memory.jammed and self.machine.lid_open
        return replace(status, lamp_lit=False) if is_dark else status


@breaks("9.23", "slots")
class TheLockHasAHysteresis(DeviceLink):
    """48 events lock it, and it is locked until 40 wait."""

    _is_held = False

    @property
    def must_lock(self) -> bool:
        wait = len(self._waiting) + self._is_one_coming
        self._is_held = wait >= EVENTS_LOCK or (self._is_held and wait > 40)
        return super().must_lock or self._is_held


@breaks("10.15", "shuffler")
class UnloadingAndFeedingIsUnloadingAlone:
    """The feed of a wish that unloads as well is left out: what comes out shall not go in."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        if result == ShufflerResult.OK and wanted.unload:
            self._orders.feed_open = False
        return result
