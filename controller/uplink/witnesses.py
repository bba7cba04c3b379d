"""Asks each configured witness, in a thread of its own, to sign how far the journal goes (C2SP `tlog-witness`).

A witness wants proof that the table's tree extends the tree that it signed before. The uplink makes this proof from the
segments that it reads for the floor. The controller keeps the witness's signature. The table waits for no witness.
"""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from io import FileIO
from threading import Event as Flag
from threading import Thread
from typing import Final, Protocol

from controller.journal.asked import ADD, SIZE, Head, Status, encode_request, read_head
from controller.journal.errors import CodecError
from controller.journal.inclusion import NotInTree, Range, Ranges, consistency_ranges
from controller.journal.note import Note, decode_note, encode_note, is_note_by, read_signatures, with_signatures
from controller.journal.tree import EMPTY_LEAF, Tree, leaf_hash, tree_of
from controller.machine.post import post
from controller.protocol.carried import Checkpoint, SignedStatement
from controller.uplink.errors import TableAway, Trouble, WitnessAway, WitnessRefuses
from controller.uplink.segment import SegmentReader
from controller.uplink.settings import UplinkSettings, WitnessPlace
from controller.uplink.table import TableEnd
from drivers.errors import system_word

LOOK_EVERY_S: Final = 10.0
"""The interval of looking for a new mark; the table writes one each minute and at the end of a session."""

AGAIN_S: Final = 60.0
BETWEEN_SEGMENTS_S: Final = 0.2
"""The pause between two segments, so that batches for the floor go first."""

_NONCE: Final = "00" * 16  # belongs to no floor: these statements acknowledge nothing
_WORDS: Final[dict[int, str]] = {
    Status.FORKED: "forked",
    Status.UNKNOWN_LOG: "unknown-log",
    Status.NOT_SIGNED: "other-key",
    Status.MALFORMED: "not-understood",
}


class Table(Protocol):
    def checkpoint(self, cosigned: str = "") -> Checkpoint: ...

    def carried(self, after: int, nonce: str) -> tuple[SignedStatement, FileIO | None]: ...


class WitnessLog(Protocol):
    def signed(self, witness: str) -> None: ...

    def trouble(self, trouble: Trouble) -> None: ...


class Asking:
    """The requests to one witness, over one connection to the table. `step` raises the errors in errors.py. `rest`:
    waits the given seconds; called between two segments.
    """

    def __init__(
        self,
        table: Table,
        witness: WitnessPlace,
        reader: SegmentReader,
        rest: Callable[[float], object] = time.sleep,
    ) -> None:
        self._table = table
        self._witness = witness
        self._reader = reader
        self._rest = rest
        self._seen = Head("", 0, b"")  # the last head that the witness has signed
        self._tree: Tree | None = None  # the tree of the last proof

    def step(self) -> bool:
        """Asks the witness to sign the table's mark, unless it has already signed this mark. Returns True if the
        witness has signed; the controller then has its signature.
        """
        found = self._table.checkpoint()
        try:
            note = decode_note(found.note.encode())
            head = read_head(note.text)
            begins = tree_of(found.begins, tuple(map(bytes.fromhex, found.hashes)))
        except (CodecError, ValueError) as error:
            raise TableAway("not-understood") from error
        if head == self._seen:
            return False
        known = self._seen.size if self._seen.origin == head.origin else 0
        status, body = self._post(self._request(known, head, note, begins))
        if status == Status.OTHER_SIZE and (size := SIZE.fullmatch(body)):
            status, body = self._post(self._request(int(size[1]), head, note, begins))
        if status != Status.SIGNED:
            raise self._refuses(_WORDS.get(status, f"answer {status}"))
        self._table.checkpoint(encode_note(self._signed(note, body)).decode())
        self._seen = head
        return True

    def _post(self, request: bytes) -> tuple[int, bytes]:
        try:
            return post(self._witness.url.rstrip("/") + ADD, request)
        except OSError as error:
            raise WitnessAway(f"{self._witness.key.name} {system_word(error)}") from error

    def _signed(self, note: Note, body: bytes) -> Note:
        try:
            signed = with_signatures(note, tuple(read_signatures(body)))
        except CodecError as error:
            raise self._refuses("not-understood") from error
        if not is_note_by(signed, self._witness.key):
            raise self._refuses("signature")
        return signed

    def _refuses(self, word: str) -> WitnessRefuses:
        return WitnessRefuses(f"{self._witness.key.name} {word}")

    def _request(self, old: int, head: Head, note: Note, begins: Tree) -> bytes:
        """Returns the request to sign the table's mark, with the proof that the mark's tree extends the tree of size
        `old`.

        `begins`: the tree over the entries that retention has removed.
        """
        if old > head.size:
            raise self._refuses("ahead")
        wanted = consistency_ranges(old, head.size)
        if not wanted:
            return encode_request(old, (), note)
        ranges = self._grown(self._tree_at(old, begins), head.size, wanted)
        if ranges.tree.root() != head.root:
            raise TableAway("other-tree")
        self._tree = ranges.tree
        try:
            return encode_request(old, ranges.hashes(wanted), note)
        except NotInTree as gone:
            raise self._refuses("removed") from gone

    def _tree_at(self, size: int, begins: Tree) -> Tree:
        """Returns the tree over the first `size` entries, or `begins`, the tree over the removed entries, if retention
        has removed more.
        """
        known = self._tree if self._tree is not None and begins.size <= self._tree.size <= size else begins
        return known if known.size >= size else self._grown(known, size, ()).tree

    def _grown(self, tree: Tree, until: int, wanted: Sequence[Range]) -> Ranges:
        ranges = Ranges(tree, wanted)
        while ranges.size < until:
            before = ranges.size
            signed, segment = self._table.carried(before, _NONCE)
            if segment is None:
                raise TableAway("not-understood")
            with closing(segment):
                entries = self._reader.entries(segment, signed.statement)
            first = signed.statement.first
            for seq, payload in enumerate(entries.payloads[: until - first + 1], first):
                _fill(ranges, seq - 1)
                ranges.add(leaf_hash(payload))
            if first > until:
                _fill(ranges, until)
            if ranges.size == before:
                raise TableAway("not-understood")
            if ranges.size < until:
                self._rest(BETWEEN_SEGMENTS_S)
        return ranges


def _fill(ranges: Ranges, size: int) -> None:
    """Adds an empty leaf for each entry up to `size` that was lost in a damage that people have closed."""
    while ranges.size < size:
        ranges.add(EMPTY_LEAF)


def begin_asking(settings: UplinkSettings, ending: Flag, log: Callable[[], WitnessLog]) -> None:
    """Starts a thread for each configured witness, which runs until `ending` is set. `log`: makes the log of each
    thread.
    """
    for witness in settings.witnesses:
        words = (settings, witness, ending, log())
        Thread(target=_ask, args=words, name=witness.key.name, daemon=True).start()


def _ask(settings: UplinkSettings, witness: WitnessPlace, ending: Flag, log: WitnessLog) -> None:
    while not ending.is_set():
        try:
            with TableEnd(settings.socket) as table:
                asking = Asking(table, witness, SegmentReader(), ending.wait)
                while not ending.is_set():
                    if asking.step():
                        log.signed(witness.key.name)
                    ending.wait(LOOK_EVERY_S)
        except Trouble as trouble:
            log.trouble(trouble)
        ending.wait(AGAIN_S)
