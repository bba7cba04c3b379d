"""Injects the faults of a card table: in its devices, its lines, its cards and people's deeds."""

from functools import partial

from simulators.world.breakages import Broken
from simulators.world.card_scene import CardScene
from simulators.world.fault_injector import FaultInjector
from simulators.world.faults import ROWS, Layer, Moment, PlannedFault
from simulators.world.faults_of_devices import bring_spare, device_fault, line_fault, mend_later
from simulators.world.faults_of_people import PeopleFaults


class CardFaultInjector(FaultInjector):
    """Injects the planned faults of one card world, each at its planned moment."""

    def __init__(self, scene: CardScene, broken: Broken) -> None:
        super().__init__(scene, ROWS)
        self.scene = scene
        self._people = PeopleFaults(scene)
        for fault in self._planned_for(Moment.WATCHED, Moment.CHANCE):
            self._people.begin(fault)
        for device, end in scene.equipment.ends.items():
            self.watch(end.device, broken[device])
        scene.crew.maybe_err = self._people.maybe_err
        scene.crew.on_spare = partial(bring_spare, scene)

    def inject(self, fault: PlannedFault) -> None:
        layer = ROWS[fault.kind].layer
        if layer is Layer.PEOPLE:
            self._people.begin(fault)
        elif layer is Layer.LINE:
            line_fault(self.scene, fault)
        else:
            device_fault(self.scene, fault)

    def mend_later(self, fault: PlannedFault) -> None:
        mend_later(self.scene, fault)
