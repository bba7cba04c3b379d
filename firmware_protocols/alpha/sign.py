"""The commands that write to a sign or read from it (memory lay-out, TEXT and STRING files, priority message), and the
form in which a sign shows amounts.
"""

import re
from enum import StrEnum
from typing import Final, TypeAlias, assert_never

from msgspec import Struct

from firmware_protocols.errors import RejectReason, ValueOutOfBounds

# E$ entries   lay the memory out; an entry: label, kind (A text, B string), keyboard (U, L locked), size[4], last[4]
# A  label ..  write a TEXT file; label "0" is the priority message, which hides all else until it is written empty
# G  label ..  write a STRING file: kept in RAM, no flicker when it changes, called from a TEXT by 10h label
# F$  B label  H label   the same three, read: the sign answers in the form of the write

PRIORITY: Final = "0"
"""The label of the priority message: the TEXT file that is shown in place of every other TEXT file."""
PRIORITY_MAX: Final = 125
STRING_MAX: Final = 125

_CALL_STRING: Final = b"\x10"
_HOLD: Final = b"\x1b b"  # display mode: in the middle of all lines, the text does not move
_LABEL: Final = re.compile(rb"[!-~]")


class FileKind(StrEnum):
    TEXT = "A"
    STRING = "B"


class MemoryFile(Struct, frozen=True, gc=False):
    """One file in the lay-out of a sign's memory, of 1 to 65535 bytes. `locked`: True if a remote control cannot change
    the file.
    """

    label: str
    kind: FileKind
    size: int
    locked: bool = True


class LayOutMemory(Struct, frozen=True, gc=False):
    """Creates exactly these files in the sign's memory, and erases everything else in it."""

    files: tuple[MemoryFile, ...]


class WriteText(Struct, frozen=True, gc=False):
    """Writes a TEXT file. `text`: the content with control codes, made by `text_calling` or `text_saying`. b"" empties
    the file.
    """

    label: str
    text: bytes


class WriteString(Struct, frozen=True, gc=False):
    label: str
    text: bytes


class ReadMemory(Struct, frozen=True, gc=False):
    """Asks the sign for the lay-out of its memory."""


class ReadText(Struct, frozen=True, gc=False):
    label: str


class ReadString(Struct, frozen=True, gc=False):
    label: str


Command: TypeAlias = LayOutMemory | WriteText | WriteString | ReadMemory | ReadText | ReadString

_LAST_OF: Final = {FileKind.TEXT: b"FF00", FileKind.STRING: b"0000"}  # a TEXT's show times: always
_ENTRY: Final = re.compile(rb"([!-~])([AB])([LU])([0-9A-F]{4})(FF00|0000)")


def text_calling(string_label: str) -> bytes:
    """Returns the content of a TEXT file that shows, without motion, the STRING file with this label.

    Raises ValueOutOfBounds unless the label is one printable character.
    """
    return _HOLD + _CALL_STRING + _label(string_label)


def text_saying(words: str) -> bytes:
    """Returns the content of a TEXT file that shows `words` without motion.

    Raises ValueOutOfBounds for words that are empty, too long or not printable ASCII.
    """
    if not words.isascii() or not words.isprintable() or not 1 <= len(words) <= PRIORITY_MAX - len(_HOLD):
        raise ValueOutOfBounds(f"no text of a sign: {words[:40]!r}")
    return _HOLD + words.encode("ascii")


def encode_command(command: Command) -> bytes:
    """Encodes a command, without a packet around it. Does not check the length of a TEXT.

    Raises ValueOutOfBounds for a bad label, a bad file size or a STRING of more than STRING_MAX bytes.
    """
    match command:
        case LayOutMemory(files):
            return b"E$" + b"".join(_entry(file) for file in files)
        case WriteText(label, text):
            return b"A" + _label(label) + text
        case WriteString(label, text):
            return b"G" + _label(label) + _bounded(text)
        case ReadMemory():
            return b"F$"
        case ReadText(label):
            return b"B" + _label(label)
        case ReadString(label):
            return b"H" + _label(label)
        case _:
            assert_never(command)


def decode_content(command: bytes) -> LayOutMemory | WriteText | WriteString | RejectReason:
    """Decodes the content in a sign's answer, which has the form of a write command. Returns the reason for rejecting
    any other answer.
    """
    match command[:1]:
        case b"A" if _LABEL.fullmatch(command[1:2]):
            return WriteText(chr(command[1]), command[2:])
        case b"G" if _LABEL.fullmatch(command[1:2]):
            return WriteString(chr(command[1]), command[2:]) if len(command) <= STRING_MAX + 2 else _TOO_LONG
        case b"E" if command[1:2] == b"$":
            return _lay_out(command[2:])
        case _:
            return RejectReason.UNKNOWN_MESSAGE


_TOO_LONG: Final = RejectReason.OUT_OF_BOUNDS


def _lay_out(entries: bytes) -> LayOutMemory | RejectReason:
    found = [_ENTRY.fullmatch(entries[start : start + _ENTRY_BYTES]) for start in range(0, len(entries), _ENTRY_BYTES)]
    files = []
    for entry in found:
        if entry is None or _LAST_OF[FileKind(entry[2].decode())] != entry[5]:
            return RejectReason.OUT_OF_BOUNDS
        kind = FileKind(entry[2].decode())
        files.append(MemoryFile(entry[1].decode(), kind, int(entry[4], 16), locked=entry[3] == b"L"))
    return LayOutMemory(tuple(files))


_ENTRY_BYTES: Final = 11


def _entry(file: MemoryFile) -> bytes:
    if not 1 <= file.size <= 0xFFFF:
        raise ValueOutOfBounds(f"a file of {file.size} bytes")
    keyboard = b"L" if file.locked else b"U"
    return _label(file.label) + file.kind.value.encode() + keyboard + b"%04X" % file.size + _LAST_OF[file.kind]


def _label(label: str) -> bytes:
    if len(label) != 1 or not "!" <= label <= "~":
        raise ValueOutOfBounds(f"no label of a file: {label!r}")
    return label.encode("ascii")


def _bounded(text: bytes) -> bytes:
    if len(text) > STRING_MAX:
        raise ValueOutOfBounds(f"a string of {len(text)} bytes; {STRING_MAX} are possible")
    return text


# ---- amounts

_AMOUNT: Final = re.compile(rb"(0|[1-9][0-9]{0,11})\.([0-9]{2})")


def amount_text(cents: int) -> bytes:
    """Returns an amount in cents in the form that a sign shows: currency units with two decimals. Raises
    ValueOutOfBounds.
    """
    if not 0 <= cents < 10**14:
        raise ValueOutOfBounds(f"{cents} cents")
    return b"%d.%02d" % divmod(cents, 100)


def amount_shown(text: bytes) -> int | None:
    """Returns the amount in cents in `text`, as read from a sign; None if the text is no amount."""
    found = _AMOUNT.fullmatch(text)
    return None if found is None else int(found[1] + found[2])
