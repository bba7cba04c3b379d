"""Reads the entries on another medium that no mark of the table covers, shows them to two people, and finds the last
entry that the journal can take over.

FORMAT.md of controller/journal describes how such entries arise and how people decide on them.
"""

from collections.abc import Iterator
from pathlib import Path

from controller.core.house.state import State
from controller.journal.copies import Compared, Unsigned
from controller.journal.epoch import covered_heads
from controller.journal.format import segment_number
from controller.journal.storage import ReadableStorage, StoredFile
from controller.record.shown import Shown, stored_shown
from controller.runtime.boot import table_of


def heads_of(journal: Path, other: Path, stored: ReadableStorage, key: str) -> dict[int, str]:
    """Returns the chain values in the marks beside `journal` and beside `other`, by the number of the entry. Leaves out
    marks of an older epoch.

    `stored`: the entries of `other`, which name the table. Raises StorageFailed.
    """
    return covered_heads(journal, other, table_of(stored) or "", key)


class Joined:
    """A read-only view of a journal that another medium continues: the journal's segments, and from the first different
    segment on those of the other medium.
    """

    def __init__(self, first: ReadableStorage, other: ReadableStorage, compared: Compared) -> None:
        self._first = first
        self._other = other
        self._begins = compared.segment

    def list(self) -> tuple[StoredFile, ...]:
        here = [file for file in self._first.list() if not self._is_of_other(file.name)]
        there = [file for file in self._other.list() if self._is_of_other(file.name)]
        return tuple(sorted((*here, *there), key=lambda file: file.name))

    def read(self, name: str) -> bytes:
        return (self._other if self._is_of_other(name) else self._first).read(name)

    def _is_of_other(self, name: str) -> bool:
        number = segment_number(name)
        return number is not None and number >= self._begins


class Told:
    """Iterates over the entries that no mark covers. After the iteration, `kept` is the last of these entries that the
    journal can take over.
    """

    def __init__(self, joined: Joined, unsigned: Unsigned, key: str) -> None:
        self.kept = unsigned.first - 1
        self._shown = stored_shown(joined, key)
        self._unsigned = unsigned

    def __iter__(self) -> Iterator[Shown]:
        before: State | None = None
        is_kept = True
        for one in self._shown:
            after = None if one.decision is None else one.decision.state
            if one.entry.seq >= self._unsigned.first:
                is_next = after is not None and one.entry.seq == self.kept + 1
                is_kept = is_kept and is_next and not (before and after and ends(before, after, is_act=one.is_act))
                self.kept += is_kept
                yield one
            if one.entry.seq >= self._unsigned.last:
                return
            before = after


def ends(before: State, after: State, *, is_act: bool) -> bool:
    """True if an entry ends a hold or a duty between `before` and `after`. For an act also True if the act changes a
    hold, the people present, or the first signature on an act for two people.
    """
    was, now = before.house, after.house
    holds = {hold.id: hold for hold in now.holds}
    if any(hold.id not in holds for hold in was.holds) or any(duty not in now.duties for duty in was.duties):
        return True
    return is_act and (_words(after) != _words(before) or any(holds[hold.id] != hold for hold in was.holds))


def _words(state: State) -> tuple[object, ...]:
    """Returns the people present, and the first signatures on acts for two people."""
    house = state.house
    present = {(one.person, one.role, one.operation) for one in house.present}
    return present, house.waiting, house.irregular_proposed_by, house.outage_said, house.handover.asked_by
