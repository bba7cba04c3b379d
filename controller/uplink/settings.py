"""The part of a table's configuration that the uplink needs."""

from dataclasses import dataclass
from pathlib import Path

from controller.journal.note import NoteKey


@dataclass(frozen=True, slots=True)
class WitnessPlace:
    """A witness, and where it answers."""

    key: NoteKey
    url: str


@dataclass(frozen=True, slots=True)
class UplinkSettings:
    """`authority`: the PEM file of those who sign the floor's certificate; `certificate`: our own, with its key."""

    socket: Path
    table: str
    host: str
    port: int
    authority: Path
    certificate: Path
    witnesses: tuple[WitnessPlace, ...] = ()
