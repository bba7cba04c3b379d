"""Encodes and decodes frames, with their control bytes and checksums, without knowing the data in them.

    interrupt   05  number  data...  03  check check      the shoe by itself
    block       02          data...  03  check check      a command, or the reply to one
    accepted    06
    refused     15  code

`check` is the XOR of the bytes it covers as two upper-case hexadecimal digits. Data has no control byte, so 05 and 02
always begin a frame: after any damage the next whole frame is decoded. The answers `accepted` and `refused` have no
checksum: they prove nothing by themselves, and a 06 or 15 within a frame is damage, not an answer.
"""

from enum import StrEnum, unique
from functools import reduce
from operator import xor
from typing import Final, TypeAlias

from msgspec import Struct

from firmware_protocols.angel_eye.words import NakCode
from firmware_protocols.errors import RejectReason, ValueOutOfBounds

ENQ: Final = 0x05
STX: Final = 0x02
ETX: Final = 0x03
ACK: Final = 0x06
NAK: Final = 0x15

LONGEST_DATA: Final = 32
"""More bytes than any telegram has; more data without an end is noise."""

MAX_HELD: Final = 1 + 1 + LONGEST_DATA + 1 + 2  # a whole interrupt
_END_WITHIN: Final = MAX_HELD - 2  # its ETX is at the last of these places at the latest

FIRST_NUMBER: Final = 0x30  # an interrupt's number is a printable character from here on
_BEGINS: Final = frozenset({ENQ, STX, ACK, NAK})
_FRAME_BEGINS: Final = frozenset({ENQ, STX})
_CONTROL: Final = frozenset(range(0x20))
_HEX: Final = frozenset(b"0123456789ABCDEF")
_NAK_CODES: Final = frozenset(int(code) for code in NakCode)


@unique
class ChecksumRule(StrEnum):
    """The first byte of a block that its check covers: the byte after STX according to the maker's text, STX itself in
    the maker's example.
    """

    FROM_STX = "from-stx"
    AFTER_STX = "after-stx"


class Interrupt(Struct, frozen=True, gc=False):
    """A frame that the shoe sends unasked, with a telegram. `number`: a character that all copies of a telegram share,
    and that the next telegram does not have.
    """

    number: int
    data: bytes


class Block(Struct, frozen=True, gc=False):
    """A command to the shoe, or the shoe's reply to a command."""

    data: bytes


class Accepted(Struct, frozen=True, gc=False):
    """The shoe has accepted the command. The answer is one byte without a checksum, so noise can look like it."""


class Refused(Struct, frozen=True, gc=False):
    """The shoe has refused the command. The answer is two bytes without a checksum."""

    code: NakCode


Frame: TypeAlias = Interrupt | Block | Accepted | Refused
Found: TypeAlias = Frame | RejectReason


def check_digits(covered: bytes) -> bytes:
    """Returns the two characters of the checksum over the bytes `covered`."""
    return b"%02X" % reduce(xor, covered, 0)


def encode_interrupt(number: int, data: bytes) -> bytes:
    """Encodes one copy of an interrupt, as the shoe sends it. Raises ValueOutOfBounds."""
    if not FIRST_NUMBER <= number < 0x7F:
        raise ValueOutOfBounds(f"{number:#04x} is no number of an interrupt")
    covered = bytes((number,)) + _sendable(data) + bytes((ETX,))
    return bytes((ENQ,)) + covered + check_digits(covered)


def encode_block(data: bytes, rule: ChecksumRule = ChecksumRule.FROM_STX) -> bytes:
    """Encodes the frame of a command or a reply. Raises ValueOutOfBounds."""
    whole = bytes((STX,)) + _sendable(data) + bytes((ETX,))
    return whole + check_digits(_covered(whole, rule))


def encode_refused(code: NakCode) -> bytes:
    """Encodes the answer of a shoe that refuses a command."""
    return bytes((NAK, code))


def _sendable(data: bytes) -> bytes:
    if not 1 <= len(data) <= LONGEST_DATA or _CONTROL & set(data):
        raise ValueOutOfBounds(f"data {data!r}")
    return data


