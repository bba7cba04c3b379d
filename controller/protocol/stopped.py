"""The reason why a controller did not start, in a small file beside its socket, for the panel to show."""

from enum import StrEnum, unique
from pathlib import Path
from typing import Final

import msgspec

NAME: Final = "stopped.json"


@unique
class Cause(StrEnum):
    """The causes that people at a table handle differently; each has its sentences under `panel.stopped`."""

    MEDIUM_AWAY = "medium-away"
    MEDIUM_FULL = "medium-full"
    MEDIUM_READ_ONLY = "medium-read-only"
    MEDIUM_FAILING = "medium-failing"
    CONFIGURATION = "configuration"
    STAFF = "staff"
    OTHER = "other"
    CLOCK = "clock"


class Stopped(msgspec.Struct, frozen=True):
    """The reason why a controller did not start. `key`: the technician's sentence in the catalogue, with its `values`;
    "" where the cause is enough.
    """

    cause: Cause
    key: str = ""
    values: tuple[tuple[str, str], ...] = ()


def note_path(socket: Path) -> Path:
    """Returns the path of the file with the reason why the controller that would listen at `socket` did not start."""
    return socket.with_name(NAME)
