"""A witness signs only continuations of the last head that it has signed of a log (C2SP tlog-witness)."""

import socket
import struct
import threading
from collections.abc import Mapping
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from types import MappingProxyType

import pytest

from controller.journal.asked import Status, encode_request
from controller.journal.errors import JournalLocked
from controller.journal.inclusion import Ranges, consistency_ranges
from controller.journal.mark import Mark, log_key, mark_note
from controller.journal.note import (
    KeyKind,
    Note,
    NoteKey,
    NoteSignature,
    decode_note,
    encode_note,
    is_note_by,
    read_signatures,
)
from controller.journal.signing import Signer
from controller.journal.tree import NO_TREE, leaf_hash
from controller.witness import serve
from controller.witness.place import add_log, make, opened
from controller.witness.serve import MOST_AT_ONCE
from controller.witness.witness import CorruptHead, Witness, log_name
from tests.endings import HANGS_S
from tests.waiting import wait_for
from tests.witness.serving import served

TABLE = Signer(bytes(32))
LOG = log_key("BJ-07", 1, TABLE.public_key)
NOW_S = 1_700_000_000


class Memory:
    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def last(self, log: str) -> bytes | None:
        return self.kept.get(log)

    def put(self, log: str, note: bytes) -> None:
        self.kept[log] = note


@pytest.fixture
def heads() -> Memory:
    return Memory()


@pytest.fixture
def witness(heads: Memory) -> Witness:
    return Witness("inspection.example/w1", Signer(bytes([7]) * 32), {LOG.name: LOG}, heads, lambda: NOW_S)


def ranges_of(leaves: list[bytes], old: int) -> Ranges:
    ranges = Ranges(NO_TREE, consistency_ranges(old, len(leaves)))
    for leaf in leaves:
        ranges.add(leaf_hash(leaf))
    return ranges


def leaves(count: int, fork: int = 99) -> list[bytes]:
    """The first `count` leaves of a history; two histories with different `fork` are equal up to the smaller one."""
    return [b"%d" % number if number < fork else b"other %d" % number for number in range(count)]


def note_of(of: list[bytes], signer: Signer = TABLE, table: str = "BJ-07") -> Note:
    return mark_note(Mark("ab" * 32, len(of), 1, table, ranges_of(of, 0).tree.root().hex()), signer)


def request(old: int, of: list[bytes], **other: object) -> bytes:
    return encode_request(old, ranges_of(of, old).hashes(consistency_ranges(old, len(of))), note_of(of, **other))


def test_what_goes_on_is_signed_and_kept_before_it_is_answered(witness: Witness, heads: Memory) -> None:
    for old, size in ((0, 3), (3, 3), (3, 8), (8, 21)):
        of = leaves(size)
        reply = witness.add_checkpoint(request(old, of))
        assert reply.status is Status.SIGNED
        lines = tuple(read_signatures(reply.body))
        assert is_note_by(Note(note_of(of).text, lines), witness.key)
        kept = decode_note(heads.kept[log_name(LOG.name)])
        assert kept.text == note_of(of).text
        assert is_note_by(kept, witness.key)
        assert is_note_by(kept, LOG)


@pytest.mark.parametrize(
    ("old", "size", "fork"), [(5, 9, 2), (5, 9, 4), (5, 5, 4), (5, 5, 0)], ids=["early", "last", "same size", "all"]
)
def test_another_history_is_not_signed(witness: Witness, heads: Memory, old: int, size: int, fork: int) -> None:
    witness.add_checkpoint(request(0, leaves(old)))
    before = dict(heads.kept)
    assert witness.add_checkpoint(request(old, leaves(size, fork))).status is Status.FORKED
    assert heads.kept == before
    assert witness.add_checkpoint(request(old, leaves(size))).status is Status.SIGNED


