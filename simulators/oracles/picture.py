"""The observer's picture of a table: everything that follows from the entries so far.

`take` moves it by one entry, whatever the rules say of that entry: what was done was done. How each kind of entry moves
it stands in picture_facts.py, picture_cards.py, picture_session.py, picture_round.py and picture_holds.py.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from simulators.oracles import (
    faces,
    picture_corrections,
    picture_facts,
    picture_holds,
    picture_round,
    picture_session,
    picture_shoe,
)
from simulators.oracles.export_reader import Entry
from simulators.oracles.figures import Figures
from simulators.oracles.picture_cards import UNDER_THE_LID
from simulators.oracles.seen import BEYOND_MENDING, Seen

Take: TypeAlias = Callable[[Seen, Entry], None]

TAKES: Final[Mapping[str, Take]] = {
    **picture_facts.TAKES,
    **picture_session.TAKES,
    **picture_round.TAKES,
    **picture_holds.TAKES,
    **picture_corrections.TAKES,
    **picture_shoe.TAKES,
}
"""What each kind of entry moves. A kind that is not here moves nothing."""


class Picture(Seen):
    """The picture as it grows."""

    def __init__(self, figures: Figures, told: Mapping[int, tuple[str, str | None]]) -> None:
        super().__init__(figures, told)

    def take(self, entry: Entry) -> None:
        """One entry more."""
        self.seq = entry.seq
        step = self.round.step
        if not entry.refused:
            if entry.is_act:
                self.people.confirm(entry.number("person"), entry.table_ms)
            if entry.kind in TAKES:
                TAKES[entry.kind](self, entry)
                faces.hold_for_more(self, entry)
            if entry.kind in picture_holds.END_OF_ATTENDANCE:
                self.people.stop_attending(self.troubles.people(), entry.table_ms)
            if self.set_aside is not None and not self.book.count("pending"):
                self.set_aside = None  # people have said that no card lies aside
            if self.round.step == step:
                picture_round.done_by_hand(self, entry)
            self._watch_differences(entry.table_ms)
            self._watch_lid(entry.table_ms)
            if self.proposed_by is not None and not self.troubles.kinds() & BEYOND_MENDING:
                self.proposed_by = None  # a proposed closing is over when what called for it is
        self.last = entry
        self.boot = entry.boot

    def _watch_differences(self, at_ms: int) -> None:
        """Since when book and evidence differ, unless the table is held for it."""
        differ = bool(self.differences()) and "count" not in self.troubles.kinds()
        if not differ:
            self.differing_since_ms = None
        elif self.differing_since_ms is None:
            self.differing_since_ms = at_ms

    def _watch_lid(self, at_ms: int) -> None:
        """Since when the lid is open in a session and the table is not held for it."""
        is_open = self.status is not None and self.status.lid_open
        may_be = self.session.step == "closed" or self.session.irregular
        if not is_open or may_be or self.troubles.kinds() & UNDER_THE_LID:
            self.lid_open_since_ms = None
        elif self.lid_open_since_ms is None:
            self.lid_open_since_ms = at_ms
