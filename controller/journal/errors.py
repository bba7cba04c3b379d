"""The faults of a journal: the few errors of this layer, and damage as data."""

from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path


@unique
class StorageReason(StrEnum):
    """Why the storage failed, as far as people can do something about it."""

    FULL = "full"
    READ_ONLY = "read-only"
    IO_ERROR = "io-error"
    NO_ANSWER = "no-answer"
    GONE = "gone"
    REFUSED = "permission"
    LOCKED = "locked"
    NOT_A_FILE = "not-a-file"
    NOT_A_DIRECTORY = "not-a-directory"
    TOO_LARGE = "too-large"
    OTHER = "other"


@unique
class Reason(StrEnum):
    """Why bytes of a journal or of its export do not verify."""

    EMPTY = "no-entries"
    HEADER = "segment-header"
    VERSION = "unknown-version"
    PLACE = "segment-out-of-place"
    MISSING = "missing-segment"
    LENGTH = "record-length"
    CRC = "record-crc"
    CHAIN = "chain"
    ENTRY = "entry"
    INCOMPLETE = "incomplete-record"
    LINE = "export-line"
    LAST_LINE = "export-last-line"
    HEAD = "noted-head-not-found"
    REMOVED = "noted-part-removed"
    SIGNATURE = "signature"
    KEY = "other-key"
    COPIES = "copies-differ"
    UNSIGNED = "unsigned-entries"
    SEALS = "seals-differ"


@dataclass(frozen=True, slots=True)
class Damage:
    """Where a journal stops verifying: the first bad entry, the segment and the offset in it, and why."""

    first_bad_seq: int
    segment: int
    offset: int
    reason: Reason


class JournalError(Exception):
    """Anything that this layer raises."""


class StorageFailed(JournalError):  # noqa: N818 (the name says what became of it)
    """A verb of the storage failed: nothing is known of what of it reached the medium."""

    def __init__(self, verb: str, name: str, reason: StorageReason, detail: str) -> None:
        super().__init__(f"{verb} {name}: {reason} ({detail})")
        self.verb = verb
        self.name = name
        self.reason = reason
        self.detail = detail

    @property
    def word(self) -> str:
        """Of the reason; of one of many others what the system calls it."""
        return self.detail if self.reason is StorageReason.OTHER else self.reason.value


class JournalDamaged(JournalError):  # noqa: N818 (the name says what became of it)
    """Bytes that do not verify: nothing may be appended behind them."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(
            f"entry {damage.first_bad_seq} does not verify: {damage.reason}, "
            f"segment {damage.segment} at byte {damage.offset}"
        )
        self.damage = damage


class JournalLocked(JournalError):  # noqa: N818 (the name says what became of it)
    """Another process writes this journal."""


class CodecError(JournalError):
    """A value that has no canonical encoding, or bytes that are not one."""


class SealKeyRefused(JournalError):  # noqa: N818 (the name says what became of it)
    """The key file of the seals cannot be trusted: wrong length, readable by others, inside the journal."""


@unique
class KeyTrouble(StrEnum):
    """Why a file is of no use as a key."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    NO_SIGNING_KEY = "no-signing-key"
    NO_PUBLIC_KEY = "no-public-key"


class SigningKeyRefused(JournalError):  # noqa: N818 (the name says what became of it)
    """A file that holds no key of a journal, or no public key."""

    def __init__(self, path: Path, trouble: KeyTrouble) -> None:
        super().__init__(f"{path}: {trouble}")
        self.path = path
        self.trouble = trouble


class NotTheTablesKey(JournalError):  # noqa: N818 (the name says what is wrong)
    """A key that is not the one which the journal's last start names: nothing that it signs would verify."""

    def __init__(self, given: str, named: str) -> None:
        super().__init__(f"the key {given} is not {named}, which the last start names")
        self.given = given
        self.named = named


class NoStateHere(JournalError):  # noqa: N818 (the name says what is wrong)
    """The journal begins behind a removal of so many sessions, and the state behind them is not here."""

    def __init__(self, first_seq: int, sessions: int, acknowledged: str) -> None:
        super().__init__(f"no state before entry {first_seq}")
        self.first_seq = first_seq
        self.sessions = sessions
        self.acknowledged = acknowledged


class NotBehind(JournalError):  # noqa: N818 (the name says what is wrong)
    """An export that does not lead to where a journal begins: from entry `seq` on."""

    def __init__(self, export: Path, seq: int) -> None:
        super().__init__(f"{export} does not lead on at entry {seq}")
        self.export = export
        self.seq = seq


class BadNotedCode(JournalError):  # noqa: N818 (the name says what became of it)
    """A noted code that nobody can have noted: its check digits do not fit, or it is no code at all."""


class NotProved(Exception):  # noqa: N818 (the name says what is wrong)
    """These entries cannot be shown to be in the tree that was signed; `reason` a word of the catalogue."""

    def __init__(self, reason: str, **values: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.values = values
