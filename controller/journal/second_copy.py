"""The thread that keeps the second copy: durable entries of the first copy are copied to another medium.

Play never waits for the thread. The copy may lag, and its state says by how many entries. After a fault the thread
reports the fault, compares both copies again and tries again. So a medium that returns, or an empty medium instead of
it, is filled up. Only durable bytes are copied, so the second copy never has an entry that the first copy may still
lose.

Before each round of copying, the thread signs a new mark beside the second copy. The mark names the last entry that the
copy has and the last that it is about to get. A loss of power between two writes then leaves no whole round unsigned
(FORMAT.md, "The second copy").
"""

import threading
import time
from collections.abc import Callable
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from controller.journal.copies import Longer, Position, compare, copy_behind, copy_statement, settle_shorter
from controller.journal.errors import JournalLocked, Reason, StorageFailed, StorageReason
from controller.journal.mark import Mark, begun_path, decode_marks, encode_marks, last_covered, read_mark_file
from controller.journal.recovery import Tip
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryReader, DirectoryStorage, reported, write_whole

ROUND_S: Final = 0.2
"""The pause in seconds between two rounds of copying. Cards come one a second, and each round costs the medium two
syncs.
"""

RETRY_S: Final = 10.0
LOOK_S: Final = 2.0
"""The seconds between two looks at the medium while nothing is to be copied."""

LEAVE_S: Final = 0.8
"""The most seconds for which an orderly end waits for the last round of copying."""


@unique
class CopyCondition(StrEnum):
    IN_STEP = "in-step"
    BEHIND = "behind"
    FAILED = "failed"


class CopyState(Struct, frozen=True, gc=False):
    """The state of the second copy. `reason`: a value of StorageReason, or of Reason with the entry or file in which
    the copies differ; "" without a fault.
    """

    condition: CopyCondition
    behind: int  # entries
    since_s: float | None  # the monotonic second since when it has been behind; None: in step
    reason: str = ""


class Goal(Struct, frozen=True, gc=False):
    """The end up to which the thread copies: the durable end of the first copy. `mark`: the mark of that end; None
    before the run's first entry.
    """

    tip: Tip
    mark: Mark | None = None


