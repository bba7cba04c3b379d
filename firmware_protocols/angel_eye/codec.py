"""Encodes and decodes the data in telegrams and commands, by one row for each letter. framing.py does the frames around
them.

Each byte of a letter's payload has bit 7 set (the preset's digits are ASCII), so no control byte of the frame can occur
in it. Data that its row does not allow raises FrameError and is never corrected.
"""

from collections.abc import Callable
from enum import IntEnum
from typing import Final, TypeVar, assert_never

from msgspec import Struct

from firmware_protocols.angel_eye.words import (
    IN_A_GAME,
    CancelError,
    CardDrawn,
    CardDrawnOutside,
    CardRetransmitted,
    Command,
    ConfirmProcess,
    CutCardDrawn,
    ErrorCleared,
    ErrorRaised,
    GameEnded,
    Lock,
    LockChanged,
    OutsideReason,
    PresetChanged,
    StandBy,
    Started,
    Target,
    Telegram,
    Winner,
)
from firmware_protocols.cards import UNREAD
from firmware_protocols.errors import FrameError, RejectReason, ValueOutOfBounds

EnumT = TypeVar("EnumT", bound=IntEnum)

MARK: Final = 0x80  # bit 7 of each payload byte
LOW_BITS: Final = 0x7F

ERROR_MODE_BIT: Final = 0x40
ERROR_CODE_BITS: Final = 0x3F
RESULT_UNUSED_BITS: Final = 0x0C
HIGHEST_RANK: Final = 13

# The shoe's number of a suit, and the high nibble of this project's card byte (firmware_protocols.cards).
SUIT_NIBBLES: Final = {1: 0x20, 2: 0x10, 3: 0x40, 4: 0x30}  # diamond, club, spade, heart
SUIT_NUMBERS: Final = {nibble: number for number, nibble in SUIT_NIBBLES.items()}


class Row(Struct, frozen=True):
    """One letter of the protocol: the number of payload bytes after it, the decoder of these bytes, and the letter's
    meaning in words.
    """

    letter: str
    length: int
    decode: Callable[[bytes], Telegram]
    what: str


def _out_of_bounds(detail: str) -> FrameError:
    return FrameError(RejectReason.OUT_OF_BOUNDS, detail)


def _word(kind: type[EnumT], number: int) -> EnumT:
    try:
        return kind(number)
    except ValueError:
        raise _out_of_bounds(f"{kind.__name__} {number}") from None


def _low(byte: int) -> int:
    if not byte & MARK:
        raise _out_of_bounds(f"bit 7 of {byte:#04x}")
    return byte & LOW_BITS


def _card(byte: int) -> int:
    suit, rank = _low(byte) >> 4, byte & 0x0F
    if suit not in SUIT_NIBBLES or not 1 <= rank <= HIGHEST_RANK:
        raise _out_of_bounds(f"card {byte:#04x}")
    return SUIT_NIBBLES[suit] | rank


def _drawn(make: type[CardDrawn] | type[CardRetransmitted], payload: bytes) -> CardDrawn | CardRetransmitted:
    target, index = _word(Target, _low(payload[0]) >> 4), payload[0] & 0x0F
    if target in IN_A_GAME and index == 0:
        raise _out_of_bounds(f"{target.name} card 0")
    return make(_card(payload[1]), target, index)


def _outside(payload: bytes) -> CardDrawnOutside:
    reason = _word(OutsideReason, _low(payload[0]) >> 4)
    card = UNREAD if payload[1] == MARK else _card(payload[1])
    return CardDrawnOutside(card, reason, payload[0] & 0x0F)


def _ended(payload: bytes) -> GameEnded:
    low = _low(payload[0])
    if low & RESULT_UNUSED_BITS:
        raise _out_of_bounds(f"result {payload[0]:#04x}")
    return GameEnded(_word(Winner, low >> 4), bool(low & 1), bool(low & 2))


def _raised(payload: bytes) -> ErrorRaised:
    low = _low(payload[0])
    return ErrorRaised(low & ERROR_CODE_BITS, bool(low & ERROR_MODE_BIT))


def _preset(payload: bytes) -> PresetChanged:
    if not payload.isalnum():
        raise _out_of_bounds(f"preset {payload!r}")
    return PresetChanged(payload[:2].decode("ascii"), payload[2:].decode("ascii"))


