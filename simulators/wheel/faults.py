"""The table of possible faults at a roulette table: faults of a wheel, and faults of the computer and the people at any
table.
"""

from collections.abc import Mapping
from random import Random
from typing import Final

from msgspec import Struct

from controller.core.words import Device
from simulators.devices import faults as d
from simulators.world.breakages import Breakage
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import OF_DEVICE, OF_LINE, OF_PEOPLE, ROWS, Moment

K, M = FaultKind, Moment
_WHEEL: Final = (Device.ROULETTE_WHEEL,)
_MARKERS: Final = (Device.VALUE_DISPLAY,)

OWN: Final = (
    OF_DEVICE(K.NO_BALL, "the ball leaves the wheel at its launch", _WHEEL, M.LAUNCHED),
    OF_DEVICE(K.BALL_STUCK, "the ball stays under way for minutes", _WHEEL, M.LAUNCHED),
    OF_DEVICE(K.LAUNCHED_AGAIN, "the wheel gives the spin up without a number", _WHEEL, M.LAUNCHED),
    OF_DEVICE(K.SAME_DIRECTION, "the plate turns as it did before", _WHEEL, M.LAUNCHED),
    OF_DEVICE(K.NUMBER_WITHOUT_SPIN, "a number comes of which no launch was told", _WHEEL, M.LAUNCHED),
    OF_DEVICE(K.SENSOR_BROKEN, "the wheel's sensor breaks, and it stops", _WHEEL, M.LAUNCHED),
    OF_DEVICE(K.BALL_WITH_ROTOR, "the plate turns with the ball", _WHEEL, M.LAUNCHED),
    OF_DEVICE(K.WHEEL_SILENT, "the wheel says nothing for a while", _WHEEL, M.LAUNCHED, for_s=(1.0, 60.0)),
    OF_DEVICE(K.WHEEL_RESTARTED, "the wheel loses power and counts anew", _WHEEL, for_s=(1.0, 20.0)),
    OF_DEVICE(K.LINE_DAMAGED, "a line of the wheel's is cut, doubled or wrong", _WHEEL, M.LINE, often=4.0),
    OF_DEVICE(K.DISPLAY_STUCK, "the markers keep their old values", _MARKERS, M.APPLIED, for_s=(5.0, 60.0)),
    OF_DEVICE(K.DISPLAY_FAULT, "the value display reports a fault", _MARKERS, M.APPLIED),
    OF_DEVICE(K.MARKER_WRONG, "a marker shows another value by itself", _MARKERS),
    OF_DEVICE(K.REBOOTED, "the value display loses power, and is blank", _MARKERS, for_s=(0.2, 30.0)),
    OF_DEVICE(K.HUNG, "the value display neither hears nor answers", _MARKERS, for_s=(0.5, 30.0)),
    OF_LINE(K.CABLE_PULLED, "a cable is pulled; the technician puts it back", _WHEEL + _MARKERS),
    OF_PEOPLE(K.OBJECT_FELL, "a chip falls into the wheel"),
    OF_PEOPLE(K.CHIPS_MOVED, "winning chips are moved by mistake"),
    OF_PEOPLE(K.DISPUTED, "a player complains"),
    OF_PEOPLE(K.BALL_DEFECTIVE, "the ball is defective"),
    OF_PEOPLE(K.LAUNCHED_UNASKED, "the dealer launches whatever the screen says"),
    OF_DEVICE(K.NUMBER_MISREAD, "the line tells another number than where the ball lies", _WHEEL, M.LAUNCHED),
)
_OF_EVERY_TABLE: Final = (
    *(K.DISK_FULL, K.DISK_SLOW, K.SYNC_FAILED, K.SYNC_LOST_DATA, K.TORN_WRITE, K.BIT_FLIP, K.DAMAGE_CLOSED),
    *(K.COPY_SLOW, K.COPY_HANGS, K.COPY_FULL, K.COPY_TORN),
    *(K.POWER_CUT, K.POWER_CUT_OF_ALL, K.PROCESS_KILLED, K.KILLED_TWICE, K.WALL_CLOCK_JUMPED),
    *(K.PERSON_SLOW, K.WRONG_KEY, K.PRESSED_TWICE, K.MISTYPED),
)
WHEEL_FAULTS: Final = (*OWN, *(ROWS[kind] for kind in _OF_EVERY_TABLE))
WHEEL_ROWS: Final = {row.kind: row for row in WHEEL_FAULTS}


class SpinsLong(Struct, frozen=True):
    """The expected length of a roulette world, in each unit that a fault's moment can have."""

    rounds: int

    SPIN_S = 45.0  # busy seconds
    SPIN_ENTRIES = 25
    SPIN_LINES = 150

    def draw(self, moment: Moment, rng: Random) -> int:
        """Returns a random moment within the world's expected length, 1 or later, in the unit of `moment`."""
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
    K.NUMBER_MISREAD: _bad_spin(d.SpinGoesWrong.MISREAD),
    K.WHEEL_SILENT: lambda fault: d.WheelSilent(fault.at, fault.for_s),
    K.LINE_DAMAGED: lambda fault: d.DamagedLine(fault.at, tuple(d.Damage)[fault.salt % len(d.Damage)]),
    K.DISPLAY_STUCK: lambda fault: d.StuckDisplay(fault.at),
    K.DISPLAY_FAULT: lambda fault: d.DisplayFault(fault.at),
}
"""The faults that the wheel and the value display produce without people."""
