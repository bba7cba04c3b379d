"""The simulated jackpot display, which shows an amount or the fault picture and reports what is shown."""

from msgspec.structs import replace

from firmware_protocols.tdp.display import DISPLAY, DisplayApply, DisplayStatus
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.panel import SimulatedPanel


class SimulatedDisplay(SimulatedPanel[DisplayStatus, DisplayApply]):
    """A display with read-back. Without a host it shows the fault picture, never an old amount, unless its panel is
    stuck.
    """

    def __init__(
        self, *, now_s: float, serial: str = "SIM-DISPLAY", boot: int = 1, faults: FaultPlan = NO_FAULTS
    ) -> None:
        blank = DisplayApply(0, fault=True)
        super().__init__(DISPLAY, blank, now_s=now_s, serial=serial, boot=boot, faults=faults)

    @property
    def shown_cents(self) -> int | None:
        """The cents that a player sees; None for the fault picture."""
        return None if self._picture.fault else self._picture.cents

    def _status(self) -> DisplayStatus:
        shown, fault = self._picture.cents, self._picture.fault
        return DisplayStatus(shown_cents=shown, fault_shown=fault, host_silent=self._link.must_lock)

    def _takes_pictures(self) -> bool:
        return True

    def _show(self, wanted: DisplayApply, now_s: float) -> None:
        """Shows the picture of a command. While the host is silent, shows the fault picture, and reports that picture
        in the answer.
        """
        super()._show(replace(wanted, fault=wanted.fault or self._link.must_lock), now_s)

    def _lock_down(self) -> None:
        """Replaces the amount by the fault picture; a stuck panel shows the fault picture only after its repair."""
        if self._wanted is None:
            self._picture = replace(self._picture, fault=True)
        else:
            self._wanted = replace(self._wanted, fault=True)

    def _update(self, now_s: float) -> None:
        if self._wanted not in (None, self._picture):
            self._tell_stuck(now_s)
