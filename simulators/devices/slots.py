"""The simulated jackpot slots: each slot has room for one chip, a sensor that reports the chip or fails, and a lamp."""

from collections.abc import Mapping
from typing import Final, assert_never

from firmware_protocols.tdp.common import PlainResult, Query, StartCause
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.slots import (
    SEATS_MAX,
    SLOTS,
    SlotsApply,
    SlotsChanged,
    SlotsCommand,
    SlotsEvent,
    SlotsStarted,
    SlotsStatus,
)
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.firmware import Hands, TdpFirmware

U16 = 1 << 16
CHIPS: Final = (1, 3)
"""Seats in whose slots hands lay chips for the conformance checks."""


class SimulatedSlots(TdpFirmware[SlotsStatus, SlotsCommand, SlotsEvent]):
    """Slots that drop their chips into a box on command. Chips and box survive every reboot."""

    def __init__(
        self, *, now_s: float, serial: str = "SIM-SLOTS", boot: int = 1, faults: FaultPlan = NO_FAULTS
    ) -> None:
        super().__init__(SLOTS, now_s=now_s, serial=serial, boot=boot, faults=faults)
        self._lying = 0  # slots that hold a chip
        self._misread = 0  # slots whose sensor reports the opposite
        self._broken = 0
        self._collections = 0  # persistent
        self._lit = self._blinking = 0
        self._told = (0, 0, 0)
        self.taken_in = 0  # chips in the box
        self._begin(now_s)

    # ---- what hands do, and what breaks

    def has_chip(self, seat: int) -> bool:
        """True if a chip lies in the seat's slot, whatever its sensor reports."""
        return bool(self._lying & _bit(seat))

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats whose slots hold a chip."""
        return tuple(seat for seat in range(1, SEATS_MAX + 1) if self.has_chip(seat))

    def lamp(self, seat: int) -> str:
        """The lamp as the player sees it: `lit`, `blinking` or `dark`."""
        if self._blinking & _bit(seat):
            return "blinking"
        return "lit" if self._lit & _bit(seat) else "dark"

    def lay_chip(self, seat: int, now_s: float) -> None:
        """Puts a chip into the seat's slot; does nothing if a chip lies there."""
        self._lying |= _bit(seat)
        self._settle(now_s)

    def take_chip(self, seat: int, now_s: float) -> None:
        """Takes the chip out of the seat's slot by hand. Does nothing if the slot is empty."""
        self._lying &= ~_bit(seat)
        self._settle(now_s)

    def break_sensor(self, seat: int, now_s: float) -> None:
        """Makes the sensor of the seat's slot fail; the device notices and reports it as broken."""
        self._broken |= _bit(seat)
        self._settle(now_s)

    def mend_sensor(self, seat: int, now_s: float) -> None:
        """Repairs the sensor of the seat's slot, broken or reversed."""
        self._broken &= ~_bit(seat)
        self._misread &= ~_bit(seat)
        self._settle(now_s)

    def misread(self, seat: int, now_s: float) -> None:
        """Makes the sensor of the seat's slot report the opposite from now on. The device does not notice."""
        self._misread |= _bit(seat)
        self._settle(now_s)

    def deeds(self) -> Mapping[Deed, Hands]:
        return {**super().deeds(), Deed.LOAD: self._lay_chips, Deed.EVENT: self._move_chip}

    def _lay_chips(self, now_s: float) -> None:
        for seat in CHIPS:
            self.lay_chip(seat, now_s)

    def _move_chip(self, now_s: float) -> None:
        (self.take_chip if self.has_chip(1) else self.lay_chip)(1, now_s)

    # ---- firmware

    def _status(self) -> SlotsStatus:
        chips = (self._lying ^ self._misread) & ~self._broken
        return SlotsStatus(
            chips, self._broken, self._lit, self._blinking, self._collections, host_silent=self._link.must_lock
        )

    def _started(self, cause: StartCause) -> SlotsEvent:
        return SlotsStarted(cause)

    def _obey(self, command: SlotsCommand, now_s: float) -> PlainResult:
        match command:
            case SlotsApply():
                if not self._link.must_lock:
                    self._apply(command)
                    self._update(now_s)  # at once: the answer's status has the collection, so its event must come first
            case Query():
                pass
            case _:
                assert_never(command)
        return PlainResult.OK

    def _apply(self, command: SlotsApply) -> None:
        self._lit, self._blinking = command.lit, command.blinking
        if command.collection == (self._collections + 1) % U16:
            self._collections = command.collection
            self._take_in(command.seats)

    def _take_in(self, slots: int) -> None:
        self.taken_in += (self._lying & slots).bit_count()
        self._lying &= ~slots

    def _update(self, now_s: float) -> None:
        status = self._status()
        told = (status.chips, status.broken, status.collections)
        if told != self._told:
            self._told = told
            self._post(SlotsChanged(), now_s)

    def _lock_down(self) -> None:
        """Does nothing: a lamp gives no permission, and a command alone collects chips."""

    def _power_lost(self) -> None:
        self._lit = self._blinking = 0

    def _forget_counts(self) -> None:
        self._collections = 0


def _bit(seat: int) -> int:
    return 1 << (seat - 1)
