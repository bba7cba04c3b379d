"""The file `NAME.cosigned` beside the journal: the marks that witnesses have cosigned, with the newest signature of
each witness.

A mark is followed by the signature lines of its witnesses. An empty line separates two marks. The file is evidence
only: no start, hold or end depends on it.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal.errors import NotProved
from controller.journal.mark import Mark, begun_path, decode_mark_notes, mark_of, read_mark_file
from controller.journal.note import (
    LARGEST_NOTE,
    KeyKind,
    Note,
    NoteKey,
    NoteSignature,
    decode_notes,
    encode_note,
    is_note_by,
    time_of,
    with_signatures,
)
from controller.journal.storage import reported, write_whole

MOST_WITNESSES: Final = 16
"""The most checkpoints in the file, which has one for each witness at most."""


class Seen(Struct, frozen=True, gc=False):
    """The witness `witness` has said that it signed a checkpoint of entries 1 to `seq`. `when`: the time of the
    signature by the witness's clock, in seconds since 1970.
    """

    witness: str
    seq: int
    when: int


def cosigned_path(journal: Path) -> Path:
    """The path of the cosigned checkpoints, beside the journal's directory."""
    return journal.with_name(journal.name + ".cosigned")


def seen_by(witness: NoteKey, note: Note, seq: int) -> Seen | None:
    """Returns the witness's signature on the note. Returns None if the note has no valid one, or the key is not for
    cosignatures.

    `seq`: the number of entries under the checkpoint in the note.
    """
    line = note.by(witness)
    if line is None or witness.kind is not KeyKind.COSIGNATURE or not is_note_by(note, witness):
        return None
    return Seen(witness.name, seq, time_of(line))


def read_cosigned(journal: Path, key: str) -> tuple[tuple[Mark, Note], ...]:
    """Returns the cosigned marks that the table's public key `key` has signed, each with its note, the oldest first.

    Returns () if the file is missing or unreadable.
    """
    data = read_mark_file(cosigned_path(journal), MOST_WITNESSES * LARGEST_NOTE) or b""
    return tuple(sorted(decode_mark_notes(data, key), key=lambda one: (one[0].epoch, one[0].seq)))


def notes_beside(journal: Path) -> tuple[Note, ...]:
    """The notes of the files beside the journal: the journal's own mark and the cosigned marks. Checks no signature."""
    own = read_mark_file(begun_path(journal)) or b""
    others = read_mark_file(cosigned_path(journal), MOST_WITNESSES * LARGEST_NOTE) or b""
    return (*decode_notes(own), *decode_notes(others))


def marks_beside(journal: Path, key: str) -> tuple[Note, ...]:
    """Returns the marks that the table's public key `key` has signed, from the files beside the journal.

    A mark that is in two files is returned once, with the larger number of signatures.
    """
    found: dict[bytes, Note] = {}
    for note in notes_beside(journal):
        if mark_of(note, key) is not None:
            found[note.text] = max(note, found.get(note.text, note), key=lambda one: len(one.signatures))
    return tuple(found.values())


def note_for(journal: Path, key: str, last: int) -> Note:
    """Returns the checkpoint of the present epoch that covers entry `last` and has the most signatures. Returns the
    journal's own mark if no checkpoint covers `last`. Raises NotProved if the journal has no mark.
    """
    own = next(decode_mark_notes(read_mark_file(begun_path(journal)) or b"", key), None)
    if own is None:
        raise NotProved("no-mark", path=str(journal))
    others = [(mark, note) for mark, note in read_cosigned(journal, key) if mark.epoch == own[0].epoch]
    fit = [(mark, note) for mark, note in (*others, own) if mark.seq >= last]
    return max(fit, key=lambda one: (len(one[1].signatures), one[0].seq), default=own)[1]


def keep_cosigned(journal: Path, key: str, note: Note, lines: Iterable[NoteSignature]) -> None:
    """Adds witnesses' signature lines to the checkpoint `note` in the file `NAME.cosigned`, and removes older lines of
    the same witnesses. Limits the file to the newest MOST_WITNESSES checkpoints. Raises StorageFailed.
    """
    lines = tuple(lines)
    new = {(line.name, line.key_id) for line in lines}
    kept = [one for _mark, one in read_cosigned(journal, key)]
    merged = next((one for one in kept if one.text == note.text), Note(note.text, note.signatures[:1]))
    others = [_without(one, new) for one in kept if one.text != note.text]
    notes = [*(one for one in others if len(one.signatures) > 1), with_signatures(merged, lines)]
    path = cosigned_path(journal)
    with reported("write", str(path)):
        write_whole(path, b"\n".join(map(encode_note, notes[-MOST_WITNESSES:])))


def _without(note: Note, keys: set[tuple[str, bytes]]) -> Note:
    return Note(note.text, tuple(one for one in note.signatures if (one.name, one.key_id) not in keys))


def seen_up_to(notes: Sequence[tuple[Mark, Note]], witness: NoteKey) -> Seen | None:
    """Returns the signature of `witness` on the largest checkpoint in `notes` that the witness has signed. Returns None
    if the witness has signed no checkpoint there.
    """
    found = (seen_by(witness, note, mark.seq) for mark, note in notes)
    return max((one for one in found if one is not None), key=lambda one: one.seq, default=None)
