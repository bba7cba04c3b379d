"""The thirteenth draw of broken firmwares, by a sceptic: faults only the second time, in one trouble, before a session,
or when full.
"""

from hashlib import sha256
from itertools import islice
from typing import Any

from msgspec.structs import replace

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.display import DisplayApply, DisplayStarted, DisplayStatus
from firmware_protocols.tdp.link import (
    EVENT_RETRY_MAX_S,
    EVENT_WINDOW,
    EVENTS_LOCK,
    SILENT_AFTER_S,
    CommandReceived,
    FrameIo,
    FrameKind,
    Header,
    SessionOpened,
)
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import covered, session_key
from firmware_protocols.tdp.shoe import ShoeApply, ShoeResult
from firmware_protocols.tdp.shuffler import JamEnded, LidClosed, ShufflerApply, ShufflerResult, ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersStatus
from simulators.devices.cards import PhysicalCard
from simulators.devices.shuffler_firmware import Work
from simulators.devices.shuffler_model import Stuck
from tests.conform.broken.table import breaks


@breaks("3.2", "shuffler")
class TakesALongAckWhileTheWindowIsFull(DeviceLink):
    """A quick way for a full queue looks at no length."""

    def _take_ack(self, number: int, payload: bytes) -> None:
        if payload and len(self._waiting) >= EVENT_WINDOW:
            payload = b""
        super()._take_ack(number, payload)


@breaks("3.5", "value-display")
class ACommandWithoutAnIdIsLookedAtBeforeItsSession(DeviceLink):
    """An empty COMMAND of another session is dropped in silence."""

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        is_ours = (header.host_opening, header.device_boot) == (self._opening, self._boot)
        if header.kind == FrameKind.COMMAND and not payload and not is_ours:
            self.stats.rejected[RejectReason.BAD_LENGTH] += 1
        else:
            super()._receive(header, payload, now_s)


@breaks("4.7", "display")
class AnOlderHelloGetsInTheThirdTime(DeviceLink):
    """A host that knocks three times is believed."""

    _knocks = 0

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        try:
            super()._open(opening, hello)
        except FrameError:
            self._knocks += 1
            if self._knocks < 3:
                raise
            self._opening, self._knocks = None, 0
            super()._open(opening, hello)
        self._knocks = 0


@breaks("4.10", "value-display")
class AnotherMajorHearsThatEventOneWaits(DeviceLink):
    """The IDENTITY for another major was made at the start."""

    def _say_who_it_is(self, opening: int) -> None:
        body = replace(rows.identity_body(self._identity, self._oldest(), self._next_event), oldest_event=1)
        self._io.send(
            Header(FrameKind.IDENTITY, opening, self._boot, 0), rows.IDENTITY_LAYOUT.encode(body) + self._status
        )


@breaks("4.15", "shuffler")
class AnotherMinorInTheSameSessionIsDropped(DeviceLink):
    """The minor of the HELLO that opened the session is held against each that comes again."""

    _minor = 0

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._minor = hello.minor

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and len(payload) == 10 and payload[1] != self._minor:
            self._heard(now_s)
            raise FrameError(RejectReason.OUT_OF_BOUNDS, "another minor")
        super()._greet(header, payload, now_s)


@breaks("5.5", "display")
class TheSameWishUnderTheNextNumberIsARepetition(DeviceLink):
    """The next number with the bytes of the last command is answered with its result, and not executed."""

    _said: bytes | None = None

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._said = None

    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command + 1 and payload == self._said and self._result is not None and payload != b"\2":
            self._command = number
            self._is_asked_again = True
            return
        if number == self._command + 1:
            self._said = payload
        super()._take_command(number, payload)


@breaks("5.9", "display")
class AnAmountOfThirteenDigitsIsLeftUndone:
    """The panel has twelve digits: OK is said, and the picture stays."""

    def _show(self, wanted: DisplayApply, now_s: float) -> None:
        if wanted.cents > 999_999_999_999:
            pass
        else:
            super()._show(wanted, now_s)


