"""A simulated Angel Eye shoe, which serves as card reader at a shuffler's mouth or as a dealing shoe. The shoe sends
each telegram three times and stores none: a telegram is lost if no host listens. The shoe plays its own game of
baccarat with the cards that pass its reader.
"""

from typing import Final, assert_never

from firmware_protocols.angel_eye.codec import decode_command, encode_telegram
from firmware_protocols.angel_eye.framing import (
    ACK,
    Block,
    ChecksumRule,
    FrameDecoder,
    encode_interrupt,
    encode_refused,
)
from firmware_protocols.angel_eye.words import (
    CancelError,
    CardDrawn,
    CardDrawnOutside,
    Command,
    ConfirmProcess,
    CutCardDrawn,
    ErrorCleared,
    ErrorCode,
    ErrorRaised,
    Lock,
    LockChanged,
    NakCode,
    OutsideReason,
    PresetChanged,
    Started,
    Telegram,
)
from firmware_protocols.cards import FOREIGN, card_byte
from firmware_protocols.errors import RejectReason, UnknownCard
from simulators.devices.baccarat import BaccaratGame
from simulators.devices.base import Quiet
from simulators.devices.cards import WARNING_CARD, PhysicalCard
from simulators.devices.faults import (
    NO_FAULTS,
    CardShown,
    DrawWhileLocked,
    FaultBook,
    FaultPlan,
    Faulty,
    Misread,
    Overdraw,
    PresetTouched,
    Reboot,
    ReversedCard,
    UnseenPassage,
    WrongRead,
)
from simulators.devices.firmware import Power
from simulators.devices.magazine import Magazine

COPIES: Final = 3
NUMBERS: Final = b"123456789ABCDEF"


