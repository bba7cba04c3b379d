"""Kills the controller with SIGKILL at given points of the journal (`--kill-at`)."""

import re
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Self

from msgspec import Struct

from simulators.demo.child import ControllerChild
from simulators.demo.segments import SegmentTail

LOOK_EVERY_S = 0.001


class KillPlace(Struct, frozen=True):
    """A point in the journal at which to kill the controller: `after` entries after the `count`-th entry of `kind`. If
    `kind` is "", the kill is at entry `count`.
    """

    count: int
    kind: str = ""
    after: int = 0

    @classmethod
    def read(cls, text: str) -> "KillPlace":
        """Parses a text such as `120`, `card-counted-in:150` or `shuffler-jammed:1+3`. Raises ValueError for other
        text.
        """
        found = re.fullmatch(r"(?:([a-z-]+):)?([1-9][0-9]*)(?:\+([0-9]+))?", text)
        if found is None:
            raise ValueError(text)
        return cls(int(found[2]), found[1] or "", int(found[3] or 0))


class Kill(Struct, frozen=True):
    """A kill that has happened: the number of entries in the journal at the kill, the kind of the last entry, and the
    monotonic time.
    """

    entries: int
    last: str
    at_s: float


class Killer:
    """Follows the journal's files in a thread and kills the controller at each given KillPlace, while the context is
    open.
    """

    def __init__(self, journal: Path, places: tuple[KillPlace, ...], child: ControllerChild) -> None:
        """Plans one kill at each of `places`. If the journal has already passed a place, that kill follows at once."""
        self._tail = SegmentTail(journal)
        self._seen: Counter[str] = Counter()
        self._reached: dict[tuple[str, int], int] = {}  # the entry with which a kind reached its count
        self._last = ""
        self._waiting = list(places)
        self._child = child
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="killer")
        self.kills: list[Kill] = []

    def __enter__(self) -> Self:
        if self._waiting:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends the thread, which then kills no controller any more. A second call does nothing."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while self._waiting and not self._stopping.wait(LOOK_EVERY_S):
            self._look()
            place = next((place for place in self._waiting if self._is_reached(place)), None)
            if place is not None and self._child.pid is not None:
                self._waiting.remove(place)
                self._child.kill()
                while not self._child.ended_within(LOOK_EVERY_S) and not self._stopping.is_set():
                    continue
                self.kills.append(Kill(self._tail.entries, self._last, time.monotonic()))

    def _look(self) -> None:
        for entry in self._tail.new_entries():
            self._last = entry.kind
            self._seen[entry.kind] += 1
            self._reached.setdefault((entry.kind, self._seen[entry.kind]), entry.seq)

    def _is_reached(self, place: KillPlace) -> bool:
        if not place.kind:
            return self._tail.entries >= place.count
        reached = self._reached.get((place.kind, place.count))
        return reached is not None and self._tail.entries >= reached + place.after
