"""The driver of an Angel Eye shoe. The shoe acknowledges nothing, does not identify itself, and sends no signs of life.

"Connected" means only that the port is open. The shoe does not repeat a telegram that it sent while no host listened.
So every connection begins with the event CardsMayHavePassed. The same event reports a gap in the numbers of telegrams.

The shoe sends each telegram three times. A telegram equal to the last one is a copy, also after a restart of the
controller: the journal's event number contains number and check of the last telegram (mark_of). The driver knows the
shoe's state from its telegrams and from its answers to commands. An answer is one byte without a checksum.

Sending: a wish names a state, not a change. A refused command was not executed and may be sent again. A command without
an answer may have been executed. A lock is then sent again. Any other command ends the connection: the procedure learns
of the end, and the next connection begins with the wish at that time. From each report until the controller has
answered it with a wish, the driver sends only a lock.
"""

from collections import Counter
from collections.abc import Callable
from typing import Final, assert_never

from drivers.angel_eye_heard import Heard, mark_of
from drivers.driver import Connection, DeviceDriver, MakeDriver
from drivers.errors import DriverError
from drivers.events import (
    AngelEyeStatus,
    CardsMayHavePassed,
    CommandRefused,
    ConnectionEvent,
    DeviceConnected,
    DeviceLost,
    LostReason,
    Reported,
    StatusHeard,
    UnseenCause,
)
from drivers.stats import DeviceStats
from drivers.unproven import unproven_identity
from drivers.wishes import Desired
from firmware_protocols.angel_eye.codec import CARD_LETTERS, decode_telegram, encode_command
from firmware_protocols.angel_eye.framing import (
    Accepted,
    Block,
    ChecksumRule,
    Found,
    FrameDecoder,
    Interrupt,
    Refused,
    encode_block,
)
from firmware_protocols.angel_eye.numbering import later, missed_between
from firmware_protocols.angel_eye.words import (
    CancelError,
    Command,
    ConfirmProcess,
    ErrorCleared,
    ErrorRaised,
    Lock,
    LockChanged,
    NakCode,
    Started,
    Telegram,
)
from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply

MODEL: Final = "Angel Eye II-EX"
BOOT: Final = 1 << 32
"""The boot number of every connection, since the wire carries none. A device's own boot number is smaller."""

ANSWER_WITHIN_S: Final = 1.0  # a command takes 21 ms at 4800 baud, and a telegram of three copies may be before it
ASK_AGAIN_AFTER_S: Final = 0.2  # after "busy", "writing" or a damaged command
TRIES: Final = 5
DAMAGE_IS_OVER_S: Final = 0.5  # three copies take 50 ms: a telegram that is incomplete by then stays incomplete

_LOCK: Final = Lock(locked=True)
_MAY_BE_SAID_AGAIN: Final = frozenset(
    {NakCode.LINE_ERROR, NakCode.CHECKSUM, NakCode.NO_ETX, NakCode.BUSY, NakCode.WRITING}
)