@breaks("6.11", "shuffler")
class EachFurtherWordOfASlowDiskBeginsTheRetryAnew(DeviceLink):
    """The first heartbeat of a slow host is right; each that follows counts the second from now."""

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        was_slow = self._retry_s == EVENT_RETRY_MAX_S
        super()._take_heartbeat(number, payload)
        if payload == b"\1" and was_slow and self._retry_at_s is not None:
            self._retry_at_s = self._silent_at_s - 2.0 + EVENT_RETRY_MAX_S


@breaks("9.16", "shoe")
class StartsUnlockedWhereItsMemoryIsSpoilt:
    """The lock's bit has the default 0, until a session opens."""

    _is_spoilt = False

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._is_spoilt, self._locked = True, False

    def _lock_down(self) -> None:
        if self._is_spoilt and not self._link.in_session:
            pass
        else:
            self._is_spoilt = False
            super()._lock_down()

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened):
            self._is_spoilt = False
        super()._hear(happened, now_s)


@breaks("9.26", "display")
class TheSecondStartIsAWatchdogs:
    """The register of causes is never cleared: from the second loss of power on it says watchdog."""

    _starts = 0

    def _started(self, cause: StartCause) -> DisplayStarted:
        self._starts += 1
        if self._starts > 2:
            cause = StartCause.WATCHDOG
        return DisplayStarted(cause)


@breaks("10.11", "shuffler")
class RecountsWithAJamLatched:
    """A recount alone moves no card in or out, so that it is not refused."""

    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        refusal = super()._refusal_to_move(wanted)
        ahead = self._memory.owed(wanted.release_until) > 0
        if refusal == 2 and not (wanted.feed_open or wanted.unload or ahead):
            return None
        return refusal


@breaks("10.16", "shuffler")
class LetsFourCardsGoByOneWish:
    """Behind the fourth card of one release it looks no more, until the next `apply`."""

    _from = 0

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        self._from = self._memory.cards_out
        return super()._apply(wanted, now_s)

    def _next_work(self) -> Any:
        work = super()._next_work()
        if work is not None and work.name == "PRESENT" and self._memory.cards_out - self._from >= 4:
            return None
        return work


@breaks("10.33", "shuffler")
class ALidThatIsClosedOverAStuckCardIsNotTold:
    """While a path sensor sees a card, the end of an open lid is not told."""

    def _post(self, event: Any, now_s: float) -> None:
        if isinstance(event, LidClosed) and self.machine.path_blocked:
            pass
        else:
            super()._post(event, now_s)


@breaks("12.1", "display")
class TheFaultBitIsThatOfTheCommand:
    """A panel that sticks at the fault picture: the amount is read back, the bit is what was wished."""

    def _status(self) -> DisplayStatus:
        status: DisplayStatus = super()._status()
        wanted = self._wanted
        if wanted is not None and status.fault_shown and not wanted.fault:
            return replace(status, fault_shown=False)
        return status


@breaks("12.3", "display")
class ANewSessionIsToldOfTheFaultOnceMore:
    """The mark that a fault was told is one of the session."""

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._stuck_told:
            self._stuck_told = False
        super()._hear(happened, now_s)


@breaks("14.9", "slots")
class WhatIsSaidAt48IsDoneWhenTheHostCaughtUp:
    """An `apply` at 48 waiting events is kept, and executed behind the acknowledgement."""

    _kept: SlotsApply | None = None

    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, SlotsApply):
            self._kept = command if self._link.must_lock else None
        return super()._obey(command, now_s)

    def _update(self, now_s: float) -> None:
        if self._kept is not None and not self._link.must_lock:
            kept, self._kept = self._kept, None
            self._apply(kept)
        super()._update(now_s)

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened):
            self._kept = None
        super()._hear(happened, now_s)

    def _power_lost(self) -> None:
        self._kept = None
        super()._power_lost()


