"""The demo's words, and how they are written on a terminal: wrapped, coloured only where somebody sees it."""

import io
import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Mapping
from enum import StrEnum, unique
from pathlib import Path
from typing import TextIO

import segno

from controller.catalogue import language_of
from simulators.spoken import words


@unique
class Ink(StrEnum):
    """The kind of a line, as the terminal's colours show it."""

    PLAIN = ""
    STEP = "1"
    ALERT = "1;31"
    HAND = "36"
    GUEST = "33"
    GOOD = "32"


class Talk:
    """Writes to one stream."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str]) -> None:
        self._stream = stream
        self.language = language_of(environment)
        self._words = words(self.language)
        self._colours = stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        self._socket: Path | None = None  # that commands have to name; None where the usual one leads to this table

    def name_socket(self, socket: Path) -> None:
        """From now on commands name this socket."""
        self._socket = socket

    def plain(self, text: str) -> None:
        """A line as it stands: an address, a picture."""
        print(text, file=self._stream, flush=True)

    def say(self, key: str, ink: Ink = Ink.PLAIN, **values: str) -> None:
        """One message; its indented lines are commands and stay whole."""
        width = min(shutil.get_terminal_size().columns, 100)
        for line in self._words[key].format(**values).split("\n"):
            if line.startswith("    "):
                self._write(line, ink)
            else:
                indent = "  " if line.startswith("  ") else ""
                for part in textwrap.wrap(line, width, subsequent_indent=indent or "", break_long_words=False):
                    self._write(part, ink)
        self._stream.flush()

    def text(self, key: str) -> str:
        """A part of a message."""
        return self._words[key]

    def knows(self, key: str) -> bool:
        """True where there is such a message."""
        return key in self._words

    def act_command(self, act: str, person: int | None, values: Mapping[str, str]) -> str:
        """The command by which a person asks for an act; it asks for the PIN. None: the dealer at the table."""
        given = [f"--value {shlex.quote(f'{name}={value}')}" for name, value in values.items()]
        return self.command(f"act {act}", *([] if person is None else [f"--person {person}"]), *given)

    def command(self, *words: str) -> str:
        """A `sabot` command as it can be typed here."""
        where = [] if self._socket is None else [f"--socket {shlex.quote(str(self._socket))}"]
        return " ".join([_sabot(), *words, *where])

    def _write(self, line: str, ink: Ink) -> None:
        coloured = f"\x1b[{ink.value}m{line}\x1b[0m" if self._colours and ink is not Ink.PLAIN else line
        self._stream.write(coloured + "\n")


def _sabot() -> str:
    """How `sabot` is called from here: by name where it is on the path, else by the path beside this Python."""
    if shutil.which("sabot"):
        return "sabot"
    beside = Path(sys.executable).with_name("sabot")
    here = Path(os.getcwd())  # noqa: PTH109
    return str(beside.relative_to(here)) if beside.is_relative_to(here) else str(beside)


def qr_code(text: str) -> str:
    """A code that a telephone reads off the terminal."""
    picture = io.StringIO()
    segno.make(text, error="l").terminal(out=picture, compact=True)
    return picture.getvalue().rstrip("\n")
