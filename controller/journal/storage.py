"""The disk under the journal: a port of five verbs (append, sync, read, truncate, list) and a directory.

Only what reaches the medium through these five is the journal; tests and the virtual world replace this
port and nothing else. A file is named flat; it comes into being with its first append and is durable, name
and bytes, after its `sync`. All of the operating system's errors come out as `StorageFailed`.
"""

import errno
import fcntl
import os
import re
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, Protocol, Self

from msgspec import Struct

from controller.journal.errors import JournalLocked, StorageFailed, StorageReason
from drivers.errors import system_word

_NAME: Final = re.compile(r"[0-9a-z][0-9a-z.-]{0,63}")

_OF_A_JOURNAL: Final = re.compile(r"\d{8}\.(segment|seals|checkpoint|removed)")

LARGEST_FILE: Final = 1 << 27
"""Bytes of a file beyond which it is none of a journal's: a segment ends at a hundredth of it and one batch."""

KEPT_OPEN: Final = 4
"""Files of a writer that stay open though all of each is on the medium: a segment's three, and the next one's first."""

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
    """The verbs for a reader of a journal."""

    def list(self) -> tuple[StoredFile, ...]:
        """Every file, by name in ascending order."""

    def read(self, name: str) -> bytes:
        """The whole file as it stands, synced or not. StorageFailed for more than LARGEST_FILE."""


class Storage(ReadableStorage, Protocol):
    """The verbs for a writer. Each raises StorageFailed; a failed append may leave a part."""

    def append(self, name: str, data: bytes) -> None:
        """Put `data` behind the file's last byte; the file is made if it is not there."""

    def sync(self, name: str) -> None:
        """Return once every byte appended so far, and the file's name, are on the medium."""

    def truncate(self, name: str, size: int) -> None:
        """Cut the file to `size` bytes; durable after the next sync."""


def open_file(path: Path) -> BinaryIO:
    """A regular file, to be read. StorageFailed; for a pipe, a socket or a device too: nobody waits for their end."""
    with reported("open", str(path)):
        if not stat.S_ISREG(path.stat().st_mode):  # a socket has no open
            raise _no_file(str(path))
        return os.fdopen(_regular(os.open(path, os.O_RDONLY | os.O_NONBLOCK), str(path)), "rb")


def _regular(descriptor: int, name: str) -> int:
    """The same descriptor, of a regular file; for anything else it is closed. StorageFailed."""
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return descriptor
    os.close(descriptor)
    raise _no_file(name)


def is_of_a_journal(name: str) -> bool:
    """True where a file of this name is part of a journal."""
    return _OF_A_JOURNAL.fullmatch(name) is not None


def _is_file(item: os.DirEntry[str]) -> bool:
    """True where it counts. StorageFailed for another thing of a journal's name: nothing may seem cut off."""
    is_file = item.is_file(follow_symlinks=False)
    if not is_file and is_of_a_journal(item.name):
        raise _no_file(item.name)
    return is_file


def _no_file(name: str) -> StorageFailed:
    return StorageFailed("open", name, StorageReason.NOT_A_FILE, "no regular file")


def read_if_there(storage: ReadableStorage, name: str) -> bytes:
    """A file that is not there has no bytes. StorageFailed for whatever else is wrong."""
    try:
        return storage.read(name)
    except StorageFailed as failed:
        if failed.reason is StorageReason.GONE:
            return b""
        raise


@contextmanager
def reported(verb: str, name: str) -> Iterator[None]:
    """Turn an operating system's error into StorageFailed."""
    try:
        yield
    except OSError as error:
        raise _failed(verb, name, error) from error


def _failed(verb: str, name: str, error: OSError) -> StorageFailed:
    return StorageFailed(verb, name, reason_of(error), system_word(error))


def reason_of(error: OSError) -> StorageReason:
    return _REASONS.get(error.errno or 0, StorageReason.OTHER)


