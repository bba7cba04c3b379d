"""What a status showed at some moment, as plain data, and what must be so between it and the journal.

Only a sighting at which nothing waited to become durable says something of the entry that it names.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from simulators.oracles.book import PLACES
from simulators.oracles.export_reader import is_whole
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding


class SeenHold(NamedTuple):
    """A hold as a status shows it."""

    number: int
    kind: str
    device: str | None = None


_NOTHING: Final[Mapping[str, int]] = MappingProxyType({})


class Sighting(NamedTuple):
    """One status. A field that is None was not looked at; `waiting`: entries that were not durable yet."""

    seq: int
    holds: tuple[SeenHold, ...] | None = None
    waiting: int = 0
    session: str | None = None
    round: str | None = None
    owed: tuple[str, int | None] | None = None
    owed_is_known: bool = False
    counts: Mapping[str, int] | None = None
    duties: tuple[str, ...] | None = None
    tally: Mapping[str, int] = _NOTHING
    digest: str | None = None


def sighting_in(document: Mapping[str, object]) -> Sighting:
    """Reads a status document (`sabot status --json`)."""
    journal, owed = _object(document, "journal"), _object(document, "owed")
    seat = owed.get("seat")
    return Sighting(
        seq=_whole(journal, "seq"),
        holds=tuple(_hold(hold) for hold in _objects(document, "holds")),
        waiting=_whole(journal, "waiting"),
        session=str(document.get("session")),
        round=str(document.get("round")),
        owed=(str(owed["purpose"]), seat if is_whole(seat) else None) if owed else None,
        owed_is_known=True,
        counts=_numbers(_object(document, "counts")),
        duties=tuple(str(duty.get("kind")) for duty in _objects(document, "duties")),
        tally=_numbers(_object(document, "tally")),
        digest=str(document["state_digest"]) if "state_digest" in document else None,
    )


def kinds_told(sightings: Iterable[Sighting]) -> dict[int, tuple[str, str | None]]:
    """Kind and device of each hold's number, as far as it was ever shown."""
    return {hold.number: (hold.kind, hold.device) for one in sightings for hold in one.holds or ()}


def _hold(hold: Mapping[str, object]) -> SeenHold:
    device = hold.get("device")
    number = str(hold.get("id", "")).removeprefix("H")
    return SeenHold(int(number) if number.isdecimal() else 0, str(hold.get("kind")), str(device) if device else None)


def _object(document: Mapping[str, object], name: str) -> dict[str, object]:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _objects(document: Mapping[str, object], name: str) -> list[dict[str, object]]:
    value = document.get(name)
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _whole(part: Mapping[str, object], name: str) -> int:
    value = part.get(name)
    return value if is_whole(value) else 0


def _numbers(part: Mapping[str, object]) -> dict[str, int]:
    return {name: value for name, value in part.items() if is_whole(value)}


# --- rules


SightCheck: TypeAlias = Callable[[Seen, Sighting], Finding | None]


@dataclass(frozen=True, slots=True)
class SightRule:
    """A rule between a sighting and the picture after the entry that it names."""

    name: str
    clause: str
    check: SightCheck


def _holds_stand(seen: Seen, shown: Sighting) -> Finding | None:
    """A hold that was raised stands until it has its own end, and it is shown."""
    if shown.holds is None or not seen.troubles.standing:
        return None
    there = Counter((hold.kind, hold.device) for hold in shown.holds)
    there.subtract((one.kind, one.device) for one in seen.troubles.standing)
    gone = [one for one in seen.troubles.standing if there[one.kind, one.device] < 0]
    if not gone:
        return None
    return Finding(f"no hold for {', '.join(f'{one.name} of entry {one.raised}' for one in gone)}", "it stands")


def _places_agree(seen: Seen, shown: Sighting) -> Finding | None:
    if shown.counts is None:
        return None
    book = seen.book.places()
    if shown.counts == book:
        return None
    wrong = {place: shown.counts.get(place, 0) for place in PLACES if shown.counts.get(place, 0) != book[place]}
    return Finding(f"status {wrong}", f"{ {place: book[place] for place in wrong} }") if wrong else None


def _owed_agrees(seen: Seen, shown: Sighting) -> Finding | None:
    """The deal goes on in the order of the law: seats ascending, bank, seats, the bank's card face down."""
    expected = seen.owed()
    if not shown.owed_is_known or shown.owed == expected:
        return None
    return Finding(f"next card for {shown.owed}", f"{tuple(expected) if expected else None}")


def _steps_agree(seen: Seen, shown: Sighting) -> Finding | None:
    found, expected = (shown.session, shown.round), (seen.session.step, seen.round.step)
    if shown.session is None or found == expected:
        return None
    return Finding(f"session and round {found}", f"{expected}")


def _duties_agree(seen: Seen, shown: Sighting) -> Finding | None:
    if shown.duties is None or sorted(shown.duties) == sorted(seen.open_duties):
        return None
    return Finding(f"duties {sorted(shown.duties)}", f"{sorted(seen.open_duties)}")


def _tally_agrees(seen: Seen, shown: Sighting) -> Finding | None:
    wrong = {name: count for name, count in shown.tally.items() if name in seen.tally and seen.tally[name] != count}
    return Finding(f"tally {wrong}", f"{ {name: seen.tally[name] for name in wrong} }") if wrong else None


SIGHT_RULES: Final = (
    SightRule("holds stand", "pt.bj.51d", _holds_stand),
    SightRule("places agree", "DESIGN 4", _places_agree),
    SightRule("next card is in order", "pt.bj.17a", _owed_agrees),
    SightRule("steps agree", "DESIGN 3.3", _steps_agree),
    SightRule("duties are open", "pt.bj.51b", _duties_agree),
    SightRule("tally agrees", "DESIGN 3.4", _tally_agrees),
)
