"""The cards of a table without a shuffler, recounted from its entries: a shoe's reader counts, or the dealer's word."""

from collections.abc import Iterable
from typing import Final

from simulators.books.export import Entry
from simulators.books.recount import Recount

IN_PLAY: Final = ("loaded", "in-play")
COUNTED: Final = ("inside", "rack", "table", "burnt", "in_hand", "outside")


class ShoeRecount(Recount):
    """As every recount, but that each card comes out by one entry, and that hands fill and empty the machine."""

    def _on_card_read(self, entry: Entry) -> None:
        self._note_face(entry)
        if self._session in IN_PLAY:
            self._one_more_out()

    def _on_confirm_card_dealt(self, _entry: Entry) -> None:
        self._one_more_out()

    def _one_more_out(self) -> None:
        self.book.drawn += 1
        self._move("inside", self._owed() or "pending")

    def _on_retract_card(self, _entry: Entry) -> None:
        self.book.drawn -= 1
        self._move("table", "inside")
        self._cards.take_back()

    def _on_state_whole_count(self, entry: Entry) -> None:
        counted = {place: entry.number(place) for place in COUNTED}
        if sum(counted.values()) == self.book.cards:
            self.book.drawn += self.book.places["inside"] - counted["inside"]  # came out, and nobody heard of it
            self.book.places.clear()
            self.book.places.update(counted)

    # ---- filling and emptying

    def _on_confirm_cut(self, _entry: Entry) -> None:
        self._session = "mixed"

    def _on_fill_shoe(self, _entry: Entry) -> None:
        self._session, self._session_burned, self._cards.number = "loaded", 0, 0
        self.book.loaded += self.book.places["outside"]
        self.book.burns_due += self._rules.burns(self.book.decks)
        self._move("outside", "inside", self.book.places["outside"])

    def _on_gather_cards(self, _entry: Entry) -> None:
        self._session = "mixed"
        self._all_outside()

    def _on_spread_cards(self, entry: Entry) -> None:
        self._on_gather_cards(entry)

    def _on_complete_unloading(self, entry: Entry) -> None:
        self.book.unloaded += self.book.places["inside"]
        super()._on_complete_unloading(entry)


def recount(at: Iterable[int] = (), *, has_shuffler: bool) -> Recount:
    """The recount of a table with a shuffler, or without."""
    return Recount(at) if has_shuffler else ShoeRecount(at)