class SimulatedAngelEye(Quiet, Faulty, Magazine):
    """A simulated shoe. At a shuffler's mouth, the shuffler calls `card_passes` with each card that leaves."""

    def __init__(
        self,
        *,
        now_s: float = 0.0,  # noqa: ARG002 - given to every device; this one has no clock
        boot: int = 1,
        faults: FaultPlan = NO_FAULTS,
        rule: ChecksumRule = ChecksumRule.FROM_STX,
    ) -> None:
        Quiet.__init__(self)
        Magazine.__init__(self)
        self.commands: list[Command] = []  # the commands that it has executed, for tests
        self._rule = rule
        self._faults = FaultBook(faults)
        self._seen = 0  # cards that ever passed, by which the fault plan counts
        self._boot = boot - 1
        self._power = Power.ON
        self._power_until_s: float | None = None
        self._error: int | None = None
        self._begin()

    @property
    def boot(self) -> int:
        """The number of the shoe's present boot."""
        return self._boot

    @property
    def power(self) -> Power:
        """The power of the firmware: on or off."""
        return self._power

    @property
    def locked(self) -> bool:
        """True while the shoe's lock keeps the cards in its magazine."""
        return self._locked

    # ---- what hands do

    def card_passes(self, card: PhysicalCard, now_s: float) -> None:
        """Moves a card past the reader, which reports it if the shoe has power, even if the shoe is locked."""
        self._seen += 1
        if shown := self._faults.take(CardShown, self._seen):
            self._tell_face(shown.face)
        if self._power is Power.ON and not self._faults.take(UnseenPassage, self._seen):
            self._meet_touches()
            self._tell_of(card)
        if reboot := self._faults.take(Reboot, self._seen):
            self.reboot(now_s, off_s=reboot.off_s)

    @property
    def is_free(self) -> bool:
        """True if hands can draw a card from the magazine: the shoe has power and is not locked."""
        return self._power is Power.ON and not self._locked

    def draw_card(self, now_s: float) -> PhysicalCard | None:
        """Draws a card from the magazine; None if the shoe is locked, without power or empty."""
        if not self.is_free:
            return None
        return self.force_card(now_s)

    def force_card(self, now_s: float) -> PhysicalCard | None:
        """Pulls a card out of the magazine in spite of the lock; None if the magazine is empty."""
        if not self._lying:
            return None
        card = self._lying.popleft()
        self.card_passes(card, now_s)
        return card

    def turn_key(self, *, locked: bool) -> None:
        """Locks or unlocks the shoe by its key."""
        self._turn_lock(locked=locked)

    def touch_preset(self, address: str, value: str) -> None:
        """Changes the setting at `address` to `value` as a person does at the shoe itself, and reports the change."""
        self._say(PresetChanged(address, value))

    def raise_error(self, code: int, *, halted: bool = True) -> None:
        """Makes the shoe report error `code`. With `halted`, the shoe also stays in error mode and its game stops."""
        if halted:
            self._error = code
        self._say(ErrorRaised(code, halted))

    # ---- the wire and the clock

    def receive_data(self, data: bytes, now_s: float) -> None:  # noqa: ARG002 - the protocol of every device
        """Receives bytes from the wire. A shoe without power loses the bytes."""
        if self._power is not Power.ON:
            return
        for found in self._decoder.feed(data):
            match found:
                case Block(data=asked):
                    self._answer(decode_command(asked))
                case RejectReason.BAD_CHECKSUM:
                    self._out += encode_refused(NakCode.CHECKSUM)
                case _:
                    pass

    def next_time_s(self) -> float | None:
        """The time at which the power comes back; None while the power is on."""
        return self._power_until_s

    def on_time(self, now_s: float) -> None:
        """Restarts the shoe if its time without power is over."""
        if self._power_until_s is not None and now_s >= self._power_until_s:
            self._power, self._power_until_s = Power.ON, None
            self._begin()

    def reboot(self, now_s: float, *, off_s: float = 0.5) -> None:
        """Cuts the shoe's power for `off_s` seconds. The shoe has no memory to lose."""
        self._power, self._power_until_s = Power.OFF, now_s + off_s
        self._out.clear()

    # ---- firmware

    def _begin(self) -> None:
        self._boot += 1
        self._decoder = FrameDecoder(self._rule)
        self._said = 0
        self._locked = True
        self._error = None
        self._game = BaccaratGame()
        self._say(Started())

    def _say(self, telegram: Telegram) -> None:
        if self._power is Power.ON:
            number = NUMBERS[self._said % len(NUMBERS)]
            self._said += 1
            self._out += encode_interrupt(number, encode_telegram(telegram)) * COPIES

    def _answer(self, command: Command | None) -> None:
        match command:
            case None:
                self._out += encode_refused(NakCode.COMMAND)
            case CancelError(code) if code != self._error:
                self._out += encode_refused(NakCode.TYPE)
            case _:
                self._out.append(ACK)
                self.commands.append(command)
                self._execute(command)

    def _execute(self, command: Command) -> None:
        match command:
            case Lock(locked):
                self._turn_lock(locked=locked)
            case CancelError():
                self._clear_error()
            case ConfirmProcess():
                pass
            case _:
                assert_never(command)

    def _turn_lock(self, *, locked: bool) -> None:
        if locked != self._locked:
            self._locked = locked
            self._say(LockChanged(locked))

    def _clear_error(self) -> None:
        if self._error is not None:
            code, self._error = self._error, None
            self._say(ErrorCleared(code))

    # ---- cards

    def _meet_touches(self) -> None:
        """Applies the planned faults that are due before the next card: a setting changed, the key turned, or an error
        raised.
        """
        if self._faults.take(PresetTouched, self._seen):
            self.touch_preset("07", "0001")
        if self._faults.take(DrawWhileLocked, self._seen):
            self._turn_lock(locked=True)
        if self._faults.take(Overdraw, self._seen):
            self.raise_error(ErrorCode.OVERDRAW, halted=False)
        if self._faults.take(ReversedCard, self._seen):
            self.raise_error(ErrorCode.REVERSED_AT_EXIT, halted=False)

    def _tell_of(self, card: PhysicalCard) -> None:
        if card.face == WARNING_CARD:
            self._say(CutCardDrawn())
        elif self._faults.take(Misread, self._seen):
            self.raise_error(ErrorCode.CANNOT_READ)
        else:
            wrong = self._faults.take(WrongRead, self._seen)
            self._tell_face(wrong.face if wrong else card.face)

    def _tell_face(self, face: str) -> None:
        byte = _byte(face)
        if byte is None:
            self.raise_error(ErrorCode.CARD_CODE)
        elif self._locked or self._error is not None:
            reason = OutsideReason.LOCK_MODE if self._locked else OutsideReason.ERROR_MODE
            self._say(CardDrawnOutside(byte, reason, 0))
        else:
            target, index, ended = self._game.take(face)
            self._say(CardDrawn(byte, target, index))
            if ended is not None:
                self._say(ended)


def _byte(face: str) -> int | None:
    """Returns the byte that encodes a card's face in a telegram; None for a foreign card."""
    try:
        byte = card_byte(face)
    except UnknownCard:
        return None
    return None if byte == FOREIGN else byte