@breaks("18.2", "slots")
class EachOfTheTwoDenialsHasAPaceOfItsOwn(PairableLink):
    """NOT_PROVEN may follow NO_SESSION at once, and the other way round."""

    _not_proven_from_s = 0.0

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if kind is FrameKind.NOT_PROVEN:
            kept, self._no_session_from_s = self._no_session_from_s, self._not_proven_from_s
            super()._deny(kind, opening, now_s, key)
            self._not_proven_from_s, self._no_session_from_s = self._no_session_from_s, kept
        else:
            super()._deny(kind, opening, now_s, key)


@breaks("18.7", "slots")
class ABadCommandIsNoNewsInAProvenSession(PairableLink):
    """The next COMMAND is answered with BAD_COMMAND, and no sign of life."""

    def _is_whole(self, kind: int, payload: bytes) -> bool:
        if kind == FrameKind.COMMAND and payload[:1] not in (b"\1", b"\2"):
            return False
        return super()._is_whole(kind, payload)


@breaks("18.14", "display")
class ShowsAnAmountWhileTheSwitchIsOn:
    """The switch withdraws the amount; an `apply` meanwhile brings it back, beside `host_silent`."""

    link_type = PairableLink
    _is_let = False

    def _is_switch_alone(self) -> bool:
        link: Any = self._link
        return link._window_until_s is not None and not link._silent and len(link._waiting) < EVENTS_LOCK

    def _obey(self, command: Any, now_s: float) -> Any:
        self._is_let = self._is_switch_alone() and isinstance(command, DisplayApply)
        result = super()._obey(command, now_s)
        if self._is_let and self._wanted is None:
            self._picture = command
        return result

    def _lock_down(self) -> None:
        if not (self._is_let and self._is_switch_alone()):
            self._is_let = False
            super()._lock_down()

    def _hear(self, happened: Any, now_s: float) -> None:
        self._is_let = self._is_let and isinstance(happened, CommandReceived)
        super()._hear(happened, now_s)


@breaks("18.17", "shuffler")
class TheKeyGoesWithTheSpoiltNumbers:
    """Numbers and key share one checksum."""

    link_type = PairableLink

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self.pairing.key = None


@breaks("6.7", "slots")
class EachOldAckMakesTheWindowWider(DeviceLink):
    """Acknowledgements are counted instead of events: a copy of an ACK lets one more event go."""

    _copies = 0

    def _take_ack(self, number: int, payload: bytes) -> None:
        before = len(self._waiting)
        super()._take_ack(number, payload)
        self._copies = self._copies + 1 if len(self._waiting) == before else 0

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._copies = 0

    def _send_window(self, now_s: float) -> None:
        super()._send_window(now_s)
        if not self._waiting or self._silent or self._greeting is not None:
            return
        head = rows.EVENT_LAYOUT.encode(rows.EventBody(self._oldest()))
        for number, payload in islice(self._waiting, EVENT_WINDOW, EVENT_WINDOW + self._copies):
            if number >= self._next_to_send:
                self._send(FrameKind.EVENT, number, head + payload)
                self._next_to_send = number + 1


@breaks("6.13", "slots")
class AnOldAckBeginsTheRetryAnew(DeviceLink):
    """An ACK of what was acknowledged already puts off what waits to come again."""

    def _take_ack(self, number: int, payload: bytes) -> None:
        before = len(self._waiting)
        super()._take_ack(number, payload)
        if len(self._waiting) == before and self._retry_at_s is not None:
            self._retry_at_s = self._silent_at_s - SILENT_AFTER_S + self._retry_s


@breaks("7.2", "display")
class ASlowDiskWithNothingToWriteIsNotAnswered(DeviceLink):
    """A heartbeat that says not_yet_durable while no event waits cannot be right, and is not answered."""

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        if payload == b"\1" and not self._waiting:
            self._pulse = None


