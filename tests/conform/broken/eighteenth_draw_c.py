"""Firmwares of a sceptic, eighteenth draw, continued: signs, bits and bytes, silences, and the switch."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.pairable_link import PairableLink
from simulators.devices.shuffler_firmware import Work
from tests.conform.broken.table import breaks


@breaks("3.3", "slots")
class AFlagIsASignedByte(DeviceLink):
    """if ((int8_t)flag > 1) drop: 128 to 255 are below 0, and taken."""

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if len(payload) == 1 and payload[0] >= 128:
            payload = b"\1"
        super()._take_heartbeat(number, payload)


@breaks("11.5", "shoe")
class BeforeASessionPassagesAreNumberedAlike:
    """The number of a passage is made when its event is: before a session the second has the first one's."""

    _number = 0

    def _post(self, event: Any, now_s: float) -> None:
        if type(event).__name__ == "CardPassed":
            if not self._link.in_session and self._number:
                event = replace(event, passage=self._number)
            else:
                self._number = event.passage
        super()._post(event, now_s)

    def _power_lost(self) -> None:
        self._number = 0
        super()._power_lost()


@breaks("9.24", "shuffler")
class TheSwitchLightsTheLamp(PairableLink):
    """The lamp is the only one there is: it tells the technician that the switch is on."""

    def set_status(self, status_payload: bytes) -> None:
        if self._window_until_s is not None:
            flags = int.from_bytes(status_payload[-2:], "little") | 1 << 5
            status_payload = status_payload[:-2] + flags.to_bytes(2, "little")
        super().set_status(status_payload)


@breaks("10.31", "shuffler")
class UnderTheLidAFreePathIsNotTold:
    """With the lid open its sensors are dark: the path that becomes free then is told by nothing."""

    def _post(self, event: Any, now_s: float) -> None:
        if type(event).__name__ == "PathCleared" and self.machine.lid_open:
            return
        super()._post(event, now_s)


@breaks("4.5", "value-display")
class AHostThatResumesCountsItsCommandsOn(DeviceLink):
    """The command number goes on if HELLO commits an event of this boot."""

    def _open(self, opening: int, hello: Any) -> None:
        command = self._command
        super()._open(opening, hello)
        if hello.committed_boot == self._boot and hello.committed_number and command:
            self._command = command


@breaks("5.5", "slots")
class AQueryUnderTheSameNumberIsAnsweredAsOne(DeviceLink):
    """A query under the last number is answered OK, whatever the result kept is."""

    def _take_command(self, number: int, payload: bytes) -> None:
        kept = self._result
        if number == self._command and kept and payload == b"\2":
            self._answering = number
            self._send_answer(0)
            return
        super()._take_command(number, payload)


@breaks("12.5", "display")
class TheHiddenAmountAgainIsShownAt48:
    """An apply of the amount that is hidden already is no change, and its picture is taken as it is."""

    def _show(self, wanted: Any, now_s: float) -> None:
        is_same = wanted.cents == self._picture.cents and not wanted.fault and self._link.must_lock
        super()._show(wanted, now_s)
        self._again = is_same and self._wanted is None
        if self._again:
            self._picture = replace(self._picture, fault=False)

    _again = False

    def _lock_down(self) -> None:
        if self._again and not self._link.host_silent:
            return
        self._again = False
        super()._lock_down()

    def _hear(self, happened: Any, now_s: float) -> None:
        self._again = False
        super()._hear(happened, now_s)


@breaks("13.5", "value-display")
class AllBlankIsDoneAt48:
    """Blanking is a protection, and done whatever waits."""

    _is_blank = False

    def _obey(self, command: Any, now_s: float) -> Any:
        self._is_blank = hasattr(command, "values") and not any(command.values)
        result = super()._obey(command, now_s)
        self._is_blank = False
        return result

    def _takes_pictures(self) -> bool:
        if self._is_blank and self._link.must_lock:
            return True
        return super()._takes_pictures()


