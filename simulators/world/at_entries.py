"""Faults that come when the journal has grown to some entry."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Final

from simulators.world.clock import VirtualClock
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault

AT_ONCE: Final = frozenset((FaultKind.PROCESS_KILLED, FaultKind.KILLED_TWICE, FaultKind.POWER_CUT))
SOON_S: Final = 0.02


class AtEntries:
    """Begins each fault once its entry is there."""

    def __init__(
        self, clock: VirtualClock, faults: Iterable[PlannedFault], begin: Callable[[PlannedFault], None]
    ) -> None:
        self._clock, self._waiting, self._begin = clock, list(faults), begin

    def synced(self, seq: int) -> None:
        """The medium has the journal up to here, and nobody knows it yet: the worst moment for a process to die."""
        for fault in [fault for fault in self._waiting if fault.at <= seq and fault.kind in AT_ONCE and fault.salt % 2]:
            self._waiting.remove(fault)
            self._begin(fault)

    def durable(self, seq: int) -> None:
        """The journal has come so far, and everybody knows it."""
        for fault in [fault for fault in self._waiting if fault.at <= seq]:
            self._waiting.remove(fault)
            self._clock.after(SOON_S * fault.rng.random(), partial(self._begin, fault))
