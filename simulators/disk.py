"""A simulated disk behind the journal's storage port: it can be slow, fail, lose power at any byte, tear and flip bits.

Each file has two contents in memory: the bytes that a read returns, and the bytes on the medium. After a failed sync a
real system may drop bytes that it could not write and still return them to readers. `fail(..., drops=True)` does the
same, and a later sync does not restore the bytes.
"""

from collections.abc import Callable, Iterator
from enum import StrEnum, unique

import msgspec
from msgspec import Struct, field

from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.storage import StoredFile


@unique
class Verb(StrEnum):
    APPEND = "append"
    SYNC = "sync"
    READ = "read"
    TRUNCATE = "truncate"
    LIST = "list"


class Call(msgspec.Struct, frozen=True, gc=False):
    """One call that writes to the disk. `size`: the number of bytes to append, or the length to truncate to."""

    verb: Verb
    name: str
    size: int = 0


class Fault(Struct, frozen=True):
    """The failure of one kind of storage call. `keeps`: the number of bytes that a failing append still writes.

    `drops`: a failing sync loses the bytes that it could not write, but reads still return them.
    """

    reason: StorageReason
    keeps: int = 0
    drops: bool = False


class _File(Struct):
    shown: bytearray = field(default_factory=bytearray)
    stored: bytearray = field(default_factory=bytearray)
    dirty_from: int = 0  # the first byte of `shown` that is not stored yet
    named: bool = False  # its name is on the medium

    @classmethod
    def holding(cls, data: bytes) -> "_File":
        """Returns a file with the contents `data`. Its name and all its bytes are on the medium."""
        return cls(bytearray(data), bytearray(data), len(data), named=True)

    def copy(self) -> "_File":
        return _File(self.shown[:], self.stored[:], self.dirty_from, self.named)

    def store(self, size: int) -> None:
        """Copies `shown` up to byte `size` to the medium, with zeros for bytes that a failed sync dropped."""
        del self.stored[self.dirty_from :]
        self.stored += bytes(self.dirty_from - len(self.stored))
        self.stored += self.shown[self.dirty_from : size]


class MemoryStorage(Struct):
    """An implementation of the journal's storage port with its files in memory. `on_call`: called before each call that
    writes; this function may observe or block the call, or raise to prevent it.
    """

    on_call: Callable[[Call], None] | None = None
    _files: dict[str, _File] = field(default_factory=dict)
    _faults: dict[Verb, Fault] = field(default_factory=dict)

    # --- the port

    def append(self, name: str, data: bytes) -> None:
        if self.on_call is not None:
            self.on_call(Call(Verb.APPEND, name, len(data)))
        file = self._file(name)
        if not self._faults:
            file.shown += data
            return
        fault = self._faults.get(Verb.APPEND)
        file.shown += data if fault is None else data[: fault.keeps]
        self._raise(Verb.APPEND, name)

    def sync(self, name: str) -> None:
        if self.on_call is not None:
            self.on_call(Call(Verb.SYNC, name))
        file = self._file(name)
        if self._faults:
            fault = self._faults.get(Verb.SYNC)
            if fault is not None and fault.drops:
                file.dirty_from = len(file.shown)
            self._raise(Verb.SYNC, name)
        file.store(len(file.shown))
        file.dirty_from, file.named = len(file.shown), True

    def truncate(self, name: str, size: int) -> None:
        if self.on_call is not None:
            self.on_call(Call(Verb.TRUNCATE, name, size))
        self._raise(Verb.TRUNCATE, name)
        file = self._files[name]
        del file.shown[size:]
        file.dirty_from = min(file.dirty_from, size)

    def read(self, name: str) -> bytes:
        self._raise(Verb.READ, name)
        if name not in self._files:
            raise StorageFailed(Verb.READ, name, StorageReason.GONE, "no such file")
        return bytes(self._files[name].shown)

    def list(self) -> tuple[StoredFile, ...]:
        self._raise(Verb.LIST, ".")
        return tuple(StoredFile(name, len(file.shown)) for name, file in sorted(self._files.items()))

    # --- faults

    def fail(self, verb: Verb, reason: StorageReason, *, keeps: int = 0, drops: bool = False) -> None:
        """Makes each call of the kind `verb` fail with `reason` until `heal` is called; `keeps` and `drops` as in
        `Fault`.
        """
        self._faults[verb] = Fault(reason, keeps, drops)

    def heal(self) -> None:
        self._faults.clear()

    def flip(self, name: str, bit: int) -> None:
        """Inverts one bit of a stored file: bit 0 is the lowest of its first byte."""
        for data in (self._files[name].shown, self._files[name].stored):
            if bit // 8 < len(data):
                data[bit // 8] ^= 1 << bit % 8

    def replace(self, name: str, data: bytes) -> None:
        """Replaces the contents of a stored file, as a person with access to the medium could."""
        self._files[name] = _File.holding(data)

    def remove(self, name: str) -> None:
        del self._files[name]

    def unsynced(self) -> dict[str, int]:
        """Returns, by file, the number of bytes that a loss of power might destroy. Skips files without such bytes."""
        sizes = {name: len(file.shown) - file.dirty_from for name, file in self._files.items()}
        return {name: size for name, size in sizes.items() if size}

    def after_kill(self) -> "MemoryStorage":
        """Returns the disk that the next process finds after a kill: the disk has all written bytes, synced or not."""
        return MemoryStorage(_files={name: file.copy() for name, file in self._files.items()})

    def after_power_cut(self, kept: dict[str, int] | None = None) -> "MemoryStorage":
        """Returns the disk after a loss of power: the disk has only the bytes on the medium, and no file that was never
        synced. `kept`: for each file, the number of unsynced bytes that survive as well.
        """
        kept = kept or {}
        files = {}
        for name, file in self._files.items():
            extra = kept.get(name, 0)
            after = file.copy()
            if extra:
                after.store(file.dirty_from + extra)
            if file.named or extra:
                files[name] = _File.holding(bytes(after.stored))
        return MemoryStorage(_files=files)

    def power_cuts(self) -> Iterator["MemoryStorage"]:
        """Yields every disk that a loss of power could leave now. The first disk has no unsynced bytes. Each further
        disk has a number of the unsynced bytes of one file, from 1 to all.
        """
        yield self.after_power_cut()
        for name, size in self.unsynced().items():
            for extra in range(1, size + 1):
                yield self.after_power_cut({name: extra})

    def _file(self, name: str) -> _File:
        file = self._files.get(name)
        if file is None:
            file = self._files[name] = _File()
        return file

    def _raise(self, verb: Verb, name: str) -> None:
        fault = self._faults.get(verb)
        if fault is not None:
            raise StorageFailed(verb, name, fault.reason, "injected")
