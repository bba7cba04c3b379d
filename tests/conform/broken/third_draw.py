"""The third draw of broken firmwares, of every kind: written from the text once the kit had found all of the second."""

from typing import Any, ClassVar

from msgspec import structs

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, body_of
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import tag_of
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerResult
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.shufflers import Told
from tests.conform.broken.table import breaks

# --- the link


@breaks("3.6", "shoe")
class EventsComeBeforeTheIdentity(DeviceLink):
    def data_to_send(self) -> bytes:
        greeting, self._greeting = self._greeting, None
        if greeting is None:
            return super().data_to_send()
        self._send_window(self._greeted_at_s)
        early = super().data_to_send()
        self._greeting = greeting
        return early + super().data_to_send()


@breaks("6.9")
class AHeartbeatMakesTheRetryTimeShort(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        if payload == b"\0":
            self._retry_s = 0.2


@breaks("6.9", "shoe")
class ACommandMakesTheRetryTimeShort(DeviceLink):
    def _take_command(self, number: int, payload: bytes) -> None:
        super()._take_command(number, payload)
        self._retry_s = 0.2


@breaks("6.9", "display")
class ACommandSendsTheWindowAgain(DeviceLink):
    def _take_command(self, number: int, payload: bytes) -> None:
        super()._take_command(number, payload)
        self._next_to_send = 1


@breaks("4.4")
class ANewerOpeningIsANearOne(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        far = (opening - (self._opening or opening)) % 2**32
        if not self._silent and 2**16 <= far < 2**31:
            raise FrameError(RejectReason.WRONG_SESSION)
        super()._open(opening, hello)


@breaks("6.4", "shoe")
class ACardIsNotReadAgainWithAnError(DeviceLink):
    def _send_again(self, now_s: float) -> None:
        size = len(self._status)
        if self._status[-1] & 2:
            for place, (number, payload) in enumerate(self._waiting):
                if payload[0] == 2:
                    self._waiting[place] = (number, payload[: 1 + size + 4] + b"\0")
        super()._send_again(now_s)


# --- shuffler


@breaks("5.9", "shuffler")
class FeedsThreeCardsBehindALock:
    _left = 0

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        was = self._orders.feed_open
        result = super()._apply(wanted, now_s)
        if was and not wanted.feed_open and not result and self.machine.can_feed:
            self._left = 3
        return result

    def _next_work(self) -> Any:
        work = super()._next_work()
        return Work.FEED if work is None and self._left and self.machine.can_feed else work

    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        self._left = max(0, self._left - 1)
        super()._count(work, motion, now_s)


@breaks("9.7", "shuffler")
class AForgottenJamHasNumberZero:
    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._memory.jams = 0


@breaks("10.30", "shuffler")
class AJamIsForgottenWithTheCounts:
    def _forget_counts(self) -> None:
        self._memory.jammed = False
        super()._forget_counts()


@breaks("10.25", "shuffler")
class ARefusalForUnknownCountsRecounts:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        if result is ShufflerResult.REFUSED_COUNTS_UNKNOWN and wanted.recount_request != self._memory.recounts:
            self._orders.recount_request = wanted.recount_request
        return result


@breaks("10.15", "shuffler")
class ALidRefusesALockToo:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        return ShufflerResult.REFUSED_LID_OPEN if self.machine.lid_open and not result else result


@breaks("10.24", "shuffler")
class AReleaseIsForgottenBehindAFeed:
    _fed = False

    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        super()._count(work, motion, now_s)
        if work is Work.FEED and not self.machine.can_feed:
            self._orders.release_until = self._memory.cards_out


@breaks("10.19", "shuffler")
class AnUnloadingEndsAtTheReleaseCount:
    def _count(self, work: Work, motion: Any, now_s: float) -> None:
        owed = self._memory.owed(self._orders.release_until)
        super()._count(work, motion, now_s)
        if work is Work.UNLOAD and owed == 1:
            self._orders.unload = False


@breaks("10.16", "shuffler")
class TheSameReleaseAgainLetsOneMoreGo(Told):
    def _changed(self, command: ShufflerApply) -> ShufflerApply:
        is_same = command.release_until == self._orders.release_until and self._owed(command) == 2
        return structs.replace(command, release_until=command.release_until + 1) if is_same else command


# --- shoe, display, slots


@breaks("5.9", "shoe")
class AnErrorKeepsItUnlocked:
    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, ShoeApply) and command.locked and self._error is not None:
            return 0
        return super()._obey(command, now_s)


@breaks("11.10", "shoe")
class AnErrorLocks:
    def raise_error(self, code: int, now_s: float) -> None:
        super().raise_error(code, now_s)
        self._locked = True
        self._settle(now_s)


@breaks("12.1", "display")
class AFaultIsShownWithTheAmountOfBefore:
    def _show(self, wanted: Any, now_s: float) -> None:
        cents = self._picture.cents if wanted.fault else wanted.cents
        super()._show(structs.replace(wanted, cents=cents), now_s)


# --- proof


@breaks("18.9", "shoe")
class EventsComeWithAHelloInASilence(PairableLink):
    def data_to_send(self) -> bytes:
        said = super().data_to_send()
        if said[14:15] and self._key is not None and self._silent and self._is_greeted:
            self._silent = False
            self._next_to_send, self._retry_at_s = 1, None
            self._send_window(self._greeted_at_s)
            self._silent, self._retry_at_s = True, None
            said += self._io.drain()
        self._is_greeted = False
        return said

    _is_greeted = False

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        self._is_greeted = True


@breaks("18.9", "display")
class ASilentSessionSaysThatItIsNone(PairableLink):
    def _send_identity(self, opening: int) -> None:
        was = self._status
        if self._key is not None:
            self._status = was[:-1] + bytes((was[-1] & ~2,))
        super()._send_identity(opening)
        self._status = was


@breaks("18.15", "shoe")
class AnswersPairOfAnySession(PairableLink):
    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.kind == FrameKind.PAIR and self.is_paired and payload == self._pairing.key:
            self._say_paired(header)
        else:
            super()._receive(header, payload, now_s)


@breaks("18.2", "shoe")
class DeniesEachOpening(PairableLink):
    _denied = -1

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if kind is FrameKind.NOT_PROVEN and opening != self._denied:
            self._no_session_from_s = now_s
        self._denied = opening
        super()._deny(kind, opening, now_s, key)


@breaks("18.6", "shoe")
class ComparesATagUpToItsFirstZero(PairableLink):
    def _has_tag(self, key: bytes | None, header: Header, payload: bytes) -> bool:
        if key is None:
            return super()._has_tag(key, header, payload)
        right = tag_of(key, body_of(header, payload))
        upto = right.find(b"\0") + 1 or 8
        return header.tag[:upto] == right[:upto]


@breaks("18.17", "shoe")
class KeepsItsFirstKeyForGood(PairableLink):
    _stored: ClassVar[dict[int, bytes | None]] = {}

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        if id(self._pairing) in self._stored and self._boot > 1:
            self._pairing.key = self._stored[id(self._pairing)]

    def _take_pair(self, header: Header, key: bytes) -> None:
        super()._take_pair(header, key)
        self._stored.setdefault(id(self._pairing), self._pairing.key)
        if self._pairing.key is None:
            self._stored.pop(id(self._pairing), None)
