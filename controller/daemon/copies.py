"""The second copy when the controller starts: compared with the first, and where it is longer, taken over."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.journal.copies import (
    Compared,
    Longer,
    Position,
    compare,
    copy_behind,
    copy_statement,
    last_position,
    settle_shorter,
)
from controller.journal.errors import Reason, StorageFailed
from controller.journal.storage import DirectoryReader, DirectoryStorage, ReadableStorage, Storage
from controller.runtime.health import failure_reason

COMPARED_WITHIN_S: Final = 10.0
"""A medium that takes longer is one that does not answer: the table starts without it, and says so."""


@dataclass(frozen=True, slots=True)
class Matched:
    """What a start must record, and why it may not write (None: it may)."""

    findings: tuple[str, ...] = ()
    damage: str | None = None


def match_copies(config: Config, first: DirectoryStorage) -> Matched:
    """The longer copy wins if the shorter is a prefix of it; anything else is a fork, and the table stays held.

    A second copy that cannot be read says nothing against starting; its own thread goes on trying.
    """
    path = config.journal_second_copy
    if path is None:
        return Matched()
    compared = _compared(first, path)
    if compared is None:
        return Matched()
    if compared.fork is not None:
        return Matched(damage=f"{Reason.COPIES.value}, #{compared.fork}")
    if compared.longer is not Longer.SECOND:
        return Matched()
    try:
        with DirectoryReader(path) as second:
            return completed(first, second, compared)
    except StorageFailed as failed:
        return Matched(damage=failure_reason(failed))


def _compared(first: DirectoryStorage, path: Path) -> Compared | None:
    """None: it cannot be read, or not in time."""
    found: list[Compared] = []

    def look() -> None:
        try:
            with DirectoryReader(path) as second:
                found.append(compare(first, second))
        except StorageFailed:
            pass  # the copy's own thread will find the same, and tell

    thread = threading.Thread(target=look, name="compare-copies", daemon=True)
    thread.start()
    thread.join(COMPARED_WITHIN_S)
    return found[0] if found else None


def completed(first: Storage, second: ReadableStorage, compared: Compared) -> Matched:
    """The first copy, which is the shorter, takes over what the second has more."""
    try:
        settle_shorter(first, compared)
        copy_statement(second, first)
        copy_behind(second, first, Position(compared.segment, compared.size), last_position(second))
    except StorageFailed as failed:  # half of it is there: what is wrong is told, and the next start goes on
        return Matched(damage=failure_reason(failed))
    return Matched((f"second-copy-taken-over entry {compared.next_seq}",))
