"""The disk under the journal: an interface of five operations (append, sync, read, truncate, list), and its
implementation in a directory.

Only bytes written through the five operations belong to the journal. Tests and the virtual world replace this interface
and nothing else. File names have no directories. The first append creates a file. Its name and bytes are durable after
its `sync`. All errors of the operating system are raised as `StorageFailed`.
"""

import errno
import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final, Protocol, Self

from msgspec import Struct

from controller.journal.errors import JournalLocked, StorageFailed, StorageReason
from drivers.errors import system_word

_NAME: Final = re.compile(r"[0-9a-z][0-9a-z.-]{0,63}")

_OF_A_JOURNAL: Final = re.compile(r"\d{8}\.(segment|seals|words|checkpoint|removed)")

LARGEST_FILE: Final = 1 << 27
"""The size in bytes above which no file belongs to a journal. A segment has at most a hundredth, plus one batch."""

KEPT_OPEN: Final = 4
"""The number of synced files that a writer keeps open: three of a segment, and the first of the next."""

_REASONS: Final = {
    errno.ENOSPC: StorageReason.FULL,
    errno.EDQUOT: StorageReason.FULL,
    errno.EFBIG: StorageReason.FULL,
    errno.EROFS: StorageReason.READ_ONLY,
    errno.EIO: StorageReason.IO_ERROR,
    errno.ENOENT: StorageReason.GONE,
    errno.ENODEV: StorageReason.GONE,
    errno.ENXIO: StorageReason.GONE,
    errno.ENOTDIR: StorageReason.NOT_A_DIRECTORY,
    errno.EACCES: StorageReason.REFUSED,
    errno.EPERM: StorageReason.REFUSED,
}


class StoredFile(Struct, frozen=True, gc=False):
    name: str
    size: int


class ReadableStorage(Protocol):
    """The operations that a reader of the journal needs."""

    def list(self) -> tuple[StoredFile, ...]:
        """Every file, by name in ascending order."""

    def read(self, name: str) -> bytes:
        """The whole file, including bytes that are not synced.

        Raises StorageFailed, also for more than LARGEST_FILE bytes.
        """


class Storage(ReadableStorage, Protocol):
    """The operations that the writer of the journal needs. Each raises StorageFailed. A failed append may have written
    a part.
    """

    def append(self, name: str, data: bytes) -> None:
        """Appends `data` to the file `name`, and creates a missing file."""

    def sync(self, name: str) -> None:
        """Returns once the file's name and every appended byte are on the medium."""

    def truncate(self, name: str, size: int) -> None:
        """Cuts the file to `size` bytes. The cut is durable after the file's next sync."""


def open_file(path: Path) -> BinaryIO:
    """Opens a regular file for reading.

    Raises StorageFailed, also for a pipe, a socket or a device, which may block.
    """
    with reported("open", str(path)):
        if not stat.S_ISREG(path.stat().st_mode):  # a socket cannot be opened
            raise _no_file(str(path))
        return os.fdopen(_regular(os.open(path, os.O_RDONLY | os.O_NONBLOCK), str(path)), "rb")


def _regular(descriptor: int, name: str) -> int:
    """Returns `descriptor` if it belongs to a regular file. Closes any other file and raises StorageFailed."""
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise _no_file(name)


def is_of_a_journal(name: str) -> bool:
    """True if a file called `name` belongs to a journal."""
    return _OF_A_JOURNAL.fullmatch(name) is not None


def _is_file(item: os.DirEntry[str]) -> bool:
    """True for a regular file. Raises StorageFailed if anything else has the name of a journal's file."""
    is_file = item.is_file(follow_symlinks=False)
    if not is_file and is_of_a_journal(item.name):
        raise _no_file(item.name)
    return is_file


def _no_file(name: str) -> StorageFailed:
    return StorageFailed("open", name, StorageReason.NOT_A_FILE, "no regular file")


def read_if_there(storage: ReadableStorage, name: str) -> bytes:
    """Returns the bytes of the file `name`. Returns b"" if the file is missing. Raises StorageFailed for any other
    fault.
    """
    try:
        return storage.read(name)
    except StorageFailed as failed:
        if failed.reason is StorageReason.GONE:
            return b""
        raise


