"""The part of a table's status for the room's page, which shows all tables. Fields have the same names as in the
status.

The table sends finished sentences, so the floor need not know the table's rules.
"""

from typing import Final

import msgspec
from msgspec import Struct

LARGEST_SHOWN: Final = 65_536


class RoomHold(Struct, frozen=True, gc=False):
    """A hold on the room's page. `since`: milliseconds of table time. `who`: the roles that may take the next step."""

    id: str = ""
    kind: str = ""
    phase: str = ""
    device: str | None = None
    place: str = ""
    text: str = ""
    who: list[str] = []
    since: int = 0
    priority: int = 1
    attended_by: int | None = None
    technician_called: bool = False


class RoomDuty(Struct, frozen=True, gc=False):
    id: str = ""
    kind: str = ""
    who: str = ""
    since: int = 0
    text: str = ""


class RoomDevice(Struct, frozen=True, gc=False):
    connected: bool = False
    text: str = ""
    trouble: str | None = None
    model: str | None = None
    serial_number: str | None = None
    firmware: str | None = None


class RoomJackpot(Struct, frozen=True, gc=False):
    amount_cents: int = 0
    reserve_cents: int = 0
    overflow_cents: int = 0
    sign: str = ""


class RoomFigures(Struct, frozen=True, gc=False):
    deck_set: int = 0


class Shown(Struct, frozen=True):
    """A table's status as the room's page shows it. `table_ms`: the status's table time; a difference in it alone is no
    change. `recording_days`: the number of days for which an incident's recordings are kept.
    """

    table: str = ""
    simulated: bool = False
    profile: str = ""
    software: str = ""
    state: str = ""
    session: str = ""
    session_number: int = 0
    round: str = ""
    round_number: int = 0
    holds: list[RoomHold] = []
    duties: list[RoomDuty] = []
    devices: dict[str, RoomDevice] = {}
    jackpot: RoomJackpot | None = None
    figures: RoomFigures = RoomFigures()
    table_ms: int = 0
    recording_days: int = 30


class StatusLine(Struct, frozen=True):
    """A line from the controller's socket, decoded as far as its status. `status`: None if the line has none."""

    status: Shown | None = None


_LINES: Final = msgspec.json.Decoder(StatusLine)
_SHOWN: Final = msgspec.json.Decoder(Shown)


def shown_in_line(line: bytes, table_ms: int) -> Shown | None:
    """Returns the status in a line of the controller, with `table_ms` as its time. Returns None if the line has none.

    Raises msgspec.DecodeError, UnicodeDecodeError.
    """
    found = _LINES.decode(line).status
    return None if found is None else msgspec.structs.replace(found, table_ms=table_ms)


def encode_shown(shown: Shown) -> bytes:
    return msgspec.json.encode(shown)


def decode_shown(data: bytes) -> Shown | None:
    """Returns the status encoded in `data`. Returns None if `data` is empty, too long or no status. Raises no error: a
    bad status must not make the floor refuse the batch.
    """
    if not data or len(data) > LARGEST_SHOWN:
        return None
    try:
        return _SHOWN.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def is_as_it_was(one: Shown | None, other: Shown) -> bool:
    """True if both statuses are equal except for the table time. False if `one` is None."""
    return one is not None and msgspec.structs.replace(one, table_ms=other.table_ms) == other