@breaks("7.4", "value-display")
class AFlagOfTwoIsNoSignOfLife(DeviceLink):
    """A heartbeat of the right length with a value that is not allowed is no sign of life; one of another length is."""

    _is_bad = False

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._is_bad = header.kind == FrameKind.HEARTBEAT and len(payload) == 1 and payload > b"\1"
        super()._receive(header, payload, now_s)

    def _heard(self, now_s: float) -> None:
        if self._is_bad:
            pass
        else:
            super()._heard(now_s)


@breaks("9.18", "shuffler")
class FortyEightEventsPutTheLampOut:
    """The lamp that the host lit goes out with the permissions at 48 waiting events."""

    def _lock_down(self) -> None:
        super()._lock_down()
        link: Any = self._link
        if link.must_lock and not link.host_silent and self._memory.lamp:
            self._memory.lamp = False


@breaks("9.19", "shuffler")
class TheSecondStartInARowIsDark:
    """The lamp is stored with a session's first command: two losses of power with no host between put it out."""

    _starts = 0

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened):
            self._starts = 0
        super()._hear(happened, now_s)

    def _power_lost(self) -> None:
        self._starts += 1
        if self._starts > 1 and self._memory.lamp:
            self._memory.lamp = False
        super()._power_lost()


@breaks("10.4", "shuffler")
class ANewerNumberEndsAJamOverAStuckCard:
    """The path is looked at for the jam's own number alone."""

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._end_jam(wanted, now_s)
        if result != ShufflerResult.REFUSED_PATH_BLOCKED or wanted.jams_ended == self._memory.jams:
            return result
        stuck, self.machine.jammed = self.machine.jammed, []
        result = super()._end_jam(wanted, now_s)
        self.machine.jammed = stuck
        return result


@breaks("10.5", "shuffler")
class AWordForAJamUnderAnOpenLidIsOk:
    """The answer is OK where nothing that moves cards is asked for, and the latch stays."""

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        memory = self._memory
        moves = wanted.feed_open or wanted.unload or memory.owed(wanted.release_until) > 0
        is_alone = not moves and wanted.recount_request == memory.recounts
        is_let = result == ShufflerResult.REFUSED_LID_OPEN and memory.jammed and is_alone
        return ShufflerResult.OK if is_let else result


@breaks("10.9", "shuffler")
class UnderAnOpenLidTheLampOfAJamGoesOut:
    """A word for the jam that is refused for the lid takes the wish for the lamp all the same."""

    _is_out = False

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        result = super()._apply(wanted, now_s)
        of_jam = self._memory.is_ended(wanted.jams_ended)
        self._is_out = result == ShufflerResult.REFUSED_LID_OPEN and of_jam and not wanted.lamp
        return result

    def _status(self) -> ShufflerStatus:
        status: ShufflerStatus = super()._status()
        if self._is_out and status.jammed:
            return replace(status, lamp_lit=False)
        return status

    def _power_lost(self) -> None:
        self._is_out = False
        super()._power_lost()


@breaks("10.12", "shuffler")
class AnEmptyHopperMayBeFedUnderAnOpenLid:
    """A feed with nothing in the hopper only waits for cards: it is taken over, whatever the lid."""

    def _refusal_to_move(self, wanted: ShufflerApply) -> Any:
        refusal = super()._refusal_to_move(wanted)
        memory = self._memory
        is_other = wanted.unload or memory.owed(wanted.release_until) > 0 or wanted.recount_request != memory.recounts
        if refusal == ShufflerResult.REFUSED_LID_OPEN and not is_other and not self.machine.hopper:
            return None
        return refusal


@breaks("10.20", "shuffler")
class RequestZeroIsNoRequest:
    """Behind another number, 0 asks for a recount as any number does; here it means none."""

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        if wanted.recount_request == 0 and self._memory.recounts:
            wanted = replace(wanted, recount_request=self._memory.recounts)
        return super()._apply(wanted, now_s)