@pytest.mark.parametrize(("old", "size"), [(0, 9), (4, 9), (6, 9), (0, 3), (3, 3)])
def test_from_another_size_than_the_last_nothing_is_signed_and_the_last_is_told(
    witness: Witness, old: int, size: int
) -> None:
    witness.add_checkpoint(request(0, leaves(5)))
    reply = witness.add_checkpoint(request(old, leaves(size)))
    assert (reply.status, reply.body) == (Status.OTHER_SIZE, b"5\n")


def test_a_smaller_one_is_not_signed_with_any_old_size(witness: Witness) -> None:
    witness.add_checkpoint(request(0, leaves(5)))
    data = encode_request(5, (), note_of(leaves(3)))
    assert witness.add_checkpoint(data).status is Status.MALFORMED


def test_another_key_and_another_log_are_not_signed(witness: Witness, heads: Memory) -> None:
    of = leaves(3)
    other = Signer(bytes([9]) * 32)
    assert witness.add_checkpoint(request(0, of, table="BJ-08")).status is Status.UNKNOWN_LOG
    assert witness.add_checkpoint(request(0, of, signer=other)).status is Status.UNKNOWN_LOG
    text = note_of(of).text
    forged = Note(text, (NoteSignature(LOG.name, LOG.key_id, bytes(64)),))
    strange = Note(text, (NoteSignature("x", LOG.key_id, bytes(64)),))
    for note in (forged, strange):
        assert witness.add_checkpoint(encode_request(0, (), note)).status is Status.NOT_SIGNED
    assert not heads.kept


