"""The floor as a witness: it signs a table's mark only if the mark agrees with the floor's own entries.

The witness itself is that of `controller/witness` (C2SP): it signs a checkpoint that extends the last one of the same
log. This module makes the proof for it from the floor's own entries, so no table has to be believed.

Who may         a table, which has its own marks signed: each must have the signature of the table's key
what undoes it  nothing: a signature that was sent cannot be taken back
what grows      one row for each log: a table in an epoch
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from controller.floor.database import Database, DatabaseBusy, statement
from controller.floor.store import Line, Store
from controller.journal.asked import Status, encode_request
from controller.journal.errors import CodecError
from controller.journal.inclusion import Ranges, consistency_ranges
from controller.journal.mark import Mark, log_key, mark_of
from controller.journal.note import KeyKind, Note, NoteKey, decode_note
from controller.journal.signing import Signer
from controller.journal.tree import EMPTY_LEAF, HASH_SIZE, NO_TREE, Tree, leaf_hash
from controller.protocol.carried import Finding, FindingKind, Witnessed, WitnessSaid
from controller.witness.witness import Witness, log_name

AT_ONCE: Final = 10_000
"""The most entries that one statement reads, so that the statement keeps its time limit."""

MOST_LOST: Final = 100_000
"""The most missing numbers in a row: a damage loses at most one segment, so a longer gap is a removal."""

_LEAVES: Final = statement("leaves")
_WITNESSED: Final = statement("witnessed")
_WITNESS: Final = statement("witness")

_SAID: Final = {Status.SIGNED: WitnessSaid.SIGNED, Status.FORKED: WitnessSaid.FORKED}


@dataclass(frozen=True, slots=True)
class _Log:
    """The last state of a log that the witness has signed: its tree and its note. Before the first signature the note
    is empty.
    """

    name: str
    tree: Tree = NO_TREE
    note: bytes = b""


@dataclass(frozen=True, slots=True)
class _Head:
    """Stores the last head of a log in one row. Replaces the row only if it still has the value that was read."""

    database: Database
    witness: NoteKey
    log: _Log
    mark: Mark
    tree: Tree

    def last(self, _log: str) -> bytes | None:
        return self.log.note or None

    def put(self, _log: str, note: bytes) -> None:
        """Stores the new head. Raises DatabaseBusy if another process has signed first, and the errors of
        `Database.write`.
        """
        of_log: dict[str, object] = {"witness": self.witness.text, "log": self.log.name, "before": self.log.note}
        of_mark: dict[str, object] = {"table": self.mark.table, "epoch": self.mark.epoch, "size": self.tree.size}
        head: dict[str, object] = {"hashes": b"".join(self.tree.hashes), "note": note}
        if not self.database.write(_WITNESS, of_log | of_mark | head):
            raise DatabaseBusy


@dataclass(frozen=True, slots=True)
class FloorWitness:
    """Signs tables' marks as the floor's witness. Every method may block: call it in a thread. Methods raise the errors
    of `Database`.
    """

    name: str
    signer: Signer
    database: Database
    store: Store
    now_s: Callable[[], float]

    @property
    def key(self) -> NoteKey:
        """The public key that verifies the witness's signatures."""
        return NoteKey(self.name, KeyKind.COSIGNATURE, self.signer.public_key)

    def asked(self, table: str, public_key: str, text: str) -> Witnessed:
        """Signs a table's mark if it agrees with the floor's own entries, and returns the witness's answer. Records a
        fork if the floor has another history.

        `public_key`: the table's key, which must have signed the mark.
        """
        try:
            note = decode_note(text.encode())
        except CodecError:
            return Witnessed(WitnessSaid.NOT_THEIRS)
        mark = mark_of(note, public_key)
        if mark is None or mark.table != table:
            return Witnessed(WitnessSaid.NOT_THEIRS)
        lines = self.store.lines(table)
        place = self.store.at(table, lines, mark.seq)
        if place is None:
            return Witnessed(WitnessSaid.LATER)
        if place.head != mark.head:
            self.store.found(table, Finding(FindingKind.FORK, place.epoch, mark.seq))
            return Witnessed(WitnessSaid.FORKED)
        return self._signed(lines, log_key(table, mark.epoch, public_key), mark, note)

    def _signed(self, lines: Sequence[Line], key: NoteKey, mark: Mark, note: Note) -> Witnessed:
        log = self._log(log_name(key.name))
        if mark.seq < log.tree.size:
            return Witnessed(WitnessSaid.OLDER)
        wanted = consistency_ranges(log.tree.size, mark.seq)
        ranges = Ranges(log.tree, wanted)
        for seq, payload in self._entries(lines, mark.table, log.tree.size + 1, mark.seq):
            if seq - 1 - ranges.size > MOST_LOST:
                return Witnessed(WitnessSaid.OTHER_TREE)
            while ranges.size < seq - 1:  # entries lost in a damage that people have closed
                ranges.add(EMPTY_LEAF)
            ranges.add(leaf_hash(payload))
        if ranges.tree.root().hex() != mark.root:
            return Witnessed(WitnessSaid.OTHER_TREE)
        head = _Head(self.database, self.key, log, mark, ranges.tree)
        witness = Witness(self.name, self.signer, {key.name: key}, head, lambda: int(self.now_s()))
        reply = witness.add_checkpoint(encode_request(log.tree.size, ranges.hashes(wanted), note))
        return Witnessed(_SAID.get(reply.status, WitnessSaid.OTHER), reply.body.decode())

    def _log(self, name: str) -> _Log:
        found = self.database.looked_up(_WITNESSED, {"witness": self.key.text, "log": name})
        if not found:
            return _Log(name)
        ((size, hashes, note),) = found
        nodes = tuple(hashes[at : at + HASH_SIZE] for at in range(0, len(hashes), HASH_SIZE))
        return _Log(name, Tree(size, nodes), note)

    def _entries(self, lines: Sequence[Line], table: str, first: int, last: int) -> Iterator[tuple[int, bytes]]:
        """Yields number and payload of the entries `first` to `last` in the newest line's history, in order."""
        for line, start, end in _stretches(lines, first, last):
            for at in range(start, end + 1, AT_ONCE):
                values = {"table": table, "epoch": line.epoch, "first": at, "last": min(at + AT_ONCE - 1, end)}
                yield from ((seq, payload) for seq, payload in self.database.looked_up(_LEAVES, values))


def _stretches(lines: Sequence[Line], first: int, last: int) -> list[tuple[Line, int, int]]:
    """Returns each line that has some of the entries `first` to `last`, with its first and last entry among them, the
    oldest line first. `lines`: the table's lines, the newest first.
    """
    found: list[tuple[Line, int, int]] = []
    line = lines[0] if lines else None
    while line is not None and last >= first:
        start = max(first, line.first_seq)
        if start <= last:
            found.append((line, start, last))
        last, parent = min(last, line.first_seq - 1), line.parent_epoch
        line = next((one for one in lines if one.epoch == parent), None)
    return found[::-1]
