"""The uplink sends a table's entries to a real floor over TLS: it catches up, goes on, reports twins and refusals."""

import http.client
import json
import shutil
import signal
import socket
import ssl
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest

from controller.journal.cosigned import seen_by
from controller.journal.format import scan
from controller.journal.mark import mark_of
from controller.journal.note import decode_note
from controller.journal.tree import GrowingTree
from controller.protocol.carried import LARGEST_BATCH, FindingKind, Said
from controller.uplink.carry import ALIVE_S, Carrier
from controller.uplink.errors import FloorAway, FloorRefuses
from controller.uplink.floor import FloorEnd
from controller.uplink.segment import SegmentReader
from simulators.floor.certificates import Authority
from simulators.floor.replayed import ReplayedTable
from simulators.floor.room import FloorProcess, Room
from tests.floor.test_traps import WITHIN_S, until, waiting, without_its_replica
from tests.uplink.bad_floor import HEAD, a_floor_that_says
from tests.uplink.conftest import MakeTable

pytestmark = pytest.mark.waits


@contextmanager
def carrying(table: ReplayedTable, room: Room, floor: FloorProcess) -> Iterator[Carrier]:
    with FloorEnd(room.settings(table.name, floor.port)) as end:
        carrier = Carrier(table, end, SegmentReader())
        carrier.begin()
        yield carrier


def carry_all(carrier: Carrier, table: ReplayedTable) -> None:
    while carrier.at < table.durable_seq():
        carrier.step(time.monotonic())


def kept(conninfo: str, table: str) -> list[tuple[int, bytes]]:
    with psycopg.connect(conninfo) as connection:
        found = connection.execute("select seq, payload from entry where table_id = %s order by seq", [table])
        return [(seq, bytes(payload)) for seq, payload in found]


def of_journal(path: Path) -> list[tuple[int, bytes]]:
    segments = sorted(path.glob("*.segment"))
    return [(record.seq, record.payload) for one in segments for record in scan(one.read_bytes()).records]


def test_a_table_is_caught_up_and_followed_over_any_number_of_connections(
    room: Room, make_table: MakeTable, conninfo: str, tmp_path: Path
) -> None:
    table, floor = make_table(), room.start()
    for count in (3, 1, 7000, 40):
        table.play(count)
        with carrying(table, room, floor) as carrier:
            carry_all(carrier, table)
            table.play(2)
            assert carrier.step(0.0)
            assert carrier.at == table.durable_seq()
    assert kept(conninfo, "BJ-07") == of_journal(tmp_path / "journals" / "BJ-07")
    assert len(list((tmp_path / "journals" / "BJ-07").glob("*.segment"))) > 1


def test_a_table_at_which_nothing_happens_says_so_now_and_then(
    room: Room, make_table: MakeTable, conninfo: str
) -> None:
    table, floor = make_table(), room.start()
    table.play(3)
    with carrying(table, room, floor) as carrier, psycopg.connect(conninfo, autocommit=True) as connection:
        carrier.step(0.0)
        heard = connection.execute("select heard_at from line").fetchone()
        assert not carrier.step(ALIVE_S - 0.1)
        assert connection.execute("select heard_at from line").fetchone() == heard
        carrier.step(ALIVE_S)
        assert connection.execute("select heard_at from line").fetchone() != heard


def test_two_processes_of_a_floor_are_one(room: Room, make_table: MakeTable, conninfo: str, tmp_path: Path) -> None:
    """Two processes serve as one floor: a nonce of one is valid at the other, and either may die."""
    table, first, second = make_table(), room.start(), room.start(has_page=False)
    table.play(5)
    with carrying(table, room, first) as carrier:
        carry_all(carrier, table)
        with FloorEnd(room.settings(table.name, second.port)) as other:
            carrier._floor = other
            table.play(5)
            carry_all(carrier, table)
        first.end(signal.SIGKILL)
    table.play(5)
    with carrying(table, room, second) as carrier:
        carry_all(carrier, table)
    assert kept(conninfo, "BJ-07") == of_journal(tmp_path / "journals" / "BJ-07")


def test_a_floor_that_has_less_than_it_acknowledged_is_given_it_again(
    room: Room, make_table: MakeTable, conninfo: str, tmp_path: Path
) -> None:
    table, floor = make_table(), room.start()
    table.play(20)
    with carrying(table, room, floor) as carrier, psycopg.connect(conninfo, autocommit=True) as connection:
        carry_all(carrier, table)
        line = connection.execute("select last_seq, head from line").fetchone()
        assert line is not None
        table.play(20)
        carry_all(carrier, table)
        connection.execute("update line set last_seq = %s, head = %s", line)
        connection.execute("delete from entry where seq > %s", line[:1])
        table.play(1)
        carry_all(carrier, table)
    assert kept(conninfo, "BJ-07") == of_journal(tmp_path / "journals" / "BJ-07")


def test_the_floor_signs_the_tables_marks_and_the_table_keeps_them(room: Room, make_table: MakeTable) -> None:
    """The floor signs the table's marks, each as a continuation of the last, over two processes and any connections."""
    table, floors = make_table(marks=0.0), (room.start(), room.start(has_page=False))
    for number, count in enumerate((5, 2, 7000, 1)):
        table.play(count)
        with carrying(table, room, floors[number % 2]) as carrier:
            carry_all(carrier, table)
            assert carrier.unwitnessed == ""
    seen = []
    for text in table.kept:
        note = decode_note(text.encode())
        mark = mark_of(note, table.signer.public_key)
        assert mark is not None
        found = seen_by(room.witness, note, mark.seq)
        seen.append(0 if found is None else found.seq)
    assert seen == [5, 7, 7007, 7008]


