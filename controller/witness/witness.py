"""The witness itself: it signs or refuses checkpoints by the rules of C2SP `tlog-witness`. It reads no entry and knows
no table.

The statuses are HTTP's, even if people carry the requests as files. A head is durable before the answer with its
signature leaves.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from controller.journal.asked import Head, Status, decode_request, read_head
from controller.journal.errors import CodecError
from controller.journal.inclusion import goes_on
from controller.journal.note import KeyKind, Note, NoteKey, decode_note, encode_note, is_note_by, signature_line
from controller.journal.signing import Signer
from controller.journal.tree import EMPTY_ROOT


@dataclass(frozen=True, slots=True)
class Reply:
    """The witness's answer. `body`: the signature line if `status` is SIGNED; the size of the stored head if `status`
    is OTHER_SIZE.
    """

    status: Status
    body: bytes = b""


class Heads(Protocol):
    """Stores, for each log, the last checkpoint that this witness has signed."""

    def last(self, log: str) -> bytes | None:
        """Returns the checkpoint of the log that `put` stored last; None if there is none. Raises StorageFailed."""

    def put(self, log: str, note: bytes) -> None:
        """Stores a checkpoint of the log, durable on return. Raises StorageFailed."""


def log_name(origin: str) -> str:
    """Returns the name under which the head of a log is stored and requested."""
    return sha256(origin.encode()).hexdigest()


class Witness:
    """Answers requests to sign checkpoints. The caller must pass only one request at a time."""

    def __init__(
        self, name: str, signer: Signer, logs: Mapping[str, NoteKey], heads: Heads, now_s: Callable[[], int]
    ) -> None:
        self.key = NoteKey(name, KeyKind.COSIGNATURE, signer.public_key)
        self._signer = signer
        self._logs = logs
        self._heads = heads
        self._now_s = now_s

    def checkpoint(self, log: str) -> bytes | None:
        """Returns the last signed checkpoint of the log with the name `log`; None if the witness has signed none.
        Raises StorageFailed.
        """
        return self._heads.last(log)

    def add_checkpoint(self, data: bytes) -> Reply:
        """Signs a checkpoint that continues the last signed head of its log, and refuses any other.

        Signs nothing, and raises StorageFailed if the new head cannot be stored, or CorruptHead if the stored head
        lacks this witness's signature.
        """
        try:
            asked = decode_request(data)
            head = read_head(asked.note.text)
        except CodecError:
            return Reply(Status.MALFORMED)
        key = self._logs.get(head.origin)
        if key is None:
            return Reply(Status.UNKNOWN_LOG)
        if not is_note_by(asked.note, key):
            return Reply(Status.NOT_SIGNED)
        if asked.old > head.size:
            return Reply(Status.MALFORMED)
        last = self._last(head.origin)
        if asked.old != last.size:
            return Reply(Status.OTHER_SIZE, f"{last.size}\n".encode())
        if not head.size and head.root != EMPTY_ROOT:
            return Reply(Status.FORKED)
        if not goes_on(last.size, last.root, head.size, head.root, asked.hashes):
            return Reply(Status.FORKED)
        return self._sign(head, Note(asked.note.text, tuple(filter(None, (asked.note.by(key),)))))

    def _last(self, origin: str) -> Head:
        """Returns the last signed head of the log `origin`; an empty head if the witness has signed none.

        Raises CorruptHead if the stored head lacks this witness's signature.
        """
        data = self._heads.last(log_name(origin))
        if data is None:
            return Head(origin, 0, EMPTY_ROOT)
        try:
            note = decode_note(data)
            head = read_head(note.text)
        except CodecError as error:
            raise CorruptHead(origin) from error
        if head.origin != origin or not is_note_by(note, self.key):
            raise CorruptHead(origin)
        return head

    def _sign(self, head: Head, note: Note) -> Reply:
        line = self._signer.cosignature(note.text, self.key, self._now_s())
        self._heads.put(log_name(head.origin), encode_note(Note(note.text, (*note.signatures, line))))
        return Reply(Status.SIGNED, signature_line(line))


class CorruptHead(Exception):  # noqa: N818 (the name says what is wrong)
    """The stored head of a log lacks this witness's signature; the witness signs nothing more of this log."""
