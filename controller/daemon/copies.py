"""The second copy when the controller starts: compared with the first, and where it is longer, taken over."""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from controller.config import Config
from controller.daemon.marks import FoundMark
from controller.journal.copies import (
    Compared,
    Longer,
    Position,
    compare,
    copy_behind,
    copy_statement,
    settle_shorter,
    verified_end,
)
from controller.journal.errors import Reason, StorageFailed, StorageReason
from controller.journal.mark import begun_path, read_mark_file
from controller.journal.recovery import list_segments
from controller.journal.storage import DirectoryReader, DirectoryStorage, ReadableStorage, Storage, StoredFile
from controller.machine.exits import CliFailure, ExitCode
from controller.runtime.boot import table_of
from controller.runtime.health import failure_reason

T = TypeVar("T")

ANSWERED_WITHIN_S: Final = 10.0
"""A medium that takes longer to be compared, or to give one file, is one that does not answer.

Before it is known to be the longer copy, the table starts without it, and says so; after that it stays held.
"""


@dataclass(frozen=True, slots=True)
class Matched:
    """What a start must record, and why it may not write (None: it may)."""

    findings: tuple[str, ...] = ()
    damage: str | None = None
    marks: tuple[FoundMark, ...] = ()  # beside the second copy, where that has anything


def match_copies(config: Config, first: DirectoryStorage) -> Matched:
    """The longer copy wins if the shorter is a prefix of it; anything else is a fork, and the table stays held.

    A second copy that cannot be read says nothing against starting; its own thread goes on trying. One of another table
    does: CliFailure, before anything of it is taken over.
    """
    path = config.journal_second_copy
    if path is None:
        return Matched()
    looked = _compared(first, path)
    if looked is None:
        return Matched()
    compared, marks = looked
    return replace(_matched(config, first, path, compared), marks=marks)


def _matched(config: Config, first: DirectoryStorage, path: Path, compared: Compared) -> Matched:
    if compared.fork is not None:
        return Matched(damage=f"{Reason.COPIES.value}, #{compared.fork}")
    if compared.longer is not Longer.SECOND:
        return Matched()
    try:
        with DirectoryReader(path) as second:
            _check_table(config, path, Bounded(second))
            return completed(first, Bounded(second), compared)
    except StorageFailed as failed:
        return Matched(damage=failure_reason(failed))


def _compared(first: DirectoryStorage, path: Path) -> tuple[Compared, tuple[FoundMark, ...]] | None:
    """What the two are to each other, and the second's mark. None: it cannot be read, or not in time."""

    def look() -> tuple[Compared, tuple[FoundMark, ...]]:
        mark = begun_path(path)
        with DirectoryReader(path) as second:
            data = read_mark_file(mark)
            return compare(first, second), ((mark, data),) if data is not None or list_segments(second) else ()

    with suppress(StorageFailed):  # the copy's own thread will find the same, and tell
        return _answered(str(path), look)
    return None


def _check_table(config: Config, path: Path, second: ReadableStorage) -> None:
    found = table_of(second)
    if found is not None and found != config.table.id:
        raise CliFailure(ExitCode.USAGE, "other-table", path=str(path), found=found, configured=config.table.id)


class Bounded:
    """A copy on a medium that may stop answering: each verb ends within ANSWERED_WITHIN_S, then with StorageFailed."""

    def __init__(self, storage: ReadableStorage) -> None:
        self._storage = storage

    def list(self) -> tuple[StoredFile, ...]:
        return _answered(".", self._storage.list)

    def read(self, name: str) -> bytes:
        return _answered(name, partial(self._storage.read, name))


def _answered(name: str, ask: Callable[[], T]) -> T:
    """What `ask` gives, in time. What it gives later changes nothing: its thread is left behind."""
    answers: list[T] = []
    failures: list[StorageFailed] = []

    def look() -> None:
        try:
            answers.append(ask())
        except StorageFailed as failed:
            failures.append(failed)

    thread = threading.Thread(target=look, name="look-at-copy", daemon=True)
    thread.start()
    thread.join(ANSWERED_WITHIN_S)
    if failures:
        raise failures[0]
    if not answers:
        raise StorageFailed("read", name, StorageReason.NO_ANSWER, f"no answer within {ANSWERED_WITHIN_S:.0f} s")
    return answers[0]


def completed(first: Storage, second: ReadableStorage, compared: Compared) -> Matched:
    """The first copy, which is the shorter, takes over what the second has more, as far as that verifies."""
    at = Position(compared.segment, compared.size)
    try:
        verified = verified_end(second, compared)
        settle_shorter(first, compared)
        copy_statement(second, first)
        differing = copy_behind(second, first, at, verified.until)
    except StorageFailed as failed:  # half of it is there: what is wrong is told, and the next start goes on
        return Matched(damage=failure_reason(failed))
    if verified.bad is not None:
        return Matched(damage=f"{Reason.COPIES.value}, #{verified.bad}")
    taken_over = (f"second-copy-taken-over entry {compared.next_seq}",) if verified.until > at else ()
    return Matched((*taken_over, f"{Reason.SEALS.value} {differing}") if differing else taken_over)