def sync_directory(path: Path) -> None:
    """Make the names in a directory durable; raises OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def write_whole(path: Path, data: bytes, mode: int = 0o600) -> None:
    """A small file in the place of what was there: whole or not at all, and durable on return. Raises OSError."""
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    try:
        os.write(descriptor, data)
        os.fchmod(descriptor, mode)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    new.replace(path)
    sync_directory(path.parent)


def give_to_owner(descriptor: int, owner: os.stat_result) -> None:
    """A file made by root belongs to the owner of the journal's directory: the controller must be able to use it."""
    if os.geteuid() == 0:
        os.fchown(descriptor, owner.st_uid, owner.st_gid)


class DirectoryReader:
    """A journal's directory, read only, without the writer's lock: also while a controller writes it."""

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
        """A descriptor of the file, for reading alone. StorageFailed."""
        with reported("open", name):
            return self._open(name, os.O_RDONLY)

    def _open(self, name: str, flags: int) -> int:
        if not _NAME.fullmatch(name):
            raise ValueError(f"not a name of this storage: {name!r}")
        descriptor = os.open(name, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600, dir_fd=self._directory)
        return _regular(descriptor, name)


@dataclass(slots=True)
class _Opened:
    """A file that is written here; its bytes count while its name means this very file, as long as it must be."""

    descriptor: int
    path: str
    identity: tuple[int, int]  # device and inode
    size: int
    is_named: bool = False  # the directory's own entry is on the medium
    is_synced: bool = False  # all of it is


class DirectoryStorage(DirectoryReader):
    """A journal's directory for the one controller that writes it; a second one gets JournalLocked.

    The directory is made if it is not there (its parent must be). One thread at a time uses the writing
    verbs.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self._opened: dict[str, _Opened] = {}
        with reported("make", str(path)):
            with suppress(FileExistsError):  # its kind shows when it is opened
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
        with ExitStack() as rest:  # one that fails keeps no other open, the lock least of all
            rest.callback(super().close)
            for name in tuple(self._opened):
                rest.callback(self._forget, name)

    def list(self) -> tuple[StoredFile, ...]:
        """Every file. StorageFailed also where the directory is gone: nobody may go on writing in it.

        What was opened under a name that means another file by now is opened anew when it is written next.
        """
        with reported("list", str(self.path)):
            if not self.is_in_place():
                raise FileNotFoundError(errno.ENOENT, "not where it was opened", str(self.path))
            for name in [name for name, opened in self._opened.items() if not _is_still(opened)]:
                self._forget(name)
        return super().list()

    def append(self, name: str, data: bytes) -> None:
        try:  # every card waits for this and for `sync`: `reported` would cost it twice as much
            opened = self._writable(name)
            rest = memoryview(data)
            while rest:
                written = os.write(opened.descriptor, rest)
                opened.size += written
                rest = rest[written:]
        except OSError as error:
            raise _failed("append", name, error) from error

    def sync(self, name: str) -> None:
        # A restart may find bytes and names that the dead process never synced: the first sync of each file
        # in this process covers its directory entry too.
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
        """True where the directory still stands where it was opened; False once it was removed or replaced.

        StorageFailed where that cannot be seen.
        """
        with reported("look", str(self.path)):
            try:
                return os.path.samestat(self.path.stat(), os.fstat(self._directory))
            except (FileNotFoundError, NotADirectoryError):
                return False

    def shares_medium_with(self, path: Path) -> bool:
        """True where `path` lies on the same file system."""
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
        """Closes those that were opened first. One that waits for its sync stays: its error would come to nobody."""
        synced = [name for name, opened in self._opened.items() if opened.is_synced]
        for name in synced[: max(0, len(self._opened) - KEPT_OPEN + 1)]:
            self._forget(name)

    def _forget(self, name: str) -> None:
        os.close(self._opened.pop(name).descriptor)


def _must_be_found(opened: _Opened) -> None:
    """OSError unless its whole path leads to it, as long as it was written: bytes that nobody finds are no journal."""
    found = os.lstat(opened.path)
    if (found.st_dev, found.st_ino) != opened.identity:
        raise FileNotFoundError(errno.ENOENT, "not where it was opened", opened.path)
    if found.st_size != opened.size:
        raise OSError(errno.EIO, f"{found.st_size} bytes where {opened.size} were written", opened.path)


def _is_still(opened: _Opened) -> bool:
    """True where its name still means the same file."""
    try:
        found = os.lstat(opened.path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return (found.st_dev, found.st_ino) == opened.identity
