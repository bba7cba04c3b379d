"""Brings the planned faults of a world of spins about, each at its moment."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from math import inf
from random import Random
from typing import Final

from controller.core.words import Device, Role, RoundPhase, SessionPhase
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.wheel.crew import WheelCrew
from simulators.wheel.faults import WHEEL_ROWS, of_wheel
from simulators.wheel.host import WheelHost
from simulators.wheel.markers import AT_A_TIME, MarkersMischief
from simulators.wheel.people import Ask, Touch, View
from simulators.wheel.room import Launch, WheelRoom
from simulators.world.at_entries import AtEntries
from simulators.world.busy import BusyTime
from simulators.world.device_end import DeviceEnd
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import Layer, Moment, PlannedFault
from simulators.world.faults_of_copy import CopyFaults
from simulators.world.faults_of_machine import DiskFaults, machine_fault
from simulators.world.scene import Scene

K = FaultKind

WRONG_KEYS: Final = (
    Ask("announce-number", {"number": "7"}, gives_pin=False),
    Ask("confirm-payments", gives_pin=False),
    Ask("pay-prizes", {"group": "straights"}, gives_pin=False),
    Ask("put-ball-back", {"number": "1"}, gives_pin=False),
    Ask("launch-ball", {"clockwise": "yes"}, gives_pin=False),
    Ask("place-chips", {"player": "1", "bet": "red", "chips": "1"}, gives_pin=False),
    Ask("remove-bet", {"player": "1", "bet": "red"}, gives_pin=False),
    Ask("declare-null-spin", gives_pin=False),
    Ask("change-ball", gives_pin=False),
    Ask("exchange-late-chips", {"colour": "red", "chips": "4"}, gives_pin=False),
)


@dataclass(slots=True)
class Deafness:
    """When the controller could not hear the wheel."""

    spans: list[tuple[float, float]] = field(default_factory=list)
    _since_s: dict[str, float] = field(default_factory=lambda: {"controller": 0.0})

    def begin(self, why: str, now_s: float) -> None:
        self._since_s.setdefault(why, now_s)

    def end(self, why: str, now_s: float) -> None:
        self.spans.append((self._since_s.pop(why, now_s), now_s))

    def is_within(self, from_s: float, until_s: float) -> bool:
        """Whether there was any of it between these times."""
        spans = (*self.spans, *((since_s, inf) for since_s in self._since_s.values()))
        return any(begin_s <= until_s and from_s <= end_s for begin_s, end_s in spans)


class WheelMischief:
    """Everything that goes wrong in one world."""

    def __init__(
        self,
        room: WheelRoom,
        display: tuple[SimulatedValueDisplay, DeviceEnd],
        host: WheelHost,
        crew: WheelCrew,
        planned: Sequence[PlannedFault],
    ) -> None:
        self._room, self._host, self._crew = room, host, crew
        self._busy = BusyTime(host.clock, self._begin)
        self.scene = Scene(
            clock=host.clock,
            host=host,
            planned=planned,
            later=self._later,
            on_met=lambda _fault: None,
            looks_different=crew.stir,
            restart_devices=self._restart_all,
        )
        self._markers = MarkersMischief(self.scene, *display)
        self._markers.watch()
        self.deafness = Deafness()
        self._disk = DiskFaults(self.scene)
        self._copy = CopyFaults(self.scene)
        at_entries = [fault for fault in planned if WHEEL_ROWS[fault.kind].moment is Moment.ENTRY]
        self._at_entries = AtEntries(host.clock, at_entries, self._begin)
        for fault in planned:
            if WHEEL_ROWS[fault.kind].moment is Moment.SECOND:
                self._busy.at(float(fault.at), fault)
        room.wheel.watch_faults(partial(self._wheel_met, of_wheel(planned)))
        self._temptations: list[PlannedFault] = []
        crew.tempt = self._tempt
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

    def _wheel_met(self, own: Sequence[PlannedFault], index: int) -> None:
        fault = own[index]
        self.scene.meet(fault)

    def _begin(self, fault: PlannedFault) -> None:
        layer = WHEEL_ROWS[fault.kind].layer
        if layer is Layer.DISK:
            self._disk.begin(fault)
        elif layer is Layer.COPY:
            self._copy.begin(fault)
        elif layer is Layer.MACHINE:
            machine_fault(self.scene, fault)
        elif layer is Layer.LINE:
            self._pull_cable(fault)
        elif fault.kind in AT_A_TIME:
            self._markers.begin(fault)
        elif fault.kind is K.WHEEL_RESTARTED:
            self._restart_wheel(fault.for_s)
            self.scene.meet(fault)
            self._crew.stir()
        elif fault.kind in _TEMPTATIONS:
            self._temptations.append(fault)
        elif not self._befalls_the_table(fault):
            self.scene.try_again(fault)

    def _befalls_the_table(self, fault: PlannedFault) -> bool:
        """Something happens that people see; False: there was nothing for it."""
        room, status = self._room, self._host.look()
        if status is None or status.session != SessionPhase.IN_PLAY:
            return False
        match fault.kind:
            case K.OBJECT_FELL if room.wheel.is_running:
                room.fell_in = True
            case K.CHIPS_MOVED if status.round == RoundPhase.PAYING:
                room.chips_moved = True
            case K.DISPUTED if status.round_number:
                room.player_complains = True
            case K.BALL_DEFECTIVE if not room.wheel.is_running:
                room.ball_defective = True
            case _:
                return False
        self.scene.meet(fault)
        self._crew.stir()
        return True

    def _restart_all(self, off_s: float) -> None:
        self._restart_wheel(off_s)
        self._markers.restart(off_s)

    def _restart_wheel(self, off_s: float) -> None:
        now_s = self.scene.clock.now_s
        self.deafness.spans.append((now_s, now_s + off_s))
        self._room.wheel.restart(now_s, off_s)

    def _pull_cable(self, fault: PlannedFault) -> None:
        line = self._host.lines[fault.device or Device.ROULETTE_WHEEL]
        if not line.plugged:
            self.scene.try_again(fault)
            return
        line.unplug()
        if fault.device is Device.ROULETTE_WHEEL:
            self.deafness.begin("cable", self.scene.clock.now_s)
        self.scene.meet(fault)
        self._crew.stir()

    def plug(self) -> None:
        """The technician has put every cable in."""
        for line in self._host.lines.values():
            line.plug()
        self.deafness.end("cable", self.scene.clock.now_s)

    # ---- people

    def _tempt(self, view: View, role: Role, doing: Ask | Touch, rng: Random) -> Ask | Touch | float | None:
        fault = next(iter(self._temptations), None)
        if fault is None:
            return None
        other = self._instead(fault, view, role, doing, rng)
        if other is not None:
            self._temptations.remove(fault)
            self.scene.meet(fault)
        return other

    def _instead(
        self, fault: PlannedFault, view: View, role: Role, doing: Ask | Touch, rng: Random
    ) -> Ask | Touch | float | None:
        match fault.kind:
            case K.PERSON_SLOW:
                return fault.for_s
            case K.WRONG_KEY if role is Role.DEALER and isinstance(doing, Ask) and not doing.gives_pin:
                return rng.choice(WRONG_KEYS)
            case K.PRESSED_TWICE if isinstance(doing, Ask):
                self._host.clock.after(0.2, partial(self._crew.press_again, doing))
                return doing
            case K.LAUNCHED_UNASKED if role is Role.DEALER and view.sight.ready:
                return Touch(Launch(rng.random() < 0.5, view.spin))
            case _:
                return None


_TEMPTATIONS: Final = (K.PERSON_SLOW, K.WRONG_KEY, K.PRESSED_TWICE, K.LAUNCHED_UNASKED)