def _covered(frame: bytes, rule: ChecksumRule) -> bytes:
    """Returns the bytes that the checksum covers. `frame`: without its checksum."""
    return frame if frame[0] == STX and rule is ChecksumRule.FROM_STX else frame[1:]


class FrameDecoder:
    """Decodes bytes to frames and reasons for rejection. Holds fewer than MAX_HELD bytes after each `feed`, for any
    input.
    """

    def __init__(self, rule: ChecksumRule = ChecksumRule.FROM_STX) -> None:
        self._rule = rule
        self._held = bytearray()
        self._in_noise = False

    @property
    def held(self) -> int:
        """The number of bytes that the decoder holds for an incomplete frame."""
        return len(self._held)

    def feed(self, data: bytes) -> list[Found]:
        """Returns, in order, the frames that `data` completes, and one reason for each run of rejected bytes."""
        self._held += data
        found: list[Found] = []
        while self._held and self._take(found):
            pass
        return found

    def _take(self, found: list[Found]) -> bool:
        """Removes the frame or the noise at the beginning of the held bytes. Returns False if more bytes must arrive
        first.
        """
        first = self._held[0]
        if first not in _BEGINS:
            self._skip_noise(found)
            return True
        if first == ACK:
            self._found(found, Accepted(), 1)
            return True
        return self._take_refusal(found) if first == NAK else self._take_frame(found)

    def _skip_noise(self, found: list[Found]) -> None:
        """Drops the held bytes before the next byte that can begin a frame. Reports one reason for each run of noise,
        even over several calls.
        """
        length = next((at for at, byte in enumerate(self._held) if byte in _BEGINS), len(self._held))
        del self._held[:length]
        if not self._in_noise:
            found.append(RejectReason.NOISE)
        self._in_noise = True

    def _found(self, found: list[Found], what: Found, length: int) -> None:
        del self._held[:length]
        self._in_noise = False
        found.append(what)

    def _take_refusal(self, found: list[Found]) -> bool:
        if len(self._held) == 1:
            return False
        if self._held[1] in _NAK_CODES:
            self._found(found, Refused(NakCode(self._held[1])), 2)
        else:
            self._found(found, RejectReason.UNKNOWN_MESSAGE, 1)
        return True

    def _take_frame(self, found: list[Found]) -> bool:
        data_end = next((at for at, byte in enumerate(self._held[:_END_WITHIN]) if at and byte in _CONTROL), None)
        if data_end is None:
            return len(self._held) >= _END_WITHIN and self._reject(found, RejectReason.OVERSIZE, _END_WITHIN - 1)
        if self._held[data_end] != ETX:
            return self._reject(found, RejectReason.CUT_SHORT, data_end)
        check = bytes(self._held[data_end + 1 : data_end + 3])
        for at, byte in enumerate(check):
            if byte not in _HEX:
                return self._reject(found, RejectReason.BAD_CHECKSUM, data_end + 1 + at)
        if len(check) < len(b"00"):
            return False
        self._found(found, self._judge(bytes(self._held[: data_end + 1]), check), data_end + 3)
        return True

    def _reject(self, found: list[Found], reason: RejectReason, length: int) -> bool:
        """Drops a broken frame, the first `length` held bytes, and the byte after it unless that can begin a frame.
        Always returns True.
        """
        self._found(found, reason, length + (self._held[length] not in _FRAME_BEGINS))
        self._in_noise = True
        return True

    def _judge(self, frame: bytes, check: bytes) -> Found:
        """Returns the frame if its checksum is right, otherwise the reason for rejecting it. `frame`: its bytes without
        the checksum `check`.
        """
        if check_digits(_covered(frame, self._rule)) != check:
            return RejectReason.BAD_CHECKSUM
        if frame[0] == STX:
            return Block(frame[1:-1]) if len(frame) > len(b"\x02\x03") else RejectReason.BAD_LENGTH
        if len(frame) <= len(b"\x051\x03"):
            return RejectReason.BAD_LENGTH
        if not FIRST_NUMBER <= frame[1] < 0x7F:
            return RejectReason.OUT_OF_BOUNDS
        return Interrupt(frame[1], frame[2:-1])
