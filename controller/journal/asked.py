"""Encodes and decodes a request to a witness (C2SP `tlog-witness`). Pure.

A request has a checkpoint, and the proof that the checkpoint's tree continues an earlier one.
"""

import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, unique
from typing import Final

from controller.journal.errors import CodecError
from controller.journal.inclusion import MOST_HASHES
from controller.journal.note import LARGEST_NOTE, Note, decode_note, encode_note, from_base64
from controller.journal.tree import HASH_SIZE

ADD: Final = "/add-checkpoint"
SIZE: Final = re.compile(rb"(0|[1-9][0-9]{0,17})\n")
"""The pattern of the body of an answer with the status `OTHER_SIZE`: the number of leaves that the witness has signed
last.
"""

LARGEST_REQUEST: Final = LARGEST_NOTE + 64 * (MOST_HASHES + 1)

_OLD: Final = re.compile(rb"old (0|[1-9][0-9]{0,17})")
_TEXT: Final = re.compile(r"([^\n]+)\n(0|[1-9][0-9]{0,17})\n([A-Za-z0-9+/=]+)\n(?:[^\n]+\n)*")


@unique
class Status(IntEnum):
    """The HTTP status code of a witness's answer."""

    SIGNED = 200
    MALFORMED = 400
    NOT_SIGNED = 403
    UNKNOWN_LOG = 404
    OTHER_SIZE = 409
    FORKED = 422


@dataclass(frozen=True, slots=True)
class Head:
    """The content of a log's checkpoint: the name of the log, the number of leaves, and the head of the tree."""

    origin: str
    size: int
    root: bytes


@dataclass(frozen=True, slots=True)
class Request:
    """A checkpoint (`note`) for a witness to sign. `hashes` prove that its tree continues the tree of `old` leaves."""

    old: int
    hashes: tuple[bytes, ...]
    note: Note


def read_head(text: bytes) -> Head:
    """Returns the log's name, number of leaves and head in the text of a checkpoint. Raises CodecError for any other
    text.
    """
    found = _TEXT.fullmatch(text.decode("utf-8", "replace"))
    root = b"" if found is None else from_base64(found[3])
    if found is None or len(root) != HASH_SIZE:
        raise CodecError("no checkpoint")
    return Head(found[1], int(found[2]), root)


def encode_request(old: int, hashes: Sequence[bytes], note: Note) -> bytes:
    lines = b"".join(b64encode(one) + b"\n" for one in hashes)
    return f"old {old}\n".encode() + lines + b"\n" + encode_note(note)


def decode_request(data: bytes) -> Request:
    """Returns the request that the bytes encode. Raises CodecError for other bytes."""
    head, gap, note = data.partition(b"\n\n")
    old, *lines = head.split(b"\n")
    found = _OLD.fullmatch(old)
    hashes = tuple(from_base64(line.decode("ascii", "replace")) for line in lines)
    if not gap or found is None or len(hashes) > MOST_HASHES or any(len(one) != HASH_SIZE for one in hashes):
        raise CodecError("no request to a witness")
    return Request(int(found[1]), hashes, decode_note(note))
