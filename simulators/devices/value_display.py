"""The simulated display of chip values: one marker for each colour, with a report of the values shown."""

from typing import Any

from msgspec.structs import replace

from firmware_protocols.tdp.value_display import VALUE_DISPLAY, MarkersApply, MarkersStatus
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.panel import SimulatedPanel


class SimulatedValueDisplay(SimulatedPanel[MarkersStatus, MarkersApply]):
    """Markers with read-back. Without a host they keep their values, since chips of these values lie on the table."""

    def __init__(
        self, *, now_s: float, serial: str = "SIM-VALUES", boot: int = 1, faults: FaultPlan = NO_FAULTS
    ) -> None:
        super().__init__(VALUE_DISPLAY, MarkersApply(), now_s=now_s, serial=serial, boot=boot, faults=faults)

    @property
    def values(self) -> tuple[int, ...]:
        """The values that players see, in cents, in the order of the colours; 0 for a blank marker."""
        return self._picture.values

    def change_marker(self, colour: str, value: int, now_s: float) -> None:
        """Changes the value of the marker with this colour without a command, as a fault."""
        self.before_talk()
        self._picture = replace(self._picture, **{colour: value})
        self._settle(now_s)

    def _status(self) -> MarkersStatus:
        fields: tuple[Any, ...] = (*self.values, self._link.must_lock)
        return MarkersStatus(*fields)

    def _takes_pictures(self) -> bool:
        return not self._link.must_lock

    def _lock_down(self) -> None:
        """Does nothing: the values on the markers give no permission."""
