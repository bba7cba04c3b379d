"""A simulated Slingshot 2 wheel, which plays one game after another. It sends a status every half second, and each
number.

The wheel launches its ball by itself, as the recorded wheel did, or waits until a dealer launches it. It sends each
line once; a line is lost if no host listens. Its times are those of the recorded wheel, which sends a number alone 0.18
s before the first status with this number. `spins` lists the spins as they really were.
"""

from math import inf
from random import Random
from typing import Final

from msgspec import Struct

from simulators.devices.base import Quiet
from simulators.devices.faults import (
    NO_FAULTS,
    BadSpin,
    Damage,
    DamagedLine,
    FaultBook,
    FaultPlan,
    Faulty,
    SpinGoesWrong,
    WheelSilent,
)

STATUS_EVERY_S: Final = 0.5
NUMBER_LEADS_S: Final = 0.18
STUCK_S: Final = 150.0
HANDS_TAKE_S: Final = 12.0
HEARD_S: Final = 1.2
"""The least time, in seconds, that a hurried state lasts: long enough for two statuses of it."""

START, BETS, RIM, CLOSED, NUMBER, IDLE = 1, 2, 3, 4, 5, 6
NO_WARNING, BALL_REMOVED, BALL_DIRECTION, SENSOR_BROKEN, LAUNCH_FAILED = 0, 1, 2, 4, 8

LASTS_S: Final = {START: (1.0, 2.0), BETS: (18.0, 30.0), RIM: (7.0, 12.0), CLOSED: (6.0, 14.0), NUMBER: (2.0, 6.0)}
"""The shortest and the longest time of each state."""

ANSWERS: Final = {
    "P 1": "P OK",
    "P 0": "P OK",
    "u 1": "u OK",
    "o": "o 1159",
    "o 1158": "o BUSY",
    "O": "O 6 1 60 1158",
    "T S": "T s 14.0 17.50000",
    "T s 16.0 18.0": "T OK",
    "T H": "T h 60",
    "T R": "T r 28000 32000",
    "T T": "T t 4000",
    "T M": "T m 2.0",
    "T G": "T g 0",
    "T N": "T n 2920",
}
"""The answers of the recorded wheel to commands; to any other command it answers NO."""


class Played(Struct):
    """One spin as it really was. `number`: the number that the wheel sent; None if the wheel sent no number."""

    game: int
    begun_s: float
    clockwise: bool
    wrong: SpinGoesWrong | None
    number: int | None = None
    ended_s: float | None = None


