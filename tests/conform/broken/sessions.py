"""Firmwares that break sections 4 and 5: sessions and commands."""

from typing import Any

from msgspec import structs
from msgspec.structs import replace

from firmware_protocols.errors import FrameError
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import Query
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import CommandReceived, FrameKind, Header, SessionOpened
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.shuffler import ShufflerApply
from tests.conform.broken.table import breaks


@breaks("4.1")
class AnswersHelloTwice(DeviceLink):
    def _send_identity(self, opening: int) -> None:
        super()._send_identity(opening)
        super()._send_identity(opening)


@breaks("4.2")
class KnowsOneMajor(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] == bytes((self._identity.major,)):
            super()._take_hello(header, payload, now_s)


@breaks("4.2")
class ReadsWhatStandsBehindTheVersion(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if len(payload) == rows.HELLO_LAYOUT.size:
            super()._take_hello(header, payload, now_s)


@breaks("4.2", "display")
class OpensASessionOfAnyMajor(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[0] != 1 and len(payload) >= 10:
            payload = b"\1" + payload[1:10]
        super()._take_hello(header, payload, now_s)


@breaks("4.2", "shoe")
class LivesOnAHelloOfAnotherMajor(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[0] != 1 and header.host_opening == self._opening:
            self._heard(now_s)
        super()._take_hello(header, payload, now_s)


@breaks("4.15")
class KnowsOneMinor(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:2] == b"\1\0" or payload[:1] != b"\1":
            super()._take_hello(header, payload, now_s)


@breaks("4.3")
class TheSameHelloBeginsAnew(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if header.host_opening == self._opening and payload[:1] == b"\1":
            self._command, self._result = 0, None
        super()._take_hello(header, payload, now_s)


@breaks("4.3", "shoe")
class TheSameHelloWithdraws(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        is_same = header.host_opening == self._opening and payload[:1] == b"\1"
        super()._take_hello(header, payload, now_s)
        if is_same:
            self._happened += self._opened_again(payload)

    def _opened_again(self, _payload: bytes) -> list[Any]:
        return [SessionOpened(self._opening or 0, 1, 0)]


@breaks("4.4")
class NeverTakesAnOlderOpening(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        was, self._silent = self._silent, self._silent and self._opening is None
        super()._open(opening, hello)
        self._silent = was


@breaks("4.5")
class CountsCommandsOn(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        was = self._command
        super()._open(opening, hello)
        self._command = was


@breaks("4.6")
class ANewSessionSendsWhatIsNew(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._next_to_send = self._oldest() + 1


@breaks("4.6")
class RenumbersEvents(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        if len(self._waiting) > 1:
            later = [(number + 1, payload) for number, payload in self._waiting]
            self._waiting.clear()
            self._waiting.extend(later)
            self._next_event += 1


@breaks("4.7")
class TakesAnyOpening(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        self._opening = None
        super()._open(opening, hello)


@breaks("4.7")
class TakesHalfTheRangeForNewer(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        if self._opening is not None and (opening - self._opening) % 2**32 == 2**31:
            self._opening = None
        super()._open(opening, hello)


@breaks("4.7")
class LetsAnotherHostInTooSoon(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        if self._greeted_at_s < self._silent_at_s - 3:
            self._opening = None
        super()._open(opening, hello)

    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if now_s > self._silent_at_s - 1.0:
            self._greeted_at_s = -10.0
        super()._take_hello(header, payload, now_s)


@breaks("4.8")
class HelloAcknowledgesNothing(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        if payload[:1] == b"\1" and len(payload) == rows.HELLO_LAYOUT.size:
            payload = payload[:2] + bytes(8)
        super()._take_hello(header, payload, now_s)


class _OtherCommits(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._take_hello(header, payload, now_s)
        if payload[:1] == b"\1":
            hello = rows.HELLO_LAYOUT.decode(payload)
            if self._is_wrongly_taken(hello):
                self._forget_through(hello.committed_number)

    def _is_wrongly_taken(self, hello: rows.HelloBody) -> bool:
        return False


@breaks("4.9")
class ACommitOfAnotherBootAcknowledges(_OtherCommits):
    def _is_wrongly_taken(self, hello: rows.HelloBody) -> bool:
        return hello.committed_number < self._next_event


@breaks("4.9")
class ACommitOfWhatWasNeverMadeAcknowledges(_OtherCommits):
    def _is_wrongly_taken(self, hello: rows.HelloBody) -> bool:
        return hello.committed_boot == self._boot


@breaks("4.10")
class OldestIsTheNewestWhenNoneWaits(DeviceLink):
    def _send_identity(self, opening: int) -> None:
        if not self._waiting:
            self._waiting.append((self._next_event - 1, b""))
            super()._send_identity(opening)
            self._waiting.clear()
        else:
            super()._send_identity(opening)


class _Identity(DeviceLink):
    changes: dict[str, object] = {}

    def __init__(self, identity: Any, *given: Any) -> None:
        super().__init__(replace(identity, **self.changes), *given)


@breaks("4.11")
class IsNoSimulator(_Identity):
    changes = {"simulated": False}


@breaks("4.12")
class HasNoSerial(_Identity):
    changes = {"serial": ""}


@breaks("4.12")
class HasAnotherSerialEachTime(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._identity = replace(self._identity, serial=f"SIM-{opening % 10}")


@breaks("4.13")
class RefusesNoSession(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        if len(self._waiting) > 20 or header.kind != FrameKind.COMMAND:
            super()._refuse_session(header, now_s)


@breaks("4.13")
class SaysNothingBeforeItsFirstSession(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        if self._opening is not None:
            super()._refuse_session(header, now_s)


@breaks("4.14")
class RefusesEachFrame(DeviceLink):
    def _refuse_session(self, header: Header, now_s: float) -> None:
        self._no_session_from_s = now_s
        super()._refuse_session(header, now_s)


@breaks("4.14")
class RefusesEachOpening(DeviceLink):
    _refused = -1

    def _refuse_session(self, header: Header, now_s: float) -> None:
        if header.host_opening != self._refused:
            self._no_session_from_s = now_s
        self._refused = header.host_opening
        super()._refuse_session(header, now_s)


# --- section 5


@breaks("5.1")
class RefusesEverySecondCommand(DeviceLink):
    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        super().answer(number, result or int(number == 3), status_payload)


@breaks("5.2")
class TheAnswerAgainIsOk(DeviceLink):
    def _take_command(self, number: int, payload: bytes) -> None:
        if number == self._command and self._result == 1:
            self._result = 0
        super()._take_command(number, payload)


@breaks("5.2")
class DoesNotAnswerAgain(DeviceLink):
    def _send_again_asked(self) -> None:
        self._is_asked_again = False


@breaks("5.2", "shoe")
class TheAnswerAgainHasTheStatusOfThen(DeviceLink):
    _then = b""

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        super().answer(number, result, status_payload)
        self._then = status_payload

    def _send_again_asked(self) -> None:
        now, self._status = self._status, self._then or self._status
        super()._send_again_asked()
        self._status = now


class _Executes(DeviceLink):
    """Executes some commands other than the next one."""

    def _is_done(self, number: int, payload: bytes) -> bool:
        return False

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        if number == self._command:  # another one may have come with it
            super().answer(number, result, status_payload)

    def _take_command(self, number: int, payload: bytes) -> None:
        if number != self._command + 1 and self._is_done(number, payload):
            self._command, self._result = number, None
            self._happened.append(CommandReceived(number, payload))
        else:
            super()._take_command(number, payload)


@breaks("5.3")
class ExecutesAnyNumberButTheLast(_Executes):
    def _is_done(self, number: int, payload: bytes) -> bool:
        return number != self._command


@breaks("5.3")
class ExecutesLaterNumbers(_Executes):
    def _is_done(self, number: int, payload: bytes) -> bool:
        return self._command + 1 < number < 100


@breaks("5.3")
class ComparesTheLowByteOfNumbers(_Executes):
    def _is_done(self, number: int, payload: bytes) -> bool:
        return number % 256 == self._command + 1


@breaks("5.4")
class AnswersCommand0(DeviceLink):
    def _open(self, opening: int, hello: rows.HelloBody) -> None:
        super()._open(opening, hello)
        self._result = 0


@breaks("5.5")
class ExecutesTheLastAgain(_Executes):
    def _is_done(self, number: int, payload: bytes) -> bool:
        return number == self._command and self._result == 0


class HalfDone:
    """A bad command switches a lamp."""

    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        try:
            self._schema.decode_command(payload)
        except FrameError:
            self._do_half(payload)
        super()._answer(number, payload, now_s)

    def _do_half(self, payload: bytes) -> None:
        raise AssertionError


@breaks("5.6", "shuffler")
class ABadCommandLightsTheLamp(HalfDone):
    def _do_half(self, payload: bytes) -> None:
        if payload[:1] == b"\1" and len(payload) > 7:
            self._memory.lamp = bool(payload[7])


@breaks("5.6", "shoe")
class ABadCommandLocks(HalfDone):
    def _do_half(self, payload: bytes) -> None:
        self._locked = True


@breaks("5.6", "display")
class ABadAmountIsShown(HalfDone):
    def _do_half(self, payload: bytes) -> None:
        if len(payload) == 10:
            self._picture = replace_picture(self._picture, int.from_bytes(payload[1:5], "little"))


def replace_picture(picture: Any, cents: int) -> Any:
    return structs.replace(picture, cents=cents, fault=False)


@breaks("5.6", "shoe")
class TakesAFlagOfTwo:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        super()._answer(number, payload.replace(b"\1\2", b"\1\1"), now_s)


@breaks("5.6")
class ALongCommandIsTaken:
    def _answer(self, number: int, payload: bytes, now_s: float) -> None:
        super()._answer(number, payload[:9], now_s)


@breaks("5.7", "shoe")
class AnswersWithAResultOfItsOwn(DeviceLink):
    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        super().answer(number, 77 if number == 9 and result == 1 else result, status_payload)


@breaks("5.8")
class AnswersLate(DeviceLink):
    def _send_answer(self, result: int) -> None:
        self._late = result
        self._late_at_s = self._now_s + 0.2

    _late: int | None = None
    _late_at_s = 0.0
    _now_s = 0.0

    def receive_data(self, data: bytes, now_s: float) -> None:
        self._now_s = now_s
        super().receive_data(data, now_s)

    def handle_timeout(self, now_s: float) -> None:
        super().handle_timeout(now_s)
        if self._late is not None and now_s >= self._late_at_s:
            result, self._late = self._late, None
            super()._send_answer(result)

    def next_timeout_s(self) -> float | None:
        due_s = super().next_timeout_s()
        if self._late is None:
            return due_s
        return self._late_at_s if due_s is None else min(due_s, self._late_at_s)


@breaks("5.8", "shuffler")
class AnswersWhenTheFeedHasDoneItsWork(AnswersLate):
    """Late only while cards move."""

    def _send_answer(self, result: int) -> None:
        if self._status and int.from_bytes(self._status[-2:], "little") & 1:
            super()._send_answer(result)
        else:
            DeviceLink._send_answer(self, result)


@breaks("5.9", "shoe")
class ALockIsAnsweredOkAndNotDone:
    def _obey(self, command: Any, now_s: float) -> int:
        if isinstance(command, ShoeApply) and command.locked:
            return 0
        return int(super()._obey(command, now_s))


@breaks("5.9", "shoe")
class ALockTakesASecond:
    _wanted: bool | None = None
    _from_s = 0.0

    def _obey(self, command: Any, now_s: float) -> int:
        was = self._locked
        result = int(super()._obey(command, now_s))
        if isinstance(command, ShoeApply) and command.locked and not was:
            self._locked, self._wanted, self._from_s = False, True, now_s + 1.0
        return result

    def _settle(self, now_s: float) -> None:
        if self._wanted and now_s >= self._from_s:
            self._locked, self._wanted = True, None
        super()._settle(now_s)

    def next_motion_s(self) -> float | None:
        return self._from_s if self._wanted else None


@breaks("5.9", "shuffler")
class AFeedIsAnsweredOkAndNotDone:
    def _obey(self, command: Any, now_s: float) -> int:
        if isinstance(command, ShufflerApply):
            command = structs.replace(command, feed_open=False)
        return int(super()._obey(command, now_s))


@breaks("5.9", "shuffler")
class ALockIsAnsweredOkAndNotDoneByAShuffler:
    def _obey(self, command: Any, now_s: float) -> int:
        was = self._orders.feed_open
        result = int(super()._obey(command, now_s))
        if was and isinstance(command, ShufflerApply) and not command.feed_open and not result:
            self._orders.feed_open = True
        return result


@breaks("5.10", "shoe")
class SaysLockedAndLetsGo:
    is_free = True


@breaks("5.11", "shoe")
class AQueryLocks:
    def _obey(self, command: Any, now_s: float) -> int:
        if isinstance(command, Query):
            self._locked = True
        return int(super()._obey(command, now_s))


@breaks("4.9")
class ReadsTheLowHalfOfACommittedNumber(DeviceLink):
    def _take_hello(self, header: Header, payload: bytes, now_s: float) -> None:
        super()._take_hello(header, payload[:8] + b"\0\0" + payload[10:] if len(payload) == 10 else payload, now_s)


@breaks("4.12", "shoe")
class ATextHasSomethingBehindItsEnd(DeviceLink):
    def _identity_fields(self) -> bytes:
        fields = super()._identity_fields()
        return fields[:35] + b"x" + fields[36:]


@breaks("5.8", "shoe")
class ABadCommandIsAnsweredLate(AnswersLate):
    def _send_answer(self, result: int) -> None:
        if result == 1:
            super()._send_answer(result)
        else:
            DeviceLink._send_answer(self, result)


@breaks("6.13", "shoe")
class ReadsTheLowHalfOfAnAck(DeviceLink):
    def _take_ack(self, number: int, payload: bytes) -> None:
        super()._take_ack(number % 2**16, payload)
