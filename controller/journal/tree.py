"""The Merkle tree over a journal's entries (RFC 6962, SHA-256), as far as it must be kept to grow.

Leaf *n* - 1 is the payload of entry *n*; a number that no entry has (it was lost with a damage that people have closed)
counts as an empty leaf. So a tree of size *n* is over the entries up to number *n*. A tree is kept as the heads of its
full subtrees, the largest first: twenty for a million entries. Pure.
"""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

from msgspec import Struct

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = sha256().digest()

_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def leaf_hash(payload: bytes) -> bytes:
    """Of an entry's payload."""
    return sha256(_LEAF + payload).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Of two subtrees side by side."""
    return sha256(_NODE + left + right).digest()


EMPTY_LEAF: Final = leaf_hash(b"")


class Tree(Struct, frozen=True, gc=False):
    """`size` leaves; `hashes` of the full subtrees that they make, one for each bit of the size."""

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def root(self) -> bytes:
        """The head of the whole."""
        if not self.hashes:
            return EMPTY_ROOT
        *rest, root = self.hashes
        for left in reversed(rest):
            root = node_hash(left, root)
        return root


NO_TREE: Final = Tree()


def grown(tree: Tree, leaves: Iterable[bytes]) -> Tree:
    """The same tree with these leaves (hashes of them) behind its last."""
    nodes, hashes, level = list(leaves), list(tree.hashes), 0
    size, alone = tree.size + len(nodes), list[bytes]()
    while nodes:  # level by level: months of play go through this
        if tree.size >> level & 1:
            nodes.insert(0, hashes.pop())
        if len(nodes) & 1:
            alone.append(nodes.pop())
        nodes = [sha256(_NODE + left + right).digest() for left, right in zip(nodes[::2], nodes[1::2], strict=True)]
        level += 1
    return Tree(size, (*hashes, *reversed(alone)))


def with_entry(tree: Tree, seq: int, payload: bytes) -> Tree:
    """The tree up to entry `seq`; the numbers that are missing before it are lost."""
    tree = tree if tree.size == seq - 1 else filled(tree, seq - 1)
    return grown(tree, (leaf_hash(payload),))


def filled(tree: Tree, size: int) -> Tree:
    """The same tree up to `size`, with empty leaves for numbers that no entry has."""
    while tree.size < size:
        tree = _one_subtree_more(tree, size)
    return tree


def _one_subtree_more(tree: Tree, size: int) -> Tree:
    """The largest of empty leaves alone that fits behind the tree."""
    level = 0
    while not tree.size >> level & 1 and tree.size + (2 << level) <= size:
        level += 1
    node = EMPTY_LEAF
    for _ in range(level):
        node = node_hash(node, node)
    hashes = list(tree.hashes)
    while tree.size >> level & 1:
        node = node_hash(hashes.pop(), node)
        level += 1
    return Tree((tree.size >> level << level) + (1 << level), (*hashes, node))


def tree_of(size: int, hashes: tuple[bytes, ...]) -> Tree:
    """The stored tree. Where a program of before has stored none, every leaf counts as lost."""
    return Tree(size, hashes) if len(hashes) == size.bit_count() else filled(NO_TREE, size)


class GrowingTree:
    """The tree of a journal that is being written: a payload costs a place in a list until somebody asks."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._waiting: list[bytes] = []

    def add(self, payloads: Iterable[bytes]) -> None:
        """The entries that have become durable, in order."""
        self._waiting += payloads

    def now(self) -> Tree:
        """With every entry that was added."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._tree = grown(self._tree, map(leaf_hash, waiting))
        return self._tree


def subtree_ranges(first: int, last: int) -> Iterator[tuple[int, int]]:
    """The full subtrees that leaves `first` up to but not `last` make, as (level, index)."""
    while first < last:
        level = 0
        while not first >> level & 1 and first + (2 << level) <= last:
            level += 1
        yield level, first >> level
        first += 1 << level
