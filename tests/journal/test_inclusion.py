"""Every proof about small trees leads to the head of RFC 6962, also where part of a tree is kept as hashes."""

import pytest

from controller.journal.inclusion import (
    NotInTree,
    Ranges,
    consistency_ranges,
    goes_on,
    head_by_inclusion,
    inclusion_ranges,
)
from controller.journal.tree import NO_TREE, Tree, leaf_hash, with_entry
from tests.oracles.merkle import head_of

SIZES = [*range(1, 18), 31, 32, 33]


def test_the_ranges_are_those_of_the_rfcs_example() -> None:
    """The ranges for a proof are those of the example in RFC 6962, 2.1.3, a tree of seven leaves."""
    assert inclusion_ranges(0, 7) == ((1, 2), (2, 4), (4, 7))
    assert inclusion_ranges(3, 7) == ((2, 3), (0, 2), (4, 7))
    assert inclusion_ranges(4, 7) == ((5, 6), (6, 7), (0, 4))
    assert inclusion_ranges(6, 7) == ((4, 6), (0, 4))
    assert consistency_ranges(3, 7) == ((2, 3), (3, 4), (0, 2), (4, 7))
    assert consistency_ranges(4, 7) == ((4, 7),)
    assert consistency_ranges(6, 7) == ((4, 6), (6, 7), (0, 4))


def payloads(size: int) -> list[bytes]:
    return [b"%d" % number for number in range(size)]


def tree_of(leaves: list[bytes]) -> Tree:
    tree = NO_TREE
    for seq, payload in enumerate(leaves, 1):
        tree = with_entry(tree, seq, payload)
    return tree


def grown_from(kept: int, size: int, wanted: tuple[tuple[int, int], ...]) -> Ranges:
    """Ranges with the first leaves kept as a tree's hashes, as after a removal."""
    leaves = payloads(size)
    ranges = Ranges(tree_of(leaves[:kept]), wanted)
    for payload in leaves[kept:]:
        ranges.add(leaf_hash(payload))
    return ranges


@pytest.mark.parametrize("size", SIZES)
def test_each_leaf_leads_to_the_head(size: int) -> None:
    root = head_of(payloads(size))
    for index in range(size):
        wanted = inclusion_ranges(index, size)
        leaf = leaf_hash(b"%d" % index)
        for kept in {0, index // 2, index}:
            found = grown_from(kept, size, wanted)
            hashes = found.hashes(wanted)
            assert (head_by_inclusion(index, size, leaf, hashes), found.tree.root()) == (root, root)
        assert head_by_inclusion(index, size, leaf, hashes[:-1]) in (None, root if not hashes else None)
        assert head_by_inclusion(index, size, leaf, (*hashes, bytes(32))) is None
        assert head_by_inclusion(index + 1, size, leaf, hashes) != root


@pytest.mark.parametrize("size", SIZES)
def test_a_later_tree_goes_on_from_each_earlier_one_and_from_no_other(size: int) -> None:
    root = head_of(payloads(size))
    for old in range(size + 1):
        wanted = consistency_ranges(old, size)
        hashes = grown_from(old // 2, size, wanted).hashes(wanted)
        before = head_of(payloads(old))
        assert goes_on(old, before, size, root, hashes)
        assert not goes_on(old, before, size, root, (*hashes, bytes(32)))
        assert not goes_on(old, before, size, bytes(32), hashes) or not old
        assert not old or not goes_on(old, bytes(32), size, root, hashes)
        for place in range(len(hashes)):
            changed = (*hashes[:place], bytes(32), *hashes[place + 1 :])
            assert not goes_on(old, before, size, root, changed)
    assert not goes_on(size + 1, root, size, root, ())


def test_of_what_was_removed_there_is_no_proof() -> None:
    wanted = inclusion_ranges(3, 9)
    with pytest.raises(NotInTree):
        grown_from(8, 9, wanted).hashes(wanted)
