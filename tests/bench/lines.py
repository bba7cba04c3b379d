"""Bare pseudo-terminals: each has one descriptor and one link, and measures the time from a write to its answer."""

import os
import select
import tty
from pathlib import Path
from time import perf_counter_ns

READ_AT_MOST = 4096
PATIENCE_S = 30.0


class Line:
    """The device's end of a pty that is linked at `link`. The other end stays open here, so that nothing hangs up."""

    def __init__(self, link: Path) -> None:
        self.fd, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.link = link
        link.unlink(missing_ok=True)
        link.symlink_to(os.ttyname(self._slave))

    def close(self) -> None:
        os.close(self.fd)
        os.close(self._slave)
        self.link.unlink(missing_ok=True)

    def has_input(self, within_s: float = 0.0) -> bool:
        return bool(select.select([self.fd], [], [], within_s)[0])

    def read(self) -> bytes:
        """The bytes of the other end. TimeoutError after PATIENCE_S of silence."""
        if not self.has_input(PATIENCE_S):
            raise TimeoutError(f"nothing came on {self.link} for {PATIENCE_S:.0f} s")
        return os.read(self.fd, READ_AT_MOST)

    def shot_us(self, data: bytes, answer_bytes: int) -> float:
        """Writes `data`; the microseconds from its last byte to the answer's first. Reads the whole answer."""
        began = perf_counter_ns()
        os.write(self.fd, data)
        got = len(os.read(self.fd, READ_AT_MOST))
        ended = perf_counter_ns()
        while got < answer_bytes:
            got += len(os.read(self.fd, READ_AT_MOST))
        return (ended - began) / 1000
