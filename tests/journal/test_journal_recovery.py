"""Reading a journal back after every kind of end: whole, torn at every byte, damaged at every bit, closed by people."""

import pytest
from journal_kit import SEGMENT_1, batch, entry, heard_from, small_journal, write

from controller.journal.entry import encode_entry
from controller.journal.errors import Damage, JournalDamaged, Reason
from controller.journal.format import HEADER_SIZE, OVERHEAD, ZERO, Header, RecordEncoder, encode_header, scan
from controller.journal.recovery import Recovery, SealedDamage, Tip, TornTail, recover
from controller.journal.seals import SEAL_SIZE, seals_name
from controller.journal.writer_logic import Batch
from simulators.disk import Call, MemoryStorage, Verb

SEGMENT_2 = "00000002.segment"
SEGMENT_3 = "00000003.segment"


def numbers(storage: MemoryStorage) -> list[int]:
    return [found.seq for found in Recovery(storage).entries()]


def damage_of(storage: MemoryStorage) -> Damage:
    """The damage that recovery finds; asserts that recovery changed no file."""
    before = {file.name: storage.read(file.name) for file in storage.list()}
    calls = heard_from(storage)
    found = recover(storage).damage
    assert calls == []
    assert before == {file.name: storage.read(file.name) for file in storage.list()}
    assert found is not None
    return found


def test_an_empty_storage_is_a_journal_that_begins() -> None:
    recovery = recover(MemoryStorage())
    assert recovery.tip() == Tip(1, 0, ZERO, 1)
    assert (recovery.torn, recovery.damage, list(recovery.entries())) == (None, None, [])


def test_what_was_written_is_read_back() -> None:
    storage = small_journal(7)
    recovery = recover(storage)
    assert list(recovery.entries()) == [entry(seq) for seq in range(1, 8)]
    assert [file.name for file in storage.list()] == [SEGMENT_1, SEGMENT_2, SEGMENT_3]
    assert recovery.next_seq == 8
    assert recovery.head == scan(storage.read(SEGMENT_3)).records[-1].chain


def test_entries_written_after_recovery_are_not_given() -> None:
    storage = small_journal(2)
    recovery = Recovery(storage)
    write(storage, [batch(3, 4)])
    assert [found.seq for found in recovery.entries()] == [1, 2]


def test_recovery_syncs_what_a_dead_process_left_unsynced() -> None:
    storage = small_journal(2)
    storage.append(SEGMENT_1, RecordEncoder(recover(storage).head, 3).encode(encode_entry(entry(3))))
    found = storage.after_kill()
    assert found.unsynced() != {}
    assert recover(found).next_seq == 4
    assert found.unsynced() == {}
    assert numbers(found.after_power_cut()) == [1, 2, 3]


# --- torn tails


@pytest.mark.slow
def test_a_journal_cut_at_any_byte_of_its_last_segment_goes_on() -> None:
    whole = small_journal(6)
    last = whole.read(SEGMENT_2)
    ends = [HEADER_SIZE, *(record.end for record in scan(last).records)]
    for cut in range(len(last)):
        storage = small_journal(6)
        storage.replace(SEGMENT_2, last[:cut])
        kept = max((end for end in ends if end <= cut), default=0)
        entries = 3 + (ends.index(kept) if kept else 0)
        recovery = recover(storage)
        torn = TornTail(2, kept, cut - kept, entries + 1) if cut != kept else None
        assert (recovery.torn, recovery.damage, recovery.next_seq) == (torn, None, entries + 1), cut
        assert storage.read(SEGMENT_2) == last[:kept]
        assert storage.after_power_cut().read(SEGMENT_2) == last[:kept]
        assert recover(storage).torn is None
        write(storage, [batch(entries + 1, entries + 1)])
        assert numbers(storage.after_power_cut()) == list(range(1, entries + 2))


def test_the_first_segment_of_all_can_be_torn() -> None:
    storage = small_journal(1)
    storage.replace(SEGMENT_1, storage.read(SEGMENT_1)[:50])
    assert recover(storage).torn == TornTail(1, 0, 50, 1)
    write(storage, [batch(1, 2)])
    assert numbers(storage) == [1, 2]


def test_inspecting_cuts_nothing() -> None:
    storage = small_journal(2)
    storage.replace(SEGMENT_1, storage.read(SEGMENT_1)[:-1])
    calls = heard_from(storage)
    assert Recovery(storage).torn is not None
    assert calls == []


