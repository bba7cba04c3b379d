"""The approval file: a technician and a chief supervisor, each by PIN, permit that a damaged or shortened journal
continues.

A start needs an approval if the journal is damaged, if it lacks entries that its mark names, or if another medium has
more entries that no mark covers. The file lies beside the journal's directory. It is valid for one case only: it names
damaged bytes by their SHA-256, and a mark or the last unsigned entry by its chain value. The next start records the two
people in its entry and removes the file.
"""

import os
from enum import StrEnum, unique
from pathlib import Path

from msgspec import Struct

from controller.core.house.controller_facts import UNSIGNED_ENTRIES
from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError
from controller.journal.recovery import Recovery, Tip
from controller.journal.storage import give_to_owner, open_file, reported, sync_directory, write_all


@unique
class Why(StrEnum):
    """The reason that two people give for missing entries which the journal's mark names."""

    OLDER_BACKUP = "older-backup"
    OTHER_MEDIUM = "other-medium"
    LOST_ENTRIES = "lost-entries"


class Seen(Struct, frozen=True, gc=False):
    """Two people's decision on entries `first` to `last`, which only another medium has and no mark covers. The people
    are named by staff number. `head`: the chain value of entry `last` (hex). `kept`: the last entry that the journal
    takes over, or `first` - 1 if the journal takes over no entry.
    """

    chief_supervisor: int
    first: int
    head: str
    kept: int
    last: int
    technician: int


class Approval(Struct, frozen=True, gc=False):
    """The decision of two people, named by staff number, that the journal continues. `damaged`: the SHA-256 of the
    damaged bytes, or the chain value of the mark whose entry is missing (64 hex digits); "" if only `seen` is decided.
    `why`: None unless a mark's entry is missing. `seen`: the decision on unsigned entries until a start has recorded
    it; None if there are no unsigned entries.
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
    """Returns the path of the directory `NAME.unsigned` beside the journal. A restore writes a backup's whole journal
    there if the backup has entries that no mark covers.
    """
    return journal.with_name(journal.name + ".unsigned")


def write_approval(journal: Path, approval: Approval) -> None:
    """Writes the approval, durable on return. Raises StorageFailed."""
    path = approval_path(journal)
    with reported("approve", str(path)):
        path.unlink(missing_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        try:
            give_to_owner(descriptor, journal.stat())
            write_all(descriptor, encode_canonical(approval))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        sync_directory(path.parent)


def read_approval(journal: Path) -> Approval | None:
    """Returns the approval in the file beside the journal. Returns None if the file is missing or has no approval.

    Raises StorageFailed.
    """
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
    """Removes the approval's file. Does nothing if the file is missing. Raises StorageFailed."""
    with reported("clear", str(approval_path(journal))):
        approval_path(journal).unlink(missing_ok=True)


def seen_finding(approval: Approval | None, last: int) -> tuple[str, ...]:
    """Returns the finding with which a start records the decision in `approval` on unsigned entries. Returns () if
    there is no decision, or if the last entry that the decision keeps is not `last`.

    `last`: the journal's last entry.
    """
    if approval is None or approval.seen is None or approval.seen.kept != last:
        return ()
    seen = approval.seen
    who = f"technician {seen.technician} chief-supervisor {seen.chief_supervisor}"
    return (f"{UNSIGNED_ENTRIES} entry {seen.first} last {seen.last} kept {seen.kept} {who}",)


def tip_by(approval: Approval | None, recovery: Recovery) -> Tip | None:
    """Returns the place where the journal continues after the damage in `recovery`. Returns None if there is no damage,
    or if `approval` does not name the damaged bytes.
    """
    if approval is None or recovery.damage is None:
        return None
    tip = recovery.segment_after_damage()
    return tip if tip.damaged.hex() == approval.damaged else None
