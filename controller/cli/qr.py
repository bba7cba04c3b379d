"""Prints a text as a QR code in the terminal, and reads a text that a scanner has typed."""

import shutil
import sys
from io import StringIO
from typing import Final

from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

QUIET: Final = 8
"""The columns of the code's quiet border, left and right together."""

DASH: Final = "—".encode()
"""The beginning of each line of a signature in a note (C2SP `signed-note`)."""


def show_qr(data: bytes, talk: Talk) -> None:
    """Prints the QR code of a text. With JSON prints nothing.

    Raises CliFailure if the text is too long for one code, or the code is wider than the terminal.
    """
    import segno

    from controller.journal.request import MOST_IN_A_CODE

    if len(data) > MOST_IN_A_CODE:
        values = {"bytes": str(len(data)), "most": str(MOST_IN_A_CODE)}
        raise CliFailure(ExitCode.FAILED, "qr-too-long", **values)
    code = segno.make(data.decode(), micro=False, error="l", boost_error=False)
    wide, here = len(code.matrix) + QUIET, shutil.get_terminal_size().columns
    if sys.stdout.isatty() and wide > here:
        raise CliFailure(ExitCode.FAILED, "qr-too-wide", columns=str(wide), here=str(here))
    picture = StringIO()
    code.terminal(picture, compact=True)
    if not talk.as_json:
        talk.drawn(picture.getvalue().rstrip("\n"))


def scanned(data: bytes) -> bytes:
    """Returns the text `data`, which a scanner has typed, with line feeds as line ends, also after the last line. The
    line of each signature gets the dash of a signed note: many scanners type another character there, or no character.
    """
    lines = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n").split(b"\n")
    behind = max((at for at, line in enumerate(lines) if not line), default=len(lines))
    return b"".join((_signature(line) if at > behind else line) + b"\n" for at, line in enumerate(lines))


def _signature(line: bytes) -> bytes:
    """Returns the line of a typed signature with a dash at its start. Returns any other line unchanged."""
    words = line.split()
    return b" ".join((DASH, *words[-2:])) if 2 <= len(words) <= 3 else line