@breaks("14.7", "slots")
class TheSixteenthLampStaysLitAtAStart:
    """for (seat = 1; seat < 16; seat++): the lamp of seat 16 is not put out."""

    def _power_lost(self) -> None:
        kept = self._lit & 1 << 15
        super()._power_lost()
        self._lit |= kept


@breaks("6.16", "slots")
class InASilenceTheNewestGoes(DeviceLink):
    """The queue moves on with the host alone: in a silence the 65th event is not kept."""

    def post_event(self, payload: bytes, now_s: float) -> int:
        if len(self._waiting) >= 64 and self._silent:
            self._is_one_coming = False
            self._next_event += 1
            return self._next_event - 1
        return super().post_event(payload, now_s)


@breaks("18.14", "shuffler")
class TheSwitchLeavesTheMouthOpen:
    """The switch takes back all that is permitted, and the card that stands in the mouth may be drawn."""

    link_type = PairableLink
    _left: Any = None

    def switch_pairing_on(self, now_s: float) -> bool:
        until = self._orders.release_until
        presented = self._presented
        done = super().switch_pairing_on(now_s)
        if presented:
            self._left = until
            self._presented = True
            self._work = Work.PRESENT
        return done

    def _next_work(self) -> Any:
        work = super()._next_work()
        if self._left is not None and work is None and self.machine.can_deal and self._link.must_lock:
            return Work.PRESENT
        self._left = None
        return work

    def _count(self, work: Any, motion: Any, now_s: float) -> None:
        self._left = None
        super()._count(work, motion, now_s)


@breaks("6.5", "shoe")
class TheEventsLetGoHaveTheOldestOfBefore(DeviceLink):
    """oldest_event is latched when the window is sent, and made anew behind it: an ACK's events have that of before."""

    _latched = 1

    def _send_window(self, now_s: float) -> None:
        first = self._next_to_send
        self._is_of_before = bool(self._waiting) and first > self._waiting[0][0]
        super()._send_window(now_s)
        self._is_of_before = False
        self._latched = super()._oldest()

    _is_of_before = False

    def _send(self, kind: FrameKind, number: int, payload: bytes) -> None:
        if kind is FrameKind.EVENT and self._is_of_before:
            payload = self._latched.to_bytes(4, "little") + payload[4:]
        super()._send(kind, number, payload)


@breaks("18.4", "shoe")
class CountsItsSessionsInAByte(PairableLink):
    """The nonce is the boot and a count of sessions in a byte."""

    _drawn = 0

    def _begin_session(self, opening: int, host_nonce: bytes) -> None:
        self._drawn = (self._drawn + 1) % 256
        draw = self._pairing.draw
        made = self._boot.to_bytes(8, "little") + self._drawn.to_bytes(8, "little")
        self._pairing.draw = lambda: made
        super()._begin_session(opening, host_nonce)
        self._pairing.draw = draw


@breaks("18.8", "display")
class ACopyWithAnotherFlagIsTaken(PairableLink):
    """The last heartbeat is kept whole: one of its number that says something else is none of its copies."""

    _last = b""

    def _says_something_new(self, header: Header) -> bool:
        if header.kind == FrameKind.HEARTBEAT and header.number == self._pulses and self._payload != self._last:
            self._last = self._payload
            return True
        return super()._says_something_new(header)

    _payload = b""

    def _expect(self, header: Header, payload: bytes) -> None:
        self._payload = payload
        super()._expect(header, payload)

    def _take_heartbeat(self, number: int, payload: bytes) -> None:
        if self._is_news:
            self._last = payload
        super()._take_heartbeat(number, payload)


@breaks("11.10", "shoe")
class InASilenceAnErrorReadsOn:
    """The reader reads on in a silence: with an error, a card of that time has its face."""

    def _read(self, card: Any) -> int:
        error = self._error
        if error is not None and self._link.host_silent:
            self._error = None
        try:
            return super()._read(card)
        finally:
            self._error = error
