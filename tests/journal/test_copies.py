"""The comparison of two copies finds the longer one, the entries that the other takes over, and a fork's place."""

import pytest
from journal_kit import batch, files, other_payload, small_journal, write

from controller.journal.copies import (
    Compared,
    Longer,
    Position,
    Verified,
    compare,
    copy_behind,
    end_of,
    settle_shorter,
    verified_end,
)
from controller.journal.format import scan
from controller.journal.recovery import Recovery, list_segments
from controller.journal.storage import StoredFile
from simulators.disk import MemoryStorage

ENTRIES, PER_SEGMENT = 6, 3


def cut_to(storage: MemoryStorage, size: int) -> MemoryStorage:
    """The beginning of a journal whose bytes, over all segments, end after `size`."""
    left = MemoryStorage()
    for name, data in files(storage).items():
        if kept := data[: max(0, size)]:
            left.replace(name, kept)
        size -= len(data)
    return left


def size_of(storage: MemoryStorage) -> int:
    return sum(map(len, files(storage).values()))


def complete(source: MemoryStorage, target: MemoryStorage, compared: Compared) -> None:
    settle_shorter(target, compared)
    until = verified_end(source, compared, heads_of(source)).until
    copy_behind(source, target, Position(compared.segment, compared.size), until)


def heads_of(storage: MemoryStorage) -> dict[int, str]:
    """The chain value of each entry, by the entry's number."""
    segments = [scan(storage.read(name)) for _, name in list_segments(storage)]
    return {record.seq: record.chain.hex() for segment in segments for record in segment.records}


@pytest.mark.slow
def test_a_copy_that_ends_at_any_byte_is_the_shorter_one_and_becomes_the_same_again() -> None:
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    for size in range(size_of(whole)):
        short = cut_to(whole, size)
        entries = Recovery(short).next_seq
        for here, there, longer in ((whole, short, Longer.FIRST), (short, whole, Longer.SECOND)):
            compared = compare(here, there)
            assert (compared.fork, compared.longer, compared.next_seq) == (None, longer, entries), size
        complete(whole, short, compared)
        assert files(short) == files(whole)
    assert compare(whole, whole).longer is Longer.NEITHER
    assert compare(MemoryStorage(), MemoryStorage()) == Compared()


class Growing(MemoryStorage):
    """A first copy that begins its next segment after it was listed for the first time."""

    def list(self) -> tuple[StoredFile, ...]:
        found = super().list()
        self.replace("00000003.segment", b"begins")
        return found


def test_a_segment_that_begins_while_two_copies_are_compared_is_left_for_later() -> None:
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    growing, short = Growing(), cut_to(whole, 200)
    for name, data in files(whole).items():
        growing.replace(name, data)
    assert list(files(whole)) == ["00000001.segment", "00000002.segment"]
    assert compare(growing, short) == compare(whole, short)


def test_a_medium_that_lost_its_power_may_leave_zeros_behind_the_second_copy() -> None:
    whole, short = small_journal(2), small_journal(1)
    short.replace("00000001.segment", short.read("00000001.segment") + bytes(512))
    compared = compare(whole, short)
    assert (compared.fork, compared.longer, compared.next_seq) == (None, Longer.FIRST, 2)
    assert compare(short, whole).fork is not None, "the first copy's own bytes are damage whatever they are"


@pytest.mark.parametrize("zeros", [5, 512])
@pytest.mark.parametrize("behind", ["00000002.segment", "00000003.segment"])
def test_zeros_behind_the_longer_copy_do_not_come_into_the_other(behind: str, zeros: int) -> None:
    whole, zeroed = small_journal(ENTRIES, per_segment=PER_SEGMENT), small_journal(ENTRIES, per_segment=PER_SEGMENT)
    zeroed.replace(behind, files(zeroed).get(behind, b"") + bytes(zeros))
    for size in range(0, size_of(whole) + 1, 53):
        first = cut_to(whole, size)
        compared = compare(first, zeroed)
        assert compared.longer is (Longer.SECOND if size < size_of(whole) else Longer.NEITHER)
        complete(zeroed, first, compared)
        assert files(first) == files(whole), size
    complete(first, zeroed, compare(first, zeroed))
    assert {name: data for name, data in files(zeroed).items() if data} == files(whole)


