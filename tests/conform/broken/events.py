"""Firmwares that break sections 6, 7 and 9 of the link: events, signs of life, the effects of a silence or a start."""

from itertools import islice
from typing import Any

from msgspec import structs

from firmware_protocols.errors import RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.shoe import ShoeApply
from tests.conform.broken.table import breaks


@breaks("6.1")
class EventOneIsAnother(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        return super().post_event(b"\2" + payload[1:-1] if self._next_event == 1 else payload, now_s)


@breaks("6.1")
class CountsEventsFromTwo(DeviceLink):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._next_event = 2


@breaks("6.2", "shoe")
class AnEventHasTheStatusBefore(DeviceLink):
    _before = b""

    def post_event(self, payload: bytes, now_s: float) -> int:
        size = len(self._status)
        if payload[0] == 4 and self._before:
            payload = payload[:1] + bytes((payload[1] ^ 1,)) + payload[2:]
        self._before = payload[1 : 1 + size]
        return super().post_event(payload, now_s)


@breaks("6.3", "shoe")
class OneCardIsTwoEvents(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        number = super().post_event(payload, now_s)
        return super().post_event(payload, now_s) if payload[0] == 2 and number == 40 else number


@breaks("6.4")
class AnEventSentAgainHasTheStatusOfNow(DeviceLink):
    def _send_window(self, now_s: float) -> None:
        size = len(self._status)
        if self._status:
            for place, (number, payload) in enumerate(self._waiting):
                self._waiting[place] = (number, payload[:1] + self._status + payload[1 + size :])
        super()._send_window(now_s)


@breaks("6.4")
class AnEventSentInAnotherSessionHasTheStatusOfNow(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        size = len(self._status)
        for place, (number, payload) in enumerate(self._waiting):
            self._waiting[place] = (number, payload[:1] + self._status + payload[1 + size :])


class _Oldest(DeviceLink):
    """Names another `oldest_event` in its events."""

    def _said(self) -> int:
        return 1

    def _send_window(self, now_s: float) -> None:
        if not self._waiting or self._silent or self._greeting is not None:
            return
        head = rows.EVENT_LAYOUT.encode(rows.EventBody(self._said()))
        for number, payload in islice(self._waiting, 8):
            if number >= self._next_to_send:
                self._io.send(self._header(FrameKind.EVENT, number), head + payload)
                self._next_to_send = number + 1
        if self._retry_at_s is None:
            self._retry_at_s = now_s + self._retry_s


@breaks("6.5")
class OldestIsAlwaysOne(_Oldest):
    pass


@breaks("6.5")
class OldestIsOfWhenItWasMade(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        self._heads[self._next_event] = self._oldest()
        return super().post_event(payload, now_s)

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._heads: dict[int, int] = {}

    def _send_window(self, now_s: float) -> None:
        if not self._waiting or self._silent or self._greeting is not None:
            return
        for number, payload in islice(self._waiting, 8):
            if number >= self._next_to_send:
                head = rows.EVENT_LAYOUT.encode(rows.EventBody(self._heads[number]))
                self._io.send(self._header(FrameKind.EVENT, number), head + payload)
                self._next_to_send = number + 1
        if self._retry_at_s is None:
            self._retry_at_s = now_s + self._retry_s


@breaks("6.6")
class KeepsFiftyEvents(DeviceLink):
    constants = {"EVENTS_KEPT": 50}


@breaks("6.6")
class KeepsFourEvents(DeviceLink):
    constants = {"EVENTS_KEPT": 4}


@breaks("6.6")
class ForgetsWithTheSession(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        if self._opening is not None:
            self._waiting.clear()
        super()._open(opening, hello)


@breaks("6.7")
class HasAWindowOf64(DeviceLink):
    constants = {"EVENT_WINDOW": 64}


@breaks("6.7")
class HasAWindowOf9(DeviceLink):
    constants = {"EVENT_WINDOW": 9}


@breaks("6.8")
class HasAWindowOf7(DeviceLink):
    constants = {"EVENT_WINDOW": 7}


@breaks("6.8")
class LetsTheNextGoOnlyWhenAllAreAcknowledged(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        had = self._next_to_send
        super()._take_ack(number, payload)
        if self._waiting and self._oldest() < had:
            self._next_to_send = 2**32

    def handle_timeout(self, now_s: float) -> None:
        super().handle_timeout(now_s)


@breaks("6.9")
class SendsAgainEverySecond(DeviceLink):
    constants = {"EVENT_RETRY_S": 1.0}


@breaks("6.9")
class SendsAgainEvery02S(DeviceLink):
    constants = {"EVENT_RETRY_MAX_S": 0.2}


@breaks("6.9")
class SendsAgainLaterAndLater(DeviceLink):
    constants = {"EVENT_RETRY_MAX_S": 3.0}


@breaks("6.9")
class SendsTheOldestAgainAlone(DeviceLink):
    def _send_again(self, now_s: float) -> None:
        self._next_to_send = 1
        self._retry_at_s = None
        kept = list(self._waiting)[1:]
        for _ in kept:
            self._waiting.pop()
        self._send_window(now_s)
        self._waiting.extend(kept)
        self._next_to_send = kept[min(6, len(kept) - 1)][0] + 1 if kept else self._next_to_send


@breaks("6.9")
class GivesUpAfterTenTries(DeviceLink):
    _tries = 0

    def _send_again(self, now_s: float) -> None:
        self._tries += 1
        if self._tries < 10:
            super()._send_again(now_s)
        else:
            self._retry_at_s = None

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._tries = 0


@breaks("6.10")
class StaysSlowBehindAnAckOfASlowHost(DeviceLink):
    _is_slow = False

    def _retry_slowly(self) -> None:
        super()._retry_slowly()
        self._is_slow = True

    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number, payload)
        if self._is_slow:
            self._retry_s = 1.0

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._is_slow = False


@breaks("6.10")
class StaysSlowBehindAnAck(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        was = self._retry_s
        super()._take_ack(number, payload)
        self._retry_s = was


@breaks("6.11")
class HearsNoSlowHost(DeviceLink):
    def _retry_slowly(self) -> None:
        pass


@breaks("6.11")
class ASlowHostIsNeverTold(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        if payload == b"\1" and self._retry_at_s is not None:
            self._retry_at_s = self._silent_at_s - 1.0


@breaks("6.12")
class AcknowledgesTheOneEventAlone(DeviceLink):
    def _forget_through(self, number: int) -> bool:
        if self._waiting and self._waiting[0][0] < number and len(self._waiting) < 5:
            return False
        return super()._forget_through(number)


@breaks("6.12")
class SendsWhatIsAcknowledgedOnceMore(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        first = self._waiting[0] if self._waiting else None
        super()._take_ack(number, payload)
        self._ghost = first if first and first[0] <= number else None
        self._ghost_at_s = self._silent_at_s - 2 + 0.35

    _ghost: tuple[int, bytes] | None = None
    _ghost_at_s = 0.0

    def next_timeout_s(self) -> float | None:
        due_s = super().next_timeout_s()
        return due_s if self._ghost is None or due_s is None else min(due_s, self._ghost_at_s)

    def handle_timeout(self, now_s: float) -> None:
        super().handle_timeout(now_s)
        if self._ghost is not None and now_s >= self._ghost_at_s:
            number, payload = self._ghost
            head = rows.EVENT_LAYOUT.encode(rows.EventBody(number))
            self._io.send(self._header(FrameKind.EVENT, number), head + payload)
            self._ghost = None


@breaks("6.13")
class AnAckOfWhatWasNeverMadeAcknowledges(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(min(number, self._next_event - 1), payload)


@breaks("6.13")
class AnAckOfBeforeBringsTheRestAtOnce(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        before = len(self._waiting)
        super()._take_ack(number, payload)
        if len(self._waiting) == before and number:
            self._next_to_send = 1


@breaks("6.15")
class NeverLocks(DeviceLink):
    constants = {"EVENTS_LOCK": 1000}


@breaks("6.15", "shoe")
class NeverLocksAShoe(DeviceLink):
    constants = {"EVENTS_LOCK": 1000}


@breaks("6.15", "shuffler")
class NeverLocksAShuffler(DeviceLink):
    constants = {"EVENTS_LOCK": 1000}


@breaks("6.15")
class LocksAt49(DeviceLink):
    constants = {"EVENTS_LOCK": 49}


@breaks("6.15", "shoe")
class LocksAt47(DeviceLink):
    constants = {"EVENTS_LOCK": 47}


@breaks("6.16")
class TheNewestGoes(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        if len(self._waiting) >= 64:
            return self._next_event - 1
        return super().post_event(payload, now_s)


@breaks("6.17")
class RepeatsInTheSilence(DeviceLink):
    _nag_s = 0.0

    def next_timeout_s(self) -> float | None:
        due_s = super().next_timeout_s()
        return max(self._nag_s, self._silent_at_s) if due_s is None and self._opening and self._waiting else due_s

    def handle_timeout(self, now_s: float) -> None:
        super().handle_timeout(now_s)
        if self._silent and self._opening and self._waiting and now_s >= max(self._nag_s, self._silent_at_s):
            self._nag_s = now_s + 1.0
            number, payload = self._waiting[0]
            head = rows.EVENT_LAYOUT.encode(rows.EventBody(number))
            self._io.send(self._header(FrameKind.EVENT, number), head + payload)


@breaks("6.17")
class WaitsWhenTheSilenceEnds(DeviceLink):
    def _heard(self, now_s: float) -> None:
        was = self._silent
        super()._heard(now_s)
        if was and self._opening is not None and self._greeting is None and self._waiting:
            self._next_to_send = 2**32
            self._retry_at_s = now_s + 0.3


@breaks("6.17")
class SendsTheOldestAloneWhenTheSilenceEnds(DeviceLink):
    def _heard(self, now_s: float) -> None:
        was = self._silent
        super()._heard(now_s)
        if was and len(self._waiting) > 1 and self._greeting is None:
            self._waiting, kept = type(self._waiting)([self._waiting[0]]), self._waiting
            self._send_window(now_s)
            self._waiting, self._next_to_send = kept, kept[-1][0] + 1


# --- section 7


@breaks("7.2")
class AnswersEachNumberOnce(DeviceLink):
    _answered = -1

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if number != self._answered or number < 3:
            super()._take_heartbeat(number, payload)
        self._answered = number


@breaks("7.2")
class AnswersGrowingNumbersAlone(DeviceLink):
    _highest = 0

    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._highest = 0

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if number > self._highest or number == 0:
            self._highest = number
            super()._take_heartbeat(number, payload)


@breaks("7.3", "value-display")
class TheReplyThatEndsASilenceIsSilent(DeviceLink):
    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        super()._take_heartbeat(number, payload)
        if self._was_silent:
            self._send_pulse()

    _was_silent = False

    def _heard(self, now_s: float) -> None:
        self._was_silent = self._silent and self._opening is not None
        super()._heard(now_s)
        if self._was_silent:
            self._status = self._status[:-1] + bytes((self._status[-1] | 1,))


class _Deaf(DeviceLink):
    """Ignores the sign of life in some frames."""

    def _is_no_sign(self, header: Header, payload: bytes) -> bool:
        return False

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._is_deaf_now = self._is_no_sign(header, payload)
        super()._receive(header, payload, now_s)

    _is_deaf_now = False
    _wakes = True

    def _heard(self, now_s: float) -> None:
        if not self._is_deaf_now or (self._silent and self._wakes):
            super()._heard(now_s)


@breaks("7.4")
class ABadPayloadIsNoSignOfLife(_Deaf):
    _wakes = False

    def _is_no_sign(self, header: Header, payload: bytes) -> bool:
        return header.kind == FrameKind.HEARTBEAT and len(payload) != 1


@breaks("7.4", "shoe")
class HelloIsNoSignOfLife(_Deaf):
    def _is_no_sign(self, header: Header, payload: bytes) -> bool:
        return header.kind == FrameKind.HELLO and header.host_opening == self._opening and self._greeted_before

    _greeted_before = False
    _last = -1

    def _receive(self, header: Header, payload: bytes, now_s: float) -> None:
        self._greeted_before = header.host_opening == self._opening
        super()._receive(header, payload, now_s)


@breaks("7.4", "display")
class AnOldAckIsNoSignOfLife(_Deaf):
    def _is_no_sign(self, header: Header, payload: bytes) -> bool:
        return header.kind == FrameKind.ACK


@breaks("7.4", "shoe")
class AnOldCommandIsNoSignOfLife(_Deaf):
    def _is_no_sign(self, header: Header, payload: bytes) -> bool:
        return header.kind == FrameKind.COMMAND and header.number != self._command


@breaks("7.4", "shoe")
class ABadCommandIsNoSignOfLife(_Deaf):
    _wakes = False

    def _is_no_sign(self, header: Header, payload: bytes) -> bool:
        return header.kind == FrameKind.COMMAND and payload[:1] not in (b"\1", b"\2")


@breaks("7.5", "shoe")
class TakesASlowDiskForADeadHost(_Deaf):
    def _is_no_sign(self, header: Header, payload: bytes) -> bool:
        return header.kind == FrameKind.HEARTBEAT and payload == b"\1" and not self._retries_slowly

    _retries_slowly = False

    def _retry_slowly(self) -> None:
        super()._retry_slowly()


class _DeadMan(DeviceLink):
    after_s = 2.0

    def _heard(self, now_s: float) -> None:
        super()._heard(now_s)
        self._silent_at_s = now_s + self.after_s


@breaks("7.6", "shoe")
class LocksAfterOneSecond(_DeadMan):
    after_s = 1.0


@breaks("7.6", "value-display")
class NeverSaysHostSilent:
    def _status(self) -> Any:
        return structs.replace(super()._status(), host_silent=self._link.must_lock and not self._link.in_session)


@breaks("9.12", "shoe")
class LocksAfterTenSeconds(_DeadMan):
    after_s = 10.0


@breaks("9.12", "display")
class LocksAfterThreeSeconds(_DeadMan):
    after_s = 3.0


@breaks("7.7")
class BeginsWithALivingHost(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        if self._next_event == 1:
            payload = payload[:11] + b"\0" + payload[12:]
        return super().post_event(payload, now_s)


# --- section 9


class Starts:
    """A firmware with a wrong start."""

    def _come_back(self, now_s: float) -> None:
        self._boot = self._wrong_boot(self._boot)
        super()._come_back(now_s)

    def _wrong_boot(self, boot: int) -> int:
        return boot


@breaks("9.1")
class TheBootNumberStays(Starts):
    def _wrong_boot(self, boot: int) -> int:
        return boot - 1


@breaks("9.1")
class TheBootNumberGrowsByTwo(Starts):
    def _wrong_boot(self, boot: int) -> int:
        return boot + 1


@breaks("9.3")
class HasBootZero(DeviceLink):
    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._boot = 0


@breaks("9.5", "shoe")
class CountsFromNothingAtAStart:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._passages = 0


@breaks("9.5", "shoe")
class CountsOneMoreAtAStart:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._passages += 1


@breaks("9.7", "shoe")
class LosesItsCountsAndSaysNothing:
    def _forget_counts(self) -> None:
        self._passages = 0


@breaks("9.7", "shoe")
class KeepsTheCountsThatItLost:
    def _forget_counts(self) -> None:
        self._counts_unknown = True


@breaks("9.10", "shoe")
class ACountGoesBack:
    _commands = 0

    def _obey(self, command: Any, now_s: float) -> int:
        self._commands += 1
        if self._commands == 30:
            self._passages -= 1
        return super()._obey(command, now_s)


class Unlocked:
    """A firmware that keeps a permission that it should withdraw."""

    def _lock_down(self) -> None:
        if not self._is_deaf():
            super()._lock_down()

    def _is_deaf(self) -> bool:
        return False


@breaks("9.11", "shoe")
class ASessionWithdrawsNothing(Unlocked):
    def _is_deaf(self) -> bool:
        return not self._link.must_lock


@breaks("9.12", "shoe")
class SilenceWithdrawsNothing(Unlocked):
    def _is_deaf(self) -> bool:
        return self._link.must_lock


@breaks("9.13", "shoe")
class FortyEightEventsWithdrawNothing(Unlocked):
    def _is_deaf(self) -> bool:
        return self._link.must_lock and not self._link.host_silent


@breaks("7.8", "shoe")
class TheHostGivesBackWhatItsSilenceTook:
    _was: bool = True
    _silent_before = False

    def _settle(self, now_s: float) -> None:
        silent = self._link.host_silent and self._link.in_session
        if silent and not self._silent_before:
            self._was = self._locked
        if self._silent_before and not silent:
            self._locked = self._was
        self._silent_before = silent
        super()._settle(now_s)


@breaks("9.16", "shoe")
class StartsUnlocked:
    def _power_lost(self) -> None:
        self._was_locked = self._locked

    def _hear(self, happened: Any, now_s: float) -> None:
        super()._hear(happened, now_s)
        if not getattr(self, "_was_locked", True):
            self._locked, self._was_locked = False, True


@breaks("9.17", "shoe")
class AnAcknowledgementGivesBack:
    _was = True
    _full = False

    def _post(self, event: Any, now_s: float) -> None:
        if self._link.waiting_events == 47:
            self._was = self._locked
        super()._post(event, now_s)

    def _settle(self, now_s: float) -> None:
        full = self._link.waiting_events >= 48
        if self._full and not full:
            self._locked = self._was
        self._full = full
        super()._settle(now_s)


@breaks("9.17", "shoe")
class ALockWearsOff:
    _locked_at_s = 0.0

    def _obey(self, command: Any, now_s: float) -> Any:
        if isinstance(command, ShoeApply) and command.locked:
            self._locked_at_s = now_s
        return super()._obey(command, now_s)

    def _settle(self, now_s: float) -> None:
        if self._locked_at_s and now_s - self._locked_at_s > 3.0:
            self._locked, self._locked_at_s = False, 0.0
        super()._settle(now_s)

    def next_motion_s(self) -> float | None:
        return self._locked_at_s + 3.1 if self._locked_at_s else None


@breaks("9.18", "shuffler")
class ANewSessionPutsTheLampOut:
    def _hear(self, happened: Any, now_s: float) -> None:
        if type(happened).__name__ == "SessionOpened":
            self._memory.lamp = False
        super()._hear(happened, now_s)


@breaks("9.18", "shuffler")
class SilencePutsTheLampOut:
    def _lock_down(self) -> None:
        super()._lock_down()
        if self._link.host_silent:
            self._memory.lamp = False


@breaks("9.18", "shoe")
class SilenceUnlocks:
    def _lock_down(self) -> None:
        self._locked = not self._link.host_silent or not self._link.in_session


@breaks("9.24", "shuffler")
class SilenceLightsTheLamp:
    def _lock_down(self) -> None:
        super()._lock_down()
        if self._link.host_silent and self._link.in_session:
            self._memory.lamp = True


@breaks("9.23", "shoe")
class StaysSilentUntilACommand:
    _stays = False

    def _status(self) -> Any:
        return structs.replace(super()._status(), host_silent=self._link.must_lock or self._stays)

    def _lock_down(self) -> None:
        super()._lock_down()
        self._stays = self._link.in_session and self._link.host_silent

    def _obey(self, command: Any, now_s: float) -> int:
        self._stays = False
        return super()._obey(command, now_s)


@breaks("9.26")
class PostsNothingAtAStart:
    def _begin(self, now_s: float) -> None:
        if self._boot > 1:
            self._settle(now_s)
        else:
            super()._begin(now_s)


# --- found by firmwares that were written against the checks


@breaks("6.17", "shoe")
class TellsWhatIsNewInTheSilence(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        number = super().post_event(payload, now_s)
        if self._silent and self._opening is not None:
            head = rows.EVENT_LAYOUT.encode(rows.EventBody(self._oldest()))
            self._io.send(self._header(FrameKind.EVENT, number), head + payload)
        return number


class _StatusOfItsFirstSending(DeviceLink):
    """Gives an event outside the window the status of its sending instead of its own."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self._sent: set[int] = set()

    def _send_window(self, now_s: float) -> None:
        size = len(self._status)
        if self._status and not self._silent and self._greeting is None:
            for place, (number, payload) in enumerate(list(islice(self._waiting, 8))):
                if number not in self._sent and number < self._next_event - 1:
                    self._waiting[place] = (number, payload[:1] + self._status + payload[1 + size :])
                self._sent.add(number)
        super()._send_window(now_s)


@breaks("6.2")
class AnEventHasTheStatusOfItsFirstSending(_StatusOfItsFirstSending):
    pass


@breaks("6.2", "shoe")
class APassageHasTheStatusOfItsFirstSending(_StatusOfItsFirstSending):
    pass


@breaks("6.9")
class AnEventThatJoinsPutsTheRetryOff(DeviceLink):
    def post_event(self, payload: bytes, now_s: float) -> int:
        number = super().post_event(payload, now_s)
        if self._retry_at_s is not None:
            self._retry_at_s = now_s + self._retry_s
        return number


@breaks("6.15", "shoe")
class The48thEventIsNotLockedItself(DeviceLink):
    def expect_event(self) -> None:
        pass


@breaks("7.6", "shoe")
class ADamagedFrameIsLife(DeviceLink):
    def receive_data(self, data: bytes, now_s: float) -> None:
        was = self.stats.rejected[RejectReason.BAD_CRC]
        super().receive_data(data, now_s)
        if self.stats.rejected[RejectReason.BAD_CRC] > was and self._opening is not None:
            self._heard(now_s)
            self._send_window(now_s)


@breaks("7.6", "shoe")
class LocksAfter17S(_DeadMan):
    after_s = 1.7


@breaks("7.6", "shoe")
class LocksAfter225S(_DeadMan):
    after_s = 2.25


@breaks("9.1")
class CountsABootWithItsFirstSession(Starts):
    def _wrong_boot(self, boot: int) -> int:
        return boot - (not self._link.in_session)


@breaks("9.5", "shoe")
class StoresEachSecondCard:
    def _power_lost(self) -> None:
        super()._power_lost()
        self._passages -= self._passages % 2
