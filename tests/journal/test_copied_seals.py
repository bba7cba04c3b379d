"""The seals of two copies: each gets its missing ones, none loses its own, and a seal in two forms is reported."""

from journal_kit import seal_file

from controller.journal.seals import SEAL_SIZE, Joined, join_seals


def test_whichever_byte_of_a_seal_is_spoilt_the_other_copy_keeps_its_own_and_it_is_told() -> None:
    good = seal_file(1, 2, 3)
    for at in range(SEAL_SIZE, 2 * SEAL_SIZE):
        spoilt = good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]
        assert join_seals(spoilt, good) == Joined(len(good), b"", differ=True)
        assert join_seals(good, spoilt) == Joined(len(good), b"", differ=True)
        more = seal_file(4, salted=2)
        assert join_seals(spoilt + more, good) == Joined(len(good), more, differ=True)
    zeros = bytes(SEAL_SIZE) + good[SEAL_SIZE:]
    assert join_seals(zeros, good) == Joined(len(good), b"", differ=True)


def test_a_seal_file_that_is_a_beginning_is_gone_on_with_wherever_it_ends() -> None:
    whole = seal_file(1, 2, 3)
    for size in range(len(whole) + 1):
        for zeros in (b"", bytes(200)):
            joined = join_seals(whole, whole[:size] + zeros)
            assert (whole[: joined.keep] + joined.rest, joined.differ) == (whole, False)
            assert joined.keep <= size
    assert join_seals(whole + bytes(300), whole) == Joined(len(whole), b"")
    assert join_seals(whole[:SEAL_SIZE], whole) == Joined(len(whole), b""), "what one has lost the other keeps"


def test_seals_of_a_batch_that_never_became_durable_stay_and_no_other_takes_their_place() -> None:
    common, orphan, then = seal_file(1, 2), seal_file(3, salted=2), seal_file(3, 4, salted=3)
    there = common + orphan
    joined = join_seals(common + then, there + orphan[:50])
    assert joined == Joined(len(there), then)
    assert join_seals(common + then, there + then) == Joined(len(there + then), b"")
