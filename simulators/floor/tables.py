"""Runs many simulated tables in one process, in a few threads. Each table has its own journal, key and connection.

Each table plays at its pace, and the real uplink's code sends its entries. A thread serves its tables in turn. If the
floor is slower than the tables, the batches become larger.
"""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.protocol.carried import Finding
from controller.uplink.carry import Carrier
from controller.uplink.errors import Trouble
from controller.uplink.floor import FloorEnd
from controller.uplink.segment import SegmentReader
from simulators.floor.replayed import HIT_EVERY, Evening, ReplayedTable
from simulators.floor.room import HasPort, Room

LOOK_S: Final = 0.2
THREADS: Final = 8
FLUSH_S: Final = 120.0
"""The longest time for which the last entries are carried after the end of play."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of simulated tables. `rate`: entries a second of each table. `look_s`: the seconds after which a table's
    uplink searches the journal for new entries again. `clocks_off_s`: errors of the tables' clocks, assigned to the
    tables in turn. `ahead`: the number of entries by which each table is ahead of the table before it at the start.
    """

    rate: float
    look_s: float = LOOK_S
    clocks_off_s: tuple[float, ...] = (0.0,)
    ahead: int = 0


@dataclass
class PlayedTable:
    """One simulated table with its uplink.

    `delays_ms`: for each entry, the time from when it was due until the floor acknowledged it. `carried_ms`: for each
    batch, the time from the write of its last entry until the floor acknowledged it.
    """

    table: ReplayedTable
    room: Room
    floor: HasPort
    rate: float
    ahead: int = 0
    began_s: float = 0.0
    delays_ms: list[float] = field(default_factory=list)
    carried_ms: list[float] = field(default_factory=list)
    batches: int = 0
    trouble: str = ""
    _end: FloorEnd | None = None
    _carrier: Carrier | None = None

    @property
    def is_level(self) -> bool:
        return self._carrier is not None and self._carrier.at >= self.table.durable_seq()

    @property
    def findings(self) -> list[Finding]:
        """The findings about this table in the floor's last answer; empty without a connection."""
        return [] if self._carrier is None else self._carrier.findings

    def play(self) -> None:
        """Plays the entries that are due by now."""
        due = int((time.monotonic() - self.began_s) * self.rate) + 1 + self.ahead - self.table.durable_seq()
        if due > 0:
            self.table.play(due)

    def step(self) -> None:
        """Sends one batch to the floor. After a failure, stores the reason in `trouble` and hangs up. The next call
        connects again.
        """
        try:
            carrier = self._connected()
            carrier.step(time.monotonic())
            self.batches += 1
            self._measure(carrier.at)
        except Trouble as trouble:
            self.trouble = f"{trouble.event} {trouble.detail}"
            self.hang_up()

    def hang_up(self) -> None:
        if self._end is not None:
            self._end.__exit__()
        self._end, self._carrier = None, None

    def _connected(self) -> Carrier:
        if self._carrier is None:
            self._end = FloorEnd(self.room.settings(self.table.name, self.floor.port))
            self._carrier = Carrier(self.table, self._end, SegmentReader())
            self._carrier.begin()
        return self._carrier

    def _measure(self, at: int) -> None:
        now_s = time.monotonic()
        for seq in range(len(self.delays_ms) + 1, at + 1):
            due_s = self.began_s + max(0, seq - 1 - self.ahead) / self.rate
            self.delays_ms.append((now_s - due_s) * 1000)
        for seq in [one for one in self.table.made_s if one <= at]:
            self.carried_ms.append((now_s - self.table.made_s.pop(seq)) * 1000)


class Tables:
    """All simulated tables of a floor. The tables play between `start` and `end`."""

    def __init__(
        self, room: Room, floors: Sequence[HasPort], evenings: Sequence[Evening], count: int, pace: Pace
    ) -> None:
        self._pace = pace
        self._over = threading.Event()
        journals = room.directory / "journals"
        journals.mkdir()
        self.played = [
            PlayedTable(
                _table(journals, number, evenings, pace),
                room,
                floors[number % len(floors)],
                pace.rate,
                pace.ahead * number,
            )
            for number in range(count)
        ]
        for one in self.played:
            room.admit(one.table.name, one.table.signer)
        shares = [self.played[first::THREADS] for first in range(min(THREADS, count))]
        self._threads = [threading.Thread(target=self._run, args=(share,)) for share in shares]
        self._connected = threading.Barrier(len(shares) + 1)

    def start(self) -> None:
        """Starts the tables. Returns once each table has connected to the floor, before its first entry."""
        for thread in self._threads:
            thread.start()
        self._connected.wait()

    def end(self) -> None:
        """Stops the tables. Returns once the floor has all their entries, or after FLUSH_S seconds."""
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _run(self, share: Sequence[PlayedTable]) -> None:
        for one in share:
            one.step()
        self._connected.wait()
        for one in share:
            one.began_s = time.monotonic()
        while not self._over.is_set():
            round_s = time.monotonic()
            for number, one in enumerate(share):
                self._over.wait(max(0.0, round_s + self._pace.look_s * number / len(share) - time.monotonic()))
                one.play()
                one.step()
            self._over.wait(max(0.0, round_s + self._pace.look_s - time.monotonic()))
        self._flush(share)

    def _flush(self, share: Sequence[PlayedTable]) -> None:
        deadline_s = time.monotonic() + FLUSH_S
        while time.monotonic() < deadline_s and (behind := [one for one in share if not one.is_level]):
            for one in behind:
                one.step()
        for one in share:
            one.hang_up()
            one.table.close()


def _table(directory: Path, number: int, evenings: Sequence[Evening], pace: Pace) -> ReplayedTable:
    evening, off_s = evenings[number % len(evenings)], pace.clocks_off_s[number % len(pace.clocks_off_s)]
    entries = evening.again(lambda: int((time.time() + off_s) * 1000), number % HIT_EVERY)
    return ReplayedTable(directory, f"BJ-{number + 1:04d}", entries, evening.shown_at)
