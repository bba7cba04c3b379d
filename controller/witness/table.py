"""A table's request to a witness and the answer to it: over HTTP, or as files that people carry."""

from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from controller.journal.asked import ADD, SIZE, Status, encode_request
from controller.journal.cosigned import Seen, keep_cosigned, read_cosigned, seen_by, seen_up_to
from controller.journal.errors import CodecError, NotProved
from controller.journal.inclusion import NotInTree, consistency_ranges
from controller.journal.mark import Mark, begun_path, decode_mark_notes, mark_of, read_mark_file
from controller.journal.note import Note, NoteKey, decode_note, encode_note, read_signatures, with_signatures
from controller.journal.proof import grown
from controller.journal.recovery import Walk
from controller.journal.storage import DirectoryReader
from controller.machine.post import post


@unique
class Why(StrEnum):
    """The reason why a witness has not signed: a sentence under `cosign-why` in the catalogue."""

    AHEAD = "ahead"
    FORKED = "forked"
    UNKNOWN_LOG = "unknown-log"
    NOT_SIGNED = "not-signed"
    REFUSED = "refused"
    NOT_THEIRS = "not-theirs"
    AWAY = "away"


class NotCosigned(Exception):  # noqa: N818 (the name says what is wrong)
    """The witness has not signed, and nothing was kept. `values`: the values of the sentence under `cosign-why`."""

    def __init__(self, why: Why, **values: str) -> None:
        super().__init__(why.value)
        self.why = why
        self.values = values


@dataclass(frozen=True, slots=True)
class Asking:
    """The requests of one table to one witness. `key`: the public key of the table's journal."""

    journal: Path
    key: str
    witness: NoteKey

    def mark(self) -> tuple[Mark, Note]:
        """Returns the mark to be signed, and its note. Raises NotProved, StorageFailed."""
        data = read_mark_file(begun_path(self.journal)) or b""
        found = next(decode_mark_notes(data, self.key), None)
        if found is None:
            raise NotProved("no-mark", path=str(self.journal))
        return found

    def known(self) -> int:
        """The last entry of the mark's epoch that this witness has signed, as the files here say; 0 where none is
        known.

        Raises NotProved, StorageFailed.
        """
        epoch = self.mark()[0].epoch
        notes = [one for one in read_cosigned(self.journal, self.key) if one[0].epoch == epoch]
        last = seen_up_to(notes, self.witness)
        return 0 if last is None else last.seq

    def request(self, old: int) -> bytes:
        """Returns a request with the proof that the mark's tree continues that of `old` leaves.

        Raises NotCosigned, NotProved, JournalDamaged, StorageFailed.
        """
        mark, note = self.mark()
        if old > mark.seq:
            raise NotCosigned(Why.AHEAD, witness=self.witness.name, seen=str(old), signed=str(mark.seq))
        wanted = consistency_ranges(old, mark.seq)
        with DirectoryReader(self.journal) as storage:
            ranges = grown(Walk(storage), mark.seq, wanted)
        if ranges.tree.root().hex() != mark.root:
            raise NotProved("other-tree", signed=str(mark.seq))
        try:
            return encode_request(old, ranges.hashes(wanted), note)
        except NotInTree as gone:
            raise NotProved("not-here", first=str(old), last=str(mark.seq)) from gone

    def take(self, data: bytes) -> Seen:
        """Keeps a checkpoint of this table that the witness has signed, and returns up to which entry it has seen.

        Raises NotCosigned, StorageFailed.
        """
        try:
            note = decode_note(data)
        except CodecError as error:
            raise NotCosigned(Why.NOT_THEIRS, witness=self.witness.name) from error
        mark = mark_of(note, self.key)
        seen = None if mark is None else seen_by(self.witness, note, mark.seq)
        line = note.by(self.witness)
        if seen is None or line is None:
            raise NotCosigned(Why.NOT_THEIRS, witness=self.witness.name)
        keep_cosigned(self.journal, self.key, note, (line,))
        return seen

    def ask(self, url: str) -> Seen:
        """Asks the witness over HTTP, keeps its signature, and returns up to which entry the witness has seen.

        Raises NotCosigned, NotProved, JournalDamaged, StorageFailed.
        """
        try:
            status, body = post(url.rstrip("/") + ADD, self.request(self.known()))
            if status == Status.OTHER_SIZE and (size := SIZE.fullmatch(body)):
                status, body = post(url.rstrip("/") + ADD, self.request(int(size[1])))
        except OSError as error:
            raise NotCosigned(Why.AWAY, url=url) from error
        if status != Status.SIGNED:
            raise NotCosigned(_WHY.get(status, Why.REFUSED), status=str(status), **self._named())
        try:
            lines = tuple(read_signatures(body))
        except CodecError as error:
            raise NotCosigned(Why.NOT_THEIRS, witness=self.witness.name) from error
        return self.take(encode_note(with_signatures(self.mark()[1], lines)))

    def _named(self) -> dict[str, str]:
        mark, _note = self.mark()
        return {"witness": self.witness.name, "signed": str(mark.seq)}


_WHY: Final[dict[int, Why]] = {
    Status.FORKED: Why.FORKED,
    Status.UNKNOWN_LOG: Why.UNKNOWN_LOG,
    Status.NOT_SIGNED: Why.NOT_SIGNED,
}
