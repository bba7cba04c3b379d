"""Compares the journal with its second copy at a start, and completes the journal from a longer second copy."""

import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import chain, count
from pathlib import Path
from typing import Final, TypeVar

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.config import Config
from controller.daemon.marks import FoundMark
from controller.journal.approval import Approval, Seen, unsigned_path
from controller.journal.copies import (
    Compared,
    Longer,
    Position,
    Unsigned,
    compare,
    copy_behind,
    copy_statement,
    end_of,
    settle_shorter,
    verified_end,
)
from controller.journal.entry import Entry
from controller.journal.epoch import covered_heads, epoch_said
from controller.journal.errors import Reason, StorageFailed, StorageReason
from controller.journal.mark import begun_path, read_mark_file
from controller.journal.recovery import list_segments
from controller.journal.removed import is_signed_removed, read_removed
from controller.journal.storage import (
    DirectoryReader,
    DirectoryStorage,
    ReadableStorage,
    Storage,
    StoredFile,
    reported,
    sync_directory,
)
from controller.machine.exits import CliFailure, ExitCode
from controller.runtime.boot import table_of
from controller.runtime.checkpoint import kept_start
from controller.runtime.entries import BEGINS
from controller.runtime.health import failure_reason

T = TypeVar("T")

ANSWERED_WITHIN_S: Final = 10.0
"""The seconds within which a medium must answer, for the comparison or for one file.

If the comparison does not end in time, the table starts without the second copy and reports that. Where the second
copy is known to be longer and does not answer, the table stays held instead.
"""

_WHOLE: Final = "whole"
"""The ending of a renamed directory whose entries were all taken over; other directories end with digits."""

_DIGITS: Final = 16
"""The number of a chain value's digits in the new name of a directory that is set aside."""


class Believed(Struct, frozen=True, gc=False):
    """The evidence for entries on another medium. `heads`: chain values in signed marks, by entry. `key`: the table's
    public key. `approval`: the decision of two people, or None.
    """

    heads: Mapping[int, str]
    key: str
    approval: Approval | None = None

    def seen(self, unsigned: Unsigned | None) -> Seen | None:
        """Returns the two people's decision about the entries `unsigned`. Returns None if there is no decision about
        these entries.
        """
        seen = None if self.approval is None else self.approval.seen
        return seen if seen is not None and unsigned is not None and seen.head == unsigned.head else None


class Matched(Struct, frozen=True):
    """The result of comparing the journal with another copy.

    `findings`: the findings that the start records. `damage`: the reason why nothing may be written, or None. `epoch`:
    the newest epoch of the starts that only the other copy has. `set_aside`: the part that is added to the name of the
    other copy's directory (a chain value or _WHOLE); "" if the name stays. The name changes if people did not permit
    all entries of that copy, or if the copy is no longer needed.
    """

    findings: tuple[str, ...] = ()
    damage: str | None = None
    marks: tuple[FoundMark, ...] = ()  # beside the second copy, unless that is empty
    epoch: int = 1
    set_aside: str = ""


def match_copies(config: Config, first: DirectoryStorage, key: str, approval: Approval | None = None) -> Matched:
    """Completes the journal from the table's other copies: the longer second copy, and the uncut journal from a
    restore. `key`: the table's public key.

    Renames a directory that is no longer needed, or that has entries which people did not permit. If two copies differ
    before the end of the shorter one, the result has a damage. A second copy that cannot be read does not prevent the
    start.

    Raises CliFailure, before any entry is copied, if a copy is of another table. Raises StorageFailed if the files
    beside the journal cannot be read.
    """
    matched = Matched()
    for path in (config.journal_second_copy, unsigned_path(config.journal)):
        if path is None or matched.damage is not None or (path != config.journal_second_copy and not path.is_dir()):
            continue
        looked = _compared(first, path)
        if looked is None:
            continue
        compared, marks = looked
        believed = Believed(covered_heads(config.journal, path, config.table.id, key), key, approval)
        found = _matched(config, first, path, compared, believed)
        if path != config.journal_second_copy:  # it came with a backup and is not needed again
            found, marks = replace(found, set_aside=found.set_aside or _WHOLE), ()
        matched = replace(
            _set_aside(path, found),
            findings=(*matched.findings, *found.findings),
            marks=(*matched.marks, *marks),
            epoch=max(matched.epoch, found.epoch),
        )
    return matched


def _matched(config: Config, first: DirectoryStorage, path: Path, compared: Compared, believed: Believed) -> Matched:
    if compared.fork is not None:
        return Matched(damage=f"{Reason.COPIES.value}, #{compared.fork}")
    if compared.longer is not Longer.SECOND:
        return Matched()
    try:
        with DirectoryReader(path) as second:
            _check_table(config, path, Bounded(second))
            return completed(first, Bounded(second), compared, believed)
    except StorageFailed as failed:
        return Matched(damage=failure_reason(failed))


def _set_aside(path: Path, matched: Matched) -> Matched:
    """Renames the other copy's directory if `matched` says so and has no damage, so that the next second copy begins
    anew. Returns `matched`, with a damage if the renaming fails.
    """
    if matched.damage is not None or not matched.set_aside:
        return matched
    try:
        _answered(str(path), lambda: set_aside(path, matched.set_aside))
    except StorageFailed as failed:
        return replace(matched, damage=failure_reason(failed))
    return matched


