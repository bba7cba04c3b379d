"""kill -9 at places that the journal names: when it has reached so many entries (`--kill-at`)."""

import threading
import time
from pathlib import Path

from simulators.books.segments import SegmentTail
from simulators.demo.child import ControllerChild

LOOK_EVERY_S = 0.001


class Killer:
    """Reads the journal's files as they grow, in a thread of its own. Use as a context manager."""

    def __init__(self, journal: Path, kill_at: tuple[int, ...], child: ControllerChild) -> None:
        self._tail = SegmentTail(journal)
        self._kill_at = sorted(kill_at)
        self._child = child
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="killer")
        self.kills: list[int] = []  # how many entries the journal had

    def __enter__(self) -> "Killer":
        if self._kill_at:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        for at in self._kill_at:
            while not self._stopping.is_set():
                self._tail.new_entries()
                if self._tail.entries >= at and self._child.pid is not None:
                    self._child.kill()
                    self.kills.append(self._tail.entries)
                    break
                time.sleep(LOOK_EVERY_S)
            while self._child.pid is not None and not self._stopping.is_set():
                time.sleep(LOOK_EVERY_S)
