"""Cards of no deck (pt.bj.3b): never dealt, never counted as one of the set, and another is owed in their place."""

from collections.abc import Mapping
from typing import Final

from simulators.oracles.course import FACES, Lying, Owed
from simulators.oracles.export_reader import Entry
from simulators.oracles.seen import Seen

FOREIGN: Final = "FOREIGN"


def leaves_the_table(seen: Seen, entry: Entry, card: Lying) -> None:
    """The table holds; the deal gets another where it was the deal's last card, else its hand does."""
    now, order = seen.round, seen.order()
    at = next(index for index, one in enumerate(now.dealt) if one is card)
    of_the_deal = at == len(now.dealt) - 1 and order[at : at + 1] == (Owed(card.purpose, card.seat),)
    del now.dealt[at]
    seen.book.move("table", "foreign")
    now.requested, now.can_be_corrected = None if of_the_deal else card.seat, False
    if of_the_deal and now.step == "playing":
        now.step = "dealing"
    seen.raise_("unexpected-card", entry, "shoe" if seen.needed else None)


def found_in_the_check(seen: Seen, before: int, found: Mapping[str, int]) -> None:
    """It lay in the place of a card of the set only where one is missing."""
    more = found.get(FOREIGN, 0) - before
    instead = max(0, min(more, seen.book.count("outside") - sum(found.get(face, 0) for face in FACES)))
    if more:
        seen.book.move("outside", "foreign", instead)
        seen.book.add_foreign(more - instead)


def came_out_at_the_end(seen: Seen) -> None:
    """Those that the reader saw when the machine ran out."""
    seen.book.move("outside", "foreign", min(seen.session.read_out.get(FOREIGN, 0), seen.book.count("outside")))
