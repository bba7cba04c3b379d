"""The simulated card reader, displays and jackpot slots with the C core as their firmware."""

from typing import Generic

from firmware_protocols.tdp.common import Query
from firmware_protocols.tdp.display import DisplayApply, DisplayEvent, DisplayFaulted, DisplayStatus
from firmware_protocols.tdp.shoe import (
    CardPassed,
    ReaderErrorCleared,
    ReaderErrorRaised,
    ShoeCommand,
    ShoeEvent,
    ShoeStatus,
)
from firmware_protocols.tdp.slots import SlotsCommand, SlotsEvent, SlotsStatus
from firmware_protocols.tdp.value_display import MarkersApply, MarkersStatus
from simulators.devices.c_firmware import CFirmware
from simulators.devices.display import SimulatedDisplay
from simulators.devices.firmware import CommandT, Power, StatusT
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.slots import SimulatedSlots
from simulators.devices.value_display import SimulatedValueDisplay


class CShoe(CFirmware[ShoeStatus, ShoeCommand, ShoeEvent], SimulatedShoe):
    """The card reader with the C core as firmware; its magazine is simulated in Python."""

    def _tell(self, event: ShoeEvent, now_s: float) -> None:
        match event:
            case CardPassed():
                self._core.tell(now_s, "passed", event.card)
            case ReaderErrorRaised():
                self._core.tell(now_s, "failed", event.code)
            case ReaderErrorCleared():
                self._core.tell(now_s, "mended")
            case _:
                return

    def _start_words(self) -> tuple[int, ...]:
        return (int(not self._has_lock),)

    def _begin(self, now_s: float) -> None:
        super()._begin(now_s)
        if self._error is not None:  # the reader fails still
            self._core.tell(now_s, "failed", self._error)
            self._settle(now_s)

    @property
    def is_free(self) -> bool:
        return self._power is Power.ON and not self._status().locked

    def _forget_counts(self) -> None:
        """Damages both copies of the counts in the device's memory."""
        self._core.tell_now("lose", 2)


class CPanel(CFirmware[StatusT, CommandT, DisplayEvent], Generic[StatusT, CommandT]):
    """The base class of displays with the C core as firmware; the core also simulates a panel that sticks."""

    def stick(self, now_s: float) -> None:
        self._core.tell(now_s, "stick", 1)
        self._settle(now_s)

    def unstick(self, now_s: float) -> None:
        self._core.tell(now_s, "stick", 0)
        self._settle(now_s)

    def _forget_counts(self) -> None:
        """Damages both copies of the boot number in the device's memory."""
        self._core.tell_now("lose", 2)

    def _tell(self, event: DisplayEvent, now_s: float) -> None:
        if isinstance(event, DisplayFaulted):
            self._core.tell(now_s, "faulted", event.code)


class CDisplay(CPanel[DisplayStatus, DisplayApply | Query], SimulatedDisplay):
    """The jackpot display with the C core as firmware."""

    @property
    def shown_cents(self) -> int | None:
        status = self._status()
        return None if status.fault_shown else status.shown_cents


class CSlots(CFirmware[SlotsStatus, SlotsCommand, SlotsEvent], SimulatedSlots):
    """The jackpot slots with the C core as firmware; chips and their box are simulated in Python."""

    _sensed = (0, 0)

    def _start_words(self) -> tuple[int, ...]:
        self._sensed = self._sees()
        return self._sensed

    def _update(self, now_s: float) -> None:
        status = self._status()
        if status.collections != self._collections:
            self._collections = status.collections
            self._take_in(self._core.last.wants)
        self._lit, self._blinking = status.lit, status.blinking
        if self._sees() != self._sensed:
            self._sensed = self._sees()
            self._core.tell(now_s, "see", *self._sensed)

    def _sees(self) -> tuple[int, int]:
        return self._lying ^ self._misread, self._broken

    def _forget_counts(self) -> None:
        """Damages both copies of the counts in the device's memory."""
        self._core.tell_now("lose", 2)


class CValueDisplay(CPanel[MarkersStatus, MarkersApply | Query], SimulatedValueDisplay):
    """The display of chip values with the C core as firmware."""
