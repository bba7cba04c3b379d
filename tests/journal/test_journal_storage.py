"""The directory that stores a journal: the files' bytes, the syncs, the writer's lock, the errors."""

import errno
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.journal.errors import JournalLocked, StorageFailed, StorageReason
from controller.journal.storage import KEPT_OPEN, LARGEST_FILE, DirectoryReader, DirectoryStorage, StoredFile


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[DirectoryStorage]:
    with DirectoryStorage(tmp_path / "journal") as storage:
        yield storage


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def fails(_descriptor: int) -> None:
    raise OSError(errno.EIO, os.strerror(errno.EIO))


class Synced:
    """Records each sync that the program asks of the operating system, and executes it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[str, str]] = []
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, self._recorder(name, getattr(os, name)))

    def _recorder(self, name: str, real: object) -> object:
        def record(descriptor: int) -> None:
            self.calls.append((name, Path(f"/proc/self/fd/{descriptor}").readlink().name))
            real(descriptor)

        return record


def test_what_is_appended_is_in_the_file(storage: DirectoryStorage, tmp_path: Path) -> None:
    storage.append("b.segment", b"one")
    storage.append("b.segment", b"two")
    storage.append("a.segment", b"")
    assert (tmp_path / "journal" / "b.segment").read_bytes() == b"onetwo"
    assert storage.read("b.segment") == b"onetwo"
    assert storage.list() == (StoredFile("a.segment", 0), StoredFile("b.segment", 6))
    storage.truncate("b.segment", 2)
    storage.append("b.segment", b"!")
    assert storage.read("b.segment") == b"on!"


def test_directory_and_files_are_for_the_owner_only(storage: DirectoryStorage, tmp_path: Path) -> None:
    storage.append("a", b"x")
    assert (tmp_path / "journal").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "journal" / "a").stat().st_mode & 0o777 == 0o600


def test_the_first_sync_of_a_file_covers_its_name(storage: DirectoryStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = Synced(monkeypatch)
    storage.append("a", b"x")
    storage.sync("a")
    storage.append("a", b"y")
    storage.sync("a")
    assert synced.calls == [("fdatasync", "a"), ("fsync", "journal"), ("fdatasync", "a")]


def test_a_new_process_covers_the_name_of_a_file_that_it_finds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with DirectoryStorage(tmp_path / "journal") as storage:
        storage.append("a", b"x")
    with DirectoryStorage(tmp_path / "journal") as storage:
        synced = Synced(monkeypatch)
        storage.sync("a")
    assert synced.calls == [("fdatasync", "a"), ("fsync", "journal")]


def write_a_segment(storage: DirectoryStorage, number: int) -> None:
    for kind in ("checkpoint", "seals", "segment"):
        storage.append(f"{number:08d}.{kind}", b"x")
        storage.sync(f"{number:08d}.{kind}")


def test_what_is_on_the_medium_is_closed_when_other_files_come(storage: DirectoryStorage) -> None:
    before = descriptors()
    for number in range(1, 200):
        write_a_segment(storage, number)
        assert descriptors() <= before + KEPT_OPEN


def test_the_segment_that_is_written_stays_open(storage: DirectoryStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    write_a_segment(storage, 1)
    write_a_segment(storage, 2)
    synced = Synced(monkeypatch)
    for kind in ("seals", "segment"):
        storage.append(f"00000002.{kind}", b"y")
        storage.sync(f"00000002.{kind}")
    assert synced.calls == [("fdatasync", "00000002.seals"), ("fdatasync", "00000002.segment")]


def test_what_waits_for_its_sync_is_never_closed(storage: DirectoryStorage) -> None:
    """A file that waits for its sync stays open: a medium reports an error once, to those who have the file open."""
    before = descriptors()
    for number in range(10):
        storage.append(f"{number:08d}.segment", b"x")
    assert descriptors() == before + 10
    for number in range(9):
        storage.sync(f"{number:08d}.segment")
    storage.append("00000010.segment", b"x")
    assert descriptors() == before + KEPT_OPEN
    storage.sync("00000009.segment")


def test_a_sync_that_failed_keeps_its_file_open(storage: DirectoryStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    write_a_segment(storage, 1)
    before = descriptors()
    with monkeypatch.context() as patched:
        patched.setattr(os, "fdatasync", fails)
        for name in ("00000001.segment", "00000001.seals", "00000001.checkpoint"):
            with pytest.raises(StorageFailed):
                storage.sync(name)
    for number in range(2, 5):
        write_a_segment(storage, number)
    assert descriptors() == before + 1


def test_a_file_that_was_closed_is_written_on(storage: DirectoryStorage, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(1, 5):
        write_a_segment(storage, number)
    storage.append("00000001.segment", b"y")
    synced = Synced(monkeypatch)
    storage.sync("00000001.segment")
    assert storage.read("00000001.segment") == b"xy"
    assert synced.calls == [("fdatasync", "00000001.segment"), ("fsync", "journal")]


def test_making_the_directory_is_durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = Synced(monkeypatch)
    DirectoryStorage(tmp_path / "journal").close()
    assert synced.calls == [("fsync", tmp_path.name)]


def test_two_controllers_cannot_share_a_journal(storage: DirectoryStorage, tmp_path: Path) -> None:
    before = descriptors()
    with pytest.raises(JournalLocked, match="journal"):
        DirectoryStorage(tmp_path / "journal")
    assert descriptors() == before
    storage.append("a", b"x")
    with DirectoryReader(tmp_path / "journal") as reader:
        assert reader.read("a") == b"x"


def test_the_lock_ends_with_the_storage(tmp_path: Path) -> None:
    DirectoryStorage(tmp_path / "journal").close()
    DirectoryStorage(tmp_path / "journal").close()


@pytest.mark.parametrize("name", ["../out", "", ".hidden", "A", "a/b", "a" * 65])
def test_only_flat_plain_names_are_taken(storage: DirectoryStorage, name: str) -> None:
    with pytest.raises(ValueError, match="not a name"):
        storage.append(name, b"x")


def test_other_things_in_the_directory_are_not_listed(storage: DirectoryStorage, tmp_path: Path) -> None:
    (tmp_path / "journal" / "lost+found").mkdir()
    (tmp_path / "journal" / "README").write_text("x")
    (tmp_path / "journal" / "link").symlink_to("README")
    storage.append("a", b"x")
    assert storage.list() == (StoredFile("a", 1),)


def test_a_link_is_never_followed(storage: DirectoryStorage, tmp_path: Path) -> None:
    (tmp_path / "journal" / "a").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StorageFailed):
        storage.append("a", b"x")
    assert not (tmp_path / "elsewhere").exists()


def test_a_missing_file_or_directory_is_a_failure_of_the_storage(storage: DirectoryStorage, tmp_path: Path) -> None:
    with pytest.raises(StorageFailed, match="read gone: gone"):
        storage.read("gone")
    with pytest.raises(StorageFailed):
        DirectoryReader(tmp_path / "nowhere")
    with pytest.raises(StorageFailed):
        DirectoryStorage(tmp_path / "nowhere" / "journal")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StorageFailed):
        DirectoryStorage(tmp_path / "file")


def test_bytes_in_a_file_that_was_removed_are_not_durable(storage: DirectoryStorage, tmp_path: Path) -> None:
    storage.append("00000001.segment", b"abc")
    storage.sync("00000001.segment")
    (tmp_path / "journal" / "00000001.segment").unlink()
    with pytest.raises(StorageFailed) as failed:
        storage.sync("00000001.segment")
    assert failed.value.reason is StorageReason.GONE


def move_directory(directory: Path) -> None:
    directory.rename(directory.with_name("elsewhere"))


def replace_directory(directory: Path) -> None:
    move_directory(directory)
    shutil.copytree(directory.with_name("elsewhere"), directory)


def rename_file(directory: Path) -> None:
    (directory / "00000001.segment").rename(directory / "00000001.old")


def replace_file(directory: Path) -> None:
    rename_file(directory)
    (directory / "00000001.segment").write_bytes(b"abc")


def remove_one_of_two_names(directory: Path) -> None:
    (directory / "second-name").hardlink_to(directory / "00000001.segment")
    (directory / "00000001.segment").unlink()


@pytest.mark.parametrize(
    "happens", [move_directory, replace_directory, rename_file, replace_file, remove_one_of_two_names]
)
def test_bytes_that_their_path_does_not_lead_to_are_not_durable(
    happens: Callable[[Path], None], storage: DirectoryStorage, tmp_path: Path
) -> None:
    storage.append("00000001.segment", b"abc")
    storage.sync("00000001.segment")
    happens(tmp_path / "journal")
    storage.append("00000001.segment", b"def")
    with pytest.raises(StorageFailed) as failed:
        storage.sync("00000001.segment")
    assert failed.value.reason is StorageReason.GONE


def test_a_file_that_was_cut_by_somebody_else_is_not_durable(storage: DirectoryStorage, tmp_path: Path) -> None:
    storage.append("00000001.segment", b"abc")
    os.truncate(tmp_path / "journal" / "00000001.segment", 1)
    with pytest.raises(StorageFailed) as failed:
        storage.sync("00000001.segment")
    assert failed.value.reason is StorageReason.IO_ERROR
    storage.truncate("00000001.segment", 0)
    storage.append("00000001.segment", b"abc")
    storage.sync("00000001.segment")


def test_a_file_that_was_put_in_the_place_of_another_is_written_once_it_was_listed(
    storage: DirectoryStorage, tmp_path: Path
) -> None:
    storage.append("00000001.segment", b"abc")
    replace_file(tmp_path / "journal")
    assert StoredFile("00000001.segment", 3) in storage.list()
    storage.append("00000001.segment", b"def")
    storage.sync("00000001.segment")
    assert storage.read("00000001.segment") == b"abcdef"


def test_who_writes_a_directory_that_was_moved_away_finds_no_files_in_it(
    storage: DirectoryStorage, tmp_path: Path
) -> None:
    storage.append("00000001.segment", b"abc")
    (tmp_path / "journal").rename(tmp_path / "elsewhere")
    with pytest.raises(StorageFailed) as failed:
        storage.list()
    assert failed.value.reason is StorageReason.GONE
    (tmp_path / "elsewhere").rename(tmp_path / "journal")
    assert storage.list() == (StoredFile("00000001.segment", 3),)


def test_a_file_larger_than_any_of_a_journal_is_not_read_into_memory(storage: DirectoryStorage, tmp_path: Path) -> None:
    with (tmp_path / "journal" / "00000001.segment").open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(StorageFailed, match="larger than 128 MiB"):
        storage.read("00000001.segment")


def test_a_write_that_the_system_takes_only_in_part_fails(storage: DirectoryStorage) -> None:
    storage.append("a", b"x" * 1000)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1500, hard))
    try:
        with pytest.raises(StorageFailed) as failed:
            storage.append("a", b"y" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert failed.value.reason is StorageReason.FULL
    assert storage.read("a") == b"x" * 1000 + b"y" * 500