class SecondCopy:
    """The thread that keeps the second copy, from `start` to `close`. The thread calls `changed` when the state's
    `reason` changes. `goal`: the durable end of the first copy at the start.
    """

    def __init__(self, first: Path, second: Path, goal: Goal, changed: Callable[[], None], signer: Signer) -> None:
        self._first_path = first
        self._second_path = second
        self._changed = changed
        self._signer = signer
        self._wanted = goal
        self._since_s: float | None = time.monotonic()
        self._copied_seq = goal.tip.next_seq  # a guess until the first comparison
        self._reason = ""
        self._seals = ""  # the fault of the seals; copying goes on
        self._has: Mark | None = None  # the last mark whose entry the second copy surely has
        self._said: tuple[Mark, ...] = ()  # the marks in the mark's file
        self._condition = threading.Condition()
        self._ends = False
        self.shares_medium = False
        self._thread = threading.Thread(target=self._run, name="second-copy", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def durable(self, goal: Goal) -> None:
        """Tells the thread that the first copy is durable up to `goal`. Never waits."""
        with self._condition:
            self._wanted = goal
            if self._since_s is None:
                self._since_s = time.monotonic()
            self._condition.notify()

    def state(self) -> CopyState:
        """The present state of the second copy. Any thread may call this property."""
        with self._condition:
            behind = max(0, self._wanted.tip.next_seq - self._copied_seq)
            condition = CopyCondition.BEHIND if self._since_s is not None else CopyCondition.IN_STEP
            state = CopyState(condition, behind, self._since_s, self._reason)
        return replace(state, condition=CopyCondition.FAILED) if state.reason else state

    def close(self) -> None:
        """Ends the thread after its present round of copying, and waits at most LEAVE_S for that."""
        with self._condition:
            self._ends = True
            self._condition.notify()
        if self._thread.ident is not None:
            self._thread.join(LEAVE_S)

    # ---- in the thread

    def _run(self) -> None:
        while not self._has_ended():
            try:
                with reported("copy", str(self._second_path)):  # covers a failing close, too; no error ends this thread
                    self._connected()
            except StorageFailed as failed:
                self._says(failed.reason.value)
            except JournalLocked:
                self._says(StorageReason.LOCKED.value)
            self._wait(RETRY_S)

    def _connected(self) -> None:
        with DirectoryReader(self._first_path) as first, DirectoryStorage(self._second_path) as second:
            self.shares_medium = second.shares_medium_with(self._first_path)
            self._copy(first, second)

    def _copy(self, first: DirectoryReader, second: DirectoryStorage) -> None:
        """Copies round by round until the thread must end.

        Returns early if the copies differ or the second copy is the longer one.
        """
        compared = compare(first, second)
        if compared.fork is not None or compared.longer is Longer.SECOND:
            self._says(f"{Reason.COPIES.value}, #{compared.fork or compared.next_seq}")
            return
        settle_shorter(second, compared)
        copy_statement(first, second)
        at, self._seals, self._said = Position(compared.segment, compared.size), "", ()
        data = read_mark_file(begun_path(self._second_path)) or b""
        self._has = last_covered(second, decode_marks(data, self._signer.public_key))
        with self._condition:
            self._copied_seq = compared.next_seq
        while (wanted := self._next(at)) is not None or not self._has_ended():
            if wanted is not None:
                at = self._round(first, second, at, wanted)
                self._wait(ROUND_S)
            elif not second.is_in_place():
                raise StorageFailed("look", str(self._second_path), StorageReason.GONE, "no such directory")
            else:
                self._say(self._has)
        self._say(self._has)

    def _round(self, first: DirectoryReader, second: DirectoryStorage, at: Position, wanted: Goal) -> Position:
        """Copies up to `wanted`, even if the new mark cannot be written. Returns the new end of the copy."""
        until, had = Position(wanted.tip.segment, wanted.tip.size), self._has
        try:
            self._say(had, wanted.mark if had is not None else None)
        finally:
            if differing := copy_behind(first, second, at, until):
                self._seals = f"{Reason.SEALS.value}, {differing}"
            self._has = wanted.mark or had
            self._copied(wanted)
        if had is None:
            self._say(self._has)
        return until

    def _say(self, *marks: Mark | None) -> None:
        """Writes `marks` to the file of the second copy's marks, unless the file already has them. Ignores None."""
        lines = tuple(mark for mark in marks if mark is not None)
        if lines and lines != self._said:
            write_whole(begun_path(self._second_path), encode_marks(lines, self._signer))
            self._said = lines

    def _next(self, at: Position) -> Goal | None:
        """Returns the next goal to copy up to. If the copy already has all entries, first waits up to LOOK_S seconds
        for more.

        Returns None if the copy still has all entries after the wait.
        """
        with self._condition:
            if self._is_at(at):
                self._since_s, self._copied_seq = None, self._wanted.tip.next_seq
                self._has = self._wanted.mark or self._has
                self._says_under_lock(self._seals)
                if not self._ends:
                    self._condition.wait(LOOK_S)
            return None if self._is_at(at) else self._wanted

    def _is_at(self, at: Position) -> bool:
        tip = self._wanted.tip
        return not tip.size or (tip.segment, tip.size) == (at.segment, at.size)

    def _copied(self, goal: Goal) -> None:
        with self._condition:
            self._copied_seq = goal.tip.next_seq
            self._since_s = None if self._wanted == goal else time.monotonic()
        self._says(self._seals)

    def _has_ended(self) -> bool:
        with self._condition:
            return self._ends

    def _wait(self, seconds: float) -> None:
        until_s = time.monotonic() + seconds
        with self._condition:
            while not self._ends and (left_s := until_s - time.monotonic()) > 0:
                self._condition.wait(left_s)

    def _says(self, reason: str) -> None:
        with self._condition:
            self._says_under_lock(reason)

    def _says_under_lock(self, reason: str) -> None:
        if reason != self._reason:
            self._reason = reason
            self._changed()
