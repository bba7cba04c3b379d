"""Decodes lines from bytes, and messages from lines.

    *X;s;nnn;ww;f;vvv;d     status, every half second
    *Y;b;www                bonus
    ww                      the winning number alone
    *...                    the answer to a command

A line ends with CR LF; either byte counts as the end. `ww` is padded with a blank, ` 9`, or is two blanks. No line has
a checksum: every line of the right form is passed on, and spins.py waits for two lines that agree.

Every message but the number alone begins with `*` and has no other `*`. If another line follows a line that was cut
off, the complete one begins at the last `*`.
"""

import re
from typing import Final, TypeAlias

from firmware_protocols.cammegh.words import (
    LAST_GAME,
    LAST_NUMBER,
    Answered,
    BonusWon,
    GameState,
    Message,
    NumberSaid,
    Status,
    Warnings,
)
from firmware_protocols.errors import FrameError, RejectReason

MAX_LINE: Final = 64
"""The most bytes of a line that are held. No valid line is that long; a longer line is noise."""

Found: TypeAlias = Message | RejectReason

_STATUS: Final = re.compile(rb"\*X;([1-6]);([0-9]{3});([ 0-9]{2});([0-9A-Fa-f]);([0-9]{3});([01])")
_BONUS: Final = re.compile(rb"\*Y;([1-6]);(  [0-9]| [0-9]{2}|[0-9]{3})")  # padded with blanks or zeros
_NUMBER: Final = re.compile(rb" [0-9]|[1-9][0-9]")
_ANSWER: Final = re.compile(rb"\*[^*;XY\x00-\x1f\x7f-\xff][ -)+-:<-~]*")  # such as *P OK; never a damaged status
_NO_NUMBER: Final = b"  "
_STAR: Final = b"*"
_FILLING: Final = b" \0"
_ENDS: Final = re.compile(rb"[\r\n]")


def decode_line(line: bytes) -> Message:
    """Decodes a line of text, without its line end. Ignores blanks and zero bytes at the end of the text. Raises
    FrameError.
    """
    line = line.rstrip(_FILLING)
    if not line.startswith(_STAR):
        return NumberSaid(_number(line, RejectReason.NOISE))
    if found := _STATUS.fullmatch(line):
        return _status(*found.groups())
    if found := _BONUS.fullmatch(line):
        return BonusWon(int(found[1]), int(found[2]))
    if line[:3] in (b"*X;", b"*Y;"):
        raise FrameError(RejectReason.OUT_OF_BOUNDS, line.decode("ascii", "replace"))
    if not _ANSWER.fullmatch(line):
        raise FrameError(RejectReason.UNKNOWN_MESSAGE, line.decode("ascii", "replace"))
    return Answered(line[1:].decode("ascii"))


def _status(state: bytes, game: bytes, number: bytes, warnings: bytes, speed: bytes, direction: bytes) -> Status:
    if not 1 <= int(game) <= LAST_GAME:
        raise FrameError(RejectReason.OUT_OF_BOUNDS, f"game {int(game)}")
    came = None if number == _NO_NUMBER else _number(number, RejectReason.OUT_OF_BOUNDS)
    return Status(
        GameState(int(state)), int(game), came, Warnings(int(warnings, 16)), int(speed), clockwise=direction == b"0"
    )


def _number(text: bytes, otherwise: RejectReason) -> int:
    if not _NUMBER.fullmatch(text):
        raise FrameError(otherwise, text.decode("ascii", "replace"))
    if int(text) > LAST_NUMBER:
        raise FrameError(RejectReason.OUT_OF_BOUNDS, text.decode())
    return int(text)


class LineDecoder:
    """Decodes bytes to messages and reasons for rejection. Holds at most MAX_LINE bytes, for any input."""

    def __init__(self) -> None:
        self._held = bytearray()
        self._discarding = False

    @property
    def held(self) -> int:
        """The number of bytes that the decoder holds for an incomplete line."""
        return len(self._held)

    def feed(self, data: bytes) -> list[Found]:
        """Returns, in order, the messages that `data` completes, and one reason for each run of rejected bytes."""
        found: list[Found] = []
        *ended, rest = _ENDS.split(data)
        for piece in ended:
            self._hold(piece, found)
            line, self._discarding = bytes(self._held), False
            self._held.clear()
            if line:
                self._take(line, found)
        self._hold(rest, found)
        return found

    def _hold(self, piece: bytes, found: list[Found]) -> None:
        line = bytes(self._held) + piece
        if self._discarding or len(line) > MAX_LINE:
            found += [] if self._discarding else [RejectReason.OVERSIZE]
            _noise, star, rest = line.rpartition(_STAR)
            line = star + rest if star and len(rest) < MAX_LINE else b""
            self._discarding = not line
        self._held[:] = line

    def _take(self, line: bytes, found: list[Found]) -> None:
        begin = max(line.rfind(_STAR), 0)
        if begin:
            found.append(RejectReason.CUT_SHORT if line.startswith(_STAR) else RejectReason.NOISE)
        try:
            found.append(decode_line(line[begin:]))
        except FrameError as error:
            found.append(error.reason)
