"""The Merkle tree over a journal's entries (RFC 6962, SHA-256), stored as the hashes that it needs to grow. Pure.

Leaf *n* - 1 is the payload of entry *n*. A number whose entry was lost in a damage that people have closed has an empty
leaf. So a tree of size *n* is over the entries up to number *n*. A tree is stored as the heads of its full subtrees,
the largest first, which are at most twenty for a million entries.
"""

from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from msgspec import Struct

HASH_SIZE: Final = 32
EMPTY_ROOT: Final = sha256().digest()

_LEAF: Final = b"\x00"
_NODE: Final = b"\x01"


def leaf_hash(payload: bytes) -> bytes:
    """The hash of the leaf with `payload`."""
    return sha256(_LEAF + payload).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of the node above the two subtrees with the heads `left` and `right`."""
    return sha256(_NODE + left + right).digest()


EMPTY_LEAF: Final = leaf_hash(b"")


class Tree(Struct, frozen=True, gc=False):
    """A tree of `size` leaves. `hashes`: the heads of its full subtrees, one for each bit set in the size."""

    size: int = 0
    hashes: tuple[bytes, ...] = ()

    def root(self) -> bytes:
        """The head of the whole tree."""
        if not self.hashes:
            return EMPTY_ROOT
        *rest, root = self.hashes
        for left in reversed(rest):
            root = node_hash(left, root)
        return root


NO_TREE: Final = Tree()


def grown(tree: Tree, leaves: Iterable[bytes]) -> Tree:
    """Returns the tree with further leaves, which have the hashes `leaves`."""
    nodes, hashes, level = list(leaves), list(tree.hashes), 0
    size, alone = tree.size + len(nodes), list[bytes]()
    while nodes:  # level by level, which is fast enough for months of play
        if tree.size >> level & 1:
            nodes.insert(0, hashes.pop())
        if len(nodes) & 1:
            alone.append(nodes.pop())
        nodes = [sha256(_NODE + left + right).digest() for left, right in zip(nodes[::2], nodes[1::2], strict=True)]
        level += 1
    return Tree(size, (*hashes, *reversed(alone)))


def with_entry(tree: Tree, seq: int, payload: bytes) -> Tree:
    """Returns the tree with entry `seq` appended. Numbers between the tree's end and `seq` get empty leaves."""
    tree = tree if tree.size == seq - 1 else filled(tree, seq - 1)
    return grown(tree, (leaf_hash(payload),))


def filled(tree: Tree, size: int) -> Tree:
    """Returns the tree with empty leaves appended until it has `size` leaves. A tree with at least `size` leaves is
    unchanged.
    """
    while tree.size < size:
        tree = _one_subtree_more(tree, size)
    return tree


def _one_subtree_more(tree: Tree, size: int) -> Tree:
    """Returns the tree with a full subtree of empty leaves appended: the largest that fits into `size` leaves."""
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
    """Returns the tree of `size` leaves with the stored `hashes`.

    An earlier program stored no hashes. Without hashes every leaf counts as empty.
    """
    return Tree(size, hashes) if len(hashes) == size.bit_count() else filled(NO_TREE, size)


class GrowingTree:
    """The tree of a journal that is being written. Added payloads are hashed only when `now` is called."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._waiting: list[bytes] = []

    def add(self, payloads: Iterable[bytes]) -> None:
        """Adds the entries `payloads`, which have become durable, in order."""
        self._waiting += payloads

    def now(self) -> Tree:
        """The tree over every added entry."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._tree = grown(self._tree, map(leaf_hash, waiting))
        return self._tree
