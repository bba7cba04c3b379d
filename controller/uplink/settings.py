"""The part of a table's configuration that the uplink needs."""

from dataclasses import dataclass
from pathlib import Path

from controller.journal.note import NoteKey


@dataclass(frozen=True, slots=True)
class WitnessPlace:
    """A witness that the uplink asks for signatures, with the witness's public key and URL."""

    key: NoteKey
    url: str


@dataclass(frozen=True, slots=True)
class UplinkSettings:
    """The uplink's settings.

    `authority`: a PEM file with the authorities that certify the floor. `certificate`: the table's own certificate.
    """

    socket: Path
    table: str
    host: str
    port: int
    authority: Path
    certificate: Path
    witnesses: tuple[WitnessPlace, ...] = ()
