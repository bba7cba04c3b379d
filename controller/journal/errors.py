"""The errors of the journal, and the place and reason of a damage."""

from enum import StrEnum, unique
from pathlib import Path

from msgspec import Struct


@unique
class StorageReason(StrEnum):
    """The reason why an operation of the storage failed. OTHER stands for any reason without a value of its own."""

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
    """The reason why bytes of a journal or of its export do not verify."""

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


class Damage(Struct, frozen=True, gc=False):
    """The place where a journal stops verifying: first bad entry, segment, offset in bytes in the segment, reason."""

    first_bad_seq: int
    segment: int
    offset: int
    reason: Reason


class JournalError(Exception):
    """The base class of the journal's errors."""


class StorageFailed(JournalError):  # noqa: N818 (the name says what became of it)
    """An operation of the storage failed. An unknown part of its bytes may be on the medium.

    `verb`, `name`: the operation and its file. `detail`: the operating system's name of the error, or a few words.
    """

    def __init__(self, verb: str, name: str, reason: StorageReason, detail: str) -> None:
        super().__init__(f"{verb} {name}: {reason} ({detail})")
        self.verb = verb
        self.name = name
        self.reason = reason
        self.detail = detail

    @property
    def word(self) -> str:
        """The value of the reason or, for OTHER, the operating system's name of the error."""
        return self.detail if self.reason is StorageReason.OTHER else self.reason.value


class JournalDamaged(JournalError):  # noqa: N818 (the name says what became of it)
    """Bytes of the journal do not verify, so no record may be appended."""

    def __init__(self, damage: Damage) -> None:
        super().__init__(
            f"entry {damage.first_bad_seq} does not verify: {damage.reason}, "
            f"segment {damage.segment} at byte {damage.offset}"
        )
        self.damage = damage


class JournalLocked(JournalError):  # noqa: N818 (the name says what became of it)
    """Another process writes the journal."""


class CodecError(JournalError):
    """A value has no encoding in a format of the journal, or bytes or a text are not in the expected format."""


class SealKeyRefused(JournalError):  # noqa: N818 (the name says what became of it)
    """A secret key's file cannot be trusted: the key's length is wrong, other users can read the file, or it lies
    inside the journal.
    """


@unique
class KeyTrouble(StrEnum):
    """The reason why a file cannot serve as a key."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    NO_SIGNING_KEY = "no-signing-key"
    NO_PUBLIC_KEY = "no-public-key"


class SigningKeyRefused(JournalError):  # noqa: N818 (the name says what became of it)
    """A file that should hold a journal's secret key, or a public key, does not."""

    def __init__(self, path: Path, trouble: KeyTrouble) -> None:
        super().__init__(f"{path}: {trouble}")
        self.path = path
        self.trouble = trouble


class NotTheTablesKey(JournalError):  # noqa: N818 (the name says what is wrong)
    """The signing key is not the key that the journal's last start names, so its signatures would not verify."""

    def __init__(self, given: str, named: str) -> None:
        super().__init__(f"the key {given} is not {named}, which the last start names")
        self.given = given
        self.named = named


class NoStateHere(JournalError):  # noqa: N818 (the name says what is wrong)
    """The journal begins after removed sessions, and the state after them is missing."""

    def __init__(self, first_seq: int, sessions: int, acknowledged: str) -> None:
        super().__init__(f"no state before entry {first_seq}")
        self.first_seq = first_seq
        self.sessions = sessions
        self.acknowledged = acknowledged


class NotBehind(JournalError):  # noqa: N818 (the name says what is wrong)
    """An export of removed entries has a gap before the first entry that the journal has kept.

    `seq`: the first entry that is missing or does not fit.
    """

    def __init__(self, export: Path, seq: int) -> None:
        super().__init__(f"{export} does not lead on at entry {seq}")
        self.export = export
        self.seq = seq


class BadNotedCode(JournalError):  # noqa: N818 (the name says what became of it)
    """A typed text is no noted code, or a mistyped one, whose check digits are wrong."""


class NotProved(Exception):  # noqa: N818 (the name says what is wrong)
    """Entries cannot be proved to be in the signed tree.

    `reason`: the last part of the catalogue's key for the sentence with the reason. `values`: the sentence's
    placeholders.
    """

    def __init__(self, reason: str, **values: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.values = values
