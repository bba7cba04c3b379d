"""Two commands at once, and a command in the wrong place: each file is whole, or stays as it was."""

import fcntl
import os
from pathlib import Path
from typing import Any

import pytest

from controller.backup import make
from controller.backup.restore import restore
from controller.backup.sealed_stream import read_private_key
from controller.cli.main import main
from tests.backup.test_drill import keys, rig
from tests.daemon.rig import Rig

pytestmark = pytest.mark.waits

__all__ = ["keys", "rig"]


def test_a_backup_that_another_process_has_begun_meanwhile_is_not_put_in_place(
    rig: Rig, keys: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else this command says well, and the file is the half of the other one."""
    out, write = rig.directory / "table.backup", make._write

    def overtaken(*given: Any) -> None:  # noqa: ANN401 - as `_write` takes them
        write(*given)
        out.with_name("table.backup.new").unlink()
        out.with_name("table.backup.new").write_bytes(b"half")

    monkeypatch.setattr(make, "_write", overtaken)
    assert main(["backup", "--config", str(rig.config), "--to", str(keys[1]), "--out", str(out)]) == 1
    assert not out.exists()


@pytest.mark.parametrize("name", ["journal/00000002.segment", "journal.epoch"])
def test_no_backup_and_no_proof_lies_in_the_journal_or_beside_it(rig: Rig, keys: tuple[Path, Path], name: str) -> None:
    out = rig.directory / name
    assert main(["backup", "--config", str(rig.config), "--to", str(keys[1]), "--out", str(out)]) == 2
    assert main(["journal", "prove", str(rig.journal), "--entry", "1:1", "--out", str(out)]) == 2
    assert not out.exists()


def test_a_second_restore_at_once_is_refused_and_deletes_nothing(tmp_path: Path, keys: tuple[Path, Path]) -> None:
    unpacked = tmp_path / ".sabot-restoring" / "journal"
    unpacked.mkdir(parents=True)
    first = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(first, fcntl.LOCK_EX)
    try:
        with pytest.raises(BlockingIOError):
            restore(tmp_path / "table.backup", read_private_key(keys[0]), tmp_path / "table.toml")
    finally:
        os.close(first)
    assert unpacked.is_dir()
