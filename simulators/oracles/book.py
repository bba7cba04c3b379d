"""The book of places as an observer keeps it: each card of the deck set is in exactly one place."""

from collections import Counter
from operator import itemgetter
from typing import Final

PLACES: Final = ("outside", "inside", "rack", "table", "burnt", "pending", "jammed", "in_hand")
"""Where cards of the deck set can be. A jammed card has been counted in, or not yet; the book tells them apart."""

_OF_THE_SET: Final = (
    *("outside", "inside", "rack", "table", "burnt", "pending", "jammed_inside", "jammed_feed", "in_hand"),
)
_of_the_set: Final = itemgetter(*_OF_THE_SET)
_NOWHERE: Final = dict.fromkeys((*_OF_THE_SET, "withdrawn", "foreign"), 0)


class Book:
    """How many cards lie where. There are never less than none: a card more than there were is one too many."""

    def __init__(self, cards: int) -> None:
        self._at: Counter[str] = Counter()
        self.all_outside(cards)

    def all_outside(self, cards: int) -> None:
        """Every card of the set lies outside the machine."""
        self._at = Counter(_NOWHERE | {"outside": cards})

    def others_outside(self, cards: int) -> None:
        """So many are the set: those that are nowhere else lie outside."""
        self._at["outside"] = max(0, cards - self.total + self._at["outside"])

    def gather_outside(self) -> None:
        """Whatever there is, wherever it is, is laid together: for the deck check, or to be loaded again."""
        kept = {place: self._at[place] for place in ("withdrawn", "foreign")}
        self._at = Counter(_NOWHERE | {"outside": self.total} | kept)

    def count(self, place: str) -> int:
        """Cards in one place."""
        if place == "jammed":
            return self._at["jammed_inside"] + self._at["jammed_feed"]
        return self._at[place]

    @property
    def total(self) -> int:
        """Cards of the deck set, wherever they are."""
        return sum(_of_the_set(self._at))

    @property
    def in_the_machine(self) -> int:
        """What the machine itself counts as inside: stuck cards that it had counted in too."""
        return self._at["inside"] + self._at["jammed_inside"]

    def move(self, source: str, target: str, count: int = 1) -> None:
        """Cards move."""
        self._at[source] -= min(self._at[source], count)
        self._at[target] += count

    def move_by_hand(self, source: str, target: str, count: int) -> None:
        """Cards that people moved; of stuck ones those first that were not counted in."""
        if source != "jammed":
            self.move(source, target, count)
            return
        from_feed = min(self._at["jammed_feed"], count)
        self.move("jammed_feed", target, from_feed)
        self.move("jammed_inside", target, count - from_feed)

    def withdraw_for_spares(self, cards: int) -> None:
        """Damaged cards leave the set, and others like them take their places."""
        self._at["withdrawn"] += cards

    def is_whole_with(self, cards: int, total: int, seen: int = 0) -> bool:
        """Whether so many cards are all of the set, foreign ones having perhaps lain in the place of some.

        `seen`: foreign ones that the reader sees while the machine runs out, counted with the others until it has.
        """
        return cards - self._at["foreign"] <= total <= cards + seen

    def add_foreign(self, cards: int) -> None:
        """Cards that were none of the set, and counted by nobody."""
        self._at["foreign"] = max(0, self._at["foreign"] + cards)

    def fill(self) -> None:
        """What was outside is in the shoe or box."""
        self.move("outside", "inside", self._at["outside"])

    def counted(self, places: dict[str, int]) -> None:
        """People and machine have counted everything."""
        kept = {place: self._at[place] for place in ("withdrawn", "foreign")}
        self._at = Counter(_NOWHERE | places | kept)

    def places(self) -> dict[str, int]:
        """All figures, by the places' names."""
        return {place: self._at[place] for place in PLACES} | {"jammed": self.count("jammed")}
