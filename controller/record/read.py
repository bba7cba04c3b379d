"""Makes one record of the journal for a screen, for example a round's entries, an evening's summary or a check."""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from controller.catalogue import Language, sentence
from controller.core.house.pool import moves_between
from controller.core.jackpot_rules import CENT
from controller.journal.entry import encode_entry
from controller.journal.errors import JournalDamaged, NoStateHere, NotProved, Reason, SigningKeyRefused, StorageFailed
from controller.journal.request import MOST_IN_A_CODE, request_for_any
from controller.journal.signing import public_path, read_public_key
from controller.journal.storage import DirectoryReader, ReadableStorage, StoredFile
from controller.journal.verify import verify_storage
from controller.protocol.jackpot import PoolPoint
from controller.protocol.record import RecordDocument, RecordKind, RecordRow
from controller.record.filters import Only, is_about
from controller.record.incidents import Incident, in_values, incidents_of
from controller.record.names import StaffNames
from controller.record.printed import Printed, page_of
from controller.record.session_summary import summary_of_session
from controller.record.shift import sheet_of, shift_document
from controller.record.shown import Shown, session_shown
from controller.record.story import clock_text, heard_with, in_words, when
from controller.record.summary import summary

MOST_ROWS: Final = 300
"""The most rows of a record on a screen; the command line shows all."""

MOST_POINTS: Final = 2000
"""The most movements of a pool: those of a busy evening of twelve hours. Of more movements only the last are given."""

LONGEST_BYTES: Final = 120_000
"""The most bytes of all texts of a record: half of the bytes that may wait for a reader of the socket."""


@dataclass(frozen=True, slots=True)
class Wish:
    """The parameters of one record of the journal at `path`."""

    path: Path
    what: RecordKind
    session: int
    round: int
    language: Language
    names: StaffNames


def read(wish: Wish, tell: Callable[[int], None]) -> RecordDocument:
    """Makes the record that `wish` describes. Calls `tell` with the progress in percent if the record checks the
    journal. The record of a damaged journal ends before the damage and says so. The record of an unreadable journal is
    one sentence that says so.
    """
    try:
        return _read(wish, tell)
    except StorageFailed as failed:
        text = _say(wish, "unreadable", reason=failed.reason.value)
    except NoStateHere:
        text = _say(wish, "no-state")
    return RecordDocument(wish.what, _title(wish), text=text)


def _read(wish: Wish, tell: Callable[[int], None]) -> RecordDocument:
    if wish.what is RecordKind.CHECK:
        return _check(wish, tell)
    if wish.what is RecordKind.CHECKPOINT:
        return _checkpoint(wish)
    damage: list[str] = []
    entries = _until_damage(wish, damage)
    if wish.what is RecordKind.POOL:
        points = deque(_points(entries, wish.session), maxlen=MOST_POINTS)
        return RecordDocument(wish.what, _title(wish), text="".join(damage), pool=list(points))
    if wish.what is RecordKind.SUMMARY:
        evening = summary_of_session(entries, wish.session)
        return replace(summary(evening, wish.language, wish.names.at(evening.staff)), text="".join(damage))
    if wish.what is RecordKind.INCIDENTS:
        found = incidents_of(entries, wish.session)[-MOST_ROWS:]
        text = "".join(damage) or ("" if found else _say(wish, "none-kept"))
        return RecordDocument(wish.what, _title(wish), [_incident(one, wish) for one in found], text=text)
    if wish.what in (RecordKind.SHIFT, RecordKind.HANDOVER):
        return _shift(entries, wish, damage)
    printed = Printed(partial(_is_wished, wish=wish)) if wish.what is RecordKind.STORY else None
    rows, are_all = _last_rows(entries if printed is None else printed.passing(entries), wish)
    page = "" if printed is None or not are_all or damage else printed.page(wish.path)
    if printed is not None and rows and not page:
        damage.append(_say(wish, "no-page"))
    about = damage or ([] if are_all else [_say(wish, "more", count=str(len(rows)))])
    about = about if rows or damage else [_say(wish, "none")]
    return RecordDocument(wish.what, _title(wish), rows, text="".join(about), page=page)


def _shift(entries: Iterator[Shown], wish: Wish, damage: list[str]) -> RecordDocument:
    sheet = sheet_of(entries, wish.session, is_signed=wish.what is RecordKind.HANDOVER)
    if sheet is None:
        return RecordDocument(wish.what, _title(wish), text="".join(damage) or _say(wish, "none"))
    document, entry = shift_document(sheet, wish.what, wish.language, wish.names), sheet.one.entry
    is_signed = wish.what is RecordKind.HANDOVER
    page = page_of(wish.path, entry.seq, [encode_entry(entry)]) if is_signed and not damage else ""
    if is_signed and not page:
        damage.append(_say(wish, "no-page"))
    return replace(document, text=" ".join((document.text, *damage)), page=page)


def _until_damage(wish: Wish, damage: list[str]) -> Iterator[Shown]:
    try:
        yield from session_shown(wish.path, wish.session)
    except JournalDamaged as error:
        found = error.damage
        damage.append(_say(wish, "damaged", entry=str(found.first_bad_seq), reason=found.reason.value))


def _points(entries: Iterator[Shown], session: int) -> Iterator[PoolPoint]:
    for one in entries:
        pool = None if one.after is None else one.after.house.pool
        if pool is None or one.session != session:
            continue
        moves = moves_between(None if one.before is None else one.before.house.pool, pool)
        for number, move in enumerate(moves, pool.moved - len(moves) + 1):
            yield PoolPoint(number, one.entry.wall_ms, move.kind.value, move.pool // CENT)


def _is_wished(one: Shown, wish: Wish) -> bool:
    if one.session != wish.session:
        return False
    if wish.what is RecordKind.STORY:
        return one.round == wish.round and one.is_of_a_round
    return is_about(one, Only(wish.what.value))


def _last_rows(entries: Iterator[Shown], wish: Wish) -> tuple[list[RecordRow], bool]:
    """Returns the last rows of the record, as many as fit into an answer, and True if they are all its rows."""
    rows: deque[RecordRow] = deque()
    used, are_all = 0, True
    for one in entries:
        if not _is_wished(one, wish):
            continue
        rows.append(_row(one, wish))
        used += _size(rows[-1])
        while len(rows) > MOST_ROWS or used > LONGEST_BYTES:
            used -= _size(rows.popleft())
            are_all = False
    return list(rows), are_all


def _row(one: Shown, wish: Wish) -> RecordRow:
    heard = list(heard_with(one, wish.language)) if wish.what is RecordKind.STORY else []
    text = in_words(one, wish.language, wish.names.at(one.staff))
    return RecordRow(one.entry.seq, when(one.entry), one.round, text, heard)


def _incident(one: Incident, wish: Wish) -> RecordRow:
    values = in_values(one, lambda key, **said: sentence(key, said, wish.language), wish.names)
    text, may_be_marked = _say(wish, one.sentence, **values), one.ended is not None
    began = clock_text(one.began.wall_ms)
    return RecordRow(one.began.seq, began, one.round, text, may_be_marked=may_be_marked, is_done=one.kept is not None)


def _size(row: RecordRow) -> int:
    return sum(len(text.encode()) + 80 for text in (row.text, *row.heard))


# --- the check


class _Counted:
    """The storage of a journal. Passes to `tell` the percentage of the journal's bytes that were read."""

    def __init__(self, storage: ReadableStorage, tell: Callable[[int], None]) -> None:
        self._storage = storage
        self._tell = tell
        self._sizes = {file.name: file.size for file in storage.list()}
        self._read: set[str] = set()

    def list(self) -> tuple[StoredFile, ...]:
        return self._storage.list()

    def read(self, name: str) -> bytes:
        self._read.add(name)
        done = sum(self._sizes.get(one, 0) for one in self._read)
        self._tell(min(99, 100 * done // (sum(self._sizes.values()) or 1)))
        return self._storage.read(name)


def _check(wish: Wish, tell: Callable[[int], None]) -> RecordDocument:
    with DirectoryReader(wish.path) as storage:
        found = verify_storage(_Counted(storage, tell))
    is_torn = found.reason is Reason.INCOMPLETE  # a running table may be writing this entry now
    is_well = found.ok or is_torn
    values = {"entry": str(found.first_bad), "reason": "" if found.reason is None else found.reason.value}
    text = _say(wish, "well", entries=str(found.entries)) if is_well else _say(wish, "not-well", **values)
    return RecordDocument(wish.what, "", text=text, is_well=is_well)


def _checkpoint(wish: Wish) -> RecordDocument:
    """Makes the record with the table's request to its witnesses, as a code for a witness's scanner."""
    try:
        data = request_for_any(wish.path, read_public_key(public_path(wish.path)))
    except (NotProved, SigningKeyRefused, JournalDamaged):
        return RecordDocument(wish.what, "", text=_say(wish, "no-request"))
    if len(data) > MOST_IN_A_CODE:
        values = {"bytes": str(len(data)), "most": str(MOST_IN_A_CODE)}
        return RecordDocument(wish.what, "", text=_say(wish, "request-too-long", **values))
    return RecordDocument(wish.what, "", text=_say(wish, "request"), page=data.decode())


# --- words


def _title(wish: Wish) -> str:
    key = "of-round" if wish.what is RecordKind.STORY else "of-session"
    return _say(wish, key, session=str(wish.session), round=str(wish.round))


def _say(wish: Wish, key: str, **values: str) -> str:
    return sentence(f"record.{key}", values, wish.language)
