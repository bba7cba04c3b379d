"""Firmwares of a sceptic, seventeenth draw: classes of errors beside those that the kit had missed."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header, SessionOpened
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.shuffler import Recounted, ShufflerResult
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import KINDS, breaks


def short(owed: int) -> int:
    return (owed + 0x8000) % 0x10000 - 0x8000


@breaks("10.11", "shuffler")
class AFarReleaseIsNotRefused:
    """int16_t: a release 40000 ahead is no wish that moves, so a jam does not refuse it (it is locked all the same)."""

    def _refusal_to_move(self, wanted: Any) -> Any:
        found = super()._refusal_to_move(wanted)
        owed = self._memory.owed(wanted.release_until)
        rest = wanted.feed_open or wanted.unload or wanted.recount_request != self._memory.recounts
        if found == ShufflerResult.REFUSED_JAMMED and owed > 0 and short(owed) <= 0 and not rest:
            self._far = True
            return found
        return found

    def _apply(self, wanted: Any, now_s: float) -> Any:
        self._far = False
        result = super()._apply(wanted, now_s)
        return ShufflerResult.OK if self._far else result


@breaks("10.22", "shuffler")
class AReleaseDoesNotGoOnBehindARecount:
    """A recount asked for while a release is owed ends the release's task: it stays owed and no card comes."""

    _stalled = False

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was = self._memory.owed(self._orders.release_until) > 0
        result = super()._apply(wanted, now_s)
        self._was = (
            was and self._orders.recount_request is not None and self._memory.owed(self._orders.release_until) > 0
        )
        self._stalled = False
        return result

    def _recount(self, now_s: float) -> None:
        super()._recount(now_s)
        self._stalled = getattr(self, "_was", False)

    def _lock_down(self) -> None:
        self._stalled = self._was = False
        super()._lock_down()

    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is Work.PRESENT and self._stalled:
            return None
        return work


@breaks("12.3", "display")
class TheSameAmountFaultsOnce:
    """display-faulted is told once for an amount: the panel that sticks again at the same wish tells nothing."""

    _last: Any = None

    def _tell_stuck(self, now_s: float) -> None:
        if not self._stuck_told and self._wanted == self._last:
            self._stuck_told = True
            return
        self._last = self._wanted
        super()._tell_stuck(now_s)


@breaks("13.2", "value-display")
class ComparesElevenMarkers:
    """The read-back compares all markers but the last."""

    def _tell_stuck(self, now_s: float) -> None:
        if self._wanted is not None and not self._stuck_told and self._wanted.values[:11] == self._picture.values[:11]:
            return
        super()._tell_stuck(now_s)


@breaks("7.2", "shoe")
class ComparesHeartbeatsAsSigned(PairableLink):
    """int32_t: behind 2147483648 a lower number is greater."""

    def _says_something_new(self, header: Header) -> bool:
        if header.kind in {FrameKind.COMMAND, FrameKind.ACK}:
            return super()._says_something_new(header)
        signed = [(one + 2**31) % 2**32 - 2**31 for one in (header.number, self._pulses)]
        super()._says_something_new(header)
        return signed[0] > signed[1]


@breaks("18.14", "value-display")
class TheMarkersFollowInTheMinute:
    """In the minute of the switch an apply changes the markers; host_silent is set as it must."""

    link_type = PairableLink

    def _takes_pictures(self) -> bool:
        link: Any = self._link
        if super()._takes_pictures():
            return True
        return bool(link._window_until_s is not None and not link._silent and link.waiting_events < 48)


@breaks("18.10", "shoe")
class ItsTagOfNoSessionIsOfTheKeyBefore(PairableLink):
    """The key for NO_SESSION is a copy made at the start: a key that PAIR brings tags it from the next boot on."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._copy = self._pairing.key

    def _refuse_session(self, header: Header, now_s: float) -> None:
        self._deny(FrameKind.NO_SESSION, header.host_opening, now_s, self._copy)
        raise FrameError(RejectReason.WRONG_SESSION)


@breaks("9.22", "shuffler")
class ABlockedPathLeavesTheLamp:
    """REFUSED_LID_OPEN of a jam's end returns before the lamp: a lamp told on goes on only with a jam, else is lost."""

    def _apply(self, wanted: Any, now_s: float) -> Any:
        was = self._memory.lamp
        result = super()._apply(wanted, now_s)
        if result == ShufflerResult.REFUSED_LID_OPEN and not self._memory.jammed and was != wanted.lamp:
            self._memory.lamp = was
        return result


@breaks("5.6", "value-display")
class MarkersAreTakenUpToTheBadOne:
    """Each value is written as it is decoded: the ones before a value out of bounds are shown."""

    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\1" and len(payload) == 49 and not self._link.must_lock:
            values = [int.from_bytes(payload[at : at + 4], "little") for at in range(1, 49, 4)]
            bad = [at for at, value in enumerate(values) if value > 99_999_999]
            if bad and bad[0]:
                names = self._picture.__struct_fields__
                new = replace(self._picture, **dict(zip(names[: bad[0]], values, strict=False)))
                if new != self._picture and self._wanted is None:
                    self._picture = new
        super()._answer(number, payload, now_s)


