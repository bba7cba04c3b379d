"""Reads the segment files of a journal while they are written, without the controller's code. Returns only whole
entries and does not verify them. The oracles in simulators/oracles verify an exported journal.
"""

from pathlib import Path
from typing import Final

from simulators.oracles.export_entries import Entry, read_entry

_HEADER_BYTES: Final = 92
_BEFORE_PAYLOAD: Final = 12
_CHAIN_BYTES: Final = 32


class SegmentTail:
    """Follows the directory of one journal. Each call of `new_entries` returns the entries since the last call."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._segment = 1
        self._path, self._next = self._path_of(1), self._path_of(2)
        self._offset = _HEADER_BYTES
        self.entries = 0  # read so far

    def new_entries(self) -> list[Entry]:
        """Reads and returns the entries that have become complete since the last call."""
        found: list[Entry] = []
        while True:
            found += self._records(self._read())
            if not self._next.exists() or self._read():
                return found
            self._segment += 1
            self._path, self._next = self._next, self._path_of(self._segment + 1)
            self._offset = _HEADER_BYTES

    def _path_of(self, number: int) -> Path:
        return self._directory / f"{number:08d}.segment"

    def _read(self) -> bytes:
        try:
            if self._path.stat().st_size <= self._offset:
                return b""  # no file is opened, since a caller may look a thousand times a second
            with self._path.open("rb") as file:
                file.seek(self._offset)
                return file.read()
        except FileNotFoundError:
            return b""

    def _records(self, data: bytes) -> list[Entry]:
        found = []
        at = 0
        while len(data) - at > _BEFORE_PAYLOAD:
            length = int.from_bytes(data[at : at + 4], "little")
            payload_at = at + _BEFORE_PAYLOAD
            end = payload_at + length + _CHAIN_BYTES
            if end > len(data):
                break
            chain = data[end - _CHAIN_BYTES : end].hex()
            found.append(read_entry(data[payload_at : payload_at + length], chain))
            at = end
        self._offset += at
        self.entries += len(found)
        return found
