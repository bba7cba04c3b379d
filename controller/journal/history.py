"""Compares a journal's tree with marks and with checkpoints that witnesses have signed.

The first entry of a newer epoch says that the history was broken there. After that entry a mark of an older epoch may
have another history. Before that entry another history is a fork.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto, unique
from typing import Final

from controller.journal.cosigned import Seen, seen_by
from controller.journal.errors import CodecError
from controller.journal.mark import Mark, mark_of, read_mark
from controller.journal.note import Note, NoteKey
from controller.journal.tree import NO_TREE, Tree, filled, grown, leaf_hash

_AT_ONCE: Final = 4096


class Heads:
    """Computes the heads of a tree that gets one leaf for each entry, at the sizes that `want` adds. `at`: the heads
    (hex) computed so far, by the tree's size.

    The tree costs time: without sizes, add no entries.
    """

    def __init__(self) -> None:
        self.at: dict[int, str] = {}
        self._tree = NO_TREE
        self._payloads: list[bytes] = []
        self._last = 0
        self._sizes: set[int] = set()
        self._stop = 0  # the next wanted size

    def want(self, marks: Iterable[Note]) -> None:
        """Adds the tree sizes of `marks` to the sizes at which a head is computed. Ignores a note that is no mark.

        Must be called before the first entry.
        """
        for note in marks:
            try:
                self._sizes.add(read_mark(note.text)[0].seq)
            except CodecError:
                continue
        self._fold()

    def begin(self, tree: Tree) -> None:
        """Starts from `tree`, the tree over the entries that retention has removed."""
        self._tree, self._last = tree, tree.size
        self._fold()

    @property
    def are_wanted(self) -> bool:
        """True if `want` has added at least one tree size."""
        return bool(self._sizes)

    def add(self, seq: int, payload: bytes) -> None:
        """Adds entry `seq` as the next leaf. Numbers between the last entry and `seq` count as lost entries."""
        if seq != self._last + 1:
            self._fold()
            self._tree = filled(self._tree, seq - 1)
        self._payloads.append(payload)
        self._last = seq
        if seq == self._stop or len(self._payloads) == _AT_ONCE:
            self._fold()

    def now(self) -> Tree | None:
        """Returns the tree over all entries so far. Returns None if `want` has added no tree size."""
        self._fold()
        return self._tree if self.are_wanted else None

    def _fold(self) -> None:
        self._tree, self._payloads = grown(self._tree, map(leaf_hash, self._payloads)), []
        if self._last in self._sizes:
            self.at[self._last] = self._tree.root().hex()
        self._stop = min((size for size in self._sizes if size > self._last), default=0)


@unique
class Fit(Enum):
    """The result of comparing a mark with a history. Only OTHER shows that two histories exist."""

    SAME = auto()  # the history has the mark's head at its size
    OTHER = auto()  # the history has another head there
    BEYOND = auto()  # the history ends before the mark
    UNTOLD = auto()  # the history lacks the entry in its midst, is damaged, or the mark is of an older epoch


@dataclass(frozen=True, slots=True)
class Witnessed:
    """A witness's newest signatures on a table's checkpoints. A field is None if there is no signature of its sort.

    `same`: on a checkpoint that agrees with the journal. `other`: on a checkpoint that proves another history.
    `beyond`: on a checkpoint that ends after the journal.
    """

    same: Seen | None
    other: Seen | None
    beyond: Seen | None


@dataclass(frozen=True, slots=True)
class History:
    """The results of a journal's check that a comparison with `marks` needs. A mark says how far the journal went.

    `tree`: the journal's tree; None without marks. `at`: for each number of entries that one of the `marks` covers, the
    head (hex) of the tree over them. `epochs`: for each epoch, the number of its first entry and its own number.
    `begins`: the last entry that retention removed. `key`: the table's public key in the last start. `is_whole`: the
    journal verified to its end.
    """

    tree: Tree | None = None
    at: dict[int, str] = field(default_factory=dict)
    marks: tuple[Note, ...] = ()
    epochs: tuple[tuple[int, int], ...] = ()
    begins: int = 0
    key: str = ""
    is_whole: bool = True

    def fit(self, mark: Mark) -> Fit:
        """Compares the mark's head with the history's head at the mark's size."""
        if (root := self.at.get(mark.seq)) == mark.root:
            return Fit.SAME
        if mark.epoch < self._epoch_at(mark.seq):
            return Fit.UNTOLD
        if root is not None:
            return Fit.OTHER
        return Fit.BEYOND if self.is_whole and mark.seq > self.ends else Fit.UNTOLD

    @property
    def ends(self) -> int:
        """Returns the number of the tree's last entry. Returns 0 without a tree."""
        return 0 if self.tree is None else self.tree.size

    def _epoch_at(self, seq: int) -> int:
        """Returns the epoch of entry `seq`.

        If retention has removed the start of that epoch, returns the epoch of the first start that is left.
        """
        first = self.epochs[0][1] if self.epochs and self.begins else 1
        return max((epoch for begins, epoch in self.epochs if begins <= seq), default=first)

    def signed(self, key: str) -> list[tuple[Mark, Note]]:
        """Returns the marks in `marks` that the table's public key `key` has signed, each with its note."""
        return [(mark, note) for note in self.marks if (mark := mark_of(note, key)) is not None]

    def other_tree(self, key: str) -> Mark | None:
        """Returns a mark of the table that proves a history other than the journal's. Returns None if the marks agree
        with the journal.
        """
        return next((mark for mark, _note in self.signed(key) if self.fit(mark) is Fit.OTHER), None)

    def seen_by(self, witness: NoteKey, key: str) -> Witnessed:
        """The witness's newest signatures on checkpoints of the table with the public key `key`."""
        found = [(self.fit(mark), seen_by(witness, note, mark.seq)) for mark, note in self.signed(key)]
        same, other, beyond = (
            _last([seen for fit, seen in found if fit is wanted]) for wanted in (Fit.SAME, Fit.OTHER, Fit.BEYOND)
        )
        return Witnessed(same, other, beyond)


def _last(seen: Sequence[Seen | None]) -> Seen | None:
    return max((one for one in seen if one is not None), key=lambda one: one.seq, default=None)
