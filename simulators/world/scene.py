"""The parts of any table that faults affect, such as the controller's computer, and the record of the faults met."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct, field

from simulators.world.clock import VirtualClock
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.host import Host

TRIES_AGAIN_S: Final = 3.0
"""Busy seconds after which a fault without a target tries again."""


class Scene(Struct, kw_only=True):
    """The parts of one table that faults affect, with the planned faults and those met (that had an effect)."""

    clock: VirtualClock
    host: Host
    planned: Sequence[PlannedFault]
    looks_different: Callable[[], None]  # called after a change that people may see
    restart_devices: Callable[[float], None]  # switches the devices off for this many seconds
    # begins the fault after these busy seconds
    later: Callable[[PlannedFault, float], None] = lambda _fault, _busy_s: None
    on_met: Callable[[PlannedFault], None] = lambda _fault: None
    met: dict[int, float] = field(default_factory=dict)  # by fault number: the time of its first effect
    tries: Counter[int] = field(default_factory=Counter)  # by fault number: the tries without a target
    times: Counter[int] = field(default_factory=Counter)  # by fault number: the number of effects
    last_end_s: float = 0.0  # the end of the last fault that was met

    @property
    def kinds_met(self) -> frozenset[FaultKind]:
        """The kinds of fault that have had an effect so far."""
        return frozenset(fault.kind for fault in self.planned if fault.number in self.met)

    def meet(self, fault: PlannedFault) -> None:
        """Counts an effect of the fault. At the fault's first effect also stores the time and calls `on_met`."""
        self.times[fault.number] += 1
        self.last_end_s = max(self.last_end_s, self.clock.now_s + fault.for_s)
        if fault.number not in self.met:
            self.met[fault.number] = self.clock.now_s
            self.on_met(fault)

    def try_again(self, fault: PlannedFault, after_s: float = TRIES_AGAIN_S) -> None:
        """Counts a try without an effect, and schedules the fault again after `after_s` busy seconds."""
        self.tries[fault.number] += 1
        self.later(fault, after_s)
