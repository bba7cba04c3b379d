"""In place of a journal lies a pipe, a socket, a device or a far too large file: the program reports it without
waiting.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from journal_kit import SIGNER, small_journal, to_directory

from controller.journal import storage as storages
from controller.journal.copies import compare
from controller.journal.errors import Reason, SealKeyRefused, StorageFailed, StorageReason
from controller.journal.export import export
from controller.journal.removed import LARGEST_STATEMENT
from controller.journal.seals import open_key
from controller.journal.storage import DirectoryReader, DirectoryStorage
from controller.journal.verify import noted_now, verify
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

WITHIN_S = HANGS_S


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


MAKE: list[Callable[[Path], None]] = [a_pipe, a_socket, a_device]


@pytest.fixture(params=MAKE)
def no_file(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # a socket's name must be short
    path = Path("no-file")
    request.param(path)
    return path


@pytest.mark.drawn(3)
@pytest.mark.parametrize("command", ["verify", "show", "replay", "code"])
def test_a_command_says_what_it_is_instead_of_waiting(no_file: Path, command: str) -> None:
    words = [sys.executable, "-m", "controller.cli.main", "journal", command, str(no_file.absolute())]
    done = subprocess.run(words, capture_output=True, text=True, timeout=WITHIN_S, cwd=Path(__file__).parents[2])
    assert done.returncode == 2
    assert "pipe" in done.stderr or "director" in done.stderr


def test_as_an_export_or_a_key_it_is_refused(no_file: Path) -> None:
    with pytest.raises(StorageFailed) as failed:
        verify(no_file)
    assert failed.value.reason is StorageReason.NOT_A_FILE
    with pytest.raises(StorageFailed) as failed:
        noted_now(no_file)
    assert failed.value.reason is StorageReason.NOT_A_DIRECTORY
    with pytest.raises((StorageFailed, SealKeyRefused)):
        open_key(no_file, journal=Path("journal"), randomness=bytes)


@pytest.mark.parametrize("name", ["00000001.seals", "00000002.segment", "00000003.removed"])
def test_with_a_name_of_the_journal_it_is_an_error_and_no_missing_tail(no_file: Path, name: str) -> None:
    """A link or pipe in the place of the last segment is an error: the journal must not seem to end before it."""
    journal, other = to_directory(small_journal(6), Path("journal")), small_journal(3)
    (journal / name).unlink(missing_ok=True)
    no_file.rename(journal / name)
    with DirectoryReader(journal) as source, DirectoryStorage(journal) as writer:
        for tried in (
            lambda: verify(journal),
            lambda: export(journal, Path("out"), SIGNER),
            lambda: source.read(name),
            lambda: compare(source, other),
            lambda: writer.append(name, b"more"),
        ):
            with pytest.raises(StorageFailed) as failed:
                tried()
            assert failed.value.reason in {StorageReason.NOT_A_FILE, StorageReason.GONE, StorageReason.OTHER}
    assert not Path("out").exists()


def test_a_file_that_no_journal_has_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storages, "LARGEST_FILE", 5000)
    journal = to_directory(small_journal(3), tmp_path / "journal")
    with (journal / "00000001.segment").open("ab") as file:
        file.truncate(5001)
    for read in (lambda: verify(journal), lambda: export(journal, tmp_path / "out", SIGNER)):
        with pytest.raises(StorageFailed) as failed:
            read()
        assert failed.value.reason is StorageReason.TOO_LARGE


def test_a_statement_of_what_was_removed_is_read_up_to_a_bound(tmp_path: Path) -> None:
    journal = to_directory(small_journal(6), tmp_path / "journal")
    with (journal / "00000002.removed").open("wb") as file:
        file.truncate(LARGEST_STATEMENT + 1)
    assert verify(journal).ok, "it is none"
    (journal / "00000001.segment").unlink()
    assert verify(journal).reason is Reason.MISSING
