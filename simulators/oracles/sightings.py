"""A sighting: a recorded status of the table as plain data for the oracles.

A sighting with waiting entries may show a state before the entry that it names.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

PLACES: Final = ("outside", "inside", "rack", "table", "burnt", "pending", "jammed", "in_hand")
"""The places of cards of the deck set, as a status names them."""


class SeenHold(NamedTuple):
    """A hold as listed in a status."""

    number: int
    kind: str
    device: str | None = None
    phase: str = "raised"
    cause: str | None = None  # where its kind has several causes

    @property
    def name(self) -> str:
        """The kind and number of the hold, for the text of a violation."""
        return f"{self.kind} H{self.number}"


class Sighting(NamedTuple):
    """One recorded status. `waiting`: the number of entries that were not durable yet. `digest`: None if the recording
    left the digest out.
    """

    seq: int
    holds: tuple[SeenHold, ...] = ()
    waiting: int = 0
    session: str = "closed"
    round: str = "idle"
    counts: Mapping[str, int] | None = None
    digest: str | None = None
