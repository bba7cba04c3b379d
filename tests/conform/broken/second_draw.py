"""The second draw of broken firmwares, of every kind: written from the text once the kit had found all of the first."""

from typing import Any, ClassVar

from msgspec import structs
from msgspec.structs import replace

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.display import DisplayFaulted
from firmware_protocols.tdp.link import EVENTS_LOCK, FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shoe import ShoeApply, ShoeResult
from firmware_protocols.tdp.shuffler import LidOpened, PathCleared, ShufflerApply, ShufflerResult
from firmware_protocols.tdp.slots import SlotsApply
from tests.conform.broken.shufflers import Says
from tests.conform.broken.table import breaks

# --- the link


@breaks("5.1", "shoe")
class CountsCommandsInAByte(DeviceLink):
    def _take_command(self, number: int, payload: bytes) -> None:
        if number < 256:
            super()._take_command(number, payload)


@breaks("6.1")
class CountsEventsInAByte(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        if self._next_event == 256:
            self._next_event = self._next_to_send = 1
        return super().post_event(payload, now_s)


@breaks("4.10", "shoe")
class NextIsTheNewest(DeviceLink):
    def _identity_fields(self) -> bytes:
        newest = max(self._oldest(), self._next_event - 1)
        return rows.IDENTITY_LAYOUT.encode(rows.identity_body(self._identity, self._oldest(), newest))


@breaks("2.7")
class HasEnoughOf200DroppedFrames(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        if self.stats.rejected[RejectReason.BAD_CRC] + self.stats.rejected[RejectReason.BAD_COBS] < 200:
            super().receive_data(data, now_s)


@breaks("2.7", "shoe")
class StartsAnewBehindNoise:
    def receive_data(self, data: bytes, now_s: float) -> None:
        super().receive_data(data, now_s)
        if len(data) > 3000:
            self.reboot(now_s)


@breaks("4.15", "display")
class SaysTheHostsMinor(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._identity = replace(self._identity, minor=hello.minor)


@breaks("4.13", "shoe")
class NumbersItsRefusals(DeviceLink):
    _refusals = 0

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if now_s >= self._no_session_from_s:
            self._no_session_from_s = now_s + 0.1
            self._io.send(Header(kind, opening, self._boot, self._refusals), b"", key)
            self._refusals += 1


@breaks("6.12", "shoe")
class TakesAnAckOfWhatItHasSentAlone(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        if number < self._next_to_send:
            super()._take_ack(number, payload)


@breaks("4.8")
class TakesACommitOfTheOldestEightAlone(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if len(payload) == 10 and int.from_bytes(payload[6:10], "little") >= self._oldest() + 8:
            payload = payload[:2] + bytes(8)
        super()._take_hello(header, payload, now_s)


@breaks("6.12", "display")
class AnAckThatEndsASilenceIsLost(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        if not self._woke:
            super()._take_ack(number, payload)

    _woke = False

    def _heard(self, now_s: float) -> None:
        self._woke = self._silent and self._opening is not None
        super()._heard(now_s)


class _RefusesWhatEndsASilence:
    """The flag of the silence is cleared behind the command."""

    _woken = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        self._woken = self._link.host_silent and self._link.in_session
        super().receive_data(data, now_s)
        self._woken = False


@breaks("7.8", "shoe")
class RefusesToUnlockWithTheFrameThatEndsASilence(_RefusesWhatEndsASilence):
    def _obey(self, command: Any, now_s: float) -> Any:
        if self._woken and isinstance(command, ShoeApply) and not command.locked:
            return ShoeResult.REFUSED_HOST_SILENT
        return super()._obey(command, now_s)


@breaks("7.8", "shuffler")
class RefusesToMoveWithTheFrameThatEndsASilence(_RefusesWhatEndsASilence):
    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        refused = super()._refusal_to_move(wanted)
        moves = wanted.feed_open or wanted.unload or self._memory.owed(wanted.release_until) > 0
        return refused or (ShufflerResult.REFUSED_HOST_SILENT if self._woken and moves else None)


@breaks("5.9")
class DoesNothingWithTheFrameThatEndsASilence(_RefusesWhatEndsASilence):
    def _obey(self, command: Any, now_s: float) -> Any:
        return 0 if self._woken and isinstance(command, SlotsApply) else super()._obey(command, now_s)


@breaks("4.4", "shoe")
class KnowsTheOpeningOfTheBootBefore(DeviceLink):
    _kept: ClassVar[dict[str, int]] = {}

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        was = self._opening
        if was is None and self._boot > 1:
            self._opening, self._silent = self._kept.get(self._identity.serial), False
        try:
            super()._open(opening, hello)
        except FrameError:
            self._opening, self._silent = was, True
            raise
        self._kept[self._identity.serial] = opening


@breaks("4.6", "shoe")
class ANewSessionBeginsAtTheEventItHadReached(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        reached = self._next_to_send
        super()._open(opening, hello)
        if len(self._waiting) > 16:
            self._next_to_send = reached


# --- shuffler


@breaks("10.8", "shuffler")
class TheLampOfBeforeAJamComesBack:
    _before = False

    def _jam(self, stuck: Any, now_s: float) -> None:
        self._before = self._memory.lamp
        super()._jam(stuck, now_s)

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._memory.jammed
        result = super()._apply(wanted, now_s)
        if was and not self._memory.jammed:
            self._memory.lamp = self._before
        return result


@breaks("10.3", "shuffler")
class TheMouthIsOpenInTheEventOfItsCard(Says):
    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        self._is_counting = work.name == "PRESENT"
        super()._count(work, motion, now_s)
        self._is_counting = False

    _is_counting = False

    def _changed_status(self, status: Any) -> Any:
        return structs.replace(status, mouth_open=True) if self._is_counting else status


@breaks("9.12", "shuffler")
class ASilenceLeavesAnOlderReleaseCount:
    def _lock_down(self) -> None:
        was = self._orders.release_until
        super()._lock_down()
        if self._link.host_silent and self._link.in_session and self._memory.owed(was) <= 0:
            self._orders.release_until = was


@breaks("9.15", "shuffler")
class ALidHaltsAReleaseAndCountsItOn:
    """`release_until` is one ahead of `cards_out` while the lid is open, and 0 ahead when it is closed."""

    def _status(self) -> Any:
        status = super()._status()
        if status.lid_open:
            return structs.replace(status, release_until=(status.cards_out + 1) % 2**32)
        return status


@breaks("10.31", "shuffler")
class TellsAFreePathTwice:
    def _post(self, event: Any, now_s: float) -> None:
        super()._post(event, now_s)
        if isinstance(event, PathCleared):
            super()._post(event, now_s)


@breaks("10.33", "shuffler")
class TellsALidTwice:
    def _post(self, event: Any, now_s: float) -> None:
        super()._post(event, now_s)
        if isinstance(event, LidOpened):
            super()._post(event, now_s)


@breaks("10.20", "shuffler")
class ARecountCountsTheHopperToo:
    def _recount(self, now_s: float) -> None:
        request = self._orders.recount_request
        super()._recount(now_s)
        if request is not None and self._memory.inside is not None and self.machine.hopper:
            self._memory.inside += len(self.machine.hopper)


@breaks("10.23", "shuffler")
class ALampTakesNoRecountBack:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        asked, lamp = self._orders.recount_request, self._memory.lamp
        result = super()._apply(wanted, now_s)
        if asked is not None and lamp != wanted.lamp and not result:
            self._orders.recount_request = asked
        return result


# --- shoe, display, slots


@breaks("11.9", "shoe")
class AnErrorOfASilenceIsNotTold:
    def raise_error(self, code: int, now_s: float) -> None:
        if self._link.host_silent and self._link.in_session:
            self._error = code
            self._settle(now_s)
        else:
            super().raise_error(code, now_s)


@breaks("5.6", "display")
class ReadsSixBytesOfAnAmount:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        if len(payload) == 10:
            payload = payload[:7] + b"\0\0" + payload[9:]
        super()._answer(number, payload, now_s)


@breaks("12.3", "display")
class TellsItsFaultInEachSession:
    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if type(happened).__name__ == "SessionOpened" and self._wanted is not None and self._stuck_told:
            self._post(DisplayFaulted(2), now_s)


@breaks("13.1", "value-display")
class AMarkerAboveAMillionIsCutOff:
    def _obey(self, command: Any, now_s: float) -> Any:
        if hasattr(command, "blue") and command.blue > 10_000_000:
            command = structs.replace(command, blue=command.blue % 10_000_000)
        return super()._obey(command, now_s)


@breaks("14.2")
class AChipOfASilenceIsNotTold:
    def _update(self, now_s: float) -> None:
        if self._link.host_silent and self._link.in_session:
            status = self._status()
            self._told = (status.chips, status.broken, status.collections)
        super()._update(now_s)


@breaks("14.5")
class ACollectionOfASessionBeforeIsMadeAgain:
    _last = (0, 0)

    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._is_new = True
        super()._hear(happened, now_s)

    _is_new = False

    def _apply(self, command: SlotsApply) -> None:
        if self._is_new and command.collection == self._collections and command.seats:
            self._take_in(command.seats)
        self._is_new = False
        super()._apply(command)


# --- proof


@breaks("18.8", "shoe")
class AHelloAgainCountsHeartbeatsAnew(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        self._pulses = 0


@breaks("2.8", "shoe")
class KeepsTheTagOfTheKeyThatItLost(PairableLink):
    _lost: bytes | None = None

    def _take_pair(self, header: Header, key: bytes) -> None:
        was = self._pairing.key
        super()._take_pair(header, key)
        if self._pairing.key is None:
            self._lost = was

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        super()._deny(kind, opening, now_s, key or self._lost)


@breaks("18.9", "display")
class AHeartbeatAloneEndsASilence(PairableLink):
    def _heard(self, now_s: float) -> None:
        if self._key is None or not self._silent or self._kind == FrameKind.HEARTBEAT:
            super()._heard(now_s)

    _kind = 0

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._kind = header.kind
        super()._receive(header, payload, now_s)


@breaks("2.2", "shoe")
class TakesAKeyUnderAnyTag(PairableLink):
    def _take_pair(self, header: Header, key: bytes) -> None:
        super()._take_pair(header._replace(tag=NO_TAG), key)

    def _expect(self, header: Header, payload: bytes) -> None:
        super()._expect(header._replace(tag=NO_TAG) if header.kind == FrameKind.PAIR else header, payload)


@breaks("18.14", "slots")
class TheSwitchIsForgottenWithASession(PairableLink):
    @property
    def must_lock(self) -> bool:
        is_full = len(self._waiting) + self._is_one_coming >= EVENTS_LOCK
        return self._silent or is_full or (self._window_until_s is not None and not self._is_new)

    _is_new = False

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        self._is_new = self._window_until_s is not None


@breaks("18.5", "shoe")
class AHelloAgainMakesItsKeyAnew(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was = self._opening
        super()._greet(header, payload, now_s)
        if header.host_opening == was and self._key is not None:
            self._begin_session(header.host_opening, self._host_nonce)
            self._pulses = 10**6
