"""Prints the demo's messages on a terminal: wraps lines, and uses colours only if the output is a terminal."""

import os
import shlex
import shutil
import sys
import textwrap
from collections.abc import Mapping
from enum import StrEnum, unique
from pathlib import Path
from typing import TextIO

from controller.catalogue import language_of, sentence
from simulators.spoken import words


@unique
class Ink(StrEnum):
    """The kinds of printed lines, each with its terminal colour."""

    PLAIN = ""
    STEP = "1"
    ALERT = "1;31"
    HAND = "36"
    GUEST = "33"
    GOOD = "32"


class Talk:
    """Prints messages to one stream."""

    def __init__(self, stream: TextIO, environment: Mapping[str, str]) -> None:
        self._stream = stream
        self.language = language_of(environment)
        self._words = words(self.language)
        self._colours = stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
        self._socket: Path | None = None  # named in commands; None if the usual socket is this table's

    def name_socket(self, socket: Path) -> None:
        """Makes the commands that are printed from now on contain this socket's path."""
        self._socket = socket

    def plain(self, text: str) -> None:
        """Prints a line unchanged, such as an address or a drawing."""
        print(text, file=self._stream, flush=True)

    def say(self, key: str, ink: Ink = Ink.PLAIN, **values: str) -> None:
        """Prints the message `key` with its values, in the style `ink`. Indented lines of a message are commands and
        are not wrapped.
        """
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
        """Returns the message `key`, for use as a part of another message."""
        return self._words[key]

    def label(self, act: str) -> str:
        """Returns the words of an act's button."""
        return sentence(f"act.{act}.label", (), self.language)

    def knows(self, key: str) -> bool:
        """True if there is a message `key`."""
        return key in self._words

    def act_command(self, act: str, person: int | None, values: Mapping[str, str]) -> str:
        """Returns the `sabot act` command for a person's act, to be printed; the command asks for the PIN.

        `person`: None for the dealer who is signed in at the table.
        """
        given = [f"--value {shlex.quote(f'{name}={value}')}" for name, value in values.items()]
        return self.command(f"act {act}", *([] if person is None else [f"--person {person}"]), *given)

    def command(self, *words: str) -> str:
        """Returns the text of a `sabot` command with these arguments, as it can be typed in this terminal."""
        where = [] if self._socket is None else [f"--socket {shlex.quote(str(self._socket))}"]
        return " ".join([_sabot(), *words, *where])

    def _write(self, line: str, ink: Ink) -> None:
        coloured = f"\x1b[{ink.value}m{line}\x1b[0m" if self._colours and ink is not Ink.PLAIN else line
        self._stream.write(coloured + "\n")


def kind_said(talk: Talk, kind: str) -> str:
    """Returns the name of the kind `kind` of mistake, in the language of `talk`."""
    own = f"train.kind.{kind}"
    return talk.text(own) if talk.knows(own) else sentence(f"cli.mistakes.kind.{kind}", (), talk.language)


def _sabot() -> str:
    """Returns the name of the `sabot` command if it is on the path, else its path beside this Python."""
    if shutil.which("sabot"):
        return "sabot"
    beside = Path(sys.executable).with_name("sabot")
    here = Path(os.getcwd())  # noqa: PTH109
    return str(beside.relative_to(here)) if beside.is_relative_to(here) else str(beside)
