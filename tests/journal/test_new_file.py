"""A file that two processes write at once is whole, and is one of theirs."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.journal.new_file import new_beside


def nothing() -> None:
    pass


def written(out: Path, data: bytes, meanwhile: Callable[[], None] = nothing) -> None:
    with new_beside(out, 0o600) as file:
        file.write(data)
        meanwhile()


def test_who_is_overtaken_says_so_and_leaves_the_file_of_the_other(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with pytest.raises(BlockingIOError):
        written(out, b"first", lambda: written(out, b"second"))
    assert out.read_bytes() == b"second"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_half_of_another_process_is_neither_put_in_place_nor_removed(tmp_path: Path) -> None:
    out, half = tmp_path / "out", tmp_path / "out.new"

    def begin() -> None:
        half.unlink()
        half.write_bytes(b"half")

    with pytest.raises(BlockingIOError):
        written(out, b"first", begin)
    assert not out.exists()
    assert half.read_bytes() == b"half"


def test_after_an_error_the_older_file_is_there_and_nothing_beside_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    written(out, b"older")
    with pytest.raises(FileNotFoundError):
        written(out, b"new", (tmp_path / "nothing").unlink)
    assert out.read_bytes() == b"older"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