def test_a_request_that_is_cut_or_has_a_bit_changed_is_not_signed(witness: Witness, heads: Memory) -> None:
    data = request(0, leaves(3))
    changed = [
        data[: at // 8] + bytes((data[at // 8] ^ 1 << at % 8,)) + data[at // 8 + 1 :] for at in range(8 * len(data))
    ]
    for other in (*(data[:at] for at in range(len(data))), *changed):
        assert witness.add_checkpoint(other).status is not Status.SIGNED
    assert not heads.kept


@pytest.mark.parametrize(
    "change", [(b"old 0", b"old 00"), (b"old 0", b"old -1"), (b"old 0", b"old 9" * 20), (b"old 0\n", b"old 0\nAAAA\n")]
)
def test_what_is_no_request_is_refused(witness: Witness, change: tuple[bytes, bytes]) -> None:
    assert witness.add_checkpoint(request(0, leaves(3)).replace(*change)).status is Status.MALFORMED


def test_with_a_head_that_it_has_not_signed_it_signs_nothing_more(witness: Witness, heads: Memory) -> None:
    """A witness whose stored head it has not signed signs nothing more: a replaced head would make it sign a fork."""
    witness.add_checkpoint(request(0, leaves(5)))
    heads.kept[log_name(LOG.name)] = encode_note(note_of(leaves(2)))
    with pytest.raises(CorruptHead):
        witness.add_checkpoint(request(2, leaves(9)))


# --- in a directory, over HTTP


@pytest.fixture
def place(tmp_path: Path) -> Path:
    path = tmp_path / "witness"
    make(path, "inspection.example/w1")
    add_log(path, LOG)
    return path


def test_one_process_at_a_time_has_it_and_it_keeps_key_and_heads(place: Path) -> None:
    with opened(place) as witness:
        key = witness.key
        assert witness.add_checkpoint(request(0, leaves(4))).status is Status.SIGNED
        with pytest.raises(JournalLocked), opened(place):
            pass
    with opened(place) as witness:
        assert witness.key == key
        assert key.kind is KeyKind.COSIGNATURE
        assert witness.add_checkpoint(request(0, leaves(4))).body == b"4\n"
        assert (place / "witness.pub").read_text() == f"{key.text}\n"
    assert (place / "witness.key").stat().st_mode & 0o777 == 0o600


def ask(
    port: int, method: str, path: str, data: bytes = b"", headers: Mapping[str, str] = MappingProxyType({})
) -> tuple[int, str | None, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request(method, path, data, headers)
        answer = connection.getresponse()
        return answer.status, answer.getheader("Content-Type"), answer.read()
    finally:
        connection.close()


@pytest.mark.waits
@pytest.mark.parametrize("asked", [b"GET /x HTT", b"POST /add-checkpoint HTTP/1.1\r\nContent-Length: 9\r\n\r\nold"])
def test_who_hangs_up_in_a_request_leaves_nothing_in_the_log(
    place: Path, asked: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """Strangers may do it without end."""
    with served(place) as port:
        before = threading.active_count()
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))  # it ends at once
            connection.sendall(asked)
            wait_for(lambda: threading.active_count() > before)
        wait_for(lambda: threading.active_count() == before)
    assert capfd.readouterr().err == ""


@pytest.mark.waits
def test_over_http_it_answers_as_the_specification_says(place: Path) -> None:
    of = leaves(6)
    name = f"/{log_name(LOG.name)}/checkpoint"
    with served(place) as port:
        assert ask(port, "GET", name)[0] == 404
        status, _kind, body = ask(port, "POST", "/add-checkpoint", request(0, of))
        assert status == 200
        assert body.startswith("— inspection.example/w1 ".encode())
        assert ask(port, "POST", "/add-checkpoint", request(0, of)) == (409, "text/x.tlog.size", b"6\n")
        assert ask(port, "POST", "/add-checkpoint", request(6, leaves(9, 2)))[0] == 422
        assert ask(port, "POST", "/add-checkpoint", b"x")[0] == 400
        assert ask(port, "POST", "/add-checkpoint", b"x" * 200_000)[0] == 400
        assert ask(port, "POST", "/add-checkpoint", b"", {"Content-Length": "\xb2"})[0] == 400  # a digit, but no number
        assert ask(port, "POST", "/other", b"x")[0] == 404
        status, _kind, kept = ask(port, "GET", name)
        assert (status, decode_note(kept).text) == (200, note_of(of).text)
        assert ask(port, "GET", "/../witness.key/checkpoint")[0] == 404


@pytest.mark.waits
def test_connections_that_say_nothing_leave_room_and_one_too_many_is_closed(place: Path) -> None:
    with served(place) as port:
        silent = [HTTPConnection("127.0.0.1", port, timeout=HANGS_S) for _ in range(MOST_AT_ONCE + 5)]
        try:
            for one in silent:
                one.connect()
            assert silent[-1].sock.recv(1) == b""
        finally:
            for one in silent:
                one.close()


@pytest.mark.waits
def test_one_address_that_takes_what_it_can_keeps_no_other_waiting(place: Path) -> None:
    with served(place) as port, ExitStack() as silent:
        for _ in range(MOST_AT_ONCE + 5):
            silent.enter_context(socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)))
        table = HTTPConnection("127.0.0.1", port, timeout=HANGS_S)
        table.request("GET", "/nothing/checkpoint")
        assert table.getresponse().status == Status.UNKNOWN_LOG
        table.close()


@pytest.mark.waits
def test_a_connection_that_drips_is_closed_when_its_time_is_over(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The witness closes a connection that sends single bytes without end when the request's time is over."""
    monkeypatch.setattr(serve, "WITHIN_S", 0.3)
    with served(place) as port, socket.create_connection(("127.0.0.1", port)) as connection:
        connection.settimeout(0.02)
        connection.sendall(b"POST /add-checkpoint HTTP/1.1\r\nX: ")

        def is_closed() -> bool:
            try:
                connection.sendall(b"x")
                return connection.recv(1) == b""
            except TimeoutError:
                return False
            except ConnectionError:
                return True

        wait_for(is_closed)


def test_a_key_of_a_log_is_read_as_it_is_written(place: Path) -> None:
    with opened(place) as witness:
        assert isinstance(witness.key, NoteKey)
    assert (place / "logs").read_text() == f"{LOG.text}\n"
