"""The base class of simulated displays with read-back, which show a picture, or stick and report that."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from msgspec import Struct

from firmware_protocols.tdp.common import PlainResult, Query, StartCause
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.display import DisplayEvent, DisplayFaultCode, DisplayFaulted, DisplayStarted
from firmware_protocols.tdp.schema import DeviceSchema
from simulators.devices.faults import DisplayFault, FaultPlan, StuckDisplay
from simulators.devices.firmware import DeadMan, Hands, TdpFirmware

StatusT = TypeVar("StatusT", bound=DeadMan)
PictureT = TypeVar("PictureT", bound=Struct)


class SimulatedPanel(TdpFirmware[StatusT, PictureT | Query, DisplayEvent], Generic[StatusT, PictureT]):
    """A display that shows the picture of the last command, unless its panel is stuck."""

    def __init__(
        self,
        schema: DeviceSchema[StatusT, Any, DisplayEvent],
        blank: PictureT,
        *,
        now_s: float,
        serial: str,
        boot: int,
        faults: FaultPlan,
    ) -> None:
        super().__init__(schema, now_s=now_s, serial=serial, boot=boot, faults=faults)
        self._blank = blank
        self._picture = blank
        self._wanted: PictureT | None = None  # the picture that a stuck panel will show after its repair
        self._stuck_told = False
        self._applied = 0
        self._begin(now_s)

    def unstick(self, now_s: float) -> None:
        """Repairs a stuck panel, which then shows the picture of the last command."""
        if self._wanted is not None:
            self._picture, self._wanted = self._wanted, None
            self._settle(now_s)

    def stick(self, now_s: float) -> None:
        """Makes the panel keep its present picture, whatever picture it gets."""
        self._wanted, self._stuck_told = self._picture, False
        self._settle(now_s)

    def tell_fault(self, now_s: float) -> None:
        """Reports a fault of the panel, and leaves the picture as it is."""
        self._post(DisplayFaulted(DisplayFaultCode.PANEL), now_s)
        self._settle(now_s)

    def deeds(self) -> Mapping[Deed, Hands]:
        return {**super().deeds(), Deed.FAULT: self.stick, Deed.MEND: self.unstick, Deed.EVENT: self.tell_fault}

    def _started(self, cause: StartCause) -> DisplayEvent:
        return DisplayStarted(cause)

    def _obey(self, command: PictureT | Query, now_s: float) -> PlainResult:
        if not isinstance(command, Query) and self._takes_pictures():
            self._show(command, now_s)
        return PlainResult.OK

    @abstractmethod
    def _takes_pictures(self) -> bool:
        """True if the display shows the picture of a command that arrives now."""

    def _show(self, wanted: PictureT, now_s: float) -> None:
        self._applied += 1
        is_other = wanted != self._picture
        if self._wanted is not None or (is_other and self._begins_to_stick()):
            self._wanted = wanted
        else:
            self._picture = wanted
        if self._wanted is not None and is_other:
            self._tell_stuck(now_s)
        if fault := self._faults.take(DisplayFault, self._applied):
            self._post(DisplayFaulted(fault.code), now_s)
        self._meet_power_faults(self._applied, now_s)

    def _tell_stuck(self, now_s: float) -> None:
        """Reports that the panel does not show the commanded picture, once for each time that it sticks."""
        if not self._stuck_told:
            self._stuck_told = True
            self._post(DisplayFaulted(DisplayFaultCode.READ_BACK), now_s)

    def _begins_to_stick(self) -> bool:
        begins = self._faults.take(StuckDisplay, self._applied) is not None
        self._stuck_told = self._stuck_told and not begins
        return begins

    def _power_lost(self) -> None:
        self._wanted, self._picture = None, self._blank

    def _forget_counts(self) -> None:
        """Does nothing: a display has no counts."""
