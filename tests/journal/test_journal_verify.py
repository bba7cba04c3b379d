"""Checking a journal and its export: every bit, every cut, every entry removed, repeated, exchanged or put in."""

import json
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from journal_kit import SEGMENT_1, SIGNER, entry, independent_verify, small_journal, to_directory, write
from journal_kit import batch as batch_of

import controller
from controller.journal.entry import encode_entry
from controller.journal.errors import JournalDamaged, Reason, StorageFailed
from controller.journal.export import BESIDE, Exported, export
from controller.journal.format import HEADER_SIZE, Header, RecordEncoder, encode_header, scan
from controller.journal.noted_code import code_of, read_noted
from controller.journal.progress import Check, Verification, Wanted
from controller.journal.recovery import recover
from controller.journal.verify import entries_of, verify, verify_storage
from controller.journal.writer_logic import Batch
from simulators.disk import MemoryStorage
from tests.drawn import every

SEGMENT_2 = "00000002.segment"
ENTRIES = 5


@pytest.fixture
def journal() -> MemoryStorage:
    return small_journal(ENTRIES)


@pytest.fixture
def exported(journal: MemoryStorage, tmp_path: Path) -> Path:
    out = tmp_path / "export.txt"
    export(to_directory(journal, tmp_path / "journal"), out, SIGNER)
    return out


def head_of(storage: MemoryStorage) -> str:
    return recover(storage.after_kill()).head.hex()


def noting(head: str) -> Wanted:
    return Wanted(noted=read_noted(head))


def rejected(result: Verification, first_bad: int) -> None:
    assert not result.ok
    assert result.first_bad == first_bad
    assert result.reason is not None
    assert result.entries < first_bad


# --- a journal


def test_an_untouched_journal_is_ok(journal: MemoryStorage, tmp_path: Path) -> None:
    path = to_directory(journal, tmp_path / "journal")
    result = verify(path)
    assert result == Verification(True, ENTRIES, head_of(journal), None, None, Check.ABSENT, Check.NOT_CHECKED)
    assert result.unsynced == sum(not one.wall_synced for one in entries_of(path)) == 3
    assert verify(path, noting(head_of(journal).upper())).anchor is Check.VALID
    files = {found.name: found.read_bytes() for found in path.iterdir()}
    assert independent_verify(files) == (ENTRIES, head_of(journal))


