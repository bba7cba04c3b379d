"""The approval that lets a journal go on, signed by a technician and a chief supervisor.

It is needed where the journal is damaged, or behind its mark, or where another medium has more entries without a
signature. The approval is a file beside the journal's directory. It names damaged bytes by their SHA-256, and a mark or
the last unsigned entry by the chain value, so it serves for this one case. The next start's entry says who gave it;
then the file is removed.
"""

import os
from enum import StrEnum, unique
from pathlib import Path

from msgspec import Struct

from controller.core.house.controller_facts import UNSIGNED_ENTRIES
from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError
from controller.journal.recovery import Recovery, Tip
from controller.journal.storage import give_to_owner, open_file, reported, sync_directory


@unique
class Why(StrEnum):
    """The reason that people give for entries that the mark names and the journal lacks."""

    OLDER_BACKUP = "older-backup"
    OTHER_MEDIUM = "other-medium"
    LOST_ENTRIES = "lost-entries"


class Seen(Struct, frozen=True, gc=False):
    """The unsigned entries `first` to `last`, as two people have seen them. `head`: the chain value of the last.

    `kept`: the last entry that is taken over.
    """

    chief_supervisor: int
    first: int
    head: str
    kept: int
    last: int
    technician: int


class Approval(Struct, frozen=True, gc=False):
    """The approval of two people to go on after a damage. `damaged`: the SHA-256 of the closed bytes, or a missing
    chain value (64 hex digits).

    `seen`: unsigned entries that two people have seen and no start has recorded yet.
    """

    chief_supervisor: int
    damaged: str
    technician: int
    why: Why | None = None
    seen: Seen | None = None


_LARGEST = 4096  # bytes; an approval has about 400
_DECODER = CanonicalDecoder(Approval)


def approval_path(journal: Path) -> Path:
    """The path of the approval, beside the journal's directory."""
    return journal.with_name(journal.name + ".approval")


def unsigned_path(journal: Path) -> Path:
    """The path of a restored journal with its unsigned entries, beside the journal without them."""
    return journal.with_name(journal.name + ".unsigned")


def write_approval(journal: Path, approval: Approval) -> None:
    """Writes the approval, durable on return. Raises StorageFailed."""
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
    """The approval; None without a readable approval. Raises StorageFailed."""
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
    """Removes the approval after its use, or where it is for another damage. Raises StorageFailed."""
    with reported("clear", str(approval_path(journal))):
        approval_path(journal).unlink(missing_ok=True)


def seen_finding(approval: Approval | None, last: int) -> tuple[str, ...]:
    """The finding that people have seen unsigned entries, where the approval keeps them up to `last`; else ()."""
    if approval is None or approval.seen is None or approval.seen.kept != last:
        return ()
    seen = approval.seen
    who = f"technician {seen.technician} chief-supervisor {seen.chief_supervisor}"
    return (f"{UNSIGNED_ENTRIES} entry {seen.first} last {seen.last} kept {seen.kept} {who}",)


def tip_by(approval: Approval | None, recovery: Recovery) -> Tip | None:
    """The place where the journal continues; None where the approval names other bytes than the damage."""
    if approval is None or recovery.damage is None:
        return None
    tip = recovery.segment_after_damage()
    return tip if tip.damaged.hex() == approval.damaged else None
