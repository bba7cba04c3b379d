"""Injects the faults of a roulette table: in the wheel, its line, the value display and people's acts."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from random import Random
from typing import Final

from msgspec import Struct, field

from controller.core.words import Device, Role, RoundPhase, SessionPhase
from simulators.devices.firmware import Power
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.people.mistyped import Mistyped
from simulators.wheel.crew import WheelCrew
from simulators.wheel.faults import WHEEL_ROWS
from simulators.wheel.host import WheelHost
from simulators.wheel.mistyping import mistyped
from simulators.wheel.people import Ask, Touch, View
from simulators.wheel.players import COLOURS
from simulators.wheel.room import Amiss, Launch, WheelRoom
from simulators.world.breakages import Broken
from simulators.world.device_end import DeviceEnd
from simulators.world.fault_injector import FaultInjector
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import Layer, PlannedFault
from simulators.world.scene import Scene

K = FaultKind

_PRESSED: Final[tuple[tuple[str, Mapping[str, str]], ...]] = (
    ("announce-number", {"number": "7"}),
    ("confirm-payments", {}),
    ("pay-prizes", {"group": "straights"}),
    ("put-ball-back", {"number": "1"}),
    ("launch-ball", {"clockwise": "yes"}),
    ("place-chips", {"player": "1", "bet": "red", "chips": "1"}),
    ("remove-bet", {"player": "1", "bet": "red"}),
    ("declare-null-spin", {}),
    ("change-ball", {}),
    ("exchange-late-chips", {"colour": "red", "chips": "4"}),
)
WRONG_KEYS: Final = tuple(Ask(act, values, gives_pin=False) for act, values in _PRESSED)
_TEMPTATIONS: Final = (K.PERSON_SLOW, K.WRONG_KEY, K.PRESSED_TWICE, K.LAUNCHED_UNASKED, K.MISTYPED)
AT_ONCE_S: Final = 0.3


class Deafness(Struct):
    """The spans of time in which the controller could not hear the wheel."""

    spans: list[tuple[float, float]] = field(default_factory=list)
    _since_s: dict[str, float] = field(default_factory=lambda: {"controller": 0.0})

    def begin(self, why: str, now_s: float) -> None:
        self._since_s.setdefault(why, now_s)

    def end(self, why: str, now_s: float) -> None:
        self.spans.append((self._since_s.pop(why, now_s), now_s))

    def is_within(self, from_s: float, until_s: float) -> bool:
        """True if the controller could not hear the wheel at some moment from `from_s` to `until_s`."""
        spans = (*self.spans, *((since_s, inf) for since_s in self._since_s.values()))
        return any(begin_s <= until_s and from_s <= end_s for begin_s, end_s in spans)


class WheelFaultInjector(FaultInjector):
    """Injects the planned faults of one roulette world, each at its planned moment."""

    def __init__(
        self,
        room: WheelRoom,
        display: tuple[SimulatedValueDisplay, DeviceEnd],
        host: WheelHost,
        crew: WheelCrew,
        planned: Sequence[PlannedFault],
        broken: Broken,
    ) -> None:
        self._room, self._host, self._crew = room, host, crew
        self._display, self._end = display
        self.scene = Scene(
            clock=host.clock,
            host=host,
            planned=planned,
            looks_different=crew.stir,
            restart_devices=self._restart_all,
        )
        self.deafness = Deafness()
        super().__init__(self.scene, WHEEL_ROWS)
        self.watch(room.wheel, broken[Device.ROULETTE_WHEEL])
        self.watch(self._display, broken[Device.VALUE_DISPLAY])
        self._errors_due: list[PlannedFault] = []
        crew.maybe_err = self._maybe_err

    def inject(self, fault: PlannedFault) -> None:
        if fault.kind in _TEMPTATIONS:
            self._errors_due.append(fault)
        elif not self._affects(fault):
            self.scene.try_again(fault)
        else:
            self.scene.meet(fault)
            if fault.device is Device.VALUE_DISPLAY and fault.kind is not K.CABLE_PULLED:
                self._end.pump()
            else:
                self._crew.stir()

    def mend_later(self, fault: PlannedFault) -> None:
        if fault.kind is K.DISPLAY_STUCK:
            self.scene.clock.after(fault.for_s, self._unstick)

    def _unstick(self) -> None:
        self._display.unstick(self.scene.clock.now_s)
        self._end.pump()

    def _affects(self, fault: PlannedFault) -> bool:
        """Injects the fault; returns False if the fault would have no effect now."""
        if WHEEL_ROWS[fault.kind].layer is Layer.LINE:
            return self._pull_cable(fault)
        if fault.device is Device.VALUE_DISPLAY:
            return self._affects_display(fault)
        if fault.kind is K.WHEEL_RESTARTED:
            self._restart_wheel(fault.for_s)
            return True
        return self._affects_table(fault)

    def _affects_display(self, fault: PlannedFault) -> bool:
        now_s, display = self.scene.clock.now_s, self._display
        if display.power is not Power.ON:
            return False
        if fault.kind is K.REBOOTED:
            display.reboot(now_s, off_s=fault.for_s)
        elif fault.kind is K.HUNG:
            display.hang(now_s, for_s=fault.for_s)
        else:
            colour, value = COLOURS[fault.salt % len(COLOURS)], 100 * (fault.salt % 70)
            display.change_marker(colour, value, now_s)
        return True

    def _affects_table(self, fault: PlannedFault) -> bool:
        """Injects a fault that people see at the table; returns False if it does not fit the present step
        of the game.
        """
        room, status = self._room, self._host.look()
        if status is None or status.session != SessionPhase.IN_PLAY:
            return False
        match fault.kind:
            case K.OBJECT_FELL if room.wheel.is_running:
                room.amiss.add(Amiss.FELL_IN)
            case K.CHIPS_MOVED if status.round == RoundPhase.PAYING:
                room.amiss.add(Amiss.CHIPS_MOVED)
            case K.DISPUTED if status.round_number:
                room.amiss.add(Amiss.PLAYER_COMPLAINS)
            case K.BALL_DEFECTIVE if not room.wheel.is_running:
                room.amiss.add(Amiss.BALL_DEFECTIVE)
            case _:
                return False
        return True

    def _restart_all(self, off_s: float) -> None:
        self._restart_wheel(off_s)
        self._display.reboot(self.scene.clock.now_s, off_s=off_s)
        self._end.pump()

    def _restart_wheel(self, off_s: float) -> None:
        now_s = self.scene.clock.now_s
        self.deafness.spans.append((now_s, now_s + off_s))
        self._room.wheel.restart(now_s, off_s)

    def _pull_cable(self, fault: PlannedFault) -> bool:
        line = self._host.lines[fault.device or Device.ROULETTE_WHEEL]
        if not line.plugged:
            return False
        line.unplug()
        self._room.amiss.add(Amiss.UNPLUGGED)
        if fault.device is Device.ROULETTE_WHEEL:
            self.deafness.begin("cable", self.scene.clock.now_s)
        return True

    def power(self, what: str) -> None:
        """Notes that the controller can hear the wheel again if `what` is "starts". Otherwise notes that the controller
        cannot hear the wheel from now on.
        """
        told = self.deafness.end if what == "starts" else self.deafness.begin
        told("controller", self.scene.clock.now_s)

    def plug(self) -> None:
        """Plugs in every cable of the table."""
        for line in self._host.lines.values():
            line.plug()
        self.deafness.end("cable", self.scene.clock.now_s)

    # ---- people

    def _maybe_err(self, view: View, role: Role, doing: Ask | Touch, rng: Random) -> Ask | Touch | float | None:
        fault = next(iter(self._errors_due), None)
        other = None if fault is None else self._instead(fault, view, role, doing, rng)
        if fault is not None and other is not None:
            self._errors_due.remove(fault)
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
            case K.MISTYPED if role is Role.DEALER and isinstance(doing, Ask) and self._room.mistyped is None:
                return self._mistype(fault, view, doing)
            case K.LAUNCHED_UNASKED if role is Role.DEALER and view.sight.ready:
                return Touch(Launch(rng.random() < 0.5, view.spin))
            case _:
                return None

    def _mistype(self, fault: PlannedFault, view: View, doing: Ask) -> Ask | None:
        wrong = mistyped(view, doing, fault.rng)
        if wrong is None:
            return None
        self._room.mistyped = wrong
        notices_s = fault.for_s if fault.salt % 2 else AT_ONCE_S
        self._crew.on_mistyped = lambda: self._notice_in(notices_s, wrong)
        return Ask(wrong.entered.act, wrong.entered.values, gives_pin=doing.gives_pin)

    def _notice_in(self, for_s: float, wrong: Mistyped) -> None:
        self.scene.clock.after(for_s, partial(self._notice, wrong))

    def _notice(self, wrong: Mistyped) -> None:
        wrong.is_noticed = True
        self._crew.stir()
