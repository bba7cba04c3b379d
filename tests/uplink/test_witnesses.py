"""The uplink asks witnesses to sign a table's journal, and the controller keeps their lines."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import FileIO
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.journal.cosigned import cosigned_path, keep_cosigned, read_cosigned, seen_up_to
from controller.journal.mark import begun_path, encode_mark, log_key, mark_at
from controller.journal.note import NoteKey, decode_note, encode_note
from controller.journal.signing import public_path, read_public_key
from controller.journal.tree import NO_TREE, Tree
from controller.journal.verify import tip_now
from controller.protocol.carried import Checkpoint, SignedStatement
from controller.uplink.errors import TableAway, WitnessAway, WitnessRefuses
from controller.uplink.segment import SegmentReader
from controller.uplink.settings import WitnessPlace
from controller.uplink.witnesses import Asking
from controller.witness.place import add_log, make, opened
from simulators.floor.replayed import ReplayedTable
from tests.daemon.conftest import rig, warm
from tests.daemon.rig import Rig
from tests.floor.kit import grown_entries
from tests.waiting import wait_for
from tests.witness.serving import served

pytestmark = pytest.mark.waits  # for witnesses over HTTP

__all__ = ["rig", "warm"]


class MarkedTable(ReplayedTable):
    """A table that signs its mark on request, and keeps a witness's lines."""

    def __init__(self, directory: Path, note: str = "") -> None:
        directory.mkdir()
        super().__init__(directory, "BJ-07", grown_entries(note))
        self.journal = directory / "BJ-07"
        self.begins = NO_TREE
        self.asked: list[int] = []  # the entries after which it was asked for more

    def tree(self) -> Tree:
        return tip_now(self.journal)[2]

    def played(self, count: int) -> int:
        """Adds `count` entries and a mark at the last; returns its number."""
        self.play(count)
        tip, _sessions, tree = tip_now(self.journal)
        mark = mark_at(tip, tree, session=1, table=self.name, epoch=1)
        begun_path(self.journal).write_bytes(encode_mark(mark, self.signer))
        return mark.seq

    def checkpoint(self, cosigned: str = "") -> Checkpoint:
        if cosigned:
            note = decode_note(cosigned.encode())
            keep_cosigned(self.journal, self.signer.public_key, note, note.signatures[1:])
        hashes = [one.hex() for one in self.begins.hashes]
        return Checkpoint(begun_path(self.journal).read_text(), self.begins.size, hashes)

    def carried(self, after: int, nonce: str) -> tuple[SignedStatement, FileIO | None]:
        self.asked.append(after)
        return super().carried(after, nonce)


class Witnessed:
    """One witness, served over HTTP, and tables."""

    def __init__(self, directory: Path, stack: ExitStack) -> None:
        self.directory = directory / "witness"
        make(self.directory, "inspection.example/w1")
        with opened(self.directory) as witness:
            self.key = witness.key
        self._tables = directory
        self._stack = stack
        self.url = ""

    def table(self, place: str = "table", note: str = "") -> MarkedTable:
        table = MarkedTable(self._tables / place, note)
        self._stack.callback(table.close)
        return table

    def serve(self, table: MarkedTable) -> None:
        add_log(self.directory, log_key(table.name, 1, table.signer.public_key))
        self.url = f"http://127.0.0.1:{self._stack.enter_context(served(self.directory))}"

    def asking(self, table: MarkedTable) -> Asking:
        """The uplink's requests for the table after a start, when it remembers no earlier answer."""
        return Asking(table, WitnessPlace(self.key, self.url), SegmentReader(), lambda _s: None)

    def seen(self, table: MarkedTable) -> int:
        found = seen_up_to(read_cosigned(table.journal, table.signer.public_key), self.key)
        return 0 if found is None else found.seq


@pytest.fixture
def witnessed(tmp_path: Path) -> Iterator[Witnessed]:
    with ExitStack() as stack:
        yield Witnessed(tmp_path, stack)


def test_each_new_mark_is_signed_once_and_its_line_is_kept(witnessed: Witnessed) -> None:
    table = witnessed.table()
    table.played(3)
    witnessed.serve(table)
    asking = witnessed.asking(table)
    for more in (0, 1, 7000, 1, 40):
        last = table.played(more) if more else 3
        assert asking.step()
        assert witnessed.seen(table) == last
        assert not asking.step()
    assert len(list(table.journal.glob("*.segment"))) > 1


def test_what_was_read_once_is_not_read_again(witnessed: Witnessed) -> None:
    table = witnessed.table()
    table.played(7000)
    witnessed.serve(table)
    asking = witnessed.asking(table)
    for more in (1, 1, 1):
        assert asking.step()
        table.played(more)
    table.asked.clear()
    before = witnessed.seen(table)
    assert asking.step()
    assert table.asked == [before]


def test_after_a_start_it_goes_on_from_what_the_witness_says_it_has(witnessed: Witnessed) -> None:
    table = witnessed.table()
    table.played(5)
    witnessed.serve(table)
    witnessed.asking(table).step()
    last = table.played(90)
    assert witnessed.asking(table).step()
    assert witnessed.seen(table) == last


