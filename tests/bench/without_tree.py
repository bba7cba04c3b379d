"""`sabot run` without the Merkle tree over its entries: the program beside which the tree's cost is measured.

Its marks have the right size and no right head, so a journal of it is for a bench alone.
"""

import sys
from collections.abc import Iterable

from controller.cli.main import main
from controller.journal.tree import GrowingTree, Tree
from controller.runtime import kernel


class NoTree(GrowingTree):
    """Counts the entries and hashes none."""

    def __init__(self, tree: Tree) -> None:
        super().__init__(tree)
        self._size = tree.size

    def add(self, payloads: Iterable[bytes]) -> None:
        self._size += len(list(payloads))

    def now(self) -> Tree:
        return Tree(self._size)


if __name__ == "__main__":
    vars(kernel)["GrowingTree"] = NoTree
    sys.exit(main())
