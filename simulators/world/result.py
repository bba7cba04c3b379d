"""The result of one world of any game."""

from dataclasses import dataclass, field
from enum import StrEnum, unique
from hashlib import sha256
from typing import Final

from msgspec import Struct

from simulators.world.faults import PlannedFault
from simulators.world.speed import Played


@unique
class End(StrEnum):
    """The ways in which a world can end."""

    CLOSED = "closed"
    HELD_DAMAGED = "held-damaged"  # the journal is damaged, and no people close it
    STUCK = "stuck"
    CRASHED = "crashed"


CHECKPOINT: Final = ".checkpoint"
"""The suffix of a checkpoint's file name."""


class Digests(Struct, frozen=True):
    """The SHA-256 (hex) of a world in three parts, which show where two worlds differ."""

    play: str  # the dealt cards, the places of all cards, the devices' output, the faults met, the end
    journal: str  # segments and seals
    state: str  # the checkpoints beside them

    @property
    def whole(self) -> str:
        return sha256(f"{self.play} {self.journal} {self.state}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one world."""

    seed: int
    end: End
    virtual_s: float
    played: Played  # includes the worlds of the test of secrecy
    entries: int
    faults: dict[str, int]
    met: tuple[int, ...]  # numbers of the planned faults that were met
    violations: tuple[str, ...]
    digests: Digests
    stakes: dict[str, int] = field(default_factory=dict)  # number of each decision, where hands are followed
    planned: tuple[PlannedFault, ...] = field(default=(), repr=False)
