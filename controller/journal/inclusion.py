"""Proofs that a tree has an entry, and that a later tree continues an earlier one (RFC 6962, 2.1). Pure.

A proof is a list of hashes, each of a range of leaves. The sizes of the trees determine the ranges. One pass over the
leaves computes only the hashes of the proof.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from controller.journal.tree import Tree, node_hash

Range: TypeAlias = tuple[int, int]
"""The leaves from the first number up to but not including the second."""

MOST_HASHES: Final = 63


class NotInTree(Exception):  # noqa: N818 (the name says what is wrong)
    """A range of leaves cannot be hashed: retention has removed some of its entries."""


def inclusion_ranges(index: int, size: int) -> tuple[Range, ...]:
    """Returns the ranges of leaves whose hashes prove that a tree of `size` leaves has leaf `index`.

    The range next to the leaf comes first.
    """
    return tuple(_beside(index, 0, size))


def _beside(index: int, first: int, last: int) -> Iterator[Range]:
    if last - first == 1:
        return
    middle = first + _left(last - first)
    if index < middle:
        yield from _beside(index, first, middle)
        yield middle, last
    else:
        yield from _beside(index, middle, last)
        yield first, middle


def consistency_ranges(old: int, size: int) -> tuple[Range, ...]:
    """The ranges of a proof that the tree of `size` leaves begins with the tree of `old` leaves. Returns () for `old`
    0.
    """
    return tuple(_shared(old, 0, size, is_whole=True)) if old else ()


def _shared(old: int, first: int, last: int, *, is_whole: bool) -> Iterator[Range]:
    if old == last:
        if not is_whole:
            yield first, last
        return
    middle = first + _left(last - first)
    if old <= middle:
        yield from _shared(old, first, middle, is_whole=is_whole)
        yield middle, last
    else:
        yield from _shared(old, middle, last, is_whole=False)
        yield first, middle


def _left(size: int) -> int:
    """The number of leaves in the left subtree of a tree: the largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1


def _ranges_of(tree: Tree) -> Iterator[Range]:
    """Yields the range of leaves of each full subtree of a tree, in order."""
    first = 0
    for bit in reversed(range(tree.size.bit_length())):
        if tree.size >> bit & 1:
            yield first, first + (1 << bit)
            first += 1 << bit


class Ranges:
    """Computes the hashes of the ranges `wanted` while leaves are added. `begins`: the tree over the earlier leaves."""

    def __init__(self, begins: Tree, wanted: Iterable[Range]) -> None:
        self._wanted = frozenset(wanted)
        self.size = begins.size
        self._hashes = list(begins.hashes)
        self._found = dict(zip(_ranges_of(begins), begins.hashes, strict=True))

    @property
    def tree(self) -> Tree:
        """The tree over all leaves so far."""
        return Tree(self.size, tuple(self._hashes))

    def add(self, leaf: bytes) -> None:
        """Adds the hash of the next leaf."""
        first, last, node = self.size, self.size + 1, leaf
        self._keep(first, last, node)
        while (width := last - first) & self.size:  # a subtree of the same width stands before it
            first, node = first - width, node_hash(self._hashes.pop(), node)
            self._keep(first, last, node)
        self._hashes.append(node)
        self.size += 1

    def _keep(self, first: int, last: int, node: bytes) -> None:
        if (first, last) in self._wanted:
            self._found[first, last] = node

    def hashes(self, ranges: Iterable[Range]) -> tuple[bytes, ...]:
        """The hashes of `ranges`, in the given order. Raises NotInTree."""
        return tuple(map(self._hash, ranges))

    def _hash(self, wanted: Range) -> bytes:
        if (found := self._found.get(wanted)) is not None:
            return found
        rest = [node for part, node in zip(_ranges_of(self.tree), self._hashes, strict=True) if part[0] >= wanted[0]]
        is_end = wanted[1] == self.size and wanted[0] in {part[0] for part in _ranges_of(self.tree)}
        if not is_end:
            raise NotInTree(f"leaves {wanted[0]} to {wanted[1] - 1}")
        node = rest.pop()
        while rest:
            node = node_hash(rest.pop(), node)
        return node


def head_by_inclusion(index: int, size: int, leaf: bytes, hashes: Sequence[bytes]) -> bytes | None:
    """Computes the head of a tree of `size` leaves from its leaf `index` and an inclusion proof (`hashes`).

    None if `index` is outside the tree, or the proof has too few or too many hashes.
    """
    if not 0 <= index < size or len(hashes) != len(ranges := inclusion_ranges(index, size)):
        return None
    node = leaf
    for (first, _last), beside in zip(ranges, hashes, strict=True):
        node = node_hash(beside, node) if first <= index else node_hash(node, beside)
    return node


def goes_on(old: int, old_root: bytes, size: int, root: bytes, hashes: Sequence[bytes]) -> bool:
    """True if the proof `hashes` shows that the newer tree continues the older tree.

    `old`, `old_root`: number of leaves and head of the older tree. `size`, `root`: those of the newer tree. If `old` is
    0, the proof must be empty, and `old_root` is ignored.
    """
    if not old:
        return not hashes
    if old > size or len(ranges := consistency_ranges(old, size)) != len(hashes):
        return False
    if old == size:
        return old_root == root
    parts = list(zip(ranges, hashes, strict=True))
    if old & (old - 1) == 0:  # one full subtree, whose head the proof does not repeat
        parts.insert(0, ((0, old), old_root))
    (_, before), *rest = parts
    after = before
    for (first, _last), beside in rest:
        if first >= old:
            after = node_hash(after, beside)
        else:
            before, after = node_hash(beside, before), node_hash(beside, after)
    return (before, after) == (old_root, root)
