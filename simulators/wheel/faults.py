"""What can go wrong at a table of roulette: rows of its own, and those of every table's machine and people."""

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Final

from controller.core.words import Device
from simulators.devices import faults as d
from simulators.world.breakages import Breakage
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import ROWS, FaultRow, Layer, Moment

K, L, M = FaultKind, Layer, Moment
_WHEEL: Final = (Device.ROULETTE_WHEEL,)
_MARKERS: Final = (Device.VALUE_DISPLAY,)

OWN: Final = (
    FaultRow(K.NO_BALL, L.DEVICE, "the ball leaves the wheel at its launch", M.LAUNCHED, _WHEEL),
    FaultRow(K.BALL_STUCK, L.DEVICE, "the ball stays under way for minutes", M.LAUNCHED, _WHEEL),
    FaultRow(K.LAUNCHED_AGAIN, L.DEVICE, "the wheel gives the spin up without a number", M.LAUNCHED, _WHEEL),
    FaultRow(K.SAME_DIRECTION, L.DEVICE, "the plate turns as it did before", M.LAUNCHED, _WHEEL),
    FaultRow(K.NUMBER_WITHOUT_SPIN, L.DEVICE, "a number comes of which no launch was told", M.LAUNCHED, _WHEEL),
    FaultRow(K.SENSOR_BROKEN, L.DEVICE, "the wheel's sensor breaks, and it stops", M.LAUNCHED, _WHEEL),
    FaultRow(K.BALL_WITH_ROTOR, L.DEVICE, "the plate turns with the ball", M.LAUNCHED, _WHEEL),
    FaultRow(K.WHEEL_SILENT, L.DEVICE, "the wheel says nothing for a while", M.LAUNCHED, _WHEEL, (1.0, 60.0)),
    FaultRow(K.WHEEL_RESTARTED, L.DEVICE, "the wheel loses power and counts anew", M.SECOND, _WHEEL, (1.0, 20.0)),
    FaultRow(K.LINE_DAMAGED, L.DEVICE, "a line of the wheel's is cut, doubled or wrong", M.LINE, _WHEEL, often=4.0),
    FaultRow(K.DISPLAY_STUCK, L.DEVICE, "the markers keep their old values", M.APPLIED, _MARKERS, (5.0, 60.0)),
    FaultRow(K.DISPLAY_FAULT, L.DEVICE, "the value display reports a fault", M.APPLIED, _MARKERS),
    FaultRow(K.MARKER_WRONG, L.DEVICE, "a marker shows another value by itself", M.SECOND, _MARKERS),
    FaultRow(K.REBOOTED, L.DEVICE, "the value display loses power, and is blank", M.SECOND, _MARKERS, (0.2, 30.0)),
    FaultRow(K.HUNG, L.DEVICE, "the value display neither hears nor answers", M.SECOND, _MARKERS, (0.5, 30.0)),
    FaultRow(K.CABLE_PULLED, L.LINE, "a cable is pulled; the technician puts it back", M.SECOND, _WHEEL + _MARKERS),
    FaultRow(K.OBJECT_FELL, L.PEOPLE, "a chip falls into the wheel"),
    FaultRow(K.CHIPS_MOVED, L.PEOPLE, "winning chips are moved by mistake"),
    FaultRow(K.DISPUTED, L.PEOPLE, "a player complains"),
    FaultRow(K.BALL_DEFECTIVE, L.PEOPLE, "the ball is defective"),
    FaultRow(K.LAUNCHED_UNASKED, L.PEOPLE, "the dealer launches whatever the screen says"),
)
_OF_EVERY_TABLE: Final = (
    *(K.DISK_FULL, K.DISK_SLOW, K.SYNC_FAILED, K.SYNC_LOST_DATA, K.TORN_WRITE, K.BIT_FLIP, K.DAMAGE_CLOSED),
    *(K.COPY_SLOW, K.COPY_HANGS, K.COPY_FULL, K.COPY_TORN),
    *(K.POWER_CUT, K.POWER_CUT_OF_ALL, K.PROCESS_KILLED, K.KILLED_TWICE, K.WALL_CLOCK_JUMPED),
    *(K.PERSON_SLOW, K.WRONG_KEY, K.PRESSED_TWICE),
)
WHEEL_FAULTS: Final = (*OWN, *(ROWS[kind] for kind in _OF_EVERY_TABLE))
WHEEL_ROWS: Final = {row.kind: row for row in WHEEL_FAULTS}


@dataclass(frozen=True, slots=True)
class SpinsLong:
    """How long a world of spins is about to be."""

    rounds: int

    SPIN_S = 45.0  # busy
    SPIN_ENTRIES = 25
    SPIN_LINES = 150

    def draw(self, moment: Moment, rng: Random) -> int:
        """A moment of this world."""
        whole = {
            Moment.SECOND: self.rounds * self.SPIN_S,
            Moment.ENTRY: 10 + self.rounds * self.SPIN_ENTRIES,
            Moment.LAUNCHED: self.rounds,
            Moment.APPLIED: 3 + self.rounds,
            Moment.LINE: self.rounds * self.SPIN_LINES,
        }[moment]
        return max(1, int(rng.random() * whole) + 1)


def _bad_spin(how: d.SpinGoesWrong) -> Breakage:
    return lambda fault: d.BadSpin(fault.at, how)


OF_WHEEL: Final[Mapping[FaultKind, Breakage]] = {
    K.NO_BALL: _bad_spin(d.SpinGoesWrong.NO_BALL),
    K.BALL_STUCK: _bad_spin(d.SpinGoesWrong.BALL_STUCK),
    K.LAUNCHED_AGAIN: _bad_spin(d.SpinGoesWrong.LAUNCHED_AGAIN),
    K.SAME_DIRECTION: _bad_spin(d.SpinGoesWrong.SAME_DIRECTION),
    K.NUMBER_WITHOUT_SPIN: _bad_spin(d.SpinGoesWrong.NOT_LAUNCHED),
    K.SENSOR_BROKEN: _bad_spin(d.SpinGoesWrong.SENSOR_BROKEN),
    K.BALL_WITH_ROTOR: _bad_spin(d.SpinGoesWrong.BALL_WITH_ROTOR),
    K.WHEEL_SILENT: lambda fault: d.WheelSilent(fault.at, fault.for_s),
    K.LINE_DAMAGED: lambda fault: d.DamagedLine(fault.at, tuple(d.Damage)[fault.salt % len(d.Damage)]),
    K.DISPLAY_STUCK: lambda fault: d.StuckDisplay(fault.at),
    K.DISPLAY_FAULT: lambda fault: d.DisplayFault(fault.at),
}
"""What goes wrong by itself in the wheel, and in the value display."""
