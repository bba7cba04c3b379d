"""The wire between a table and the floor as values: controller/uplink/WIRE.md is the text to this code.

Tables and floor are never brought up to date at once. A field or a word that this version does not know is no reason to
stop: fields are passed over, and a word is read as OTHER.
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
"""Bytes of a request to the floor. A segment ends at a sixteenth of it, and one batch of the journal."""

LARGEST_MARK: Final = 16_384
"""Bytes of one with the lines of its witnesses; it goes in one line of the socket."""

LARGEST_ANSWER: Final = 1 << 16
MOST_FINDINGS: Final = 16

Head = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}$")]
Nonce = Annotated[str, msgspec.Meta(pattern=rf"^[0-9a-f]{{16,{NONCE_DIGITS}}}$")]
Signature = Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{128}$")]
Epoch = Annotated[int, msgspec.Meta(ge=1, le=LARGEST_EPOCH)]
Seq = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_SEQ)]
LONGEST_NOTE: Final = 4096
NoteText = Annotated[str, msgspec.Meta(max_length=LONGEST_NOTE)]
"""A checkpoint with the lines of those who have signed it; empty: there is none."""


@unique
class Gap(StrEnum):
    """Why no entry stands right before the first one."""

    NONE = "none"
    DAMAGE = "damage"  # people have closed a damage of the journal
    REMOVED = "removed"  # retention has removed what stood before
    OTHER = "other"

    @classmethod
    def _missing_(cls, _value: object) -> Self:
        return cls("other")


class Statement(Struct, frozen=True, gc=False):
    """Entries `first` to `last` are durable in this table's journal, and `head` is the chain value of the last one.

    `epoch`: of the computer that says so. `first` behind `last`: there is nothing new.
    """

    epoch: Epoch
    first: Annotated[int, msgspec.Meta(ge=1, le=LARGEST_SEQ)]
    gap: Gap
    head: Head
    last: Seq
    nonce: Nonce
    table: Annotated[str, msgspec.Meta(max_length=LONGEST_TABLE)]


class SignedStatement(Struct, frozen=True, gc=False):
    """`mark`: the newest mark of the same journal, for the floor to sign as a witness. `pools`: as in a batch."""

    signature: Signature
    statement: Statement
    mark: NoteText = ""
    pools: tuple[tuple[PoolName, int], ...] | UnsetType = UNSET


class Checkpoint(Struct, frozen=True):
    """The table's mark, to be shown to witnesses. `begins` entries were removed; `hashes`: the tree over those."""

    note: str
    begins: Seq
    hashes: list[Head]


class Batch(Struct, frozen=True):
    """One request to the floor. `previous`: the chain value before the first payload.

    `statement`: the text that is signed, byte for byte. `shown`: what the room's page shows of the table, a `Shown` as
    JSON; empty where it is as it was. `mark`: a checkpoint of the table that the floor shall sign, too. `pools`: of
    each linked pool that the table follows the number of the newest statement that it has, 0 for none.
    """

    payloads: list[bytes]
    previous: Annotated[bytes, msgspec.Meta(min_length=32, max_length=32)]
    signature: Signature
    statement: bytes
    shown: bytes = b""
    mark: NoteText = ""
    pools: dict[PoolName, int] = {}


class Place(Struct, frozen=True, gc=False):
    """A place in a table's journal, as the floor has it; `seq` 0: before the first entry."""

    epoch: Epoch
    head: Head
    seq: Seq


@unique
class FindingKind(StrEnum):
    """A finding of the floor about a table; it stays."""

    BEGINS_LATER = "begins-later"  # the first entry that it was given is not the first one
    GAP = "gap"  # entries that nobody will ever give it
    FORK = "fork"  # the table's key has signed two histories
    RESTORED = "restored"  # a new epoch goes on from before the end of the one before
    TWIN = "twin"  # a computer of an older epoch says that it is this table
    BEHIND = "behind"  # the table has less than it has had
    UNCOUNTED = "uncounted"  # an entry is about a pool that is not here, or in another currency
    OTHER_KEY = "other-key"  # a computer with another key says that it is this table
    OTHER = "other"

    @classmethod
    def _missing_(cls, _value: object) -> Self:
        return cls("other")


class Finding(Struct, frozen=True, gc=False):
    """`seq`: the first entry that it is about."""

    kind: FindingKind
    epoch: int
    seq: int


@unique
class Said(StrEnum):
    """The floor's answer to a batch. Only TAKEN is an acknowledgement."""

    TAKEN = "taken"
    NOT_DURABLE = "not-durable"
    BUSY = "busy"
    STALE_NONCE = "stale-nonce"
    GO_ON_FROM = "go-on-from"  # the entries before these are missing: from `place` on
    FORKED = "forked"
    OLD_EPOCH = "old-epoch"
    BEHIND = "behind"
    ALTERED = "altered"  # the entries do not lead to the signed head
    NOT_SIGNED = "not-signed"
    UNKNOWN_TABLE = "unknown-table"
    NOT_UNDERSTOOD = "not-understood"
    NO_DATABASE = "no-database"
    OTHER = "other"

    @classmethod
    def _missing_(cls, _value: object) -> Self:
        return cls("other")


@unique
class WitnessSaid(StrEnum):
    """The fate of a mark that the floor was to sign. Every word but LATER is its last about this mark."""

    SIGNED = "signed"
    LATER = "later"  # its entries are not here, or the database is busy
    NO_WITNESS = "no-witness"  # this floor signs for nobody
    NOT_THEIRS = "not-theirs"  # it is no mark of this table's key
    FORKED = "forked"  # the floor has another history
    OLDER = "older"  # it has signed a newer one
    OTHER_TREE = "other-tree"  # entries before it will never be here, so its head cannot be worked out
    OTHER = "other"

    @classmethod
    def _missing_(cls, _value: object) -> Self:
        return cls("other")


class Witnessed(Struct, frozen=True, gc=False):
    """`line`: the floor's signature of the mark, as a line of a note."""

    said: WitnessSaid
    line: NoteText = ""


class FloorAnswer(Struct, frozen=True):
    """The floor's answer at the beginning of a connection, and to each batch. `place`: how far it has this table.

    `witnessed`: of the mark that came with the batch; None where none came, or the floor is of before. `pools`: newer
    statements of the pools that the batch names.
    """

    said: Said
    nonce: str = ""
    place: Place | None = None
    findings: list[Finding] = []
    witnessed: Witnessed | None = None
    pools: list[SignedPool] = []


class FoundAt(Struct, frozen=True, gc=False):
    """Which chain value the floor has at a place that it was asked for; None: it has no such entry."""

    head: Head | None = None


_ENCODE = msgspec.json.Encoder(order="sorted").encode
_BATCHES: Final = msgspec.msgpack.Decoder(Batch)
_STATEMENTS: Final = msgspec.json.Decoder(Statement)


def statement_text(statement: Statement) -> bytes:
    """Its canonical JSON: sorted, without spaces."""
    return _ENCODE(statement)


def statement_in(batch: Batch) -> Statement | None:
    """The statement of the signed text; None where it is none."""
    try:
        return _STATEMENTS.decode(batch.statement)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def encode_batch(batch: Batch) -> bytes:
    return msgspec.msgpack.encode(batch)


def decode_batch(data: bytes) -> Batch | None:
    """None for anything else."""
    try:
        return _BATCHES.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
