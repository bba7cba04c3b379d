"""The status book: what the controller said of the table, read from its JSON document."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StatusBook:
    """One status document, as far as cards, holds and duties go."""

    session: str
    places: Counter[str]
    total: int
    holds: tuple[str, ...]
    duties: tuple[str, ...]
    seq: int
    head: str


def read_status_book(document: Mapping[str, object]) -> StatusBook:
    """Reads a status document; what is not there counts as nothing."""
    counts = _object(document, "counts")
    journal = _object(document, "journal")
    numbers = {place: count for place, count in counts.items() if isinstance(count, int) and place != "total"}
    total, seq = counts.get("total"), journal.get("seq")
    return StatusBook(
        session=str(document.get("session")),
        places=Counter(numbers),
        total=total if isinstance(total, int) else 0,
        holds=_kinds(document, "holds"),
        duties=_kinds(document, "duties"),
        seq=seq if isinstance(seq, int) else 0,
        head=str(journal.get("head", "")),
    )


def _object(document: Mapping[str, object], name: str) -> dict[str, object]:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _kinds(document: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = document.get(name)
    entries = value if isinstance(value, list) else []
    return tuple(str(entry.get("kind")) for entry in entries if isinstance(entry, dict))