class AngelEyeDriver(Connection):
    """One connection to one shoe (satisfies `DeviceDriver`). `heard`: the last telegram, kept across connections.
    `rule`: the bytes that a command's checksum covers.
    """

    def __init__(self, heard: Heard, rule: ChecksumRule, *, simulated: bool) -> None:
        super().__init__()
        self._heard = heard
        self._rule = rule
        self._decoder = FrameDecoder(rule)
        self._follows = False  # True if the last telegram came over this connection
        self._highest = 0  # the highest number heard: numbers start again after it
        self._good = 0
        self._rejected: Counter[str] = Counter()
        self._repeated = 0
        self._rtt_s: float | None = None
        self._last_good_s: float | None = None
        self._damaged_until_s: float | None = None
        self._damage_is_told = False
        self._locked: bool | None = None
        self._error: int | None = None  # the code for which the shoe is in error mode
        self._desired: ShoeApply | None = None
        self._is_answered = False  # the controller has decided after all reported events
        self._command: Command | None = None  # the command that was sent and has no answer yet
        self._sent_s = 0.0
        self._tries = 0
        self._again_s: float | None = None  # the time at which to repeat a refused command
        self._given_up: tuple[Command, AngelEyeStatus] | None = None
        self._out = b""
        identity = unproven_identity(DeviceKind.SHOE, MODEL, boot=BOOT, simulated=simulated)
        self.reported += (
            DeviceConnected(identity, self.status),
            CardsMayHavePassed(UnseenCause.NOBODY_LISTENED, None),
        )

    @property
    def command_outstanding(self) -> bool:
        return self._command is not None

    @property
    def status(self) -> AngelEyeStatus:
        return AngelEyeStatus(self._locked, self._error)

    @property
    def stats(self) -> DeviceStats:
        return DeviceStats(
            good=self._good,
            rejected=dict(self._rejected),
            retransmissions=self._repeated,
            rtt_ms=None if self._rtt_s is None else self._rtt_s * 1000,
            last_good_s=self._last_good_s,
        )

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self.end is None:
            for found in self._decoder.feed(data):
                self._take(found, now_s)
            if self._decoder.held:
                self._may_be_damaged(now_s)  # a frame that has begun and may never end
            self._bring_about(now_s)

    def data_to_send(self) -> bytes:
        taken, self._out = self._out, b""
        return taken if self.end is None else b""

    def next_timeout_s(self) -> float | None:
        if self.end is not None:
            return None
        answer_s = None if self._command is None else self._sent_s + ANSWER_WITHIN_S
        due = (answer_s, self._again_s, self._damaged_until_s)
        return min((time_s for time_s in due if time_s is not None), default=None)

    def handle_timeout(self, now_s: float) -> None:
        if self.end is not None:
            return
        if self._damaged_until_s is not None and now_s >= self._damaged_until_s:
            self._damaged_until_s, self._damage_is_told = None, True
            self._report(CardsMayHavePassed(UnseenCause.DAMAGED, None))
        if self._command is not None and now_s >= self._sent_s + ANSWER_WITHIN_S:
            self._unanswered(self._command, now_s)
        if self._again_s is not None and now_s >= self._again_s:
            self._again_s = None
        self._bring_about(now_s)

    def apply(self, desired: Desired, now_s: float, *, is_answer: bool) -> None:
        """Sets the wish for the shoe from now on. Raises DriverError for a wish of another kind of device."""
        if not isinstance(desired, ShoeApply):
            raise DriverError(f"an Angel Eye shoe cannot become {desired}")
        if desired != self._desired:
            self._desired, self._given_up = desired, None
        self._is_answered = is_answer
        self._bring_about(now_s)

    def acknowledge(self, boot: int, number: int) -> None:
        """Does nothing: this wire has no acknowledgement."""

    def _report(self, event: ConnectionEvent) -> None:
        self._is_answered = False
        self.reported.append(event)

    # Arrivals

    def _take(self, found: Found, now_s: float) -> None:
        match found:
            case Interrupt():
                self._is_good(now_s)
                self._damaged_until_s, self._damage_is_told = None, False
                self._interrupted(found)
            case Accepted():
                self._accepted(now_s)
            case Refused():
                self._refused(found.code, now_s)
            case Block():
                self._is_good(now_s)  # a reply without a question
            case RejectReason():
                self._reject(found, now_s)
            case _:
                assert_never(found)

    def _is_good(self, now_s: float) -> None:
        self._good += 1
        self._last_good_s = now_s

    def _reject(self, reason: RejectReason, now_s: float) -> None:
        self._rejected[reason.value] += 1
        self._may_be_damaged(now_s)

    def _may_be_damaged(self, now_s: float) -> None:
        """Starts a time limit after damaged bytes. If no valid telegram comes within it, the bytes count as a lost
        telegram.
        """
        if not self._damage_is_told and self._damaged_until_s is None:
            self._damaged_until_s = now_s + DAMAGE_IS_OVER_S

    def _interrupted(self, frame: Interrupt) -> None:
        mark, before = mark_of(frame), self._heard.mark
        if mark == before:
            self._follows = True
            return  # a copy of the last telegram
        last_number, follows = before >> 16, self._follows
        self._highest = later(self._highest, last_number)
        self._follows = True
        if frame.data == b"S":
            pass  # the shoe numbers its telegrams from the start again
        elif follows and frame.number == last_number:
            self._not_understood(mark, RejectReason.REPEATED_NUMBER)
            return
        elif follows and (missed := missed_between(last_number, frame.number, self._highest)):
            self._report(CardsMayHavePassed(UnseenCause.GAP, missed))
        try:
            telegram = decode_telegram(frame.data)
        except FrameError as error:
            self._not_understood(mark, error.reason, may_be_a_card=frame.data[0] in CARD_LETTERS)
            return
        self._told(telegram, mark)

    def _not_understood(self, mark: int, reason: RejectReason, *, may_be_a_card: bool = True) -> None:
        """Counts a complete telegram with invalid content. If `may_be_a_card`, reports that a card may have passed."""
        self._heard.pass_over(mark)
        self._rejected[reason.value] += 1
        if may_be_a_card:
            self._report(CardsMayHavePassed(UnseenCause.NOT_UNDERSTOOD, 1))

    def _told(self, telegram: Telegram, mark: int) -> None:
        match telegram:
            case LockChanged(locked):
                self._locked = locked
                if self._command == Lock(locked):
                    self._command = None  # the answer to that command may be lost; this telegram has a checksum
            case ErrorRaised(code, halted):
                self._error = code if halted else self._error
            case ErrorCleared():
                self._error = None
            case Started():
                self._locked = self._error = None
            case _:
                pass
        number = self._heard.next_number(mark)
        self._report(Reported(BOOT, number, telegram, self.status))

    # Requests

    def _accepted(self, now_s: float) -> None:
        command, self._command = self._command, None
        if command is None:
            return  # an answer without a command: one byte can be anything
        self._is_good(now_s)
        took_s = now_s - self._sent_s
        self._rtt_s = took_s if self._rtt_s is None else (7 * self._rtt_s + took_s) / 8
        self._tries = 0
        match command:
            case Lock(locked):
                self._locked = locked
            case CancelError(code):
                # If the shoe raises the error again, it is left to people until its status has changed.
                self._given_up = (command, self.status)
                self._error = None if self._error == code else self._error
            case ConfirmProcess():
                pass
            case _:
                assert_never(command)
        self._report(StatusHeard(self.status))

    def _refused(self, code: NakCode, now_s: float) -> None:
        command, self._command = self._command, None
        if command is None or self._desired is None:
            return
        self._is_good(now_s)
        if code in _MAY_BE_SAID_AGAIN and self._tries < TRIES:
            self._again_s = now_s + ASK_AGAIN_AFTER_S
            return
        self._tries = 0
        self._given_up = (command, self.status)
        self._report(CommandRefused(self._desired, code, self.status))

    def _unanswered(self, command: Command, now_s: float) -> None:
        if command == _LOCK and self._tries < TRIES:
            self._send(command, now_s)
            return
        self.end = DeviceLost(LostReason.COMMAND_UNANSWERED, f"{command}", command_unknown=True)

    def _bring_about(self, now_s: float) -> None:
        if self.end is not None or self._command is not None or self._again_s is not None:
            return
        command = self._wanted()
        if command is not None and command != _LOCK and not self._is_answered:
            return
        if command is None:
            self._tries = 0
        elif (command, self.status) != self._given_up:
            self._send(command, now_s)

    def _wanted(self) -> Command | None:
        """Returns the command that brings the shoe nearer to the wish; None if no command is needed or no wish has come
        yet. Only a wish to unlock cancels an error.
        """
        if self._desired is None:
            return None
        if not self._desired.locked and self._error is not None:
            return CancelError(self._error)
        return None if self._locked == self._desired.locked else Lock(self._desired.locked)

    def _send(self, command: Command, now_s: float) -> None:
        self._repeated += self._tries > 0
        self._tries += 1
        self._command, self._sent_s, self._given_up = command, now_s, None
        self._out += encode_block(encode_command(command), self._rule)


def make_angel_eye_driver(
    rule: ChecksumRule, *, simulated: bool, committed: Callable[[], tuple[int, int]]
) -> MakeDriver:
    """Returns a function that makes the shoe's driver for each connection. `committed`: called for each connection;
    returns boot and number of the shoe's last event in the journal.
    """
    heard = Heard()

    def make(connection: int, now_s: float) -> DeviceDriver:  # noqa: ARG001 - the wire has no sessions
        boot, number = committed()
        if boot == BOOT:  # the shoe's telegram was heard, though the journal does not have its event yet
            heard.last = max(heard.last, number)
        return AngelEyeDriver(heard, rule, simulated=simulated)

    return make