@pytest.mark.slow
def test_any_flipped_bit_is_found(journal: MemoryStorage) -> None:
    for name, first in ((SEGMENT_1, 1), (SEGMENT_2, 4)):
        ends = [record.end for record in scan(journal.read(name)).records]
        for bit in range(len(journal.read(name)) * 8):
            changed = journal.after_kill()
            changed.flip(name, bit)
            rejected(verify_storage(changed), first + sum(end <= bit // 8 for end in ends))


def test_an_independent_reader_finds_the_same(journal: MemoryStorage) -> None:
    files = {file.name: journal.read(file.name) for file in journal.list()}
    for name, data in files.items():
        for at in range(len(data)):
            changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            with pytest.raises((ValueError, KeyError)):
                independent_verify({**files, name: changed})


def changes(items: list[bytes]) -> Iterator[tuple[list[bytes], int]]:
    """Yields the items after each removal, repetition, exchange or insertion, and the first wrong item's index."""
    for at in range(len(items)):
        if at < len(items) - 1:
            yield items[:at] + items[at + 1 :], at
        yield items[: at + 1] + items[at:], at + 1
        for other in range(at + 1, len(items)):
            swapped = items.copy()
            swapped[at], swapped[other] = swapped[other], swapped[at]
            yield swapped, at
    for at in range(len(items) + 1):
        for item in items:
            if at and item == items[at - 1]:
                continue
            if at < len(items) and item == items[at]:
                continue
            yield [*items[:at], item, *items[at:]], at


def records(data: bytes) -> list[bytes]:
    ends = [HEADER_SIZE, *(record.end for record in scan(data).records)]
    return [data[start:end] for start, end in pairwise(ends)]


def test_records_removed_repeated_exchanged_or_put_in_are_found() -> None:
    journal = small_journal(ENTRIES, per_segment=10)
    data = journal.read(SEGMENT_1)
    tried = 0
    for changed, at in changes(records(data)):
        journal.replace(SEGMENT_1, data[:HEADER_SIZE] + b"".join(changed))
        rejected(verify_storage(journal), at + 1)
        tried += 1
    assert tried > 30


def test_a_record_made_anew_in_its_place_breaks_the_next_one() -> None:
    journal = small_journal(3, per_segment=10)
    data = journal.read(SEGMENT_1)
    old = records(data)
    forged = RecordEncoder(old[0][-32:], 2).encode(encode_entry(entry(2, note="forged")))
    journal.replace(SEGMENT_1, data[:HEADER_SIZE] + old[0] + forged + old[2])
    rejected(verify_storage(journal), 3)


def test_a_cut_inside_a_record_is_found_and_one_between_records_with_the_noted_head(journal: MemoryStorage) -> None:
    data, head = journal.read(SEGMENT_2), head_of(journal)
    ends = [HEADER_SIZE, *(record.end for record in scan(data).records)]
    for cut in range(len(data)):
        shorter = journal.after_kill()
        shorter.replace(SEGMENT_2, data[:cut])
        entries = 3 + sum(end <= cut for end in ends[1:])
        if cut in (0, *ends):
            assert verify_storage(shorter).ok
            noted = verify_storage(shorter, noting(head))
            assert (noted.ok, noted.anchor, noted.reason) == (False, Check.INVALID, Reason.HEAD)
            assert noted.first_bad == entries + 1
        else:
            rejected(verify_storage(shorter), entries + 1)


@pytest.mark.parametrize(("noted_seq", "first_bad"), [(2, 2), (ENTRIES, ENTRIES), (ENTRIES + 3, ENTRIES + 1)])
def test_a_code_that_is_no_entry_s_makes_the_entry_wrong_that_it_names_or_the_first_that_is_missing(
    journal: MemoryStorage, noted_seq: int, first_bad: int
) -> None:
    result = verify_storage(journal, noting(code_of(0, noted_seq, b"\1" * 32)))
    assert (result.ok, result.first_bad, result.reason) == (False, first_bad, Reason.HEAD)


def test_a_noted_head_is_found_in_a_journal_that_has_gone_on(journal: MemoryStorage) -> None:
    head = head_of(journal)
    write(journal, [batch_of(ENTRIES + 1, ENTRIES + 2)])
    result = verify_storage(journal, noting(head))
    assert (result.ok, result.anchor) == (True, Check.VALID)


def test_nothing_is_not_a_journal(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    result = verify(tmp_path / "empty")
    assert (result.ok, result.reason, result.entries) == (False, Reason.EMPTY, 0)
    with pytest.raises(StorageFailed):
        verify(tmp_path / "nowhere")


# --- an export


def test_an_export_has_one_line_for_each_entry_and_a_last_one(exported: Path, journal: MemoryStorage) -> None:
    lines = [json.loads(line) for line in exported.read_text(encoding="utf-8").splitlines()]
    assert [line["entry"]["seq"] for line in lines[:-1]] == list(range(1, ENTRIES + 1))
    assert lines[0]["entry"]["kind"] == "noted"
    expected = {"count": ENTRIES, "format": "sabot-journal-export-4", "head": head_of(journal)}
    assert {key: lines[-1][key] for key in expected} == expected
    assert set(lines[-1]) == {*expected, "public_key", "signature", "text"}
    assert verify(exported) == Verification(True, ENTRIES, head_of(journal), None, None, Check.VALID)
    assert verify(exported, noting(head_of(journal))).anchor is Check.VALID
    assert verify(exported, noting("00" * 32)).anchor is Check.INVALID
    assert list(entries_of(exported)) == [entry(seq) for seq in range(1, ENTRIES + 1)]


def test_the_bytes_of_an_export_are_pinned(tmp_path: Path) -> None:
    export(to_directory(small_journal(1), tmp_path / "journal"), tmp_path / "out", SIGNER)
    text = (tmp_path / "out").read_text(encoding="utf-8")
    chain = text[10:74]
    assert text == (
        '{"chain":"' + chain + '","entry":{"body":{"note":"é"},"boot":1,"kind":"noted","mono_ns":1000000007,'
        '"refusal":null,"seq":1,"source":null,"table_ms":1000,"wall_ms":1700000000001,"wall_synced":false}}\n'
        '{"count":1,"format":"sabot-journal-export-4","head":"' + chain + '","public_key":"'
        "3b6a27bcceb6a42d62a3a8d02a6f0d73653215771de243a63ac048a18b59da29"
        '","signature":"'
        "24c50cdc458d7d6a925ff94e03e21a2329ef31cf8f6d6142a5e2e6c15a48d82d"
        "2cee1bba4a2637ee4dfb464c0c1e4b0f35047c240130d785bbf7b8fe44f8e50b"
        '","text":"ac830092d1eabbe270f823d77a995bb0a6c8f49942bd5ccaa8ab02f1cb89233b"}\n'
    )


@pytest.mark.slow
def test_any_flipped_bit_of_an_export_is_found(exported: Path) -> None:
    data = bytearray(exported.read_bytes())
    ends = [at + 1 for at, byte in enumerate(data) if byte == 0x0A]
    for bit in every(range(len(data) * 8), 9):
        data[bit // 8] ^= 1 << bit % 8
        exported.write_bytes(data)
        rejected(verify(exported), 1 + sum(end <= bit // 8 for end in ends))
        data[bit // 8] ^= 1 << bit % 8


@pytest.mark.slow
def test_any_cut_of_an_export_is_found(exported: Path) -> None:
    data = exported.read_bytes()
    for cut in range(len(data)):
        exported.write_bytes(data[:cut])
        result = verify(exported)
        assert not result.ok
        assert result.first_bad == 1 + min(ENTRIES, data[:cut].count(b"\n"))


def test_lines_removed_repeated_exchanged_or_put_in_are_found(exported: Path) -> None:
    lines = exported.read_bytes().splitlines(keepends=True)
    for changed, at in changes(lines):
        exported.write_bytes(b"".join(changed))
        rejected(verify(exported), min(at, ENTRIES) + 1)


def test_lines_put_behind_the_last_are_found(exported: Path) -> None:
    for more in (b"\n", b" ", b"{}\n"):
        data = exported.read_bytes()
        exported.write_bytes(data + more)
        rejected(verify(exported), ENTRIES + 1)
        exported.write_bytes(data)


def test_an_export_leaves_a_torn_tail_out(journal: MemoryStorage, tmp_path: Path) -> None:
    journal.replace(SEGMENT_2, journal.read(SEGMENT_2)[:-1])
    path = to_directory(journal, tmp_path / "journal")
    assert export(path, tmp_path / "out", SIGNER).entries == ENTRIES - 1
    assert verify(tmp_path / "out").ok
    assert [found.seq for found in entries_of(path)] == [1, 2, 3, 4]
    rejected(verify(path), ENTRIES)


def test_an_export_writes_through_no_link(journal: MemoryStorage, tmp_path: Path) -> None:
    path, out = to_directory(journal, tmp_path / "journal"), tmp_path / "out"
    before = (path / SEGMENT_1).read_bytes()
    (tmp_path / "out.new").symlink_to(path / SEGMENT_1)
    assert export(path, out, SIGNER).entries == ENTRIES
    assert (path / SEGMENT_1).read_bytes() == before
    assert verify(out).ok


def test_an_export_takes_the_place_of_no_pipe_and_of_no_device(journal: MemoryStorage, tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    path = to_directory(journal, tmp_path / "journal")
    for out in (pipe, link):
        with pytest.raises(StorageFailed, match="no regular file"):
            export(path, out, SIGNER)
    assert pipe.is_fifo()
    assert link.is_symlink()


def test_each_file_beside_a_journal_is_known_as_its_own() -> None:
    source = "".join(path.read_text() for path in Path(controller.__file__).parent.rglob("*.py"))
    endings = re.findall(r'with_name\((?:_real\(journal\)|journal)\.name \+ "(\.[a-z]+)"\)', source)
    assert sorted(endings) == sorted(BESIDE)


@pytest.mark.parametrize("name", ["journal/out", *(f"journal{ending}" for ending in BESIDE)])
def test_an_export_is_not_written_over_what_belongs_to_the_journal(
    journal: MemoryStorage, tmp_path: Path, name: str
) -> None:
    path = to_directory(journal, tmp_path / "journal")
    (tmp_path / name).write_text("mine")
    with pytest.raises(StorageFailed):
        export(path, tmp_path / name, SIGNER)
    assert (tmp_path / name).read_text() == "mine"


def test_a_damaged_journal_is_not_exported(journal: MemoryStorage, tmp_path: Path) -> None:
    journal.flip(SEGMENT_2, 8 * HEADER_SIZE)
    path, out = to_directory(journal, tmp_path / "journal"), tmp_path / "out"
    out.write_text("older")
    with pytest.raises(JournalDamaged, match="entry 4"):
        export(path, out, SIGNER)
    assert out.read_text() == "older"
    assert sorted(found.name for found in tmp_path.iterdir()) == ["journal", "out"]
    read = entries_of(path)
    assert [next(read).seq for _ in range(3)] == [1, 2, 3]
    with pytest.raises(JournalDamaged, match="entry 4"):
        next(read)


def test_entries_of_a_damaged_export_end_where_it_does(exported: Path) -> None:
    exported.write_bytes(exported.read_bytes().replace(b'"seq":3', b'"seq":9'))
    read = entries_of(exported)
    assert [next(read).seq for _ in range(2)] == [1, 2]
    with pytest.raises(JournalDamaged, match="entry 3 does not verify: chain"):
        next(read)


# --- a damage that people have closed


@pytest.fixture
def closed(journal: MemoryStorage) -> MemoryStorage:
    journal.flip(SEGMENT_1, 8 * (scan(journal.read(SEGMENT_1)).records[1].end + 20))
    tip = recover(journal).segment_after_damage()
    journal.append(
        "00000003.segment",
        encode_header(Header(3, tip.next_seq, tip.head, tip.damaged))
        + RecordEncoder(tip.head, tip.next_seq).encode(encode_entry(entry(tip.next_seq))),
    )
    write(journal, [Batch(tip.next_seq + 1, (encode_entry(entry(tip.next_seq + 1)),))])
    return journal


def test_a_closed_damage_stays_visible_in_the_journal_and_in_its_export(closed: MemoryStorage, tmp_path: Path) -> None:
    path, out = to_directory(closed, tmp_path / "journal"), tmp_path / "out"
    head = head_of(closed)
    result = verify(path, noting(head))
    assert (result.ok, result.entries, result.first_bad, result.reason) == (False, 4, 3, Reason.CRC)
    assert (result.head, result.anchor) == (head, Check.VALID)
    assert export(path, out, SIGNER) == Exported(4, head, SIGNER.public_key)
    assert verify(out, noting(head)) == replace(result, signature=Check.VALID)
    assert [found.seq for found in entries_of(out)] == [found.seq for found in entries_of(path)]
    left_out = json.loads(out.read_bytes().splitlines()[2])["left_out"]
    assert (left_out["first_bad"], left_out["reason"], left_out["segment"]) == (3, "record-crc", 3)


def test_of_a_closed_damage_and_a_later_fault_the_first_bad_entry_is_named(
    closed: MemoryStorage, tmp_path: Path
) -> None:
    seq = recover(closed).next_seq
    other = msgspec.structs.replace(
        entry(seq), kind="controller-started", body=msgspec.Raw(b'{"public_key":"' + b"bb" * 32 + b'"}')
    )
    write(closed, [Batch(seq, (encode_entry(other),))])
    path = to_directory(closed, tmp_path / "journal")
    assert verify(path, Wanted("bb" * 32)).first_bad == 3
    result = verify(path, Wanted("aa" * 32))
    assert (result.ok, result.first_bad, result.reason) == (False, 3, Reason.CRC)


def test_a_line_about_what_was_left_out_is_checked(closed: MemoryStorage, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export(to_directory(closed, tmp_path / "journal"), out, SIGNER)
    lines = out.read_bytes().splitlines(keepends=True)
    for line in (
        lines[2].replace(b'"first_bad":3', b'"first_bad":2'),
        lines[2].replace(b'"segment":3', b'"segment": 3'),
        lines[2].replace(b"record-crc", b"whatever"),
        lines[2][:-1] + b"}\n",
        b"",
    ):
        out.write_bytes(b"".join([*lines[:2], line, *lines[3:]]))
        assert verify(out).entries == 2
        assert not verify(out).ok
