"""Injects the planned faults of a world in any game, each at its planned moment.

A table waits most of its time: for players, for a technician, while decks are displayed. At a random second a fault
would mostly find nothing to affect. So the plan counts busy seconds: a pause between two journal entries counts for at
most MOST_OF_A_PAUSE_S.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from typing import Final, Protocol

from simulators.world.clock import Alarm, VirtualClock, chance
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FaultRow, Layer, Moment, PlannedFault
from simulators.world.faults_of_copy import CopyFaults
from simulators.world.faults_of_machine import DiskFaults, machine_fault
from simulators.world.scene import Scene
from simulators.world.second_copy import Medium

AT_ONCE: Final = frozenset((FaultKind.PROCESS_KILLED, FaultKind.KILLED_TWICE, FaultKind.POWER_CUT))
SOON_S: Final = 0.02
"""A fault that waits for a journal entry begins within this time after the entry."""

MOST_OF_A_PAUSE_S: Final = 4.0


class BusyTime:
    """Calls `begin` with each fault at its busy second. A pause between entries counts for
    at most MOST_OF_A_PAUSE_S.
    """

    def __init__(self, clock: VirtualClock, begin: Callable[[PlannedFault], None]) -> None:
        self._clock = clock
        self._begin = begin
        self._last_s = clock.now_s  # the time of the last entry
        self._busy_s = 0.0  # busy seconds up to `_last_s`
        self._asked = 0
        self._waiting: list[tuple[float, int, PlannedFault]] = []
        self._alarm = Alarm(clock, self._come)

    def at(self, busy_s: float, fault: PlannedFault) -> None:
        """Schedules the fault for the busy second `busy_s`, or for now if that is past."""
        self._asked += 1
        heappush(self._waiting, (busy_s, self._asked, fault))
        self._set()

    def after(self, fault: PlannedFault, delay_s: float) -> None:
        """Schedules the fault `delay_s` busy seconds from now."""
        self.at(self._busy_s + self._pause_s() + delay_s, fault)

    def go_on(self) -> None:
        """Adds the pause before a new durable entry to the busy time."""
        self._busy_s += self._pause_s()
        self._last_s = self._clock.now_s
        self._set()

    def _pause_s(self) -> float:
        return min(MOST_OF_A_PAUSE_S, self._clock.now_s - self._last_s)

    def _set(self) -> None:
        left_s = self._waiting[0][0] - self._busy_s if self._waiting else None
        is_soon = left_s is not None and left_s <= MOST_OF_A_PAUSE_S
        self._alarm.set(self._last_s + left_s if left_s is not None and is_soon else None)

    def _come(self) -> None:
        _, _, fault = heappop(self._waiting)
        self._set()
        self._begin(fault)


class Breaks(Protocol):
    """A device with planned faults that reports when one of them happens."""

    def watch_faults(self, on_met: Callable[[int], None]) -> None: ...


class FaultInjector(ABC):
    """Injects the planned faults of one world. `rows`: the kinds of fault in its game."""

    def __init__(self, scene: Scene, rows: Mapping[FaultKind, FaultRow]) -> None:
        self._scene, self._rows, host = scene, rows, scene.host
        self._busy = BusyTime(scene.clock, self._begin)
        scene.later = self._busy.after
        if any(rows[fault.kind].layer is Layer.COPY for fault in scene.planned):
            host.second = Medium(chance(host.seed, "second copy"))
        self._disk = DiskFaults(scene)
        self._copy = CopyFaults(scene)
        self._at_entries = self._planned_for(Moment.ENTRY)
        for fault in self._planned_for(Moment.SECOND):
            self._busy.at(float(fault.at), fault)
        host.disk.on_wait, host.disk.on_replaced = self._disk.slow_sync, self._disk.install
        self._disk.install()

    @abstractmethod
    def inject(self, fault: PlannedFault) -> None:
        """Begins a fault of a device, of a line or of people; each game implements this method. Faults of disk, second
        copy and computer begin elsewhere: every game has them in common.
        """

    @abstractmethod
    def mend_later(self, fault: PlannedFault) -> None:
        """Schedules the repair of a fault in a device, if people must repair it."""

    def watch(self, device: Breaks, own: Sequence[PlannedFault]) -> None:
        """Makes the injector record each planned fault that happens in this device. `own`: the device's faults, in the
        order of its plan.
        """
        device.watch_faults(lambda index: self._broke(own[index]))

    def synced(self, seq: int) -> None:
        """Begins the kills and power cuts that are due at entry `seq`. The entry is on the medium, but no process knows
        so yet: this is the worst moment to die. Begins only faults with an odd `salt`; `durable` begins the others.
        """
        for fault in [one for one in self._at_entries if one.at <= seq and one.kind in AT_ONCE and one.salt % 2]:
            self._at_entries.remove(fault)
            self._begin(fault)

    def durable(self, seq: int) -> None:
        """Begins, within SOON_S seconds, the faults that are due at the durable entry `seq`."""
        self._busy.go_on()
        for fault in [one for one in self._at_entries if one.at <= seq]:
            self._at_entries.remove(fault)
            self._scene.clock.after(SOON_S * fault.rng.random(), partial(self._begin, fault))

    def _broke(self, fault: PlannedFault) -> None:
        self._scene.meet(fault)
        self.mend_later(fault)

    def _planned_for(self, *moments: Moment) -> list[PlannedFault]:
        return [fault for fault in self._scene.planned if self._rows[fault.kind].moment in moments]

    def _begin(self, fault: PlannedFault) -> None:
        match self._rows[fault.kind].layer:
            case Layer.DISK:
                self._disk.begin(fault)
            case Layer.COPY:
                self._copy.begin(fault)
            case Layer.MACHINE:
                machine_fault(self._scene, fault)
            case _:
                self.inject(fault)