@breaks("11.4", "shoe")
class RefusesToLockWithoutItsCounts:
    """With counts_unknown a lock is done and refused."""

    def _obey(self, command: Any, now_s: float) -> Any:
        result = super()._obey(command, now_s)
        if isinstance(command, ShoeApply) and command.locked and self._counts_unknown:
            return ShoeResult.REFUSED_HOST_SILENT
        return result


@breaks("14.4", "slots")
class ACollectionOfNoSeatIsNone:
    """collections + 1 with `seats` 0 is answered OK, and the number stays."""

    def _apply(self, command: SlotsApply) -> None:
        if command.seats == 0 and command.collection == (self._collections + 1) % 2**16:
            command = replace(command, collection=self._collections)
        super()._apply(command)


@breaks("18.3", "value-display")
class ABadCommandIsAnsweredWithThePairsTag(PairableLink):
    """The quick answer to a bad command is made with the other key."""

    def _send_answer(self, result: int) -> None:
        if result == 1 and self._key is not None:
            kept, self._key = self._key, self._pairing.key
            super()._send_answer(result)
            self._key = kept
        else:
            super()._send_answer(result)


@breaks("18.4", "shoe")
class ItsNonceIsMadeOfBootAndOpening(PairableLink):
    """The same opening with another nonce of the host, behind a silence, gets the device's nonce of before."""

    _begun: set[int]

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        if self._key is not None and self._pairing.key is not None:
            self._begun = {*getattr(self, "_begun", set()), opening}
            self._nonce = sha256(b"%d %d" % (opening, self._boot)).digest()[:16]
            self._key = session_key(self._pairing.key, opening, self._boot, host_nonce, self._nonce)

    def _replace_silent(self, header: Header) -> None:
        super()._replace_silent(header)


@breaks("18.5", "shuffler")
class BehindASilenceTheSameHelloIsANewSession(PairableLink):
    """A HELLO that comes again, with its nonce, in a silence, begins the session with a new nonce."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        nonce = payload[rows.HELLO_LAYOUT.size :]
        is_again = header.host_opening == self._opening and bool(nonce) and nonce == self._host_nonce
        if is_again and self._silent and self._is_of_the_pair(header, payload) and self._pulses:
            self._opening = None
        super()._greet(header, payload, now_s)


@breaks("18.9", "shuffler")
class AProvenHelloOfANewSessionBeginsTheTwoSecondsAnew(PairableLink):
    """A HELLO that opens a session puts off a silence that has not begun yet."""

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        super()._begin_session(opening, host_nonce)
        if self._key is not None and not self._silent:
            self._silent_at_s = self._greeted_at_s + SILENT_AFTER_S


@breaks("18.19", "display")
class APairedDeviceKeepsItsOldKey(PairableLink):
    """PAIRED is said, with the tag of the new key; where there was a key already, that one stays."""

    def _take_pair(self, header: Header, key: bytes) -> None:
        had = self._pairing.key
        super()._take_pair(header, key)
        if had is not None and self._pairing.key is not None and self._pairing.key != had:
            self._pairing.key = had


@breaks("2.2", "shuffler")
class ATaggedFrameIsASignOfLife(DeviceLink):
    """A frame with a tag is rejected behind the timer: nothing is done, and the host counts as heard."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._io = FrameIo(from_device=False, takes_tags=True)
        self.stats = self._io.stats

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.tag == NO_TAG:
            super()._receive(header, payload, now_s)
            return
        self.stats.rejected[RejectReason.UNEXPECTED_TAG] += 1
        if (header.host_opening, header.device_boot) == (self._opening, self._boot):
            self._heard(now_s)
            self._send_window(now_s)


@breaks("2.7", "shuffler")
class TwoBadFramesInARowCostTheNext(DeviceLink):
    """Behind the second damaged frame in a row it looks for a beginning, and passes over one good frame."""

    _bad = 0

    def receive_data(self, data: bytes, now_s: float) -> None:
        for found in self._io.frames(data):
            if isinstance(found, RejectReason):
                self._bad += 1
                self.stats.rejected[found] += 1
            elif self._bad >= 2:
                self._bad = 0
            else:
                self._bad = 0
                self._receive(*found, now_s)