@contextmanager
def reported(verb: str, name: str) -> Iterator[None]:
    """A context that turns OSError into StorageFailed, whose message names the operation (`verb`) and the file."""
    try:
        yield
    except OSError as error:
        raise _failed(verb, name, error) from error


def _failed(verb: str, name: str, error: OSError) -> StorageFailed:
    return StorageFailed(verb, name, reason_of(error), system_word(error))


def reason_of(error: OSError) -> StorageReason:
    return _REASONS.get(error.errno or 0, StorageReason.OTHER)


def file_of(journal: Path, failed: StorageFailed) -> Path:
    """Returns the path of the file that `failed` names.

    The name of a journal's file is completed with the directory `journal`; any other name is already a path.
    """
    is_inside = failed.name == "." or is_of_a_journal(failed.name)
    return journal / failed.name if is_inside else Path(failed.name)


def sync_directory(path: Path) -> None:
    """Makes the names in a directory durable. Raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> None:
    """Replaces a small file by renaming a new one. A loss of power leaves either the old or the new bytes. The new
    bytes are durable on return. Raises OSError.

    A file that root writes belongs from the start to the owner of its directory, so the controller can read it.
    """
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        write_all(descriptor, data)
        give_to_owner(descriptor, path.parent.stat())
        os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    new.replace(path)
    sync_directory(path.parent)


def write_all(descriptor: int, data: bytes) -> None:
    """Writes all of `data`, in several calls if the system writes only a part at once (as on a nearly full medium).
    Raises OSError.
    """
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def give_to_owner(descriptor: int, owner: os.stat_result) -> None:
    """Gives an open file to the user and group in `owner`. The controller can then use a file that root made. Raises
    OSError. Does nothing unless this process runs as root.
    """
    if os.geteuid() == 0:
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


class DirectoryReader:
    """Reads a journal's directory without the writer's lock, so reading is possible while a controller writes there."""

    def __init__(self, path: Path) -> None:
        with reported("open", str(path)):
            self._directory = os.open(path, os.O_RDONLY | os.O_DIRECTORY)

    def close(self) -> None:
        os.close(self._directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def list(self) -> tuple[StoredFile, ...]:
        with reported("list", "."), os.scandir(self._directory) as found:
            files = [
                StoredFile(item.name, item.stat(follow_symlinks=False).st_size)
                for item in found
                if _NAME.fullmatch(item.name) and _is_file(item)
            ]
        return tuple(sorted(files, key=lambda file: file.name))

    def read(self, name: str) -> bytes:
        with (
            reported("read", name),
            open(self._open(name, os.O_RDONLY), "rb") as file,  # noqa: PTH123 - a descriptor, not a path
        ):
            if os.fstat(file.fileno()).st_size > LARGEST_FILE:
                raise StorageFailed("read", name, StorageReason.TOO_LARGE, f"larger than {LARGEST_FILE >> 20} MiB")
            return file.read(LARGEST_FILE)

    def open_to_read(self, name: str) -> int:
        """Opens a file read-only and returns its descriptor. Raises StorageFailed."""
        with reported("open", name):
            return self._open(name, os.O_RDONLY)

    def _open(self, name: str, flags: int) -> int:
        if not _NAME.fullmatch(name):
            raise ValueError(f"not a name of this storage: {name!r}")
        descriptor = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600, dir_fd=self._directory)
        return _regular(descriptor, name)


class _Opened(Struct):
    """A file that the writer has open, and its size after all writes. At each sync `path` must lead to this file."""

    descriptor: int
    path: str
    identity: tuple[int, int]  # device and inode
    size: int
    is_named: bool = False  # the directory's own entry is on the medium
    is_synced: bool = False  # all of its bytes are on the medium


class DirectoryStorage(DirectoryReader):
    """Writes a journal's directory, for one controller. Raises JournalLocked if another process holds the directory's
    lock.

    Creates a missing directory, whose parent must exist. Only one thread at a time may use the writing operations.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._opened: dict[str, _Opened] = {}
        with reported("make", str(path)):
            with suppress(FileExistsError):  # opening it will show whether it is a directory
                path.mkdir(mode=0o700)
            sync_directory(path.parent)
        super().__init__(path)
        try:
            self._lock(path)
        except BaseException:
            super().close()
            raise

    def _lock(self, path: Path) -> None:
        with reported("lock", str(path)):
            try:
                fcntl.flock(self._directory, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise JournalLocked(f"another process writes the journal {path}") from error

    def close(self) -> None:
        with ExitStack() as rest:  # a failed close must keep no other file open, nor the lock
            rest.callback(super().close)
            for name in tuple(self._opened):
                rest.callback(self._forget, name)

    def list(self) -> tuple[StoredFile, ...]:
        """Every file of the directory. Raises StorageFailed, also if the directory has been removed or replaced.

        Closes open files whose path leads to another file now, so that the next write opens them anew.
        """
        with reported("list", str(self.path)):
            if not self.is_in_place():
                raise FileNotFoundError(errno.ENOENT, "not where it was opened", str(self.path))
            for name in [name for name, opened in self._opened.items() if not _is_still(opened)]:
                self._forget(name)
        return super().list()

    def append(self, name: str, data: bytes) -> None:
        try:  # without `reported`, which would double the time that every card waits here
            opened = self._writable(name)
            rest = memoryview(data)
            while rest:
                written = os.write(opened.descriptor, rest)
                opened.size += written
                rest = rest[written:]
        except OSError as error:
            raise _failed("append", name, error) from error

    def sync(self, name: str) -> None:
        # A restart may find bytes and names that the dead process never synced. So the first sync of each file in this
        # process also covers its directory entry.
        try:
            opened = self._writable(name)
            os.fdatasync(opened.descriptor)
            if not opened.is_named:
                os.fsync(self._directory)
                opened.is_named = True
            _must_be_found(opened)
            opened.is_synced = True
        except OSError as error:
            raise _failed("sync", name, error) from error

    def is_in_place(self) -> bool:
        """True if the storage's directory is still where it was opened. False if the directory was removed or replaced.
        Raises StorageFailed if the operating system reports any other error.
        """
        with reported("look", str(self.path)):
            try:
                return os.path.samestat(self.path.stat(), os.fstat(self._directory))
            except (FileNotFoundError, NotADirectoryError):
                return False

    def shares_medium_with(self, path: Path) -> bool:
        """True if `path` is on the same file system as the journal. Raises StorageFailed."""
        with reported("look", str(path)):
            return path.stat().st_dev == os.fstat(self._directory).st_dev

    def truncate(self, name: str, size: int) -> None:
        with reported("truncate", name):
            opened = self._writable(name)
            os.ftruncate(opened.descriptor, size)
            opened.size = size

    def _writable(self, name: str) -> _Opened:
        opened = self._opened.get(name)
        if opened is None:
            self._make_room()
            descriptor = self._open(name, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            give_to_owner(descriptor, os.fstat(self._directory))
            found = os.fstat(descriptor)
            opened = _Opened(descriptor, str(self.path / name), (found.st_dev, found.st_ino), found.st_size)
            self._opened[name] = opened
        opened.is_synced = False
        return opened

    def _make_room(self) -> None:
        """Closes the oldest synced files beyond KEPT_OPEN. An unsynced file stays open: closing it would lose the error
        of its sync.
        """
        synced = [name for name, opened in self._opened.items() if opened.is_synced]
        for name in synced[: max(0, len(self._opened) - KEPT_OPEN + 1)]:
            self._forget(name)

    def _forget(self, name: str) -> None:
        os.close(self._opened.pop(name).descriptor)


def _must_be_found(opened: _Opened) -> None:
    """Raises OSError unless the path still leads to the opened file, and the file has the size that was written."""
    found = os.lstat(opened.path)
    if (found.st_dev, found.st_ino) != opened.identity:
        raise FileNotFoundError(errno.ENOENT, "not where it was opened", opened.path)
    if found.st_size != opened.size:
        raise OSError(errno.EIO, f"{found.st_size} bytes where {opened.size} were written", opened.path)


def _is_still(opened: _Opened) -> bool:
    """True if the path still leads to the opened file."""
    try:
        found = os.lstat(opened.path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return (found.st_dev, found.st_ino) == opened.identity