def test_what_does_not_verify_in_the_longer_copy_stays_there_and_its_entry_is_named() -> None:
    """Bytes of the longer copy that do not verify are not taken over, and the first such entry is named."""
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    name, last = "00000002.segment", ENTRIES
    spoilt, begins = small_journal(ENTRIES, per_segment=PER_SEGMENT), scan(whole.read(name)).records[-2].end
    spoilt.flip(name, 8 * (begins + 20))
    for first in (MemoryStorage(), cut_to(whole, 300), cut_to(whole, size_of(whole) - 150)):
        compared = compare(first, spoilt)
        assert compared.longer is Longer.SECOND
        assert verified_end(spoilt, compared, heads_of(spoilt)) == Verified(Position(2, begins), last)
        complete(spoilt, first, compared)
        assert (Recovery(first).next_seq, Recovery(first).damage, Recovery(first).torn) == (last, None, None)


def test_what_no_mark_covers_is_not_taken_over_and_is_named() -> None:
    """Entries that no mark covers are named and not taken over: a thief of the medium can chain, but not sign."""
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    heads = heads_of(whole)
    for covered in range(ENTRIES + 1):
        for entries in range(ENTRIES):
            first = cut_to(whole, 0 if entries == 0 else offset_behind(whole, entries))
            compared = compare(first, whole)
            verified = verified_end(whole, compared, {covered: heads.get(covered, "")})
            believed = max(covered, entries)
            copy_behind(whole, first, Position(compared.segment, compared.size), verified.until)
            assert Recovery(first).next_seq - 1 == believed
            unsigned = verified.unsigned
            if believed == ENTRIES:
                assert unsigned is None
            else:
                assert unsigned is not None
                assert (unsigned.first, unsigned.last) == (believed + 1, ENTRIES)
                assert (unsigned.head, unsigned.until) == (heads[ENTRIES], end_of(whole, ENTRIES))


def test_a_mark_with_another_chain_value_covers_nothing() -> None:
    whole, first = small_journal(ENTRIES, per_segment=PER_SEGMENT), small_journal(1, per_segment=PER_SEGMENT)
    verified = verified_end(whole, compare(first, whole), {ENTRIES: "ab" * 32, ENTRIES + 1: heads_of(whole)[ENTRIES]})
    assert verified.unsigned is not None
    assert (verified.until, verified.unsigned.first) == (end_of(whole, 1), 2)


def offset_behind(storage: MemoryStorage, seq: int) -> int:
    """The number of bytes of a journal, over all segments, up to the end of an entry."""
    end = end_of(storage, seq)
    assert end is not None
    return end.size + sum(len(storage.read(name)) for number, name in list_segments(storage) if number < end.segment)


def test_damage_that_both_copies_have_is_the_same_in_both() -> None:
    spoilt = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    spoilt.flip("00000001.segment", 8 * 200)
    first = cut_to(spoilt, size_of(spoilt) - 10)
    complete(spoilt, first, compare(first, spoilt))
    assert files(first) == files(spoilt)


@pytest.mark.parametrize("lost", range(1, ENTRIES))
def test_histories_that_went_apart_are_a_fork_that_names_the_first_entry(lost: int) -> None:
    """Two copies that went on apart after the same beginning are a fork, which is named by its first entry."""
    one, other = small_journal(lost, per_segment=PER_SEGMENT), small_journal(lost, per_segment=PER_SEGMENT)
    write(one, [batch(lost + 1, lost + 1)])
    other_batch = batch(lost + 2, lost + 3)
    write(other, [type(other_batch)(lost + 1, (other_payload(lost + 1),))])
    assert compare(one, other).fork == compare(other, one).fork == lost + 1
    write(one, [batch(lost + 2, lost + 2)], segment_limit=1)
    assert compare(one, other).fork == compare(other, one).fork == lost + 1


def test_any_byte_that_differs_in_the_last_segment_or_a_header_is_a_fork() -> None:
    whole = small_journal(ENTRIES, per_segment=PER_SEGMENT)
    name = files(whole).keys().__iter__()
    last = [*name][-1]
    for byte in range(len(whole.read(last))):
        other = MemoryStorage()
        for file, data in files(whole).items():
            other.replace(file, data)
        other.flip(last, 8 * byte)
        assert compare(whole, other).fork is not None, byte


def test_a_segment_that_only_one_copy_has_in_full_is_a_fork() -> None:
    whole, other = small_journal(ENTRIES, per_segment=PER_SEGMENT), small_journal(ENTRIES, per_segment=PER_SEGMENT)
    other.replace("00000001.segment", other.read("00000001.segment")[:-10])
    assert compare(whole, other).fork == 1 or compare(whole, other).fork is not None
