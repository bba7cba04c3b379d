"""Puts the texts that people typed in place of their commitments in the entries of a journal or an export."""

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.journal.codec import Plain

if TYPE_CHECKING:
    from controller.journal.words import Words

FORGOTTEN: Final = "words-forgotten"
"""The value in place of words that two people have deleted."""

LOST: Final = "words-lost"
"""The value in place of words whose file is gone or spoilt, though no person has deleted them."""

ELSEWHERE: Final = "words-not-here"
"""The value in place of words that an export of an earlier format does not have."""

NO_WORDS: Final = (FORGOTTEN, LOST, ELSEWHERE)


class TypedTexts:
    """The texts that people typed in one journal or export. `load`: reads the texts; called once, at the first
    commitment. `missing`: the value in place of a text that `load` does not return.
    """

    def __init__(self, load: "Callable[[], Mapping[str, Words | None]]", missing: str = LOST) -> None:
        self._load = load
        self._missing = missing

    @cached_property
    def _words(self) -> "Mapping[str, Words | None]":
        return self._load()

    def put_into(self, body: dict[str, Plain]) -> dict[str, Plain]:
        """Returns the body of an entry with the typed texts in place of their commitments. Leaves a text that an
        earlier program wrote into the entry itself.
        """
        from controller.journal.words import commitment_in

        found = {name: one for name, value in body.items() if (one := commitment_in(value)) is not None}
        return body | {name: self._text(commitment) for name, commitment in found.items()}

    def _text(self, commitment: str) -> str:
        from controller.journal.words import DELETED

        if commitment not in self._words:
            return self._missing
        words = self._words[commitment]
        if words is None:
            return LOST
        return FORGOTTEN if words == DELETED else words.text


def typed_at(path: Path) -> TypedTexts:
    """Returns the texts that people typed in the journal or export at `path`. The first use reads them and may raise
    StorageFailed.
    """
    if path.is_dir():
        return TypedTexts(lambda: _of_directory(path))
    return TypedTexts(lambda: _of_export(path), missing=ELSEWHERE)


def _of_directory(path: Path) -> "dict[str, Words]":
    from controller.journal.storage import DirectoryReader
    from controller.journal.words import words_of

    with DirectoryReader(path) as storage:
        return words_of(storage)


def _of_export(path: Path) -> "dict[str, Words | None]":
    """Returns the typed texts in an export, by commitment; None for a text that the export calls lost."""
    from controller.journal.errors import CodecError
    from controller.journal.lines import Kept, decode_words_line, is_words_line
    from controller.journal.storage import open_file, reported
    from controller.journal.words import Words

    found: dict[str, Words | None] = {}
    with reported("read", str(path)), open_file(path) as file:
        for line in filter(is_words_line, file):
            try:
                words = decode_words_line(line)
            except CodecError:
                continue  # the check of the export reports it
            is_lost = words.state is Kept.LOST
            found[words.commitment] = None if is_lost else Words(bytes.fromhex(words.salt), words.text)
    return found