class SimulatedWheel(Quiet, Faulty):
    """One simulated wheel with its ball, its game and its serial line."""

    def __init__(
        self,
        *,
        rng: Random,
        now_s: float = 0.0,
        game: int = 1,
        faults: FaultPlan = NO_FAULTS,
        waits_for_hands: bool = False,
        hurry: float = 1.0,
    ) -> None:
        """`game`: the first value of the game counter, 1 to 255. `waits_for_hands`: only a call of `launch` launches
        the ball.

        `hurry`: the factor by which the usual duration of each state is multiplied; no state becomes shorter than
        HEARD_S.
        """
        super().__init__()
        self._waits_for_hands, self._hurry = waits_for_hands, hurry
        self.spins: list[Played] = []
        self.silences: list[tuple[float, float]] = []  # times in which nothing is sent
        self._rng = rng
        self._numbers = Random(rng.getrandbits(64))  # its own generator, so that the numbers depend on nothing else
        self._faults = FaultBook(faults)
        self._typed = bytearray()
        self._game, self._clockwise, self._warnings = game, False, NO_WARNING
        self._number: int | None = None  # the last number, as the statuses have it
        self._rests: int | None = None
        self._launches = 0
        self._lines = 0
        self._state = START
        self._until_s = now_s + self._lasts(START)
        self._status_s = now_s
        self._landing: int | None = None  # the number already announced and not yet in a status
        self._falls_on: int | None = None  # the number on which the ball comes to rest

    # ---- what hands do, and what they find

    @property
    def is_ready(self) -> bool:
        """True if the ball may be launched."""
        return self._state == BETS

    @property
    def is_running(self) -> bool:
        """True while the ball is running."""
        return self._state in {RIM, CLOSED}

    @property
    def number(self) -> int | None:
        """The number on which the ball rests. None while the ball runs, and after a launch that gave no number."""
        return None if self.is_running else self._rests

    def launch(self, now_s: float, *, clockwise: bool) -> None:
        """Launches the ball, clockwise or not, against the rotor. Does nothing if the wheel is not ready."""
        if self.is_ready:
            self._launch(now_s, rotor_clockwise=not clockwise)

    def stop(self, now_s: float) -> None:
        """Stops the rotor and takes the ball out; does nothing if no ball is running."""
        if self.is_running:
            self._give_up(BETS, now_s)

    def be_silent(self, from_s: float, until_s: float) -> None:
        """Makes the wheel send nothing from `from_s` to `until_s`; the wheel's game continues."""
        self.silences.append((from_s, until_s))

    def restart(self, now_s: float, off_s: float) -> None:
        """Cuts the wheel's power for `off_s` seconds. Afterwards games are numbered from 1 again. A running ball comes
        to rest, and its number is never sent.
        """
        if self.is_running:
            self.spins[-1].ended_s = now_s
        self.be_silent(now_s, now_s + off_s)
        self._game, self._number, self._landing, self._warnings = 1, None, None, NO_WARNING
        self._rests = None
        self._enter(START, now_s, off_s + self._lasts(START))

    # ---- the wire and the clock

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives lines with commands, and answers each line."""
        self._typed += data
        *lines, rest = bytes(self._typed).split(b"\r\n")
        self._typed[:] = rest[-64:]
        for line in lines:
            asked = line.decode("ascii", "replace").removeprefix("*")
            self._say("*" + ANSWERS.get(asked, f"{asked[:1]} NO"), now_s)

    def next_time_s(self) -> float | None:
        """Returns the time of the next status or of the next state of the game, whichever is earlier."""
        return min(self._status_s, self._until_s)

    def on_time(self, now_s: float) -> None:
        """Does all work that is due, in order of its due time."""
        while (due_s := min(self._status_s, self._until_s)) <= now_s:
            if self._until_s <= self._status_s:
                self._go_on(due_s)
            else:
                self._say_status(due_s)
                self._status_s = due_s + STATUS_EVERY_S

    # ---- the game

    def _lasts(self, state: int) -> float:
        usual_s = self._rng.uniform(*LASTS_S[state])
        return usual_s if self._hurry == 1.0 else max(HEARD_S, usual_s * self._hurry)

    def _enter(self, state: int, now_s: float, lasts_s: float | None = None) -> None:
        self._state = state
        self._until_s = now_s + (self._lasts(state) if lasts_s is None else lasts_s)
        if state == BETS and self._waits_for_hands and lasts_s is None:
            self._until_s = inf

    def _go_on(self, now_s: float) -> None:
        """Ends the present state of the game and enters the next one."""
        ends = {BETS: self._next_launch, RIM: self._leave_rim, CLOSED: self._fall, NUMBER: self._leave_number}
        ends.get(self._state, self._open)(now_s)

    def _open(self, now_s: float) -> None:
        self._warnings = NO_WARNING
        self._enter(BETS, now_s)

    def _leave_number(self, now_s: float) -> None:
        if self._landing is not None:
            self._lie(now_s)
        else:
            self._game = self._game % 255 + 1
            self._enter(BETS, now_s)

    def _next_launch(self, now_s: float) -> None:
        if self._waits_for_hands:
            self._enter(BETS, now_s)
        else:
            self._launch(now_s, rotor_clockwise=not self._clockwise)

    def _launch(self, now_s: float, *, rotor_clockwise: bool) -> None:
        self._launches += 1
        self._warnings, self._rests = NO_WARNING, None
        turns_anew = bool(self.spins) and rotor_clockwise is not self._clockwise

        def can_happen(bad: BadSpin) -> bool:
            return turns_anew or bad.what is not SpinGoesWrong.SAME_DIRECTION

        bad = self._faults.take(BadSpin, self._launches, changes=can_happen)
        wrong = bad.what if bad else None
        if wrong is not SpinGoesWrong.SAME_DIRECTION:
            self._clockwise = rotor_clockwise
        if silent := self._faults.take(WheelSilent, self._launches):
            begin_s = now_s + self._rng.uniform(0.0, 20.0)
            self.be_silent(begin_s, begin_s + silent.for_s)
        self.spins.append(Played(self._game, now_s, self._clockwise, wrong))
        if wrong is SpinGoesWrong.NOT_LAUNCHED:
            self._announce(now_s)
        elif wrong is SpinGoesWrong.NO_BALL:
            self._warnings = BALL_REMOVED | LAUNCH_FAILED
            self._enter(RIM, now_s, 3.0)
        else:
            self._warnings = BALL_DIRECTION if wrong is SpinGoesWrong.BALL_WITH_ROTOR else NO_WARNING
            self._enter(RIM, now_s)

    def _leave_rim(self, now_s: float) -> None:
        if self.spins[-1].wrong is SpinGoesWrong.NO_BALL:
            self._give_up(BETS, now_s)
        else:
            is_stuck = self.spins[-1].wrong is SpinGoesWrong.BALL_STUCK
            self._enter(CLOSED, now_s, STUCK_S if is_stuck else None)

    def _fall(self, now_s: float) -> None:
        match self.spins[-1].wrong:
            case SpinGoesWrong.LAUNCHED_AGAIN:
                self._give_up(BETS, now_s)
            case SpinGoesWrong.SENSOR_BROKEN:
                self._warnings = SENSOR_BROKEN
                self._give_up(IDLE, now_s)
            case _:
                self._announce(now_s)

    def _give_up(self, state: int, now_s: float) -> None:
        self.spins[-1].ended_s = now_s
        self._enter(state, now_s, HANDS_TAKE_S)

    def _announce(self, now_s: float) -> None:
        """Draws the number on which the ball falls, and sends the announced number alone on the line. The next status
        contains the announced number, too.

        In a misread spin the two numbers differ.
        """
        self._falls_on = self._landing = self._numbers.randrange(37)
        if self.spins[-1].wrong is SpinGoesWrong.MISREAD:
            self._landing = (self._falls_on + 1) % 37
        self._say(f"{self._landing:2d}", now_s)
        self._state, self._until_s, self._status_s = NUMBER, now_s + NUMBER_LEADS_S, now_s + NUMBER_LEADS_S

    def _lie(self, now_s: float) -> None:
        self._number, self._rests = self._landing, self._falls_on
        self._landing = None
        self.spins[-1].number, self.spins[-1].ended_s = self._number, now_s
        self._enter(NUMBER, now_s)

    # ---- the line

    def _say_status(self, now_s: float) -> None:
        number = "  " if self._number is None else f"{self._number:2d}"
        speed = self._rng.randrange(140, 176)
        direction = 0 if self._clockwise else 1
        self._say(f"*X;{self._state};{self._game:03d};{number};{self._warnings:X};{speed:03d};{direction}", now_s)

    def _say(self, text: str, now_s: float) -> None:
        if any(begin_s <= now_s < end_s for begin_s, end_s in self.silences):
            return
        self._lines += 1
        line = text.encode("ascii") + b"\r\n"
        damage = self._faults.take(DamagedLine, self._lines)
        self._out += self._damaged(line, damage.how) if damage else line

    def _damaged(self, line: bytes, how: Damage) -> bytes:
        at = self._rng.randrange(1, len(line) - 2)
        match how:
            case Damage.NOISE:
                return self._rng.randbytes(self._rng.randrange(1, 90)) + line
            case Damage.FIRST_HALF:
                return line[:at]
            case Damage.LAST_HALF:
                return line[at:]
            case Damage.OVERLAPPED:
                return line[:at] + line[:3] + line
            case Damage.BIT:
                return line[:at] + bytes((line[at] ^ 1 << self._rng.randrange(8),)) + line[at + 1 :]
