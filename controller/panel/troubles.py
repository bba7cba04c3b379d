"""Faults of the computer itself, each with a text for the people at the screen and two steps for them to take."""

import time
from pathlib import Path
from typing import Final

import msgspec

from controller.protocol.stopped import Cause, Stopped, note_path

WRITTEN_S: Final = 1_767_225_600.0
"""The start of 2026, in seconds since 1970. The panel is younger, so a clock with an earlier time was never set."""

STEPS: Final = ("first", "then")


def read_stopped(socket: Path) -> Stopped | None:
    """Returns the reason why the controller failed to start, from the note beside its socket. Returns None without a
    note.
    """
    try:
        return msgspec.json.decode(note_path(socket).read_bytes(), type=Stopped)
    except (OSError, msgspec.DecodeError):  # no note, as after every good start
        return None


def is_clock_unset(now: float) -> bool:
    return now < WRITTEN_S


def clock_trouble(now: float) -> Stopped:
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    return Stopped(Cause.CLOCK, values=(("date", day),))


def troubles(stopped: Stopped | None, now: float) -> list[Stopped]:
    """Returns the faults to show: the reason why the controller failed to start, and a clock that was never set."""
    found = [] if stopped is None else [stopped]
    return [*found, clock_trouble(now)] if is_clock_unset(now) else found
