"""A restore on a computer that lacks a directory: it makes the one of the keys, and changes nothing without another."""

import contextlib
import shutil
from functools import partial
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.backup.make import make_backup
from controller.backup.restore import restore
from controller.config import read_config
from controller.journal.verify import entries_of, verify
from tests.runtime.shelf import lay, played

SECRET = X25519PrivateKey.generate()


class PowerCut(BaseException):
    """The power is cut: no code of the program runs after it."""


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose keys lie in a directory of their own."""
    place = tmp_path_factory.mktemp("places")
    lay(place, [("pt-shoe", "pt-shoe", partial(played, "pt-shoe"))])
    table = place / "pt-shoe"
    config = (table / "table.toml").read_text()
    (table / "table.toml").write_text(config.replace('path = "journal"', 'path = "medium/journal"'))
    (table / "medium").mkdir()
    for name in ("journal", "journal.key", "journal.pub", "journal.begun"):
        (table / name).rename(table / "medium" / name)
    config = read_config(table / "table.toml", ports_may_be_missing=True)
    make_backup(config, {"table": config.table.id, "epoch": 1}, SECRET.public_key(), place / "table.backup")
    return table


def files_in(place: Path) -> dict[str, bytes]:
    return {str(path.relative_to(place)): path.read_bytes() for path in place.rglob("*") if path.is_file()}


def test_the_directory_of_the_keys_is_made(laid: Path, tmp_path: Path) -> None:
    (tmp_path / "medium").mkdir()
    restore(laid.parent / "table.backup", SECRET, tmp_path / "table.toml")
    for name in ("state/seal.key", "staff.toml"):
        assert (tmp_path / name).read_bytes() == (laid / name).read_bytes()
    assert oct((tmp_path / "state").stat().st_mode & 0o777) == "0o700"
    assert verify(tmp_path / "medium/journal").ok
    assert [*entries_of(tmp_path / "medium/journal")] == [*entries_of(laid / "medium/journal")]


def test_without_the_journals_medium_nothing_is_changed_and_the_place_is_named(laid: Path, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as refused:
        restore(laid.parent / "table.backup", SECRET, tmp_path / "table.toml")
    assert refused.value.filename == str(tmp_path / "medium")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("where", [".new", "00000001.seals"])
def test_no_key_and_no_journal_can_be_read_by_others_where_the_power_goes(
    laid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """A copied file has its bytes before its mode: the power goes between the two."""
    for name in ("medium", "state"):
        (tmp_path / name).mkdir()
    real = shutil.copystat

    def cut(source: Path, target: Path, *, follow_symlinks: bool = True) -> None:
        if str(target).endswith(where) and "restoring/" not in str(target).replace("journal.restoring/", ""):
            raise PowerCut
        real(source, target, follow_symlinks=follow_symlinks)

    monkeypatch.setattr(shutil, "copystat", cut)
    with contextlib.suppress(PowerCut):
        restore(laid.parent / "table.backup", SECRET, tmp_path / "table.toml")
    readable = [path for path in tmp_path.rglob("*") if path.is_file() and path.stat().st_mode & 0o044]
    found = {path.name for path in readable if path.parent.stat().st_mode & 0o011}
    assert found <= {"table.pub", "table.toml"}
