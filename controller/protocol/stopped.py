"""The file beside the controller's socket that says why the controller did not start, for the panel to show."""

from enum import StrEnum, unique
from pathlib import Path
from typing import Final

import msgspec

NAME: Final = "stopped.json"


@unique
class Cause(StrEnum):
    """The reasons for a failed start that people at a table handle differently. `panel.stopped` has the sentences of
    each.
    """

    MEDIUM_AWAY = "medium-away"
    MEDIUM_FULL = "medium-full"
    MEDIUM_READ_ONLY = "medium-read-only"
    MEDIUM_FAILING = "medium-failing"
    CONFIGURATION = "configuration"
    STAFF = "staff"
    OTHER = "other"
    CLOCK = "clock"


class Stopped(msgspec.Struct, frozen=True):
    """The reason why a controller did not start. `key`, `values`: a sentence of the catalogue for the technician; "" if
    `cause` says enough.
    """

    cause: Cause
    key: str = ""
    values: tuple[tuple[str, str], ...] = ()


def note_path(socket: Path) -> Path:
    """Returns the path of the file that says why the controller for `socket` did not start."""
    return socket.with_name(NAME)
