"""Checks an export: each line in order, and the signature in the last line."""

from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.journal.entry import Entry, decode_entry
from controller.journal.errors import CodecError, Reason
from controller.journal.face_down import FaceDown, NeverTurned
from controller.journal.format import MAX_PAYLOAD, record_chain
from controller.journal.lines import (
    FORMAT_NAME,
    WITHOUT_MARKS,
    WITHOUT_SEALS,
    WITHOUT_WORDS,
    Kept,
    decode_last_line,
    decode_left_out,
    decode_mark_line,
    decode_seal_line,
    decode_words_line,
    is_signed_line,
    is_words_line,
    payload_of,
    record_line,
)
from controller.journal.progress import Progress
from controller.journal.recovery import FIRST_SEQ
from controller.journal.removed import Removed, decode_removed
from controller.journal.storage import open_file, reported
from controller.journal.words import commitments_in

_LINE_LIMIT: Final = MAX_PAYLOAD + 256


def export_entries(path: Path, progress: Progress) -> Iterator[Entry]:
    """Yields the entries of an export up to the fault that ends the check. Reports every fault to `progress`.

    Raises StorageFailed.
    """
    seals, ended = _Seals(), False
    with reported("read", str(path)), open_file(path) as file:
        while (line := file.readline(_LINE_LIMIT)) and progress.stopped is None:
            payload = payload_of(line)
            progress.line, progress.is_entry_line = progress.line + 1, payload is not None
            if ended:
                progress.go_on_behind_the_end()
            elif payload is None:
                ended = _other_line(line, progress, seals)
            elif (entry := _entry_line(line, payload, progress)) is not None:
                seals.behind(entry)
                yield entry
            progress.text.update(line)
    if not ended:
        progress.line, progress.is_entry_line = progress.line + 1, False
        progress.stop(Reason.LAST_LINE)
    progress.without_words = seals.without_words


class _Seals:
    """Checks the lines for cards that were never turned and for typed words.

    Each card needs one line, in order, after the entry that puts the cards back. Typed words need a line after the
    entry with their commitment.
    """

    def __init__(self) -> None:
        self._face_down = FaceDown()
        self._due: deque[NeverTurned] = deque()
        self._given = 0
        self._missed = False
        self._words_due: deque[tuple[str, int]] = deque()
        self._words_given = 0
        self._words_missed = False
        self.without_words: list[tuple[int, str]] = []

    def behind(self, entry: Entry) -> None:
        self._words_missed = self._words_missed or bool(self._words_due)
        self._words_due.extend((one, entry.seq) for one in commitments_in(bytes(entry.body)))
        self._missed = self._missed or bool(self._due)
        self._due.extend(self._face_down.behind(entry))

    def take(self, line: bytes) -> bool:
        """Decodes a seal's line. Returns True if the seal belongs to the next card that needs a line."""
        seal = decode_seal_line(line)
        self._given += 1
        return bool(self._due) and NeverTurned(seal.commitment, seal.entry) == self._due.popleft()

    def take_words(self, line: bytes) -> bool:
        """Decodes a line of typed words. Returns True if they are the next words that need a line."""
        words = decode_words_line(line)
        self._words_given += 1
        if words.state is not Kept.KEPT:
            self.without_words.append((words.entry, words.state.value))
        return bool(self._words_due) and (words.commitment, words.entry) == self._words_due.popleft()

    def are_as_in(self, format_name: str) -> bool:
        """True if the lines so far may be a whole export of format `format_name`: each line for seals and typed words
        that the format requires, and none that it forbids.
        """
        if format_name == WITHOUT_SEALS:
            return not self._given and not self._words_given
        known = {FORMAT_NAME, WITHOUT_WORDS, WITHOUT_MARKS}
        return format_name in known and not self._missed and not self._due and self._words_are_as_in(format_name)

    def _words_are_as_in(self, format_name: str) -> bool:
        """True if each commitment to typed words has its line. In a format without lines for words, True if no such
        line was there.
        """
        if format_name != FORMAT_NAME:
            return not self._words_given
        return not self._words_missed and not self._words_due


def _entry_line(line: bytes, payload: bytes, progress: Progress) -> Entry | None:
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        progress.stop(Reason.LINE)
        return None
    chain = record_chain(progress.head, payload)
    if line != record_line(chain, payload):
        progress.stop(Reason.CHAIN)
        return None
    try:
        entry = decode_entry(payload, seq=progress.next_seq)
    except CodecError:
        progress.stop(Reason.ENTRY)
        return None
    progress.entry(entry, chain)
    if progress.heads.are_wanted:
        progress.heads.add(entry.seq, payload)
    return entry


def _other_line(line: bytes, progress: Progress, seals: _Seals) -> bool:
    """Checks a line that is no entry, and returns True for the last line. A line of unknown kind ends the check."""
    if _is_last(line, progress, seals):
        return True
    if (removed := _removed(line, progress)) is not None:
        progress.begin_behind(removed)
    elif line[-1:] != b"\n" or not (_is_seal(line, seals) or _is_left_out(line, progress) or _is_mark(line, progress)):
        progress.stop(Reason.LINE)
    return False


def _is_seal(line: bytes, seals: _Seals) -> bool:
    try:
        return seals.take_words(line) if is_words_line(line) else seals.take(line)
    except CodecError:
        return False


def _is_mark(line: bytes, progress: Progress) -> bool:
    """True for a mark's line before the first entry. Passes the mark to `progress`. False for any other line."""
    try:
        note = decode_mark_line(line)
    except CodecError:
        return False
    if progress.entries or progress.closed:
        return False
    progress.given_marks += 1
    progress.beside((note,))
    return True


def _is_left_out(line: bytes, progress: Progress) -> bool:
    """True if the line reports that entries from the next one on were left out. Notes the omission as a damage in
    `progress`.
    """
    try:
        left_out = decode_left_out(line)
    except CodecError:
        return False
    if left_out.first_bad != progress.next_seq or left_out.next_seq <= left_out.first_bad:
        return False
    progress.close(left_out.first_bad, left_out.reason)
    progress.next_seq = left_out.next_seq
    return True


def _removed(line: bytes, progress: Progress) -> Removed | None:
    """Returns the statement on removed entries in the first line of an export. Returns None for any other line."""
    if progress.entries or progress.next_seq != FIRST_SEQ or progress.removed is not None or progress.given_marks:
        return None
    try:
        return decode_removed(line) if line[-1:] == b"\n" else None
    except CodecError:
        return None


def _is_last(line: bytes, progress: Progress, seals: _Seals) -> bool:
    """True if the line is an export's last line. Notes in `progress` the check of its signature, or the reason why the
    line does not fit.
    """
    try:
        last = decode_last_line(line)
    except CodecError:
        return False
    said = (last.count, last.head, last.text)
    if line[-1:] != b"\n" or said != (progress.entries, progress.head.hex(), progress.text.hexdigest()):
        progress.stop(Reason.LAST_LINE)
        return True
    if not seals.are_as_in(last.format) or (progress.given_marks and last.format not in {FORMAT_NAME, WITHOUT_WORDS}):
        progress.stop(Reason.LAST_LINE)
        return True
    progress.signed(last.public_key, is_right=is_signed_line(last))
    return True
