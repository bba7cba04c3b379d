"""The messages between a table and the floor, the server of all tables, as Python types. controller/uplink/WIRE.md
describes them.

Tables and floor are updated at different moments. So an unknown field is ignored, and an unknown word is read as OTHER.
"""

from enum import StrEnum, unique
from typing import Annotated, Final, Self

import msgspec
from msgspec import UNSET, Struct, UnsetType

from controller.protocol.linked import PoolName, SignedPool

NONCE_DIGITS: Final = 128
LARGEST_EPOCH: Final = 1_000_000
LARGEST_SEQ: Final = 1_000_000_000_000
LONGEST_TABLE: Final = 32
LARGEST_BATCH: Final = 16 << 20
"""The most bytes of a request to the floor: sixteen times the size at which a segment ends."""

LARGEST_ANSWER: Final = 1 << 16
MOST_FINDINGS: Final = 16

Head = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
Nonce = Annotated[str, msgspec.Meta(pattern=rf"^[0-9a-f]{{16,{NONCE_DIGITS}}}$")]
Signature = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{128}$")]
Epoch = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_EPOCH)]
Seq = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEQ)]
LONGEST_NOTE: Final = 4096
NoteText = Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)]
"""A checkpoint as text with the lines of its signers; "" for none."""


class _Open(StrEnum):
    """The base class of enumerations to which later versions may add words: an unknown word becomes "other"."""

    @classmethod
    def _missing_(cls, _value: object) -> Self:
        return cls("other")


@unique
class Gap(_Open):
    """The reason why the entries before a signed statement's first entry are missing. NONE if no entry is missing."""

    NONE = "none"
    DAMAGE = "damage"  # a damage of the journal was sealed by people
    REMOVED = "removed"  # retention has removed the entries before
    OTHER = "other"


class Statement(Struct, frozen=True, gc=False):
    """Says that the entries `first` to `last` are on the table's disk, and that their hash chain ends with `head`.
    `epoch`: the journal's epoch. If `first` is greater than `last`, there are no new entries. `nonce`: the digits that
    the floor has sent for this statement.
    """

    epoch: Epoch
    first: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_SEQ)]
    gap: Gap
    head: Head
    last: Seq
    nonce: Nonce
    table: Annotated[str, msgspec.Meta(max_length=LONGEST_TABLE)]


class SignedStatement(Struct, frozen=True, gc=False):
    """A statement with its signature.

    `mark`: the journal's newest mark, for the floor to sign as a witness. `pools`: for each linked pool of the table,
    the number of the newest pool statement that the table has.
    """

    signature: Signature
    statement: Statement
    mark: NoteText = ""
    pools: tuple[tuple[PoolName, int], ...] | UnsetType = UNSET


class Checkpoint(Struct, frozen=True):
    """The table's mark for its witnesses, with the data to verify it. `begins`: the number of entries that retention
    removed.

    `hashes`: the hashes of the full subtrees of the Merkle tree over the removed entries.
    """

    note: str
    begins: Seq
    hashes: list[Head]


class Batch(Struct, frozen=True):
    """One request to the floor: entries and the signed statement on them.

    `previous`: the chain value before the first entry. `statement`: the signed text, byte for byte. `shown`: the
    table's status for the room's page (a `Shown` as JSON); empty if unchanged. `mark`: a checkpoint for the floor to
    sign as a witness. `pools`: for each linked pool of the table, the number of the newest pool statement that the
    table has, 0 for none.
    """

    payloads: list[bytes]
    previous: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    signature: Signature
    statement: bytes
    shown: bytes = b""
    mark: NoteText = ""
    pools: dict[PoolName, int] = {}


class Place(Struct, frozen=True, gc=False):
    """The last entry of a table's journal that the floor has. `seq`: 0 if the floor has none."""

    epoch: Epoch
    head: Head
    seq: Seq


