"""Faces that an observer has seen outside at once: more of one than there are decks cannot be (pt.bj.3a).

What left the table for the rack or the burnt cards stays out until cards go into the machine, or people count all.
"""

from collections.abc import Iterable
from typing import Final

from simulators.oracles.course import FACES, Lying
from simulators.oracles.export_reader import Entry
from simulators.oracles.seen import Seen

_SEEN: Final = frozenset(FACES)


def left_the_table(seen: Seen, cards: Iterable[Lying], place: str = "rack") -> None:
    """These lie in the rack or with the burnt cards now."""
    if place in {"rack", "burnt"}:
        seen.away.update(card.card for card in cards if card.card in _SEEN)


def too_many(seen: Seen) -> dict[str, int]:
    """Faces on the table of which more were seen than there are decks, and how many; none once a round is over."""
    now = seen.round
    if now.step not in {"dealing", "playing"} or seen.book.count("table") < len(now.dealt):
        return {}
    lying = [card.card for card in now.dealt if card.card in _SEEN]
    out = {face: lying.count(face) + seen.away.get(face, 0) for face in lying}
    return {face: count for face, count in out.items() if count > seen.figures.decks}


def hold_for_more(seen: Seen, entry: Entry) -> None:
    """One more than after the entry before has been seen: a misread card, or one of no deck."""
    before, seen.faces_too_many = seen.faces_too_many, too_many(seen)
    if seen.faces_too_many and any(count > before.get(face, 0) for face, count in seen.faces_too_many.items()):
        seen.raise_("unexpected-card", entry, "shoe")
