"""What a status showed at some moment, as plain data.

Only a sighting at which nothing waited to become durable says something of the entry that it names.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from simulators.oracles.export_entries import is_whole, part_of, whole

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


def sighting_in(document: Mapping[str, object]) -> Sighting:
    """Reads a status document (`sabot status --json`)."""
    journal = part_of(document, "journal")
    return Sighting(
        seq=whole(journal, "seq"),
        holds=tuple(_hold(hold) for hold in _objects(document, "holds")),
        waiting=whole(journal, "waiting"),
        session=str(document.get("session")),
        round=str(document.get("round")),
        counts={name: count for name, count in part_of(document, "counts").items() if is_whole(count)},
        digest=str(document["state_digest"]) if "state_digest" in document else None,
    )


def _hold(hold: Mapping[str, object]) -> SeenHold:
    device, cause = hold.get("device"), hold.get("cause")
    number = str(hold.get("id", "")).removeprefix("H")
    return SeenHold(
        int(number) if number.isdecimal() else 0,
        str(hold.get("kind")),
        str(device) if device else None,
        str(hold.get("phase")),
        str(cause) if cause else None,
    )


def _objects(document: Mapping[str, object], name: str) -> list[dict[str, object]]:
    value = document.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []
