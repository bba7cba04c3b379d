"""Collects the findings while a journal or an export is checked, and makes the result of the check."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum, unique
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec

from controller.journal.entry import Entry
from controller.journal.epoch import epoch_said
from controller.journal.errors import NotTheTablesKey, Reason
from controller.journal.format import ZERO
from controller.journal.history import Heads, History
from controller.journal.note import Note
from controller.journal.noted_code import NotedCode
from controller.journal.recovery import FIRST_SEQ
from controller.journal.removed import Removed, is_signed_removed, tree_behind

if TYPE_CHECKING:
    from hashlib import _Hash


@unique
class Check(StrEnum):
    """The outcome of one part of a check: of an export's signature, or of the comparison with a noted code.

    ABSENT: the export has no signature. NOT_CHECKED: no code was given, or it is the code of a removed entry.
    """

    VALID = "valid"
    INVALID = "invalid"
    ABSENT = "absent"
    NOT_CHECKED = "not-checked"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a journal or an export: the first entry that does not verify, and the reason.

    `line`: the line of the export with the fault; None for a directory. `is_entry`: `line` has the entry itself.
    """

    first_bad: int
    reason: Reason
    line: int | None = None
    is_entry: bool = True


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of a check. `ok`: True if there is no fault and no damage, not even a closed one.

    `entries`: the number of verified entries. `head`: the chain value (hex) of the last verified entry. `first_bad`,
    `reason`: the first fault. `signature`: the check of an export's signature. `anchor`: the comparison with a noted
    code. `closed`: the damages that people have closed. `beyond`: the first fault that is not closed, or None.
    `goes_on`: there are verified entries after `first_bad`.
    """

    ok: bool
    entries: int
    head: str
    first_bad: int | None
    reason: Reason | None
    signature: Check = Check.ABSENT
    anchor: Check = Check.NOT_CHECKED
    removed: Removed | None = None  # entries removed by retention before the first entry
    closed: tuple[Fault, ...] = ()
    beyond: Fault | None = None
    goes_on: bool = False
    line: int | None = field(default=None, compare=False)  # the line of an export that is the first fault
    is_entry_line: bool = field(default=True, compare=False)
    unsynced: int = field(default=0, compare=False)  # entries under a clock that was not synchronised
    without_words: tuple[tuple[int, str], ...] = ()  # entries whose typed words are `forgotten` or `lost`
    history: History = field(default_factory=History, compare=False)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Further conditions of a check: the table's public key (64 hex digits) and a noted code. A condition that is None
    is skipped. `marks`: marks of the table from elsewhere, to compare with the journal.
    """

    public_key: str | None = None
    noted: NotedCode | None = None
    marks: tuple[Note, ...] = ()


class _StartBody(msgspec.Struct, frozen=True, gc=False):
    """The part of a start's entry that has the table's key and the epoch."""

    public_key: str = ""
    findings: tuple[str, ...] = ()


_START: Final = "controller-started"
_OPENING: Final = "open-session"
LOOKED_AT: Final = frozenset((_START, _OPENING))
_DECODE_START: Final = msgspec.json.Decoder(_StartBody)


@dataclass(slots=True)
class Progress:
    """The findings of a check so far. `closed`: the damages that people have closed. `beyond`: the first fault that is
    not closed, or None.

    `anchored`: an entry agrees with the noted code. `stopped`: the reason that ended the check; None until it has
    ended. `epochs`: each start's entry with its epoch.
    """

    wanted: Wanted
    entries: int = 0
    head: bytes = ZERO
    next_seq: int = FIRST_SEQ
    beyond: Fault | None = None
    closed: list[Fault] = field(default_factory=list)
    anchored: bool = False
    stopped: Reason | None = None
    line: int = 0  # the line of an export that is being checked
    is_entry_line: bool = False
    unsynced: int = 0  # entries that were made while the wall clock was not synchronised
    signature: Check = Check.ABSENT
    sessions: int = 0
    table_key: str = ""  # the key that the last start names
    removed: Removed | None = None
    heads: Heads = field(default_factory=Heads)
    marks: list[Note] = field(default_factory=list)
    without_words: list[tuple[int, str]] = field(default_factory=list)  # entries, and why
    given_marks: int = 0  # the number of marks in the export itself
    epochs: list[tuple[int, int]] = field(default_factory=list)
    text: "_Hash" = field(default_factory=sha256)  # the hash over the lines of an export so far

    def __post_init__(self) -> None:
        self.beside(self.wanted.marks)

    def entry(self, entry: Entry, chain: bytes) -> None:
        self.unsynced += not entry.wall_synced
        self.passed(1, entry.seq, chain)
        self.look(entry, chain)

    def passed(self, count: int, seq: int, chain: bytes) -> None:
        """Counts `count` more verified entries. The last of them is entry `seq` with the chain value `chain`."""
        self.entries += count
        self.head, self.next_seq = chain, seq + 1

    def look(self, entry: Entry, chain: bytes) -> None:
        if entry.kind in LOOKED_AT:
            self.sessions += is_opening(entry)
            if entry.kind == _START:
                self._start(entry)
        if (noted := self.wanted.noted) is not None:
            self.anchored = self.anchored or noted.is_of(entry.seq, chain, self.sessions)

    def begin_behind(self, removed: Removed | None) -> None:
        """Begins the check after the entries that retention removed. Does nothing if `removed` is None. `removed`: the
        signed statement on the removed entries; a wrong key or signature in `removed` is noted as a fault.
        """
        if removed is None:
            return
        self.heads.begin(tree_behind(removed))
        self.removed, self.sessions, self.table_key = removed, removed.sessions, removed.public_key
        self.head, self.next_seq = bytes.fromhex(removed.head), removed.first_seq
        if not is_signed_removed(removed):
            self.bad(removed.first_seq, Reason.SIGNATURE)
        elif self.wanted.public_key not in (None, removed.public_key):
            self.bad(removed.first_seq, Reason.KEY)
        if (noted := self.wanted.noted) is not None:
            self.anchored = noted.is_of(removed.first_seq - 1, self.head, removed.sessions)

    def _start(self, entry: Entry) -> None:
        try:
            named = _named_by(entry)
        except msgspec.DecodeError:
            self.bad(entry.seq, Reason.ENTRY)
            return
        keys = {named.public_key, self.wanted.public_key or named.public_key, self.table_key or named.public_key}
        if len(keys) > 1:
            self.bad(entry.seq, Reason.KEY)
        self.table_key = named.public_key
        self.epochs.append((entry.seq, epoch_said(named.findings)))

    def signed(self, key: str, *, is_right: bool) -> None:
        """Notes the check of the signature in an export's last line. `key`: the public key that the line names.

        `is_right`: the signature is valid. A wrong signature ends the check. A key that is not the last start's key, or
        not the wanted one, ends it as well.
        """
        self.signature = Check.VALID if is_right else Check.INVALID
        if not is_right:
            self.stop(Reason.SIGNATURE)
        elif self.table_key not in ("", key) or self.wanted.public_key not in (None, key):
            self.signature = Check.INVALID
            self.stop(Reason.KEY)

    def go_on_behind_the_end(self) -> None:
        """Notes that the export has a line after its last line. The signature then counts as invalid."""
        self.signature = Check.INVALID
        self.stop(Reason.LAST_LINE)

    def bad(self, seq: int, reason: Reason, line: int | None = None, *, is_entry: bool = True) -> None:
        if self.beyond is None or seq < self.beyond.first_bad:
            self.beyond = Fault(seq, reason, line, is_entry)

    def close(self, seq: int, reason: Reason) -> None:
        """Adds a damage that people have closed to `closed`. The check continues with later entries."""
        self.closed.append(Fault(seq, reason))

    def beside(self, marks: Iterable[Note]) -> None:
        """Adds marks, from the export or from files beside the journal, to compare with the journal's tree. Must be
        called before the first entry.
        """
        self.marks += marks
        self.heads.want(self.marks)

    def stop(self, reason: Reason) -> None:
        """Ends the check with a fault at the next entry.

        `reason`: the reason of the fault. A later call does nothing.
        """
        if self.stopped is None:
            self.stopped = reason
            self.bad(self.next_seq, reason, self.line, is_entry=self.is_entry_line)

    def _anchor(self) -> Check:
        """Returns the outcome of the comparison with the noted code.

        If no entry agrees with the code, notes a fault at the noted entry. If the journal ends earlier, notes it after
        the last entry.
        """
        noted = self.wanted.noted
        if noted is None:
            return Check.NOT_CHECKED
        if self.anchored:
            return Check.VALID
        if self.removed is not None and noted.seq is not None and noted.seq < self.removed.first_seq - 1:
            self.bad(noted.seq, Reason.REMOVED)
            return Check.NOT_CHECKED
        self.bad(self.next_seq if noted.seq is None else min(noted.seq, self.next_seq), Reason.HEAD)
        return Check.INVALID

    def result(self) -> Verification:
        if not self.entries and self.beyond is None and not self.closed:
            self.bad(FIRST_SEQ, Reason.EMPTY)
        names_no_key = self.signature is Check.ABSENT and not self.table_key
        if self.wanted.public_key is not None and names_no_key and self.beyond is None:
            self.bad(FIRST_SEQ, Reason.KEY)
        anchor = self._anchor()
        faults = self.closed if self.beyond is None else [*self.closed, self.beyond]
        first = min(faults, key=lambda fault: fault.first_bad, default=None)
        return Verification(
            ok=first is None,
            entries=self.entries,
            head=self.head.hex(),
            first_bad=None if first is None else first.first_bad,
            reason=None if first is None else first.reason,
            signature=self.signature,
            anchor=anchor,
            removed=self.removed,
            closed=tuple(self.closed),
            beyond=self.beyond,
            goes_on=first is not None and first.first_bad < self.next_seq,
            line=None if first is None else first.line,
            is_entry_line=first is None or first.is_entry,
            unsynced=self.unsynced,
            without_words=tuple(self.without_words),
            history=self._history(),
        )

    def _history(self) -> History:
        begins = 0 if self.removed is None else self.removed.first_seq - 1
        marks, epochs, is_whole = tuple(self.marks), tuple(self.epochs), self.beyond is None
        return History(self.heads.now(), self.heads.at, marks, epochs, begins, self.table_key, is_whole)


ANYTHING: Final = Wanted()


def _named_by(start: Entry) -> _StartBody:
    return _DECODE_START.decode(start.body)


class NamedKey:
    """Keeps the public key that the newest start among the entries names. Before the first start, the key is that of
    the signed statement on removed entries, or "" if no entry was removed.
    """

    def __init__(self, removed: Removed | None) -> None:
        self._named = "" if removed is None else removed.public_key

    def behind(self, entry: Entry) -> None:
        if entry.kind == _START:
            with suppress(msgspec.DecodeError):  # an unreadable start: a check of the journal reports it
                self._named = _named_by(entry).public_key

    def require(self, public_key: str) -> None:
        """Raises NotTheTablesKey if the last start names another key than `public_key`."""
        if self._named not in ("", public_key):
            raise NotTheTablesKey(public_key, self._named)


def is_opening(entry: Entry) -> bool:
    """True if `entry` opens a session. False for a refused act."""
    return entry.kind == _OPENING and entry.refusal is None