@breaks("4.3", "display")
class AFullQueueAnswersNoHelloOfItsSession(DeviceLink):
    """While 48 events wait a HELLO that comes again is taken, and not answered."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        is_ours = header.host_opening == self._opening
        super()._greet(header, payload, now_s)
        if is_ours and len(self._waiting) >= EVENTS_LOCK and self._greeting == header.host_opening:
            self._greeting = self._also_greeted.pop() if self._also_greeted else None


@breaks("4.8", "shuffler")
class TheHelloThatEndsASilenceCommitsNothing(DeviceLink):
    """A HELLO of the session's opening, said in a silence, acknowledges nothing."""

    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and self._silent and len(payload) == 10 and any(payload[2:]):
            payload = payload[:2] + bytes(8)
        super()._greet(header, payload, now_s)


@breaks("4.11", "shoe")
class IsRealWhereItsMemoryIsSpoilt:
    """Behind spoilt numbers it begins with the defaults: simulated is 0."""

    def _forget_counts(self) -> None:
        super()._forget_counts()
        self._identity = replace(self._identity, simulated=False)


@breaks("4.13", "value-display")
class TellsNobodyOfItsSessionInASilence(DeviceLink):
    """While the session's host is silent, a frame of another session is answered by nothing."""

    def _deny(self, kind: FrameKind, opening: int, now_s: float, key: bytes | None = None) -> None:
        if self._opening is not None and self._silent:
            pass
        else:
            super()._deny(kind, opening, now_s, key)


@breaks("6.10", "slots")
class AnAckOfAllLeavesTheRetryTime(DeviceLink):
    """An acknowledgement behind which nothing waits stops the timer, and leaves its length for the next event."""

    def _forget_through(self, number: int) -> bool:
        was_s = self._retry_s
        is_news = super()._forget_through(number)
        if is_news and not self._waiting and was_s != self._retry_s:
            self._retry_s = was_s
        return is_news


@breaks("6.12", "display")
class AnAckFreesSixteenAtMost(DeviceLink):
    """One turn of its loop frees sixteen places."""

    def _forget_through(self, number: int) -> bool:
        if self._waiting and number - self._waiting[0][0] >= 16:
            number = self._waiting[0][0] + 15
        return super()._forget_through(number)


@breaks("7.8", "shoe")
class AShortSilenceGivesBack:
    """The lock is again what it was where the host is back within half a second of the silence."""

    _was_locked = True
    _silent_at_s: float | None = None

    def _settle(self, now_s: float) -> None:
        link: Any = self._link
        is_silent = link.host_silent and link.in_session
        if is_silent and self._silent_at_s is None:
            self._was_locked, self._silent_at_s = self._locked, now_s
        elif not is_silent and self._silent_at_s is not None:
            if now_s - self._silent_at_s < 0.5 and not self._was_locked and not link.must_lock:
                self._locked = False
            self._silent_at_s = None
        super()._settle(now_s)

    def _hear(self, happened: Any, now_s: float) -> None:
        self._was_locked = True  # a new session, or a command, says what shall be
        super()._hear(happened, now_s)


@breaks("9.12", "display")
class ASilenceBehindAFullWindowWithdrawsNothing:
    """While a whole window waits the amount stays, beside `host_silent`."""

    def _lock_down(self) -> None:
        link: Any = self._link
        if link.in_session and link.host_silent and EVENT_WINDOW <= link.waiting_events < EVENTS_LOCK:
            pass
        else:
            super()._lock_down()

    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if isinstance(happened, SessionOpened):
            super()._lock_down()


