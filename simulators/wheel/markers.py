"""What goes wrong with the display of chip values in a world, each thing at its moment."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from simulators.devices import faults as d
from simulators.devices.firmware import Power
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.wheel.players import COLOURS
from simulators.world.device_end import DeviceEnd
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import PlannedFault
from simulators.world.scene import Scene

K = FaultKind

BY_ITSELF: Final[Mapping[FaultKind, Callable[[int], d.AnyFault]]] = {
    K.DISPLAY_STUCK: d.StuckDisplay,
    K.DISPLAY_FAULT: d.DisplayFault,
}
"""Of commands that it gets."""
AT_A_TIME: Final = frozenset((K.REBOOTED, K.HUNG, K.MARKER_WRONG))


def of_display(planned: Sequence[PlannedFault]) -> tuple[PlannedFault, ...]:
    """Those that the display meets by itself."""
    return tuple(fault for fault in planned if fault.kind in BY_ITSELF)


def breakages(planned: Sequence[PlannedFault]) -> d.FaultPlan:
    """The same as the plan that it carries."""
    return d.FaultPlan(tuple(BY_ITSELF[fault.kind](fault.at) for fault in of_display(planned)))


@dataclass(slots=True)
class MarkersMischief:
    """The display at the end of its line."""

    scene: Scene
    display: SimulatedValueDisplay
    end: DeviceEnd

    def watch(self) -> None:
        """Counts what it meets by itself; somebody mends a marker that sticks after a while."""
        own = of_display(self.scene.planned)
        self.display.watch_faults(lambda index: self._met(own[index]))

    def _met(self, fault: PlannedFault) -> None:
        self.scene.meet(fault)
        if fault.kind is K.DISPLAY_STUCK:
            self.scene.clock.after(fault.for_s, self._mend)

    def _mend(self) -> None:
        self.display.unstick(self.scene.clock.now_s)
        self.end.pump()

    def begin(self, fault: PlannedFault) -> None:
        """Brings one of those about that come at a time."""
        now_s, display = self.scene.clock.now_s, self.display
        if display.power is not Power.ON:
            self.scene.try_again(fault)
            return
        if fault.kind is K.REBOOTED:
            display.reboot(now_s, off_s=fault.for_s)
        elif fault.kind is K.HUNG:
            display.hang(now_s, for_s=fault.for_s)
        else:
            colour, value = COLOURS[fault.salt % len(COLOURS)], 100 * (fault.salt % 70)
            display.change_marker(colour, value, now_s)
        self.scene.meet(fault)
        self.end.pump()

    def restart(self, off_s: float) -> None:
        """It loses its power with the rest of the table."""
        self.display.reboot(self.scene.clock.now_s, off_s=off_s)
        self.end.pump()
