"""The signed statement on the entries that retention has removed. It replaces the segments of these entries.

The statement has the number and chain value of the last removed entry, from which a check continues, and the code by
which people acknowledged the export of the removed entries. The table's key signs the statement.
"""

import re
from typing import Final

import msgspec
from msgspec import Struct, structs
from msgspec.structs import replace

from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError
from controller.journal.signing import Signer, is_signed
from controller.journal.storage import ReadableStorage
from controller.journal.tree import NO_TREE, Tree, tree_of

FORMAT_NAME: Final = "sabot-journal-removed-1"
LARGEST_STATEMENT: Final = 4096
"""The largest size of a statement in bytes; the usual size is about 700."""

_NAME: Final = re.compile(r"(\d{8})\.removed")
_HEX_64: Final = re.compile(r"[0-9a-f]{64}")


class Removed(Struct, frozen=True, gc=False):
    """The signed statement that entries 1 to `first_seq` - 1 are removed: segment `segment` begins with `first_seq`
    after the chain value `head`.

    `sessions`: the number of sessions opened in the removed part. `state`: the SHA-256 of the state after that part, as
    in the segment's checkpoint. `tree`: the heads of the full subtrees of the tree over the removed entries.
    """

    acknowledged: str
    first_seq: int
    format: str
    head: str
    public_key: str
    segment: int
    sessions: int
    signature: str
    state: str
    tree: tuple[str, ...] | msgspec.UnsetType = msgspec.UNSET  # earlier programs stored none


class _RemovedLine(Struct, frozen=True, gc=False):
    removed: Removed


_DECODER: Final = CanonicalDecoder(_RemovedLine)


def removed_name(segment: int) -> str:
    """The name of the file with the signed statement on the entries that were removed before segment `segment`."""
    return f"{segment:08d}.removed"


def sign_removed(
    *,
    acknowledged: str,
    first_seq: int,
    head: bytes,
    segment: int,
    sessions: int,
    state: str,
    signer: Signer,
    tree: Tree,
) -> Removed:
    """Returns the signed statement on removed entries with these fields. `tree`: the tree over the removed entries."""
    kept = tuple(one.hex() for one in tree.hashes)
    unsigned = Removed(
        acknowledged, first_seq, FORMAT_NAME, head.hex(), signer.public_key, segment, sessions, "", state, kept
    )
    return replace(unsigned, signature=signer.sign(_statement(unsigned)))


def is_signed_removed(removed: Removed) -> bool:
    """True if the key that `removed` names has signed `removed`."""
    return is_signed(removed.public_key, removed.signature, _statement(removed))


def removed_line(removed: Removed) -> bytes:
    return encode_canonical(_RemovedLine(removed)) + b"\n"


def decode_removed(line: bytes) -> Removed:
    """Decodes `line` as the signed statement on removed entries. Does not check the signature. Raises CodecError if
    `line` is no such statement.
    """
    removed = _DECODER.decode(line.removesuffix(b"\n")).removed
    is_one = removed.format == FORMAT_NAME and _HEX_64.fullmatch(removed.head) and removed.first_seq >= 1
    if not is_one or not all(map(_HEX_64.fullmatch, _hashes(removed))):
        raise CodecError("no statement of what was removed")
    return removed


def tree_behind(removed: Removed | None) -> Tree:
    """Returns the tree over the removed entries, or NO_TREE if no entry was removed. A statement of an earlier program
    has no tree. Each removed entry then counts as lost.
    """
    if removed is None:
        return NO_TREE
    return tree_of(removed.first_seq - 1, tuple(map(bytes.fromhex, _hashes(removed))))


def _hashes(removed: Removed) -> tuple[str, ...]:
    return () if isinstance(removed.tree, msgspec.UnsetType) else removed.tree


def read_removed(storage: ReadableStorage) -> Removed | None:
    """Returns the readable statement on removed entries with the highest segment, without checking its signature.
    Returns None if no statement is readable. Raises StorageFailed.
    """
    for file in reversed(storage.list()):
        found = _NAME.fullmatch(file.name)
        if found is None or file.size > LARGEST_STATEMENT:
            continue
        try:
            removed = decode_removed(storage.read(file.name))
        except CodecError:
            continue
        if removed.segment == int(found[1]):
            return removed
    return None


def _statement(removed: Removed) -> bytes:
    values = {field.name: getattr(removed, field.name) for field in structs.fields(removed)}
    del values["signature"]
    return encode_canonical({name: value for name, value in values.items() if value is not msgspec.UNSET})
