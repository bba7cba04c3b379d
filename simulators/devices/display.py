"""The simulated jackpot display: shows an amount or the fault picture, and says what it really shows."""

from typing import assert_never

from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.display import (
    DISPLAY,
    DisplayApply,
    DisplayCommand,
    DisplayEvent,
    DisplayFaultCode,
    DisplayFaulted,
    DisplayQuery,
    DisplayResult,
    DisplayStarted,
    DisplayStatus,
)
from simulators.devices.faults import NO_FAULTS, DisplayFault, FaultPlan, StuckDisplay
from simulators.devices.firmware import TdpFirmware


class SimulatedDisplay(TdpFirmware[DisplayStatus, DisplayCommand, DisplayEvent]):
    """A display with read-back. Without a host it shows the fault picture, never an old amount."""

    def __init__(
        self, *, now_s: float, serial: str = "SIM-DISPLAY", boot: int = 1, faults: FaultPlan = NO_FAULTS
    ) -> None:
        super().__init__(DISPLAY, now_s=now_s, serial=serial, boot=boot, faults=faults)
        self._shown_cents = 0
        self._fault_shown = True
        self._wanted: DisplayApply | None = None  # of a panel that is stuck: what it will show when it is put right
        self._stuck_told = False
        self._applied = 0
        self._begin(now_s)

    @property
    def shown_cents(self) -> int | None:
        """What a player sees: an amount, or None for the fault picture."""
        return None if self._fault_shown else self._shown_cents

    def unstick(self, now_s: float) -> None:
        """Somebody has put the panel right: it shows what it was last told."""
        if self._wanted is not None:
            self._shown_cents, self._fault_shown = self._wanted.cents, self._wanted.fault or self._link.must_lock
            self._wanted = None
            self._settle(now_s)

    def _status(self) -> DisplayStatus:
        return DisplayStatus(
            shown_cents=self._shown_cents, fault_shown=self._fault_shown, host_silent=self._link.must_lock
        )

    def _started(self, cause: StartCause) -> DisplayEvent:
        return DisplayStarted(cause)

    def _obey(self, command: DisplayCommand, now_s: float) -> DisplayResult:
        match command:
            case DisplayApply():
                self._show(command, now_s)
            case DisplayQuery():
                pass
            case _:
                assert_never(command)
        return DisplayResult.OK

    def _show(self, wanted: DisplayApply, now_s: float) -> None:
        self._applied += 1
        is_other = (wanted.cents, wanted.fault) != (self._shown_cents, self._fault_shown)
        if self._wanted is not None or (is_other and self._begins_to_stick()):
            self._wanted = wanted
        else:
            self._shown_cents, self._fault_shown = wanted.cents, wanted.fault
        if self._wanted is not None and is_other and not self._stuck_told:
            self._stuck_told = True
            self._post(DisplayFaulted(DisplayFaultCode.READ_BACK), now_s)
        if fault := self._faults.take(DisplayFault, self._applied):
            self._post(DisplayFaulted(fault.code), now_s)
        self._meet_power_faults(self._applied, now_s)

    def _begins_to_stick(self) -> bool:
        begins = self._faults.take(StuckDisplay, self._applied) is not None
        self._stuck_told = self._stuck_told and not begins
        return begins

    def _lock_down(self) -> None:
        if self._wanted is None:
            self._fault_shown = True

    def _power_lost(self) -> None:
        self._wanted = None
        self._shown_cents = 0
        self._fault_shown = True

    def _forget_counts(self) -> None:
        """A display counts nothing."""