@unique
class FindingKind(_Open):
    """The kind of irregularity that the floor has found at a table. A finding stays until a person ends it."""

    BEGINS_LATER = "begins-later"  # the first entry that the floor got is not the journal's first
    GAP = "gap"  # some entries can never reach the floor
    FORK = "fork"  # the table's key has signed two histories
    RESTORED = "restored"  # a new epoch continues from before the end of the previous one
    TWIN = "twin"  # a computer of an older epoch claims to be this table
    BEHIND = "behind"  # the table has fewer entries than it had
    UNCOUNTED = "uncounted"  # an entry names an unknown pool, another currency, or too much
    OTHER_AMOUNT = "other-amount"  # the table has recorded another amount for this hit than the floor
    OTHER_KEY = "other-key"  # a computer with another key claims to be this table
    OTHER = "other"


class Finding(Struct, frozen=True, gc=False):
    """An irregularity that the floor has found at a table. `epoch`, `seq`: the first entry that it concerns."""

    kind: FindingKind
    epoch: int
    seq: int


@unique
class Said(_Open):
    """The floor's answer to a batch. Only TAKEN acknowledges the batch's entries."""

    TAKEN = "taken"
    NOT_DURABLE = "not-durable"
    BUSY = "busy"
    STALE_NONCE = "stale-nonce"
    GO_ON_FROM = "go-on-from"  # entries before the batch are missing: send again from `place` on
    FORKED = "forked"
    OLD_EPOCH = "old-epoch"
    BEHIND = "behind"
    ALTERED = "altered"  # the entries do not lead to the signed head
    NOT_SIGNED = "not-signed"
    UNKNOWN_TABLE = "unknown-table"
    NOT_UNDERSTOOD = "not-understood"
    NO_DATABASE = "no-database"
    OTHER = "other"


@unique
class WitnessSaid(_Open):
    """The floor's answer to a request to sign a mark. Each word except LATER is final for the mark."""

    SIGNED = "signed"
    LATER = "later"  # the mark's entries are not here yet, or the database is busy
    NO_WITNESS = "no-witness"  # this floor signs no marks
    NOT_THEIRS = "not-theirs"  # not signed by this table's key
    FORKED = "forked"  # the floor has another history
    OLDER = "older"  # the floor has signed a newer mark
    OTHER_TREE = "other-tree"  # earlier entries can never be here, so the head cannot be computed
    OTHER = "other"


class Witnessed(Struct, frozen=True, gc=False):
    """The floor's answer to a request to sign a mark. `line`: the floor's signature as a line for the mark; "" if the
    floor has not signed.
    """

    said: WitnessSaid
    line: NoteText = ""


class FloorAnswer(Struct, frozen=True):
    """The floor's answer to a new connection and to each batch. `nonce`: for the table's next statement. `place`: the
    number of the last entry that the floor has. `witnessed`: the answer about the batch's mark; None without a mark,
    and from an older floor. `pools`: the pool statements that are newer than those the batch names.
    """

    said: Said
    nonce: str = ""
    place: Place | None = None
    findings: list[Finding] = []
    witnessed: Witnessed | None = None
    pools: list[SignedPool] = []


class FoundAt(Struct, frozen=True, gc=False):
    """The chain value of one entry as the floor has it. `head` is None if the floor lacks the entry."""

    head: Head | None = None


_ENCODE = msgspec.json.Encoder(order="sorted").encode
_BATCHES: Final = msgspec.msgpack.Decoder(Batch)
_STATEMENTS: Final = msgspec.json.Decoder(Statement)


def statement_text(statement: Statement) -> bytes:
    """Returns the statement as canonical JSON: keys sorted, no spaces."""
    return _ENCODE(statement)


def statement_in(batch: Batch) -> Statement | None:
    """Returns the statement in the batch's signed text, or None if the text is no statement. Does not check the
    signature.
    """
    try:
        return _STATEMENTS.decode(batch.statement)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def encode_batch(batch: Batch) -> bytes:
    return msgspec.msgpack.encode(batch)


def decode_batch(data: bytes) -> Batch | None:
    """Returns the batch encoded in `data`. Returns None if `data` is no batch."""
    try:
        return _BATCHES.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
