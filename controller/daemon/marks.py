"""The marks beside the journal and its second copy: a start checks them, and a run makes new ones at certain times."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, TypeAlias

from msgspec import Struct

from controller.core.house.controller_facts import BEHIND_MARK
from controller.core.house.state import State
from controller.core.words import SessionPhase
from controller.journal.mark import Mark, contradicts, decode_mark, encode_mark, mark_at, signed_marks
from controller.journal.recovery import FIRST_SEQ, Recovery, Tip
from controller.journal.signing import Signer
from controller.journal.storage import ReadableStorage
from controller.journal.tree import Tree

EVERY_S: Final = 60.0
"""The longest time in seconds between two marks while entries are written. A journal that is replaced by an older copy
can lack the entries of this time unnoticed.
"""

FoundMark: TypeAlias = tuple[Path, bytes | None]
"""The path of a mark, and its bytes; None if the file is missing."""


class Behind(Struct, frozen=True):
    """A mark in the file `path` that the journal contradicts. `last`: the number of the journal's last entry."""

    path: Path
    mark: Mark
    last: int


class Judged(Struct, frozen=True):
    """A start's findings about the marks. `behind`: the mark that forbids the start; None if the start is permitted."""

    findings: tuple[str, ...] = ()
    behind: Behind | None = None


def judged(found: Sequence[FoundMark], table: str, key: str, storage: ReadableStorage, recovery: Recovery) -> Judged:
    """Returns the findings about the marks `found`, with the newest mark that the journal contradicts. Raises
    StorageFailed.

    A journal contradicts a mark if it lacks the mark's entry, or has another entry with that number.
    """
    findings: list[str] = []
    behind: list[Behind] = []
    for path, data in found:
        mark = None if data is None else decode_mark(data, key)
        if mark is None and recovery.next_seq > FIRST_SEQ:
            findings.append(f"mark-{'missing' if data is None else 'unreadable'} {path.name}")
        if mark is None or mark.table != table or recovery.damage is not None:
            continue
        if contradicts(storage, mark, recovery.next_seq):
            behind.append(Behind(path, mark, recovery.next_seq - 1))
    return Judged(tuple(findings), max(behind, key=lambda one: one.mark.seq, default=None))


def epochs(found: Sequence[FoundMark], table: str, key: str) -> list[int]:
    """Returns the epoch of each mark in `found` that `key`, the table's public key, has signed."""
    return [mark.epoch for mark in signed_marks((data for _path, data in found), table, key)]


def accepted(behind: Behind, why: str, technician: int, chief_supervisor: int) -> str:
    """Returns the finding that two people have permitted the start although entries up to the mark in `behind` are
    missing. `why`: the reason that the two people gave.
    """
    who = f"technician {technician} chief-supervisor {chief_supervisor}"
    return f"{BEHIND_MARK} entry {behind.mark.seq} last {behind.last} why {why} {who}"


def breaks(findings: Iterable[str]) -> bool:
    """True if one of `findings` says that people permitted the start although signed entries are missing."""
    return any(finding.startswith(BEHIND_MARK) for finding in findings)


class Marking:
    """Makes the marks of a run: at the run's beginning, at the end of each session, each minute with new entries, and
    at the run's end. `trouble`: the reason why the last mark was not written; "" if it was written.
    """

    def __init__(self, table: str, signer: Signer, epoch: int) -> None:
        self._table = table
        self._epoch = epoch
        self._signer = signer
        self._mark: Mark | None = None  # the last mark that `due` has given
        self._was_closed = False
        self._next_s = 0.0
        self.trouble = ""
        self.newest = b""  # the run's newest mark, signed

    def at(self, tip: Tip, state: State, tree: Tree) -> Mark:
        """Returns the unsigned mark for `state`. `tip`: the end of the durable journal."""
        session = state.house.session_number
        return mark_at(tip, tree, session=session, table=self._table, epoch=self._epoch)

    def due(self, tip: Tip, state: State, tree: Tree, now_s: float) -> Mark | None:
        """Returns the mark to write now, or None if no mark is due.

        A mark is due at the end of a session, and every EVERY_S seconds if there are new entries.
        """
        mark, is_closed = self.at(tip, state, tree), state.house.session is SessionPhase.CLOSED
        has_ended, self._was_closed = is_closed and not self._was_closed, is_closed
        if mark == self._mark or (now_s < self._next_s and not has_ended):
            return None
        self._mark, self._next_s = mark, now_s + EVERY_S
        return mark

    def failed(self) -> None:
        """Makes a mark due at once after the last mark could not be written."""
        self._mark, self._next_s = None, 0.0

    def signed(self, mark: Mark) -> bytes:
        """Signs a mark, keeps it as the newest one, and returns the bytes of its file."""
        self.newest = encode_mark(mark, self._signer)
        return self.newest
