"""The oracles' own reader of an export: it reads the production's exports, and names forbidden content."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.journal.export import export
from controller.journal.recovery import recover
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryStorage
from controller.journal.writer_logic import Batch, WriterLogic, perform
from simulators.oracles.export_entries import FormatError, read_entry
from simulators.oracles.export_reader import read_export, read_export_file
from tests.oracles.lines import canonical, export_of, signed
from tests.oracles.recorded_player import recorded_text

EVENING = recorded_text("given in-play\nwhen round 1").payloads
"""A round with a hole card, and a card that is never turned."""
GOOD = export_of(EVENING[:6])
LINES = GOOD.splitlines(keepends=True)


def faults(data: bytes) -> list[str]:
    return [str(fault) for fault in read_export(data).faults]


def test_a_whole_export() -> None:
    read = read_export(GOOD)
    assert not read.faults
    assert [entry.seq for entry in read.entries] == [1, 2, 3, 4, 5, 6]
    first, act = read.entries[0], read.entries[4]
    assert (first.kind, first.boot, first.table_ms, first.source, first.refusal) == (
        "controller-started",
        1,
        0,
        None,
        None,
    )
    assert (act.kind, act.is_act, act.text("role"), act.number("person")) == ("open-session", True, "dealer", 11)
    assert read.head == read.entries[-1].chain
    assert first.part("setup")["decks"] == 6
    assert (act.text("person"), act.number("role"), act.part("role"), act.items("role")) == ("", 0, {}, [])


def another_byte(data: bytes) -> bytes:
    return data.replace(b'"open-session"', b'"shut-session"')


def a_line_less(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:2] + lines[3:])


def two_lines_changed_about(data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join([*lines[:2], lines[3], lines[2], *lines[4:]])


def the_end_less(data: bytes) -> bytes:
    return b"".join(data.splitlines(keepends=True)[:-1])


def no_last_line_feed(data: bytes) -> bytes:
    return data[:-1]


def another_count(data: bytes) -> bytes:
    return data.replace(b'"count":6', b'"count":7')


def another_format(data: bytes) -> bytes:
    return data.replace(b"export-1", b"export-3")


def another_signature(data: bytes) -> bytes:
    at = data.index(b'"signature":"') + 13
    return data[:at] + (b"1" if data[at : at + 1] == b"0" else b"0") + data[at + 1 :]


def chain_in_capitals(data: bytes) -> bytes:
    return data[:10] + data[10:74].upper() + data[74:]


@pytest.mark.parametrize(
    ("change", "entry"),
    [
        (another_byte, 5),
        (a_line_less, 3),
        (two_lines_changed_about, 3),
        (the_end_less, 6),
        (no_last_line_feed, 7),
        (another_count, 7),
        (another_format, 7),
        (another_signature, 7),
        (chain_in_capitals, 1),
        (lambda _: b"", 1),
        (lambda _: b"\n", 1),
        (lambda data: data + b"more", 7),
        (lambda data: b"\xff" + data, 1),
    ],
)
def test_what_is_changed_is_named_by_its_entry(change: Callable[[bytes], bytes], entry: int) -> None:
    found = read_export(change(GOOD)).faults
    assert [fault.entry for fault in found] == [entry]


def test_what_stands_before_a_fault_is_given() -> None:
    assert len(read_export(another_byte(GOOD)).entries) == 4


ROW = {"boot": 1, "mono_ns": 1, "wall_ms": 1, "wall_synced": True, "table_ms": 1, "kind": "k", "body": {}}
ENTRY = {"seq": 1, **ROW, "source": None, "refusal": None}


def test_an_acts_entry_may_say_by_which_credential() -> None:
    payload = canonical(ENTRY | {"credential": "own-screen", "body": {"person": 21, "role": "chief_supervisor"}})
    assert read_entry(payload, "").is_act


def test_an_entry_may_tell_incidents() -> None:
    told = [{"kind": "void-round", "turn": "ended", "first": 1}]
    assert read_entry(canonical(ENTRY | {"incidents": told}), "").kind == "k"


@pytest.mark.parametrize(
    "payload",
    [
        b"{}",
        b"7",
        b"{",
        canonical(ENTRY).replace(b'"seq":1', b'"seq":1.0'),
        canonical(ENTRY).replace(b'"seq":1', b'"seq":1e0'),
        canonical(ENTRY).replace(b'"seq":1', b'"seq":NaN'),
        canonical(ENTRY).replace(b'"seq":1', b'"seq":true'),
        canonical(ENTRY).replace(b'"seq":1', b'"seq":1,"seq":1'),
        canonical(ENTRY).replace(b'"seq":1', b'"seq": 1'),
        canonical(ENTRY).replace(b'"kind":"k"', b'"kind":"\\u006b"'),
        canonical(ENTRY).replace(b'"kind":"k"', b'"kind":"\\ud800"'),
        canonical(ENTRY).replace(b'"kind":"k"', b'"kind":"\xff"'),
        canonical(ENTRY | {"body": []}),
        canonical(ENTRY | {"kind": 1}),
        canonical(ENTRY | {"more": 1}),
        canonical(ENTRY | {"credential": "pin"}),
        canonical(ENTRY | {"credential": "1234", "body": {"role": "dealer"}}),
        canonical(ENTRY | {"credential": None, "body": {"role": "dealer"}}),
        canonical(ENTRY | {"incidents": []}),
        canonical(ENTRY | {"incidents": {"kind": "void-round"}}),
        canonical(ENTRY | {"incidents": [1]}),
        canonical(ENTRY | {"source": {"device": "shoe"}}),
        canonical(ENTRY | {"source": {"device": "shoe", "device_boot": 1, "event_number": 1, "more": 1}}),
        canonical(ENTRY | {"refusal": {"reason": "no"}}),
        b"[" * 100_000,
    ],
)
def test_what_is_no_entry_of_the_format(payload: bytes) -> None:
    assert len(faults(export_of([payload]))) == 1
    with pytest.raises(FormatError):
        read_entry(payload, "")


def test_another_number_than_the_place() -> None:
    assert faults(export_of([canonical(ENTRY | {"seq": 2})])) == ["journal: entry 1: number 2; expected 1"]


def left_out(first_bad: int, next_seq: int) -> bytes:
    part = {"damaged": "0" * 64, "first_bad": first_bad, "next_seq": next_seq, "reason": "payload-crc", "segment": 2}
    return canonical({"left_out": part}) + b"\n"


def test_numbers_go_on_behind_a_part_that_was_left_out() -> None:
    payloads = [canonical(ENTRY), canonical(ENTRY | {"seq": 9})]
    first, second, _ = export_of(payloads).splitlines(keepends=True)
    read = read_export(signed([first, left_out(2, 9), second]))
    assert not read.faults
    assert ([entry.seq for entry in read.entries], read.resumed_at) == ([1, 9], [9])
    assert faults(signed([first, left_out(3, 9), second]))
    assert faults(signed([first, left_out(2, 2), second]))
    assert faults(signed([first, second]))
    assert faults(signed([first, left_out(2, 9), second]).replace(b"payload-crc", b"payload-crb"))


def test_it_reads_what_the_production_writes(tmp_path: Path) -> None:
    """The bytes come through the real writer and the real export."""
    payloads = tuple(EVENING)
    journal = tmp_path / "journal"
    with DirectoryStorage(journal) as storage:
        logic = WriterLogic(recover(storage).tip())
        for step in logic.begin(Batch(len(payloads), payloads)):
            perform(storage, step)
        logic.succeeded()
    exported = export(journal, tmp_path / "out.txt", Signer(bytes(32)))
    read = read_export_file(tmp_path / "out.txt")
    assert not read.faults
    assert (len(read.entries), read.head) == (exported.entries, exported.head)
    *lines, _ = (tmp_path / "out.txt").read_bytes().splitlines(keepends=True)
    *expected, _ = export_of(list(payloads)).splitlines(keepends=True)
    assert [line for line in lines if not line.startswith(b'{"seal"')] == expected
    assert len(read.sealed) == len(lines) - len(expected)