@breaks("3.4", "slots")
class ItsIdentityHasAReservedBit(DeviceLink):
    """The status block of an IDENTITY to another major is a struct off the stack: bit 7 of its flags is set."""

    def _say_who_it_is(self, opening: int) -> None:
        kept, self._status = self._status, self._status[:-1] + bytes((self._status[-1] | 0x80,))
        super()._say_who_it_is(opening)
        self._status = kept


@breaks("9.23", "shoe")
class AHellosCommitIsNotCountedOff(DeviceLink):
    """A counter of waiting events of its own, which a HELLO that acknowledges does not lower: it locks too early."""

    _more = 0

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        was = len(self._waiting)
        super()._greet(header, payload, now_s)
        self._more += was - len(self._waiting)

    def _forget_through(self, number: int) -> bool:
        found = super()._forget_through(number)
        if not self._waiting and self._is_ack:
            self._more = 0
        return found

    _is_ack = False

    def _take_ack(self, number: int, payload: bytes) -> None:
        self._is_ack = True
        super()._take_ack(number, payload)
        self._is_ack = False

    @property
    def must_lock(self) -> bool:
        is_early = not super().must_lock and len(self._waiting) + self._more + self._is_one_coming >= 48
        return super().must_lock or is_early


@breaks("5.11", "shuffler")
class AQueryTakesARecountBack:
    """The command's struct is cleared before it is filled: a query leaves recount_request empty."""

    def _obey(self, command: Any, now_s: float) -> Any:
        if not hasattr(command, "lamp") and self._orders.recount_request is not None:
            self._orders.recount_request = None
        return super()._obey(command, now_s)


@breaks("9.11", "shoe")
class AHostThatKnowsAllIsTheSame:
    """A HELLO whose committed event is the newest is a resumption: the lock stays open."""

    def _hear(self, happened: Any, now_s: float) -> None:
        link: Any = self._link
        is_open = not self._locked
        super()._hear(happened, now_s)
        if isinstance(happened, SessionOpened) and is_open and not link._waiting and link._resumes:
            self._locked = False


class _Resuming(KINDS["shoe"].link_type):
    _resumes = False

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._resumes = (hello.committed_boot, hello.committed_number) == (self._boot, self._next_event - 1)


AHostThatKnowsAllIsTheSame.link_type = _Resuming


@breaks("12.4", "display")
class ItKeepsWhatTheFaultHid:
    """The amount goes with the power where it was seen; where the fault picture hid it, it is still there."""

    def _power_lost(self) -> None:
        hidden = self._picture.cents if self._picture.fault else 0
        super()._power_lost()
        if hidden:
            self._picture = replace(self._picture, cents=hidden)


@breaks("6.16", "shoe")
class TheNewestGoesWhereTheOldestIsOnItsWay(DeviceLink):
    """A full ring does not overwrite what its window is sending: the 65th event takes the place of the 64th."""

    def post_event(self, payload: bytes, now_s: float) -> int:
        if len(self._waiting) == 64 and not self._silent:
            self._waiting.pop()
        return super().post_event(payload, now_s)


@breaks("10.20", "shuffler")
class TheRecountedEventHasTheCountOfBefore:
    """The field `inside` of `recounted` is filled before the count, where the counts were unknown."""

    def _post(self, event: Any, now_s: float) -> None:
        if isinstance(event, Recounted) and self._was_unknown:
            event = Recounted(event.request, 65535)
        super()._post(event, now_s)

    _was_unknown = False

    def _recount(self, now_s: float) -> None:
        self._was_unknown = self._memory.counts_unknown
        super()._recount(now_s)
        self._was_unknown = False


@breaks("6.12", "slots")
class AnAckOfTheWholeWindowFreesSeven(DeviceLink):
    """for (i = 0; i < 7; i++): an ACK of eight or more frees no more than seven places."""

    def _take_ack(self, number: int, payload: bytes) -> None:
        top = self._oldest() + 6
        if not payload and top < number < self._next_event:
            number = top
        super()._take_ack(number, payload)


@breaks("10.21", "shuffler")
class AFeedGoesOnUnderARecount:
    """Another apply during a recount that opens the feed lets one card in meanwhile."""

    _one = False

    def _apply(self, wanted: Any, now_s: float) -> Any:
        is_counting = self._work is Work.RECOUNT
        result = super()._apply(wanted, now_s)
        if (
            is_counting
            and self._orders.recount_request is not None
            and self._orders.feed_open
            and self.machine.can_feed
        ):
            motion = self.machine.feed()
            self._count(Work.FEED, motion, now_s)
        return result


@breaks("4.14", "display")
class TwoTimersForTwoOpenings(DeviceLink):
    """The limit of NO_SESSION is kept for each opening."""

    _times: Any = None

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        self._times = self._times or {}
        if now_s < self._no_session_from_s and now_s >= self._times.get(opening, 0.0):
            self._no_session_from_s = now_s
        self._times[opening] = now_s + 0.1
        super()._deny(kind, opening, now_s, key)


@breaks("4.1", "slots")
class OneTimerThatHoldsTheWindowToo(DeviceLink):
    """A HELLO within 0.1 s behind a NO_SESSION opens the session; neither IDENTITY nor window is sent."""

    _mute = False

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        self._mute = now_s < self._no_session_from_s
        if self._mute:
            self._greeting, self._also_greeted = None, []

    def _take(self, header: Header, payload: bytes) -> None:
        self._mute = False
        super()._take(header, payload)

    def _send_window(self, now_s: float) -> None:
        if not self._mute:
            super()._send_window(now_s)