def test_an_incomplete_seal_is_cut_so_that_the_next_one_is_in_its_place() -> None:
    storage = small_journal(2)
    storage.append(seals_name(1), bytes(SEAL_SIZE + 5))
    recover(storage)
    assert len(storage.read(seals_name(1))) == SEAL_SIZE


# --- damage


@pytest.mark.slow
def test_any_flipped_bit_is_damage_and_names_its_entry() -> None:
    whole = small_journal(6)
    for name, first in ((SEGMENT_1, 1), (SEGMENT_2, 4)):
        ends = [record.end for record in scan(whole.read(name)).records]
        for bit in range(len(whole.read(name)) * 8):
            storage = whole.after_kill()
            storage.flip(name, bit)
            passed = sum(end <= bit // 8 for end in ends)
            damage = Recovery(storage).damage
            assert damage is not None, (name, bit)
            assert damage.first_bad_seq == first + passed
            assert damage.offset == (ends[passed - 1] if passed else (HEADER_SIZE if bit // 8 >= HEADER_SIZE else 0))


def test_damage_is_kept_as_it_is_and_nothing_can_be_appended() -> None:
    storage = small_journal(6)
    storage.flip(SEGMENT_1, 8 * (HEADER_SIZE + 20))
    damage = damage_of(storage)
    assert damage == Damage(1, 1, HEADER_SIZE, Reason.CRC)
    with pytest.raises(JournalDamaged, match="entry 1"):
        recover(storage).tip()
    assert numbers(storage) == []


def test_a_whole_last_record_that_does_not_verify_is_damage() -> None:
    storage = small_journal(3)
    storage.flip(SEGMENT_1, 8 * len(storage.read(SEGMENT_1)) - 1)
    assert damage_of(storage).first_bad_seq == 3
    assert numbers(storage) == [1, 2]


def test_a_length_that_reaches_beyond_the_end_is_damage_not_a_torn_tail() -> None:
    storage = small_journal(3)
    storage.flip(SEGMENT_1, 8 * HEADER_SIZE + 15)
    assert damage_of(storage) == Damage(1, 1, HEADER_SIZE, Reason.LENGTH)


def test_an_incomplete_record_with_a_segment_behind_it_is_damage() -> None:
    storage = small_journal(6)
    whole = storage.read(SEGMENT_1)
    start = scan(whole).records[1].end
    storage.replace(SEGMENT_1, whole[:-1])
    assert damage_of(storage) == Damage(3, 1, start, Reason.INCOMPLETE)


def test_zeros_behind_the_last_record_are_damage() -> None:
    storage = small_journal(3)
    end = len(storage.read(SEGMENT_1))
    storage.replace(SEGMENT_1, storage.read(SEGMENT_1) + bytes(100))
    assert damage_of(storage) == Damage(4, 1, end, Reason.LENGTH)


def test_missing_and_exchanged_segments_are_damage() -> None:
    storage = small_journal(9)
    storage.remove(SEGMENT_2)
    assert damage_of(storage) == Damage(4, 2, 0, Reason.MISSING)
    storage = small_journal(9)
    storage.remove(SEGMENT_1)
    assert damage_of(storage) == Damage(1, 1, 0, Reason.MISSING)
    storage = small_journal(9)
    second, third = storage.read(SEGMENT_2), storage.read(SEGMENT_3)
    storage.replace(SEGMENT_2, third)
    storage.replace(SEGMENT_3, second)
    assert damage_of(storage) == Damage(4, 2, 0, Reason.PLACE)


def test_a_segment_of_another_journal_does_not_follow() -> None:
    storage, other = small_journal(6), MemoryStorage()
    write(other, [Batch(3, tuple(encode_entry(entry(seq, note="other")) for seq in (1, 2, 3)))])
    write(other, [batch(4, 6)], segment_limit=1)
    storage.replace(SEGMENT_2, other.read(SEGMENT_2))
    assert damage_of(storage) == Damage(4, 2, 0, Reason.CHAIN)


@pytest.mark.parametrize("payload", [b"no entry", encode_entry(entry(4)), encode_entry(entry(2)) + b" "])
def test_a_record_that_is_no_entry_of_its_place_is_damage(payload: bytes) -> None:
    storage = MemoryStorage()
    logic = write(storage, [Batch(2, (encode_entry(entry(1)), payload))])
    start = scan(storage.read(SEGMENT_1)).records[0].end
    assert damage_of(storage) == Damage(2, 1, start, Reason.ENTRY)
    assert logic.durable.next_seq == 3
    assert numbers(storage) == [1]


# --- damage that people have closed


def closed(storage: MemoryStorage) -> tuple[SealedDamage, Tip]:
    """Closes the storage's damage as the controller does, with a record that names it; returns damage and new end."""
    recovery = recover(storage)
    assert recovery.damage is not None
    tip = recovery.segment_after_damage()
    payload = encode_entry(entry(tip.next_seq))
    header = encode_header(Header(tip.segment, tip.next_seq, tip.head, tip.damaged))
    name = f"{tip.segment:08d}.segment"
    storage.append(name, header + RecordEncoder(tip.head, tip.next_seq).encode(payload))
    storage.sync(name)
    return SealedDamage(recovery.damage, tip.damaged, tip.segment, tip.next_seq), tip


def test_a_closed_damage_lets_the_journal_go_on() -> None:
    storage = small_journal(6)
    storage.flip(SEGMENT_1, 8 * (scan(storage.read(SEGMENT_1)).records[0].end + 20))
    sealed, tip = closed(storage)
    assert tip.segment == 3
    assert tip.next_seq > 6
    recovery = recover(storage)
    assert (recovery.damage, recovery.sealed, recovery.torn) == (None, (sealed,), None)
    assert [found.seq for found in recovery.entries()] == [1, tip.next_seq]
    write(storage, [batch(tip.next_seq + 1, tip.next_seq + 2)])
    assert numbers(storage) == [1, tip.next_seq, tip.next_seq + 1, tip.next_seq + 2]


def test_a_segment_without_a_whole_record_closes_nothing() -> None:
    storage = small_journal(6)
    storage.flip(SEGMENT_2, 8 * (HEADER_SIZE + 20))
    before = damage_of(storage)
    whole = storage.after_kill()
    closed(whole)
    data = whole.read(SEGMENT_3)
    for cut in range(len(data)):
        storage.replace(SEGMENT_3, data[:cut])
        assert damage_of(storage) == before
    sealed, tip = closed(storage)
    assert tip.segment == 4
    assert recover(storage).sealed == (sealed,)


def test_closed_damage_that_changes_again_is_damage_again() -> None:
    storage = small_journal(6)
    storage.flip(SEGMENT_1, 8 * (HEADER_SIZE + 20))
    closed(storage)
    storage.flip(SEGMENT_2, 77)
    assert damage_of(storage).first_bad_seq == 1


def test_a_second_damage_can_be_closed_too() -> None:
    storage = small_journal(6)
    storage.remove(SEGMENT_1)
    first, tip = closed(storage)
    write(storage, [batch(tip.next_seq + 1, tip.next_seq + 1)])
    storage.flip(SEGMENT_3, 8 * len(storage.read(SEGMENT_3)) - 1)
    second, tip = closed(storage)
    assert recover(storage).sealed == (first, second)
    assert numbers(storage)[-1] == tip.next_seq


def test_there_is_nothing_to_close_in_a_whole_journal() -> None:
    with pytest.raises(ValueError, match="no damage"):
        recover(small_journal(1)).segment_after_damage()


def test_the_memory_disk_keeps_shown_and_stored_apart() -> None:
    storage = MemoryStorage()
    storage.append("a", b"one")
    assert list(storage.after_power_cut().list()) == []
    assert [disk.read("a") for disk in list(storage.power_cuts())[1:]] == [b"o", b"on", b"one"]
    storage.sync("a")
    storage.append("a", b"two")
    assert storage.read("a") == b"onetwo"
    assert storage.after_power_cut().read("a") == b"one"
    calls = heard_from(storage)
    storage.truncate("a", 2)
    assert storage.after_power_cut().read("a") == b"one"
    storage.sync("a")
    assert storage.after_power_cut().read("a") == b"on"
    assert calls == [Call(Verb.TRUNCATE, "a", 2), Call(Verb.SYNC, "a")]


def test_every_entry_takes_its_overhead() -> None:
    storage = small_journal(1)
    assert len(storage.read(SEGMENT_1)) == HEADER_SIZE + OVERHEAD + len(encode_entry(entry(1)))
