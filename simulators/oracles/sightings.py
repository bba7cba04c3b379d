"""What a status showed at some moment, as plain data.

Only a sighting at which nothing waited to become durable says something of the entry that it names.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import msgspec

PLACES: Final = ("outside", "inside", "rack", "table", "burnt", "pending", "jammed", "in_hand")
"""Where cards of the deck set can be, as a status names it."""


class SeenHold(NamedTuple):
    """A hold as a status shows it."""

    number: int
    kind: str
    device: str | None = None
    phase: str = "raised"
    cause: str | None = None  # where its kind has several

    @property
    def name(self) -> str:
        """Its kind and number, as a violation names it."""
        return f"{self.kind} H{self.number}"


class Sighting(NamedTuple):
    """One status. `waiting`: entries that were not durable yet; `digest` None: it was not looked at."""

    seq: int
    holds: tuple[SeenHold, ...] = ()
    waiting: int = 0
    session: str = "closed"
    round: str = "idle"
    counts: Mapping[str, int] | None = None
    digest: str | None = None


class _Hold(msgspec.Struct):
    id: str
    kind: str
    phase: str
    device: str | None = None
    cause: str | None = None


class _Journal(msgspec.Struct):
    seq: int
    waiting: int = 0


class _Status(msgspec.Struct):
    """What is read of a status document (`sabot status --json`)."""

    session: str
    round: str
    journal: _Journal
    holds: list[_Hold]
    counts: dict[str, int]
    state_digest: str


_DECODER: Final = msgspec.json.Decoder(_Status)


def sighting_in(document: bytes) -> Sighting:
    """What a status document shows."""
    status = _DECODER.decode(document)
    return Sighting(
        seq=status.journal.seq,
        holds=tuple(SeenHold(int(one.id[1:]), one.kind, one.device, one.phase, one.cause) for one in status.holds),
        waiting=status.journal.waiting,
        session=status.session,
        round=status.round,
        counts=status.counts,
        digest=status.state_digest,
    )
