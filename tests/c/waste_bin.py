"""A device by other authors (waste_bin.c), in virtual time: it shares nothing with the Python and the C core."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware_protocols.tdp.conform.bench import Deed

MS: Final = 1000


class WasteBin:
    """The process of the firmware's program, which ends with this object's `end`. Satisfies `Wired` and `Bench`."""

    def __init__(self, program: Path, now_s: float) -> None:
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="ascii")
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin, self._process.stdout
        self._said = bytearray()
        self._due_ms, self._now_s = -1, now_s
        self._from.readline()
        self.on_time(now_s)

    def end(self) -> int:
        """The return code: a sanitizer's is not 0."""
        self._to.close()
        self._from.close()
        return self._process.wait()

    def receive_data(self, data: bytes, now_s: float) -> None:
        self.on_time(now_s)
        for at in range(0, len(data), MS):
            self._tell(f"r {data[at : at + MS].hex()}")

    def data_to_send(self) -> bytes:
        said, self._said = bytes(self._said), bytearray()
        return said

    def next_time_s(self) -> float | None:
        return self._due_ms / MS if self._due_ms >= 0 else None

    def on_time(self, now_s: float) -> None:
        self._now_s = now_s
        self._tell(f"t {round(now_s * MS)}")

    is_quick = True
    clock: Callable[[], float]
    """The line's time, by which hands act."""

    def do(self, deed: Deed, times: int, _meanwhile: Callable[[], None]) -> bool:
        self.on_time(self.clock())
        return self._tell(f"h {deed} {times}")

    def _tell(self, line: str) -> bool:
        """True where the deed was possible."""
        self._to.write(line + "\n")
        self._to.flush()
        said, due_ms, failed = self._from.readline().rstrip("\n").rsplit(" ", 2)
        self._said += bytes.fromhex(said)
        self._due_ms = int(due_ms)
        return failed == "0"
