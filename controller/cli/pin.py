"""Reads PINs from a file descriptor or the terminal. A PIN is never an argument and never printed."""

import getpass
import os
import sys
from typing import Final

from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

LONGEST: Final = 64


def pin(talk: Talk, descriptor: int | None, person: int) -> str:
    """Reads a PIN from the next line of `descriptor`, or asks for it at the terminal. Raises CliFailure."""
    return _ask(talk.words("cli.pin.ask", person=str(person))) if descriptor is None else _read(descriptor)


def new_pin(talk: Talk, descriptor: int | None, person: int) -> str:
    """Reads a new PIN from `descriptor`, or asks at the terminal until the person has typed it twice alike. Raises
    CliFailure.
    """
    while True:
        first = pin(talk, descriptor, person)
        if descriptor is not None or first == _ask(talk.words("cli.pin.again", person=str(person))):
            return first
        talk.aside(talk.words("cli.pin.differ"))


def _ask(prompt: str) -> str:
    if not sys.stdin.isatty():
        raise CliFailure(ExitCode.USAGE, "no-terminal")
    try:
        return getpass.getpass(prompt)
    except EOFError as error:
        raise CliFailure(ExitCode.USAGE, "no-terminal") from error


def _read(descriptor: int) -> str:
    """Returns the next line of `descriptor` without its line end.

    Reads byte by byte, so that the following line is left for the next call.
    """
    line = b""
    try:
        while len(line) < LONGEST and (byte := os.read(descriptor, 1)) not in {b"", b"\n"}:
            line += byte
        return line.decode("ascii").rstrip("\r")
    except (OSError, OverflowError, UnicodeDecodeError) as error:
        raise CliFailure(ExitCode.USAGE, "pin-fd", descriptor=str(descriptor)) from error
