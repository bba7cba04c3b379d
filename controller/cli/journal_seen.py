"""Compares a journal with evidence of witnesses for `sabot journal verify`: the witnesses' signatures, and the file
`--seen`. If this file is damaged or from elsewhere, the verification fails. Otherwise the file would seem to agree.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from enum import StrEnum, unique
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.cli.talk import Talk
from controller.journal.cosigned import MOST_WITNESSES, Seen, seen_by
from controller.journal.errors import CodecError, StorageFailed
from controller.journal.history import Fit, History, Witnessed
from controller.journal.mark import Mark, mark_of
from controller.journal.note import LARGEST_NOTE, Note, NoteKey, decode_whole
from controller.journal.page import Page, decode_page
from controller.machine.exits import CliFailure, ExitCode

_LARGEST: Final = MOST_WITNESSES * LARGEST_NOTE


@unique
class Outcome(StrEnum):
    """The result of a comparison with a file. The sentence of a result in the catalogue is
    `cli.journal.seen-file-<outcome>`.
    """

    SAME = "same"
    OTHER = "other"
    BEYOND = "beyond"
    UNTOLD = "untold"
    OTHER_SIZE = "other-size"
    FORM = "form"
    TABLE = "table"
    WITNESS = "witness"


class SeenFile(Struct, frozen=True, gc=False):
    """The content of the file `--seen`: the checkpoints of a witness, or a printed round (`page`). Without `notes` the
    file is damaged.
    """

    path: Path
    page: Page | None
    notes: tuple[Note, ...]


class Compared(Struct, frozen=True, gc=False):
    """The result of a comparison with the file `--seen`. `size`: the number of entries under the checkpoint that
    decided the result; 0 if no checkpoint did.
    """

    file: SeenFile
    outcome: Outcome
    size: int = 0

    @property
    def is_same(self) -> bool:
        return self.outcome is Outcome.SAME

    @property
    def is_wrong(self) -> bool:
        """True if the histories differ, or if the file is damaged or belongs to another table or witness."""
        return self.outcome in {Outcome.OTHER, Outcome.FORM, Outcome.TABLE, Outcome.WITNESS}

    @property
    def document(self) -> dict[str, object]:
        return {"file": str(self.file.path), "outcome": self.outcome.value, "size": self.size}

    def sentence(self, talk: Talk, here: int) -> str:
        values = {"file": str(self.file.path), "size": str(self.size), "here": str(here)}
        return talk.words(f"cli.journal.seen-file-{self.outcome.value}", **values)


def read_seen(path: Path) -> SeenFile:
    """Returns the checkpoints or the printed round in a file, with any line ends.

    Raises CliFailure if the file cannot be read.
    """
    from controller.cli.qr import scanned
    from controller.journal.storage import open_file, reported

    try:
        with reported("read", str(path)), open_file(path) as file:
            data = scanned(file.read(_LARGEST))
    except StorageFailed as error:
        raise cannot_read(path, error) from error
    try:
        page = decode_page(data)
    except CodecError:
        return SeenFile(path, None, _notes_in(data))
    return SeenFile(path, page, (page.note,))


def cannot_read(path: Path, error: StorageFailed) -> CliFailure:
    """Returns the failure for an unreadable file that a person has named in addition to the journal."""
    return CliFailure(ExitCode.USAGE, "given-unreadable", path=str(path), reason=error.word)


def _notes_in(data: bytes) -> tuple[Note, ...]:
    try:
        return decode_whole(data)
    except CodecError:
        return ()


def marks_in(file: SeenFile, key: str, witnesses: Sequence[NoteKey]) -> list[Mark] | Compared:
    """Returns the marks in the file that the table and one of the witnesses have signed. Returns a comparison with the
    reason if there are no such marks.

    For a printed round, or if `witnesses` is empty, the table's signature is enough.
    """
    if not file.notes:
        return Compared(file, Outcome.FORM)
    ours = [(mark, note) for note in file.notes if (mark := mark_of(note, key)) is not None]
    if not ours:
        return Compared(file, Outcome.TABLE)
    if file.page is not None or not witnesses:
        return [mark for mark, _note in ours]
    signed = [mark for mark, note in ours if any(seen_by(one, note, mark.seq) for one in witnesses)]
    return signed or Compared(file, Outcome.WITNESS)


_FITS: Final = {
    Fit.OTHER: Outcome.OTHER,
    Fit.BEYOND: Outcome.BEYOND,
    Fit.SAME: Outcome.SAME,
    Fit.UNTOLD: Outcome.UNTOLD,
}
"""The outcomes of several checkpoints in one file; the first that occurs counts."""


def compared(file: SeenFile, history: History, key: str, witnesses: Sequence[NoteKey]) -> Compared:
    """Compares the file with the history of a journal or an export, and returns the result."""
    marks = marks_in(file, key, witnesses)
    if isinstance(marks, Compared):
        return marks
    fits = [(history.fit(mark), mark.seq) for mark in marks]
    fit, size = next((wanted, seq) for wanted in _FITS for found, seq in sorted(fits, key=_by_size) if found is wanted)
    return Compared(file, _FITS[fit], size)


def _by_size(one: tuple[Fit, int]) -> int:
    return -one[1]


def compared_with_proof(file: SeenFile, proof: Mark, key: str, witnesses: Sequence[NoteKey]) -> Compared:
    """Compares the file with the mark of a proof, and returns the result.

    Only checkpoints of the same size can be compared.
    """
    marks = marks_in(file, key, witnesses)
    if isinstance(marks, Compared):
        return marks
    same = [mark for mark in marks if (mark.table, mark.epoch, mark.seq) == (proof.table, proof.epoch, proof.seq)]
    if not same:
        return Compared(file, Outcome.OTHER_SIZE, max(mark.seq for mark in marks))
    is_one = all(mark.root == proof.root for mark in same)
    return Compared(file, Outcome.SAME if is_one else Outcome.OTHER, proof.seq)


class Told(Struct, frozen=True, gc=False):
    """The evidence of the named witnesses as data and as sentences.

    `is_seen`: every witness has seen the checked history, and no witness later entries. `is_other`: a witness has seen
    another history. `is_beyond`: a witness has seen entries after the last one of the checked history.
    """

    documents: list[object]
    lines: list[str]
    is_seen: bool
    is_other: bool
    is_beyond: bool

    def says(self, outcome: Outcome) -> bool:
        """True if a witness's sentence already says `outcome`."""
        return {Outcome.OTHER: self.is_other, Outcome.BEYOND: self.is_beyond}.get(outcome, False)