def test_a_mark_that_the_controller_does_not_keep_is_told(
    room: Room, make_table: MakeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, floor = make_table(marks=0.0), room.start()
    monkeypatch.setattr(table, "keep", lambda _note: "not-this-witness")
    table.play(3)
    with carrying(table, room, floor) as carrier:
        carry_all(carrier, table)
        assert carrier.unwitnessed == "not-this-witness"


def test_a_twin_is_refused_and_both_are_told(room: Room, make_table: MakeTable, tmp_path: Path) -> None:
    """A twin computer with the same medium is refused: a search finds the common part, and the floor names the fork."""
    table, floor = make_table(), room.start()
    table.play(2500)
    twin = make_table(place="other", note="there")
    for path in (tmp_path / "journals" / "BJ-07").iterdir():
        shutil.copy(path, tmp_path / "other" / "BJ-07")
    twin._writer.durable, twin._tree = table._writer.durable, GrowingTree(table._tree.now())
    for _ in range(table.durable_seq()):
        next(twin._entries)
    table.play(4)
    twin.play(9)
    with carrying(table, room, floor) as carrier:
        carry_all(carrier, table)
        with carrying(twin, room, floor) as other:
            assert other.at == 2500
            with pytest.raises(FloorRefuses) as refused:
                other.step(0.0)
        assert refused.value.detail == Said.FORKED.value
        assert {one.kind for one in refused.value.findings} == {FindingKind.FORK}
        table.play(1)
        carrier.step(0.0)
        assert {one.kind for one in carrier.findings} == {FindingKind.FORK}
        assert refused.value.findings[0].seq == 2501


def test_a_table_whose_key_is_not_known_is_refused(room: Room, make_table: MakeTable) -> None:
    table, floor = make_table(), room.start()
    (room.keys / "BJ-07.pub").unlink()
    with pytest.raises(FloorRefuses, match="unknown-table"), carrying(table, room, floor):
        pass


def test_a_certificate_of_another_authority_is_no_way_in_at_either_end(
    room: Room, make_table: MakeTable, tmp_path: Path
) -> None:
    table, floor = make_table(), room.start()
    (tmp_path / "elsewhere").mkdir()
    stranger = Authority(tmp_path / "elsewhere")
    ours = room.settings(table.name, floor.port)
    for one in (replace(ours, certificate=stranger.signed("table")), replace(ours, authority=stranger.path)):
        with pytest.raises(FloorAway), FloorEnd(one) as end:
            end.begin()
    old = ssl.create_default_context(cafile=str(ours.authority))
    old.load_cert_chain(ours.certificate)
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    with socket.create_connection(("127.0.0.1", floor.port)) as plain, pytest.raises(ssl.SSLError):
        old.wrap_socket(plain, server_hostname="127.0.0.1")
    with pytest.raises(OSError, match=r".*"):
        urllib.request.urlopen(f"https://127.0.0.1:{floor.port}/uplink/1/BJ-07", timeout=5)


def connected(room: Room, floor: FloorProcess) -> http.client.HTTPSConnection:
    settings = room.settings("BJ-07", floor.port)
    context = ssl.create_default_context(cafile=str(settings.authority))
    context.load_cert_chain(settings.certificate)
    return http.client.HTTPSConnection("127.0.0.1", floor.port, timeout=WITHIN_S, context=context)


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({"Content-Length": str(LARGEST_BATCH + 1)}, b""),
        ({"Transfer-Encoding": "chunked"}, b"0\r\n\r\n"),
        ({"Content-Length": "5"}, b"{}{}{"),
        ({"Content-Length": "1"}, b"\xc1"),
    ],
    ids=["too-large", "unsaid", "json", "no-msgpack"],
)
def test_what_is_no_batch_is_not_understood_and_not_read(
    room: Room, make_table: MakeTable, headers: dict[str, str], body: bytes
) -> None:
    make_table()
    connection = connected(room, room.start())
    connection.putrequest("POST", "/uplink/1/BJ-07")
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(body)
    answer = connection.getresponse()
    assert (answer.status, json.loads(answer.read())["said"]) == (400, "not-understood")
    connection.close()


def test_a_commit_that_waits_is_cancelled_neither_by_a_table_that_hangs_up_nor_by_the_floors_end(
    room: Room, make_table: MakeTable, conninfo: str, tmp_path: Path
) -> None:
    table, floor = make_table(), room.start()
    table.play(3)
    with carrying(table, room, floor) as carrier:
        carry_all(carrier, table)
    table.play(3)
    with without_its_replica(conninfo) as connection:
        with FloorEnd(room.settings(table.name, floor.port), silent_s=1.0) as end:
            carrier = Carrier(table, end, SegmentReader())
            carrier.begin()
            with pytest.raises(FloorAway):
                carrier.step(0.0)
        until(lambda: len(waiting(connection)) == 1)
        assert floor.end() in {0, -signal.SIGTERM}
        assert len(waiting(connection)) == 1
    until(lambda: kept(conninfo, "BJ-07") == of_journal(tmp_path / "journals" / "BJ-07"))


@pytest.mark.parametrize(
    ("first", "then"),
    [(b"", b""), (HEAD, b""), (HEAD, b"x"), (HEAD, b"x" * 1_000_000), (b"HTTP/1.1 200 OK\r\n", b"X-More: 1\r\n")],
    ids=["hangs", "hangs-in-the-middle", "drips", "floods", "heads-without-end"],
)
def test_a_floor_that_hangs_drips_or_floods_is_left_in_time(room: Room, first: bytes, then: bytes) -> None:
    with a_floor_that_says(first, then, room) as port:
        began_s = time.monotonic()
        with FloorEnd(room.settings("BJ-07", port), silent_s=1.0, whole_s=2.0) as end, pytest.raises(FloorAway):
            end.begin()
        assert time.monotonic() - began_s < 10
