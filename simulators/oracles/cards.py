"""The oracle of physical cards: checks lists of the real place of every card.

A violation is a card that is doubled, missing, foreign, or has a changed face. At a settled moment (no hold, no
movement) the places must also agree with the claims of journal and status.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from simulators.oracles.sightings import PLACES
from simulators.oracles.violation import Violation

Listing: TypeAlias = Mapping[str, Sequence[tuple[int, str]]]
"""The cards in each place: of each physical card its number and its face."""

CALLED: Final[Mapping[str, str]] = {
    "packet": "outside",
    "tray": "outside",
    "aside": "pending",
    "slots": "inside",
    "buffer": "inside",
    "magazine": "inside",
}
"""The table's name for places of room and machine; any other place has the same name at the table."""

MOVING: Final = frozenset(("hopper",))
"""Places of cards on their way: while a card lies there, no claim is checked."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The data for one check of all cards. `claims`: for each claimant (such as the status), the number of cards that
    the claimant gives for each place. `is_settled`: True if the claims are checked. `together`: places that count as
    one place, where a card may lie in one place while the book still has it in another.
    """

    when: str
    listing: Listing
    seq: int = 0  # the last entry of the journal at this moment
    claims: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    is_settled: bool = False
    together: frozenset[str] = frozenset()


def check_cards(deck: Mapping[int, str], checkpoints: Iterable[Checkpoint]) -> list[Violation]:
    """Returns the violations found at these checkpoints. `deck`: the face of every card ever brought in, spare cards
    included, by number.
    """
    return [violation for one in checkpoints for violation in (*_pieces(deck, one), *_claims(one))]


def counts_in(listing: Listing) -> Counter[str]:
    """Returns the number of cards in each place, under the place's name in the controller's status."""
    counts: Counter[str] = Counter()
    for place, cards in listing.items():
        counts[CALLED.get(place, place)] += len(cards)
    return counts


def _pieces(deck: Mapping[int, str], look: Checkpoint) -> Iterator[Violation]:
    where: dict[int, list[str]] = {}
    for place, cards in look.listing.items():
        for number, face in cards:
            where.setdefault(number, []).append(place)
            if number in deck and deck[number] != face:
                yield _wrong("no face changes", look, f"card {number} is {face}", deck[number])
    for number, places in where.items():
        if len(places) > 1:
            yield _wrong("no card twice", look, f"card {number} in {', '.join(places)}", "one place")
        if number not in deck:
            yield _wrong("no card from elsewhere", look, f"card {number} in {places[0]}", "a card that was brought in")
    for number in sorted(deck.keys() - where.keys()):
        yield _wrong("no card missing", look, f"card {number}, {deck[number]}, is nowhere", "one place")


def _claims(look: Checkpoint) -> Iterator[Violation]:
    if not look.is_settled or any(look.listing.get(place) for place in MOVING):
        return
    counts = counts_in(look.listing)
    for who, claim in look.claims.items():
        for name, places in _compared(look.together):
            claimed, found = (sum(of.get(place, 0) for place in places) for of in (claim, counts))
            if claimed != found:
                yield _wrong("places agree", look, f"{who}: {claimed} {name}", f"{found}, by hand")


def _compared(together: frozenset[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yields the name of each comparison, and the places whose cards are added up for it. The places in `together` make
    one comparison; each other place makes its own.
    """
    yield from ((place, (place,)) for place in PLACES if place not in together)
    if together:
        yield " and ".join(sorted(together)), tuple(together)


def _wrong(rule: str, look: Checkpoint, found: str, expected: str) -> Violation:
    return Violation(rule, "DESIGN 4", look.seq, f"{look.when}: {found}", expected)
