"""A file that a person names for a command is an ordinary one: nothing else is waited for, read or replaced."""

import os
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from controller.cli.main import main
from controller.cli.named_files import read_named, write_named
from controller.commission.answers import read_answers
from controller.journal.errors import StorageFailed
from controller.journal.storage import write_whole
from controller.machine.exits import CliFailure
from tests.in_process import run

pytestmark = pytest.mark.waits


def _pipe(path: Path) -> None:
    os.mkfifo(path)


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def _link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("behind"))
    path.symlink_to("behind")


def _link_to_a_device(path: Path) -> None:
    path.symlink_to("/dev/full")


def _device(path: Path) -> None:
    os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 7))


KINDS: Final[dict[str, Callable[[Path], None]]] = {
    "pipe": _pipe,
    "socket": _socket,
    "link to a pipe": _link_to_a_pipe,
    "directory": Path.mkdir,
    "link to a device": _link_to_a_device,
} | ({"device": _device} if os.geteuid() == 0 else {})  # only root makes one


@pytest.fixture(params=KINDS)
def other(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "named"
    KINDS[request.param](path)
    return path


def test_nothing_but_an_ordinary_file_is_replaced(other: Path) -> None:
    before = other.lstat()
    with pytest.raises(CliFailure, match="output"):
        write_named(other, b"x")
    ended = run(main, "metrics", "--socket", str(other.with_name("nobody")), "--out", str(other))
    assert (ended.returncode, "cannot be written" in ended.stderr) == (1, True)
    assert (other.lstat().st_ino, other.lstat().st_mode) == (before.st_ino, before.st_mode)


def test_nothing_but_an_ordinary_file_is_read(other: Path) -> None:
    with pytest.raises(StorageFailed):
        read_named(other, 10)
    with pytest.raises(StorageFailed):
        read_answers(other)
    ended = run(main, "journal", "verify", str(other.parent), "--witness", str(other))
    assert (ended.returncode, "no key of a witness" in ended.stderr) == (2, True)


def test_no_more_is_read_than_there_may_be(tmp_path: Path) -> None:
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(1 << 40)
    assert run(main, "journal", "verify", str(tmp_path), "--witness", str(large)).returncode == 2
    large.write_bytes(b"0123456789")
    assert read_named(large, 10) == b"0123456789"
    with pytest.raises(StorageFailed):
        read_named(large, 9)


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "named"
    path.write_bytes(b"before")

    def breaks(_self: Path, _target: Path) -> None:
        raise OSError(28, "full")

    monkeypatch.setattr(Path, "replace", breaks)
    with pytest.raises(CliFailure):
        write_named(path, b"after")
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"before", [path])
    monkeypatch.undo()
    write_named(path, b"after")
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"after", [path])


def test_what_the_system_writes_in_parts_is_written_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A nearly full medium takes a part of a write, and says how much."""
    real = os.write
    monkeypatch.setattr(os, "write", lambda descriptor, data: real(descriptor, bytes(data)[:100]))
    write_whole(tmp_path / "whole", bytes(range(256)))
    assert (tmp_path / "whole").read_bytes() == bytes(range(256))


@pytest.mark.parametrize(
    "command", ["journal export {journal} --out {circle}", "journal seal {journal} {people} {circle}"]
)
def test_a_circle_of_links_is_said_in_words(tmp_path: Path, command: str) -> None:
    (tmp_path / "journal").mkdir()
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    people = "--staff s --technician 1 --chief 2 --unsigned"
    ended = run(main, *command.format(journal=tmp_path / "journal", circle=circle, people=people).split())
    assert ended.returncode in {1, 2}
    assert ended.stderr.strip()


def test_a_number_that_no_descriptor_has_is_no_descriptor(tmp_path: Path) -> None:
    (tmp_path / "staff.toml").write_text("")
    who = f"staff add --file {tmp_path / 'new.toml'} --number 7 --name A --role dealer --pin-fd {10**30}"
    ended = run(main, *who.split())
    assert (ended.returncode, str(10**30) in ended.stderr) == (2, True)