def seen_here(history: History, key: str, witnesses: Iterable[NoteKey], talk: Talk) -> Told:
    """Returns, as data and as sentences, the last entry of `history` that each witness has seen, and each witness's
    signatures of other histories.
    """
    found = [(witness, history.seen_by(witness, key)) for witness in witnesses]
    return Told(
        [_witnessed_document(witness, one) for witness, one in found],
        [line for witness, one in found for line in _witnessed_lines(witness, one, history.ends, talk)],
        is_seen=all(one.same is not None and one.beyond is None for _witness, one in found),
        is_other=any(one.other is not None for _witness, one in found),
        is_beyond=any(one.beyond is not None for _witness, one in found),
    )


def _witnessed_document(witness: NoteKey, found: Witnessed) -> object:
    return {
        "witness": witness.name,
        "entry": 0 if found.same is None else found.same.seq,
        "time": None if found.same is None else found.same.when,
        "other": None if found.other is None else found.other.seq,
        "beyond": None if found.beyond is None else found.beyond.seq,
    }


def _witnessed_lines(witness: NoteKey, found: Witnessed, ends: int, talk: Talk) -> list[str]:
    """Returns the sentences about one witness. `ends`: the number of the last entry of the checked history."""
    lines: list[str] = []
    values = {"witness": witness.name, "here": str(ends)}
    if found.other is not None:
        lines.append(talk.words("cli.journal.seen-another", seq=str(found.other.seq), **values))
    if found.beyond is not None:
        lines.append(talk.words("cli.journal.seen-more", seq=str(found.beyond.seq), **values))
    if found.same is not None:
        return lines + _seen_up_to(found.same, ends, talk)
    return lines or [talk.words("cli.journal.not-seen-by", **values)]


def _seen_up_to(seen: Seen, ends: int, talk: Talk) -> list[str]:
    """Returns the sentence on the last entry that a witness has seen. If there are later entries, adds a sentence on
    them.
    """
    lines = [seen_line(seen, talk)]
    if seen.seq < ends:
        rest = {"first": str(seen.seq + 1), "last": str(ends)}
        lines.append(talk.words("cli.journal.rest-not-seen", witness=seen.witness, **rest))
    return lines


def seen_line(one: Seen, talk: Talk, sentence: str = "seen-by") -> str:
    values = {"witness": one.witness, "seq": str(one.seq), "when": utc(one.when * 1000)}
    return talk.words(f"cli.journal.{sentence}", **values)


def seen_document(one: Seen) -> dict[str, object]:
    return {"witness": one.witness, "entry": one.seq, "time": one.when}


def utc(wall_ms: int) -> str:
    """Returns a time in milliseconds since 1970 as text to the second, such as `2026-03-01 20:15:00 UTC`."""
    return datetime.fromtimestamp(wall_ms // 1000, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
