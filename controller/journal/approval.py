"""Technician and chief supervisor let a journal go on: what they sign.

It is damaged, or behind its mark, or entries that nobody signed stand behind it on another medium. The approval is a
file beside the journal's directory. It names damaged bytes by their SHA-256, the mark or the last of those entries by
the chain value, so it is of that one and no other. The next start's entry says who gave it, and the file goes.
"""

import os
from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path

from controller.core.house.controller_facts import UNSIGNED_ENTRIES
from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError
from controller.journal.recovery import Recovery, Tip
from controller.journal.storage import give_to_owner, open_file, reported, sync_directory


@unique
class Why(StrEnum):
    """Why a journal lacks what its mark knows of, as people say."""

    OLDER_BACKUP = "older-backup"
    OTHER_MEDIUM = "other-medium"
    LOST_ENTRIES = "lost-entries"


@dataclass(frozen=True, slots=True)
class Seen:
    """Entries `first` to `last` that nobody signed, as two people have seen them; `head`: chain value of the last.

    `kept`: the last that is taken over.
    """

    chief_supervisor: int
    first: int
    head: str
    kept: int
    last: int
    technician: int


@dataclass(frozen=True, slots=True)
class Approval:
    """A person's closing of the damage of these bytes, or leave to go on without this chain value (64 hex digits).

    `seen`: what two people have said besides, and no start has recorded yet.
    """

    chief_supervisor: int
    damaged: str
    technician: int
    why: Why | None = None
    seen: Seen | None = None


_LARGEST = 4096  # bytes; one has about 400
_DECODER = CanonicalDecoder(Approval)


def approval_path(journal: Path) -> Path:
    """Where the approval lies."""
    return journal.with_name(journal.name + ".approval")


def unsigned_path(journal: Path) -> Path:
    """Where a restoring leaves the journal as the backup has it, if entries stand there that nobody signed."""
    return journal.with_name(journal.name + ".unsigned")


def write_approval(journal: Path, approval: Approval) -> None:
    """Makes the file, durable on return. StorageFailed."""
    path = approval_path(journal)
    with reported("approve", str(path)):
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            give_to_owner(descriptor, journal.stat())
            os.write(descriptor, encode_canonical(approval))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_directory(path.parent)


def read_approval(journal: Path) -> Approval | None:
    """The approval, if there is one that can be read. StorageFailed."""
    path = approval_path(journal)
    with reported("read", str(path)):
        if not path.is_file():
            return None
        with open_file(path) as file:
            data = file.read(_LARGEST)
    try:
        return _DECODER.decode(data)
    except CodecError:
        return None


def clear_approval(journal: Path) -> None:
    """It has been used, or is of another damage. StorageFailed."""
    with reported("clear", str(approval_path(journal))):
        approval_path(journal).unlink(missing_ok=True)


def seen_finding(approval: Approval | None, last: int) -> tuple[str, ...]:
    """A start's record behind entry `last` of entries without a signature; none where an earlier one has it."""
    if approval is None or approval.seen is None or approval.seen.kept != last:
        return ()
    seen = approval.seen
    who = f"technician {seen.technician} chief-supervisor {seen.chief_supervisor}"
    return (f"{UNSIGNED_ENTRIES} entry {seen.first} last {seen.last} kept {seen.kept} {who}",)


def tip_by(approval: Approval | None, recovery: Recovery) -> Tip | None:
    """Where the journal goes on by this approval; None where it closes nothing."""
    if approval is None or recovery.damage is None:
        return None
    tip = recovery.segment_after_damage()
    return tip if tip.damaged.hex() == approval.damaged else None