@breaks("9.14", "shuffler")
class AJamHaltsAnUnloadingAndKeepsIt:
    """`unloading` stays through a jam, and goes on when people have ended it."""

    def _jam(self, stuck: Stuck, now_s: float) -> None:
        self._was_unloading = self._orders.unload
        super()._jam(stuck, now_s)

    def _post(self, event: Any, now_s: float) -> None:
        if type(event).__name__ == "Jammed" and self._was_unloading and not self._link.must_lock:
            self._orders.unload = True
        super()._post(event, now_s)


@breaks("9.15", "shuffler")
class AFeedThatWaitsForCardsOutlivesTheLid:
    """The lid stops what moves: a feed with an empty hopper does not, and stays."""

    def _look_at_sensors(self, now_s: float) -> None:
        opens = self.machine.lid_open and not self._seen_lid_open
        self._keeps = opens and self._orders.feed_open and not self.machine.hopper
        super()._look_at_sensors(now_s)
        self._keeps = False

    def _lock_down(self) -> None:
        super()._lock_down()
        if self._keeps and not self._link.must_lock:
            self._orders.feed_open = True

    _keeps = False


@breaks("10.18", "shuffler")
class AFeedIsOverWhenTheHopperIsEmpty:
    """`feed_open` stays, and what is laid in behind the first load is not taken in before the next `apply`."""

    _had_cards = _is_over = False

    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        self._had_cards = self._is_over = False
        return super()._apply(wanted, now_s)

    def _next_work(self) -> Any:
        hopper = bool(self.machine.hopper)
        if self._orders.feed_open:
            self._is_over = self._is_over or (self._had_cards and not hopper)
            self._had_cards = self._had_cards or hopper
        work = super()._next_work()
        if work is Work.FEED and self._is_over:
            return None
        return work


@breaks("11.10", "shoe")
class TheThirdCardUnderAnErrorIsRead:
    """The first two cards while an error is raised are 0x00, those behind have a face."""

    _passed = 0

    def _read(self, card: PhysicalCard) -> int:
        if self._error is None:
            self._passed = 0
            return super()._read(card)
        self._passed += 1
        if self._passed < 3:
            return super()._read(card)
        error, self._error = self._error, None
        face: int = super()._read(card)
        self._error = error
        return face


@breaks("13.1", "value-display")
class TheLastMarkerIsReadBackFromTheCommand:
    """Eleven markers are read back; turquoise is said as it was wished."""

    def _status(self) -> MarkersStatus:
        status: MarkersStatus = super()._status()
        wanted = self._wanted
        if wanted is not None and wanted.turquoise != status.turquoise:
            return replace(status, turquoise=wanted.turquoise)
        return status


@breaks("14.7", "slots")
class LampsOfACollectionComeBackWithThePower:
    """Lamps that are lit when a collection is made are stored with its number."""

    _stored = 0

    def _apply(self, command: Any) -> None:
        was = self._collections
        super()._apply(command)
        self._stored = self._lit if self._collections != was else self._stored & self._lit

    def _power_lost(self) -> None:
        super()._power_lost()
        if self._stored:
            self._lit = self._stored


@breaks("14.8", "slots")
class ALitLampStopsBlinkingInANewSession:
    """A lamp that is lit and blinks is lit alone in the next session; one that only blinks goes on."""

    def _hear(self, happened: Any, now_s: float) -> None:
        if isinstance(happened, SessionOpened) and self._lit & self._blinking:
            self._blinking &= ~self._lit
        super()._hear(happened, now_s)


@breaks("18.12", "shoe")
class BehindASilenceTheWindowHasOnePad(PairableLink):
    """The events that come again at the end of a silence have the pad of the oldest, until an acknowledgement."""

    _is_back = False

    def _heard(self, now_s: float) -> None:
        was_silent, had_sent = self._silent, self._next_to_send > 1
        super()._heard(now_s)
        if was_silent and not self._silent and had_sent and self._key is not None:
            self._is_back = True

    def _take_ack(self, number: int, payload: bytes) -> None:
        self._is_back = False
        super()._take_ack(number, payload)

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._is_back = False
        super()._begin_session(opening, host_nonce)

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._key is not None and self._is_back and number != self._oldest():
            head, event = payload[: rows.EVENT_LAYOUT.size], payload[rows.EVENT_LAYOUT.size :]
            at = self._pairing.secret_at(event)
            payload = head + covered(self._key, self._oldest(), event, at)
            self._io.send(self._header(kind, number), payload, self._key)
        else:
            super()._send(kind, number, payload)


