"""Brings the planned faults of a world about, each at its moment, and notes which of them were met."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import assert_never

from controller.core.words import Device
from simulators.world.at_entries import AtEntries
from simulators.world.breakages import Breakages
from simulators.world.busy import BusyTime
from simulators.world.card_host import CardHost
from simulators.world.card_scene import CardScene
from simulators.world.crew import Crew
from simulators.world.equipment import Equipment
from simulators.world.faults import ROWS, Layer, Moment, PlannedFault
from simulators.world.faults_of_copy import CopyFaults
from simulators.world.faults_of_devices import bring_spare, device_fault, line_fault, mend_later
from simulators.world.faults_of_machine import DiskFaults, machine_fault
from simulators.world.faults_of_people import PeopleFaults

"""A fault that waits for an entry comes somewhere in what happens right after it."""


class Mischief:
    """Everything that goes wrong in one world."""

    def __init__(
        self,
        equipment: Equipment,
        host: CardHost,
        crew: Crew,
        planned: Sequence[PlannedFault],
        breakages: Breakages,
        on_met: Callable[[PlannedFault], None],
    ) -> None:
        self._busy = BusyTime(host.clock, self._begin)
        self.scene = CardScene(
            clock=host.clock,
            host=host,
            planned=planned,
            later=self._later,
            on_met=on_met,
            looks_different=crew.sight_changed,
            restart_devices=partial(equipment.restart, host.clock),
            equipment=equipment,
            crew=crew,
        )
        self._by_number = {fault.number: fault for fault in planned}
        self._breakages = breakages
        self._disk = DiskFaults(self.scene)
        self._copy = CopyFaults(self.scene)
        self._people = PeopleFaults(self.scene)
        at_entries = [fault for fault in planned if ROWS[fault.kind].moment is Moment.ENTRY]
        self._at_entries = AtEntries(host.clock, at_entries, self._begin)
        for fault in planned:
            if ROWS[fault.kind].moment is Moment.SECOND:
                self._busy.at(float(fault.at), fault)
            elif ROWS[fault.kind].moment in {Moment.WATCHED, Moment.CHANCE}:
                self._people.begin(fault)
        for device, end in equipment.ends.items():
            end.device.watch_faults(partial(self._broke, device))
        crew.tempt = self._people.tempt
        crew.on_spare = partial(bring_spare, self.scene)
        host.disk.on_slow_sync = self._disk.slow_sync
        host.on_disk = self._disk.install
        self._disk.install()

    def synced(self, seq: int) -> None:
        """The medium has the journal up to here, and nobody knows it yet."""
        self._at_entries.synced(seq)

    def durable(self, seq: int) -> None:
        """The journal has come so far, and everybody knows it."""
        self._busy.go_on()
        self._at_entries.durable(seq)

    def _later(self, fault: PlannedFault, after_s: float) -> None:
        self._busy.after(after_s, fault)

    def _begin(self, fault: PlannedFault) -> None:
        layer = ROWS[fault.kind].layer
        match layer:
            case Layer.DEVICE:
                device_fault(self.scene, fault)
            case Layer.LINE:
                line_fault(self.scene, fault)
            case Layer.DISK:
                self._disk.begin(fault)
            case Layer.COPY:
                self._copy.begin(fault)
            case Layer.MACHINE:
                machine_fault(self.scene, fault)
            case Layer.PEOPLE:
                self._people.begin(fault)
            case _:
                assert_never(layer)

    def _broke(self, device: Device, index: int) -> None:
        """A device has met a fault of its own plan."""
        fault = self._by_number[self._breakages.numbers[device][index]]
        self.scene.meet(fault)
        mend_later(self.scene, fault)