def set_aside(path: Path, head: str) -> Path:
    """Renames a directory of entries to a free name with the first digits of `head`, and returns the new path.

    `head`: the chain value of the last unsigned entry, or _WHOLE for a directory whose entries were all taken over.
    Raises StorageFailed.
    """
    name = f"{path.name.removesuffix('.unsigned')}.unsigned-{head[:_DIGITS]}"
    names = chain((name,), (f"{name}-{number}" for number in count(2)))
    with reported("set aside", str(path)):
        new = next(new for name in names if not (new := path.with_name(name)).exists())
        path.rename(new)
        sync_directory(path.parent)
    return new


def _compared(first: DirectoryStorage, path: Path) -> tuple[Compared, tuple[FoundMark, ...]] | None:
    """Compares the journal with the copy at `path`, and reads the copy's mark.

    Returns None if the copy cannot be read in time.
    """

    def look() -> tuple[Compared, tuple[FoundMark, ...]]:
        mark = begun_path(path)
        with DirectoryReader(path) as second:
            data = read_mark_file(mark)
            return compare(first, second), ((mark, data),) if data is not None or list_segments(second) else ()

    with suppress(StorageFailed):  # the copy's own thread will report the same fault
        return _answered(str(path), look)
    return None


def _check_table(config: Config, path: Path, second: ReadableStorage) -> None:
    found = table_of(second)
    if found is not None and found != config.table.id:
        raise CliFailure(ExitCode.USAGE, "other-table", path=str(path), found=found, configured=config.table.id)


class Bounded:
    """A copy on a medium that may stop answering. Each operation raises StorageFailed after ANSWERED_WITHIN_S."""

    def __init__(self, storage: ReadableStorage) -> None:
        self._storage = storage

    def list(self) -> tuple[StoredFile, ...]:
        return _answered(".", self._storage.list)

    def read(self, name: str) -> bytes:
        return _answered(name, partial(self._storage.read, name))


def _answered(name: str, ask: Callable[[], T]) -> T:
    """Calls `ask` in a thread and returns its result. Raises StorageFailed if `ask` raises it, or after
    ANSWERED_WITHIN_S seconds without a result.
    """
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


def completed(first: Storage, second: ReadableStorage, compared: Compared, believed: Believed) -> Matched:
    """Appends further entries of the second copy to the first, up to the last entry that `believed` has evidence for.

    The evidence is a mark or the decision of two people. The result has a damage if a medium fails, or if entries
    remain that may not be taken over.
    """
    at, starts = Position(compared.segment, compared.size), _Starts()
    try:
        verified = verified_end(second, compared, believed.heads, starts.take)
        seen = believed.seen(verified.unsigned)
        kept = None if seen is None else end_of(second, seen.kept)
        until = max(verified.until, kept or verified.until)
        if not _may_begin_behind(first, second, believed.key):
            return Matched(damage=f"{Reason.SIGNATURE.value}, #{compared.next_seq}", epoch=starts.epoch)
        settle_shorter(first, compared)
        if kept_start(first) is None:  # a good state in the first copy is not replaced
            copy_statement(second, first)
        differing = copy_behind(second, first, at, until)
    except StorageFailed as failed:  # a part may be copied already: the next start continues
        return Matched(damage=failure_reason(failed))
    if verified.bad is not None:
        return Matched(damage=f"{Reason.COPIES.value}, #{verified.bad}", epoch=starts.epoch)
    if verified.unsigned is not None and seen is None:
        return Matched(damage=f"{Reason.UNSIGNED.value}, #{verified.unsigned.first}", epoch=starts.epoch)
    rest = "" if verified.unsigned is None or seen is None or seen.kept == seen.last else verified.unsigned.head
    taken_over = (f"second-copy-taken-over entry {compared.next_seq}",) if verified.until > at else ()
    differ = (f"{Reason.SEALS.value} {differing}",) if differing else ()
    return Matched((*taken_over, *differ), epoch=starts.epoch, set_aside=rest)


def _may_begin_behind(first: Storage, second: ReadableStorage, key: str) -> bool:
    """True if the second copy has lost no entries to retention that the first copy still has, or if `key`, the table's
    public key, has signed the removal. Raises StorageFailed.
    """
    removed = read_removed(second)
    if removed is None or removed == read_removed(first):
        return True
    return removed.public_key == key and is_signed_removed(removed)


class _Said(msgspec.Struct, frozen=True, gc=False):
    """The findings in the entry of a start. One of them may name the epoch."""

    findings: tuple[str, ...] = ()


_SAID: Final = msgspec.json.Decoder(_Said)


class _Starts:
    """Finds the newest epoch that is named by the starts among the second copy's further entries."""

    def __init__(self) -> None:
        self.epoch = 1

    def take(self, entry: Entry) -> None:
        if entry.kind == BEGINS:
            with suppress(msgspec.DecodeError):  # an unreadable start has no epoch
                self.epoch = max(self.epoch, epoch_said(_SAID.decode(entry.body).findings))