@breaks("18.13", "display")
class TheSwitchOutlivesThePower:
    """A loss of power within the minute begins the minute anew."""

    link_type = PairableLink

    def _power_lost(self) -> None:
        self._was_on = self._link._window_until_s is not None
        super()._power_lost()

    def _new_link(self, now_s: float) -> Any:
        link = super()._new_link(now_s)
        if self._was_on:
            link.allow_pairing(now_s)
        self._was_on = False
        return link

    _was_on = False


@breaks("2.7", "shoe")
class TheRestOfAReadBehindADroppedFrameIsLost(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        for found in self._io.frames(data):
            if isinstance(found, RejectReason):
                self.stats.rejected[found] += 1
                return
            self._receive(*found, now_s)


@breaks("3.2", "shoe")
class TakesANonceWithoutATag(PairableLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        cut = len(payload) if header.tag != NO_TAG or len(payload) != 26 else 10
        super()._greet(header, payload[:cut], now_s)


@breaks("3.8", "display")
class AHelloWithABootOpensTheFirstSession(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if self._opening is None and payload[:1] == b"\1":
            self._greet(header, payload, now_s)
        else:
            super()._take_hello(header, payload, now_s)


@breaks("4.2")
class AnotherMajorOpensTheFirstSession(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._take_hello(header, payload, now_s)
        if self._opening is None and payload[:1] != b"\1":
            self._opening = header.host_opening


@breaks("7.7", "shoe")
class AnyFrameWakesItBeforeASession(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        if self._opening is None:
            self._silent, self._silent_at_s = False, now_s + SILENT_AFTER_S
        super()._refuse_session(header, now_s)


@breaks("5.10", "shoe")
class ASessionLocksTheStatusAlone:
    """The bolt moves by command, and the flag by everything that withdraws."""

    _is_bolted = False

    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, ShoeApply):
            self._is_bolted = command.locked
        return super()._obey(command, now_s)

    @property
    def is_free(self) -> bool:
        return super().is_free or not self._is_bolted


@breaks("4.9", "shoe")
class ACommitComparesThreeBytesOfABoot(DeviceLink):
    def _greet(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._greet(header, payload, now_s)
        hello = rows.HELLO_LAYOUT.decode(payload)
        if (hello.committed_boot - self._boot) % 2**24 == 0 and hello.committed_number < self._next_event:
            self._forget_through(hello.committed_number)


@breaks("9.22", "shuffler")
class ARefusalForCountsLeavesAnUnloading:
    def _apply(self, wanted: ShufflerApply, now_s: float) -> Any:
        unloads = self._orders.unload
        result = super()._apply(wanted, now_s)
        if result is ShufflerResult.REFUSED_COUNTS_UNKNOWN:
            self._orders.unload = unloads
        return result


@breaks("10.6", "shuffler")
class AFarNewerWordEndsNothing:
    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> Any:
        is_far = (wanted.jams_ended - self._memory.jams) % 2**16 > 255
        return None if is_far else super()._end_jam(wanted, now_s)


@breaks("5.6", "shuffler")
class ABadFlagEndsAJam:
    """The word for a jam is read before the flags are looked at."""

    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        try:
            self._schema.decode_command(payload)
        except FrameError:
            if len(payload) == 12 and self._memory.jammed and not self.machine.path_blocked:
                self._memory.jammed = False
                self._post(JamEnded(), now_s)
        super()._answer(number, payload, now_s)
