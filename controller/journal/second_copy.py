"""The second copy's own thread: brings what is durable in the first to another medium. Play never waits for it.

It may lag, and says by how much. Whatever goes wrong with it is told and tried again, from a new comparison on; so a
medium that was away and comes back, or an empty one in its place, is filled up. Only durable bytes are copied: the
second copy never has an entry that the first could lose by right.

Before each round the mark beside it says, signed, what the copy has and what it is about to get. So a loss of power
between two writes leaves no whole round that nobody has signed (FORMAT.md, "The second copy").
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal.copies import Longer, Position, compare, copy_behind, copy_statement, settle_shorter
from controller.journal.errors import JournalLocked, Reason, StorageFailed, StorageReason
from controller.journal.mark import Mark, begun_path, decode_marks, encode_marks, last_covered, read_mark_file
from controller.journal.recovery import Tip
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryReader, DirectoryStorage, reported, write_whole

ROUND_S: Final = 0.2
"""Between two rounds: a session's cards come one a second, and each round costs the medium two syncs."""

RETRY_S: Final = 10.0
LOOK_S: Final = 2.0
"""How often a medium on which nothing is to be written is looked at."""

LEAVE_S: Final = 0.8
"""What an orderly end waits for the last round."""


@unique
class CopyCondition(StrEnum):
    IN_STEP = "in-step"
    BEHIND = "behind"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class CopyState:
    """How far the second copy is. `reason`: a word of the storage, or of the journal; "" where nothing is wrong."""

    condition: CopyCondition
    behind: int  # entries
    since_s: float | None  # monotonic: since when it has been behind
    reason: str = ""


class Goal(Struct, frozen=True, gc=False):
    """Up to where the first copy is durable, and what a mark says of it; None before the run's first entry."""

    tip: Tip
    mark: Mark | None = None


class SecondCopy:
    """Owns the thread, from `start` to `close`. `changed` is called in that thread when a reason comes or goes."""

    def __init__(self, first: Path, second: Path, goal: Goal, changed: Callable[[], None], signer: Signer) -> None:
        self._first_path = first
        self._second_path = second
        self._changed = changed
        self._signer = signer
        self._wanted = goal
        self._since_s: float | None = time.monotonic()
        self._copied_seq = goal.tip.next_seq  # not known yet: the first comparison says
        self._reason = ""
        self._seals = ""  # the faults of these; the rest goes on
        self._has: Mark | None = None  # the last of which it is known that the copy has its entry
        self._said: tuple[Mark, ...] = ()  # in the mark's file
        self._condition = threading.Condition()
        self._ends = False
        self.shares_medium = False
        self._thread = threading.Thread(target=self._run, name="second-copy", daemon=True)

    def start(self) -> None:
        """Begins to copy."""
        self._thread.start()

    def durable(self, goal: Goal) -> None:
        """The first copy is durable up to here. Never waits."""
        with self._condition:
            self._wanted = goal
            if self._since_s is None:
                self._since_s = time.monotonic()
            self._condition.notify()

    def state(self) -> CopyState:
        """How it is now; from any thread."""
        with self._condition:
            behind = max(0, self._wanted.tip.next_seq - self._copied_seq)
            condition = CopyCondition.BEHIND if self._since_s is not None else CopyCondition.IN_STEP
            state = CopyState(condition, behind, self._since_s, self._reason)
        return replace(state, condition=CopyCondition.FAILED) if state.reason else state

    def close(self) -> None:
        """The last round, if the medium answers in time; a thread that hangs ends with the process."""
        with self._condition:
            self._ends = True
            self._condition.notify()
        if self._thread.ident is not None:
            self._thread.join(LEAVE_S)

    # ---- in the thread

    def _run(self) -> None:
        while not self._has_ended():
            try:
                with reported("copy", str(self._second_path)):  # a close may fail, too: no error ends this thread
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
        """Round after round, until the end; returns early where the copies do not go together."""
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
        """Copies up to what is wanted, also where the mark cannot be written; where the copy ends then."""
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
        """The mark's file has these lines from now on: of what the copy has, and of what it is about to get."""
        lines = tuple(mark for mark in marks if mark is not None)
        if lines and lines != self._said:
            write_whole(begun_path(self._second_path), encode_marks(lines, self._signer))
            self._said = lines

    def _next(self, at: Position) -> Goal | None:
        """Waits a little for something to copy; None where there is nothing."""
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
        """For so long, or until the end is asked for."""
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