def test_behind_a_removal_it_begins_with_the_tree_that_the_statement_has(witnessed: Witnessed) -> None:
    table = witnessed.table()
    table.played(9)
    witnessed.serve(table)
    early = table.tree()
    table.played(4)
    witnessed.asking(table).step()
    table.begins = early
    last = table.played(5)
    assert witnessed.asking(table).step()
    assert (witnessed.seen(table), min(table.asked)) == (last, early.size)
    table.played(5)
    table.begins = table.tree()
    table.played(5)
    with pytest.raises(WitnessRefuses, match="removed"):
        witnessed.asking(table).step()


@pytest.mark.parametrize(("first", "second", "word"), [(5, 9, "forked"), (9, 5, "ahead"), (5, 5, "forked")])
def test_another_history_is_not_signed_and_that_is_told(
    witnessed: Witnessed, first: int, second: int, word: str
) -> None:
    table, other = witnessed.table(), witnessed.table("other", "another evening")
    table.played(first)
    other.played(second)
    witnessed.serve(table)
    witnessed.asking(table).step()
    with pytest.raises(WitnessRefuses, match=f"inspection.example/w1 {word}"):
        witnessed.asking(other).step()
    assert witnessed.seen(other) == 0


def test_entries_that_are_not_those_of_the_mark_are_shown_to_nobody(witnessed: Witnessed) -> None:
    table, other = witnessed.table(), witnessed.table("other", "another evening")
    table.played(5)
    witnessed.serve(table)
    asking = witnessed.asking(table)
    asking.step()
    table.played(5)
    other.played(10)
    begun_path(table.journal).write_bytes(begun_path(other.journal).read_bytes())
    with pytest.raises(TableAway, match="other-tree"):
        asking.step()


def test_a_witness_that_is_away_or_of_another_key_leaves_nothing(witnessed: Witnessed) -> None:
    table = witnessed.table()
    table.played(5)
    for url in ("http://127.0.0.1:9", "http://[bad"):
        witnessed.url = url
        with pytest.raises(WitnessAway):
            witnessed.asking(table).step()
    witnessed.serve(table)
    witnessed.key = NoteKey("inspection.example/w1", witnessed.key.kind, table.signer.public_key)
    with pytest.raises(WitnessRefuses, match="signature"):
        witnessed.asking(table).step()
    assert not cosigned_path(table.journal).exists()


# --- the whole way


SECTION = """
[uplink]
address = "127.0.0.1:1"
authority = "none.pem"
certificate = "none.pem"
witnesses = ["{key} {url}"]
"""


@pytest.fixture
def witness_of(rig: Rig) -> Iterator[Callable[[], str]]:
    """Configures a witness at the rig's table; yields a function that serves the witness and returns its URL."""
    directory = rig.directory / "witness"
    make(directory, "inspection.example/w1")
    with opened(directory) as witness:
        key = witness.key.text
    plain = rig.config.read_text()
    rig.config.write_text(plain + SECTION.format(key=key, url="http://127.0.0.1:9"))
    with ExitStack() as stack:

        def serve() -> str:
            add_log(directory, log_key("T1", 1, read_public_key(public_path(rig.journal))))
            url = f"http://127.0.0.1:{stack.enter_context(served(directory))}"
            (rig.directory / "uplink.toml").write_text(plain + SECTION.format(key=key, url=url))
            return key

        yield serve


def test_a_controller_keeps_the_line_that_the_uplink_brings(
    rig: Rig, witness_of: Callable[[], str], capsys: pytest.CaptureFixture[str]
) -> None:
    rig.start()
    wait_for(lambda: begun_path(rig.journal).exists())
    key = witness_of()
    words = [sys.executable, "-m", "controller.cli.main", "uplink", "--config", str(rig.directory / "uplink.toml")]
    with (rig.directory / "uplink.log").open("wb") as log:
        child = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=log, env=os.environ)
    try:
        said = (rig.directory / "uplink.log").read_text
        wait_for(lambda: '"witness-signed"' in said(), said)
    finally:
        child.terminate()
        child.wait()
    lines = [json.loads(line) for line in said().splitlines()]
    assert {"event": "witness-signed", "detail": "inspection.example/w1"} in lines
    rig.stop()
    found = main(["journal", "verify", str(rig.journal), "--public-key", str(public_path(rig.journal)),
                  "--witness", key, "--json"])  # fmt: skip
    (seen,) = json.loads(capsys.readouterr().out)["witnesses"]
    assert (found, seen["other"], seen["entry"] > 0) == (0, None, True)


def test_a_line_of_a_witness_that_is_not_configured_is_not_kept(rig: Rig, witness_of: Callable[[], str]) -> None:
    rig.start()
    wait_for(lambda: begun_path(rig.journal).exists())
    witness_of()
    make(rig.directory / "stranger", "stranger")
    with opened(rig.directory / "stranger") as stranger:
        note = decode_note(begun_path(rig.journal).read_bytes())
        line = stranger._signer.cosignature(note.text, stranger.key, 1)
    found = rig.ask("checkpoint")
    assert found.checkpoint is not None
    assert decode_note(found.checkpoint.note.encode()) == note
    for text in (encode_note(type(note)(note.text, (*note.signatures, line))).decode(), "nonsense"):
        answer = rig.ask("checkpoint", note=text)
        assert answer.error is not None
        assert answer.error.code == "bad-request"
    assert not cosigned_path(rig.journal).exists()
