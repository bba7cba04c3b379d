"""Faults of the computer itself, for the people before the screen: each fault in words, and two steps."""

import time
from pathlib import Path
from typing import Final

import msgspec

from controller.protocol.stopped import Cause, Stopped, note_path

WRITTEN_S: Final = 1_767_225_600.0
"""The start of 2026: a clock that says less was never set. The panel is younger than that."""

STEPS: Final = ("first", "then")


def read_stopped(socket: Path) -> Stopped | None:
    """Why the controller did not start, as it left it beside its socket; None: it did, or nothing is known."""
    try:
        return msgspec.json.decode(note_path(socket).read_bytes(), type=Stopped)
    except (OSError, msgspec.DecodeError):  # none there, as after every good start
        return None


def is_clock_unset(now: float) -> bool:
    return now < WRITTEN_S


def clock_trouble(now: float) -> Stopped:
    day = time.strftime("%Y-%m-%d", time.gmtime(now))
    return Stopped(Cause.CLOCK, values=(("date", day),))


def troubles(stopped: Stopped | None, now: float) -> list[Stopped]:
    """Texts for a page that has no table to show, or that shows the devices."""
    found = [] if stopped is None else [stopped]
    return [*found, clock_trouble(now)] if is_clock_unset(now) else found