ROWS: Final = (
    Row("S", 0, lambda _: Started(), "communication begins: boot, or a new shoe"),
    Row("P", 0, lambda _: StandBy(), "stand-by"),
    Row("G", 1, _ended, "result of the shoe's baccarat game"),
    Row("D", 2, lambda payload: _drawn(CardDrawn, payload), "card drawn in the shoe's game"),
    Row("d", 2, _outside, "card drawn outside the shoe's game"),
    Row("R", 2, lambda payload: _drawn(CardRetransmitted, payload), "retransmission of a drawn card, no new draw"),
    Row("C", 0, lambda _: CutCardDrawn(), "cut card drawn"),
    Row("E", 1, _raised, "error raised"),
    Row("e", 1, lambda payload: ErrorCleared(_low(payload[0])), "error cancelled"),
    Row("L", 1, lambda payload: LockChanged(bool(_low(payload[0]) & 1)), "lock changed"),
    Row("M", 6, _preset, "preset value changed: two characters address, four value"),
)
_ROW_OF: Final = {row.letter.encode("ascii"): row for row in ROWS}

CARD_LETTERS: Final = frozenset(b"DdR")
"""The letters of telegrams about a card.

If such a telegram is invalid, a card may have passed without a valid report.
"""


def decode_telegram(data: bytes) -> Telegram:
    """Decodes the data of an interrupt (letter and payload) to a telegram. Raises FrameError."""
    row = _ROW_OF.get(data[:1])
    if row is None:
        raise FrameError(RejectReason.UNKNOWN_MESSAGE, data[:1].hex())
    if len(data) != 1 + row.length:
        raise FrameError(RejectReason.BAD_LENGTH, f"{row.letter} with {len(data) - 1} bytes")
    return row.decode(data[1:])


def encode_telegram(telegram: Telegram) -> bytes:  # noqa: C901 - one case a letter
    """Encodes a telegram to an interrupt's data, as a shoe sends it. For simulated shoes. Raises ValueOutOfBounds."""
    match telegram:
        case Started():
            return b"S"
        case StandBy():
            return b"P"
        case CutCardDrawn():
            return b"C"
        case GameEnded(winner, player_pair, banker_pair):
            return bytes((ord("G"), MARK | winner << 4 | banker_pair << 1 | player_pair))
        case CardDrawn(card, target, index):
            return bytes((ord("D"), MARK | target << 4 | _nibble(index), _card_byte(card)))
        case CardRetransmitted(card, target, index):
            return bytes((ord("R"), MARK | target << 4 | _nibble(index), _card_byte(card)))
        case CardDrawnOutside(card, reason, index):
            seen = MARK if card == UNREAD else _card_byte(card)
            return bytes((ord("d"), MARK | reason << 4 | _nibble(index), seen))
        case ErrorRaised(code, halted):
            return bytes((ord("E"), MARK | halted << 6 | _bounded(code, ERROR_CODE_BITS)))
        case ErrorCleared(code):
            return bytes((ord("e"), MARK | _bounded(code, ERROR_CODE_BITS)))
        case LockChanged(locked):
            return bytes((ord("L"), MARK | locked))
        case PresetChanged(address, value):
            return f"M{address:>2.2}{value:>4.4}".encode("ascii")
        case _:
            assert_never(telegram)


def _bounded(number: int, highest: int) -> int:
    if not 0 <= number <= highest:
        raise ValueOutOfBounds(f"{number}; 0 to {highest} are possible")
    return number


def _nibble(number: int) -> int:
    return _bounded(number, 0x0F)


def _card_byte(card: int) -> int:
    suit = SUIT_NUMBERS.get(card & 0xF0)
    if suit is None:
        raise ValueOutOfBounds(f"{card:#04x} is no card of a deck")
    return MARK | suit << 4 | card & 0x0F


OPERATION: Final = b"OP"
MOST_IN_TWO_DIGITS: Final = 99


def encode_command(command: Command) -> bytes:
    """Encodes the data of a command: `OP`, two letters, two digits. Raises ValueOutOfBounds."""
    match command:
        case Lock(locked):
            return OPERATION + (b"LK02" if locked else b"LK01")
        case CancelError(code):
            return OPERATION + b"EC%02d" % _bounded(code, MOST_IN_TWO_DIGITS)
        case ConfirmProcess():
            return OPERATION + b"GP00"
        case _:
            assert_never(command)


def decode_command(data: bytes) -> Command | None:
    """Decodes the data of a command, for simulated shoes. Returns None for an unknown command."""
    digits = data[4:].decode("ascii", "replace")
    match data[:4], digits:
        case b"OPLK", "01" | "02":
            return Lock(digits == "02")
        case b"OPGP", "00":
            return ConfirmProcess()
        case b"OPEC", code if len(data) == len(b"OPEC00") and data[4:].isdigit():
            return CancelError(int(code))
        case _:
            return None
