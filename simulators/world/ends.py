"""How a world can end."""

from enum import StrEnum, unique


@unique
class End(StrEnum):
    CLOSED = "closed"
    HELD_DAMAGED = "held-damaged"  # the journal is damaged, and nobody closes it
    STUCK = "stuck"
    CRASHED = "crashed"
