"""Sends a table's request to a witness, over HTTP or as a file that people carry, and keeps the witness's answer."""

from dataclasses import dataclass
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from controller.journal.asked import ADD, SIZE, Status
from controller.journal.cosigned import Seen, keep_cosigned, read_cosigned, seen_by, seen_up_to
from controller.journal.errors import CodecError
from controller.journal.mark import Mark, mark_of
from controller.journal.note import Note, NoteKey, decode_note, encode_note, read_signatures, with_signatures
from controller.journal.request import has_tree, mark_beside, request_from
from controller.machine.post import post


@unique
class Why(StrEnum):
    """The reason why a witness has not signed. The catalogue has the sentences under `cli.error.cosign-...`."""

    AHEAD = "ahead"
    FORKED = "forked"
    UNKNOWN_LOG = "unknown-log"
    NOT_SIGNED = "not-signed"
    REFUSED = "refused"
    NOT_THEIRS = "not-theirs"
    AWAY = "away"
    OTHER_HISTORY = "other-history"


class NotCosigned(Exception):  # noqa: N818 (the name says what is wrong)
    """The witness has not signed, and no file was changed. `values`: the placeholders in the sentence of `why`."""

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
        """Returns the table's mark and its note. Raises NotProved, StorageFailed."""
        return mark_beside(self.journal, self.key)

    def known(self) -> int:
        """The last entry that this witness has signed in the present epoch, according to the table's files; 0 for none.

        Raises NotProved, StorageFailed.
        """
        epoch = self.mark()[0].epoch
        notes = [one for one in read_cosigned(self.journal, self.key) if one[0].epoch == epoch]
        last = seen_up_to(notes, self.witness)
        return 0 if last is None else last.seq

    def request(self, old: int) -> bytes:
        """Returns a request to sign the table's mark, with the proof that the mark's tree continues the table's earlier
        tree of `old` leaves.

        Raises NotCosigned, NotProved, JournalDamaged, StorageFailed.
        """
        mark, note = self.mark()
        if old > mark.seq:
            raise NotCosigned(Why.AHEAD, witness=self.witness.name, seen=str(old), signed=str(mark.seq))
        return request_from(self.journal, mark, note, old)

    def take(self, data: bytes) -> Seen:
        """Keeps a checkpoint of this table that the witness has signed. Returns how far the witness has seen the
        history.

        Raises NotCosigned if the witness has not signed, or if the checkpoint's tree differs from that of the table's
        entries. Raises NotProved, JournalDamaged, StorageFailed.
        """
        return self._kept(data, is_made_here=False)

    def _kept(self, data: bytes, *, is_made_here: bool) -> Seen:
        try:
            note = decode_note(data)
        except CodecError as error:
            raise NotCosigned(Why.NOT_THEIRS, witness=self.witness.name) from error
        mark = mark_of(note, self.key)
        seen = None if mark is None else seen_by(self.witness, note, mark.seq)
        line = note.by(self.witness)
        if mark is None or seen is None or line is None:
            raise NotCosigned(Why.NOT_THEIRS, witness=self.witness.name)
        if not is_made_here and not has_tree(self.journal, mark):
            raise NotCosigned(Why.OTHER_HISTORY, witness=self.witness.name, seen=str(mark.seq), epoch=str(mark.epoch))
        keep_cosigned(self.journal, self.key, note, (line,))
        return seen

    def ask(self, url: str) -> Seen:
        """Asks the witness at `url` over HTTP, and keeps its signature. Returns how far the witness has seen the
        history.

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
        return self._kept(encode_note(with_signatures(self.mark()[1], lines)), is_made_here=True)

    def _named(self) -> dict[str, str]:
        mark, _note = self.mark()
        return {"witness": self.witness.name, "signed": str(mark.seq)}


_WHY: Final[dict[int, Why]] = {
    Status.FORKED: Why.FORKED,
    Status.UNKNOWN_LOG: Why.UNKNOWN_LOG,
    Status.NOT_SIGNED: Why.NOT_SIGNED,
}
