"""Reads and writes the state of the two root file systems, in blocks on the memory card's first partition.

The partition is mounted writable only during a write.
"""

import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from controller.update.slots import BLOCK, COPIES, TRIED, Slots, changes, read_slots, read_tried

BOOT: Final = Path("/boot/firmware")


@contextmanager
def writable(place: Path) -> Iterator[None]:
    """A context in which the partition at `place` is mounted writable. At the end of the context the partition is
    read-only again. Raises OSError.
    """
    _remount(place, "rw")
    try:
        yield
    finally:
        _remount(place, "ro")


def _remount(place: Path, how: str) -> None:
    done = subprocess.run(("/usr/bin/mount", "-o", f"remount,{how}", str(place)), check=False)  # noqa: S603 - fixed words
    if done.returncode:
        raise OSError(done.returncode, how, str(place))


class Blocks:
    """Reads and changes the state of the two root file systems. The boot loader reads the same blocks. All methods
    raise OSError.
    """

    def __init__(self, boot: Path = BOOT) -> None:
        self._boot = boot

    def read(self) -> tuple[Slots, int | None]:
        """Returns the state, and the number of the last trial that the boot loader has started (None if its block is
        torn).
        """
        return read_slots(*(self._block(name) for name in COPIES)), read_tried(self._block(TRIED))

    def change(self, how: Callable[[Slots], Slots]) -> Slots:
        """Applies the change `how` to the state, makes the new state durable and returns it. Raises SlotRefused."""
        before, tried = self.read()
        after = how(before)
        if after != before:
            with writable(self._boot):
                for name, data in changes(before, after, tried):
                    _write(self._boot / name, data)
        return after

    def _block(self, name: str) -> bytes:
        try:
            with (self._boot / name).open("rb") as file:
                return file.read(BLOCK)
        except FileNotFoundError:
            return b""


def _write(path: Path, data: bytes) -> None:
    """Overwrites a block in place, so that the boot loader finds it in the same sectors."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        os.pwrite(descriptor, data, 0)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
