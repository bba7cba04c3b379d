"""Opens and reads TOML. Reports a fault as data with its line and column, not as the library's English sentence."""

import os
import re
import tomllib
from typing import Any, Final

_TWICE: Final = re.compile(r"Cannot (declare|overwrite|redefine|mutate)|Duplicate|reuse")
_PLACE: Final = re.compile(r"at line (\d+), column (\d+)\)")

_MOST_BITS: Final = 128
"""The most bits of a number. A longer number is a mistake, and one of thousands of bits could not be printed."""


def without_waiting(path: str, flags: int) -> int:
    """Opens a file with O_NONBLOCK: opening a named pipe would otherwise wait for a process that writes to it."""
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


class NotToml(ValueError):  # noqa: N818 (the name says what the text is)
    """The text is not valid TOML. `fault`: a word under `text-fault`; `line` and `column` count from 1."""

    def __init__(self, fault: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"{fault} at line {line}, column {column}")
        self.fault = fault
        self.values = {"fault": fault, "line": str(line), "column": str(column)}


def toml_of(content: bytes) -> dict[str, Any]:
    """Decodes `content` as a TOML document. Raises NotToml, also for excessive numbers or nesting."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotToml("no-utf-8", *_end_of(content[: error.start].decode("utf-8"))) from error
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _PLACE.search(str(error))
        place = _end_of(text) if found is None else (int(found[1]), int(found[2]))
        raise NotToml("twice" if _TWICE.match(str(error)) else "no-toml", *place) from error
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, or a thousand nested lists
        raise NotToml("too-much") from error
    if not _is_bounded(document):  # the library only bounds decimal digits
        raise NotToml("too-much")
    return document


def _is_bounded(value: object) -> bool:
    match value:
        case dict():
            return all(map(_is_bounded, value.values()))
        case list():
            return all(map(_is_bounded, value))
        case int():
            return value.bit_length() <= _MOST_BITS
        case _:
            return True


def _end_of(text: str) -> tuple[int, int]:
    """Returns the line and the column just after the last character, both counted from 1."""
    return text.count("\n") + 1, len(text) - text.rfind("\n")
