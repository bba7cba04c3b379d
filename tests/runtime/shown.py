"""Journals of a bench as directories, and the output of `sabot journal show` on them."""

import json
from pathlib import Path

import msgspec
import pytest
from msgspec import structs

from controller.cli.main import main
from controller.journal.entry import EntryRefusal, encode_entry
from controller.journal.mark import begun_path, encode_mark, mark_at
from controller.journal.recovery import recover
from controller.journal.signing import Signer, public_path
from controller.journal.verify import tip_now
from controller.journal.writer_logic import Batch, WriterLogic, perform
from simulators.disk import MemoryStorage
from tests.runtime.bench import Bench


def written(storage: MemoryStorage, path: Path) -> str:
    path.mkdir()
    for file in storage.list():
        (path / file.name).write_bytes(storage.read(file.name))
    return str(path)


def signed(journal: Path, signer: Signer) -> Path:
    """Writes the journal's public key and mark beside it, and returns the journal's path."""
    tip, sessions, tree = tip_now(journal)
    mark = mark_at(tip, tree, session=sessions, table="T1", epoch=1)
    begun_path(journal).write_bytes(encode_mark(mark, signer))
    public_path(journal).write_bytes(signer.public_file())
    return journal


def with_one_more(
    bench: Bench, kind: str, body: bytes, directory: Path, refusal: EntryRefusal | None = None, **more: str | bool
) -> str:
    """Writes the bench's journal with one more entry, and returns its path. `more`: the entry's other fields."""
    storage, last = bench.storage.after_kill(), bench.entries()[-1]
    entry = structs.replace(last, seq=last.seq + 1, kind=kind, body=msgspec.Raw(body), refusal=refusal, source=None)
    entry = structs.replace(entry, **more)
    logic = WriterLogic(recover(storage).tip())
    for step in logic.begin(Batch(entry.seq, (encode_entry(entry),))):
        perform(storage, step)
    return written(storage, directory / "later")


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["journal", "show", *arguments]) == 0
    return capsys.readouterr().out


def documents(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in shown(capsys, *arguments, "--json").splitlines()]


def heard(story: str) -> list[str]:
    """Returns the lines with notices, which a story shows indented beneath the entries."""
    return [line.strip() for line in story.splitlines() if line.startswith(" ")]
