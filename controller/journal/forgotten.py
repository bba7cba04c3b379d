"""The file beside the journal that lists the entries whose typed words two people have deleted.

Each deletion is one line of canonical JSON. The next start records the two people, the entry and the day in its
`findings`, and removes the file.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError
from controller.journal.storage import reported, write_whole

WORDS_FORGOTTEN: Final = "words-forgotten"
"""The word with which the finding begins."""


@dataclass(frozen=True, slots=True)
class WordsForgotten:
    """The typed words of entry `entry` were deleted on the day `on` (ISO 8601) by two people, given by their staff
    numbers.
    """

    chief_supervisor: int
    entry: int
    on: str
    room_manager: int


_DECODER: Final = CanonicalDecoder(WordsForgotten)


def forgotten_path(journal: Path) -> Path:
    return journal.with_name(journal.name + ".forgotten")


def note_forgotten(journal: Path, forgotten: WordsForgotten) -> None:
    """Adds a line for `forgotten` to the file beside the journal, durable on return. Raises StorageFailed."""
    path = forgotten_path(journal)
    with reported("note", str(path)):
        before = path.read_bytes() if path.is_file() else b""
        write_whole(path, before + encode_canonical(forgotten) + b"\n")


def forgotten_findings(journal: Path) -> tuple[str, ...]:
    """Returns one finding for each readable line of the file beside the journal. The next start records the findings.

    Raises StorageFailed.
    """
    path = forgotten_path(journal)
    with reported("read", str(path)):
        lines = path.read_bytes().splitlines() if path.is_file() else []
    return tuple(finding for line in lines if (finding := _finding(line)))


def _finding(line: bytes) -> str:
    try:
        one = _DECODER.decode(line)
    except CodecError:
        return ""
    who = f"room-manager {one.room_manager} chief-supervisor {one.chief_supervisor}"
    return f"{WORDS_FORGOTTEN} entry {one.entry} {who} on {one.on}"


def clear_forgotten(journal: Path) -> None:
    """Removes the file once a start has recorded its lines. Raises StorageFailed."""
    with reported("clear", str(forgotten_path(journal))):
        forgotten_path(journal).unlink(missing_ok=True)
