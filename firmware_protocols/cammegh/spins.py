"""Finds the spins in a wheel's messages. Each launch ends exactly once, with or without a number, and with its
troubles.

No line has a checksum, so a single line decides nothing. A state counts when two statuses in a row agree in all but the
speed. A number counts when two lines give it and no line between them says that the ball still runs.

A spin that was not fully seen has a trouble. Games during a silence of the wheel are reported as unseen. Times are
seconds of any clock that never goes back.
"""

from collections import Counter
from enum import StrEnum, unique
from typing import Final, TypeAlias

from msgspec import Struct, field

from firmware_protocols.cammegh.words import LAST_GAME, GameState, Message, NumberSaid, Status, Warnings

SILENT_AFTER_S: Final = 2.0
"""The silence after which the line counts as silent: the time of four statuses."""

LAUNCH_HIDES_IN_S: Final = 3.0
"""The length of a silence that may hide a launch: the next launch's direction is then not compared with the last."""

LONGEST_SPIN_S: Final = 120.0
"""The time from the ball's launch after which the number is overdue, and a person has to look.

No document tells the longest time of a spin.
"""

AGREEING: Final = 2
"""The number of lines that have to agree before their content counts."""

_RUNNING: Final = frozenset({GameState.BALL_IN_RIM, GameState.NO_MORE_BETS})


@unique
class Trouble(StrEnum):
    """The reason why a spin is not regular. The value is the word used in reports."""

    LAUNCH_UNSEEN = "launch-unseen"  # the ball was running when the first status came
    NOT_LAUNCHED = "number-without-spin"
    NO_NUMBER = "spin-without-number"  # the ball was launched again, or the spin given up
    STOPPED = "wheel-stopped"  # while the ball was running
    UNWITNESSED = "number-unwitnessed"  # no line gave the number while the ball lay in its pocket
    SAME_DIRECTION = "same-direction"  # as at the launch before (pt.rou.21a)
    OVERDUE = "ball-overdue"
    BALL_REMOVED = "ball-removed"
    BALL_DIRECTION = "ball-with-rotor"
    SENSOR_BROKEN = "sensor-broken"
    LAUNCH_FAILED = "launch-failed"


TROUBLE_OF: Final = {
    Warnings.BALL_REMOVED: Trouble.BALL_REMOVED,
    Warnings.BALL_DIRECTION: Trouble.BALL_DIRECTION,
    Warnings.SENSOR_BROKEN: Trouble.SENSOR_BROKEN,
    Warnings.LAUNCH_FAILED: Trouble.LAUNCH_FAILED,
}


class BallLaunched(Struct, frozen=True, gc=False):
    """The ball was launched: a spin has begun."""

    game: int
    clockwise: bool


class BetsClosed(Struct, frozen=True, gc=False):
    """The wheel has announced that no more bets are accepted."""

    game: int


class SpinEnded(Struct, frozen=True, gc=False):
    """A spin has ended. `number`: None if the wheel gave none. The spin is regular if `troubles` is empty."""

    game: int
    number: int | None
    troubles: tuple[Trouble, ...]


class SpinsUnseen(Struct, frozen=True, gc=False):
    """The wheel has played games without sending a line. `games`: the number of these games; None if the wheel has
    begun to count anew.
    """

    games: int | None
    number: int | None  # the number that the wheel shows now


class NumberChanged(Struct, frozen=True, gc=False):
    """The wheel shows a new number without the end of a spin with this number. `game`: the wheel's present count of
    games. `number`: None if the wheel shows none.
    """

    game: int
    was: int | None
    number: int | None


class SpinOverdue(Struct, frozen=True, gc=False):
    """The ball has been running for LONGEST_SPIN_S. The spin has not ended."""

    game: int


class WarningsChanged(Struct, frozen=True, gc=False):
    warnings: Warnings


class LineSilent(Struct, frozen=True, gc=False):
    """The wheel has sent no status for SILENT_AFTER_S."""


class LineHeard(Struct, frozen=True, gc=False):
    """The wheel sends statuses again after a silence, or for the first time over this connection."""


SpinEvent: TypeAlias = (
    BallLaunched
    | BetsClosed
    | SpinEnded
    | SpinsUnseen
    | NumberChanged
    | SpinOverdue
    | WarningsChanged
    | LineSilent
    | LineHeard
)


WORDS: Final[dict[type[Struct], str]] = {
    BallLaunched: "ball-launched",
    BetsClosed: "bets-closed",
    SpinEnded: "spin-ended",
    SpinsUnseen: "spins-unseen",
    NumberChanged: "number-changed",
    SpinOverdue: "spin-overdue",
    WarningsChanged: "warnings-changed",
    LineSilent: "line-silent",
    LineHeard: "line-heard",
}
"""The name of each event in reports."""


class _Spin(Struct):
    """A spin that has not ended."""

    game: int
    since_s: float
    troubles: dict[Trouble, None] = field(default_factory=dict)  # in the order in which they came
    votes: Counter[int] = field(default_factory=Counter)
    bets_closed: bool = False
    overdue: bool = False


def games_between(before: int, now: int) -> int:
    """Returns the number of games, 0 to 254, by which the wheel's counter has advanced from `before` to `now`."""
    return (now - before) % LAST_GAME


class SpinTracker:
    """Finds the spins of one wheel: takes messages and the time, and returns the events of spins."""

    def __init__(self, now_s: float) -> None:
        self._heard_s = now_s
        self._silent = False
        self._gap = False  # there was silence since the last status that held
        self._said: Status | None = None
        self._held: Status | None = None
        self._spin: _Spin | None = None
        self._seen_game: int | None = None  # the last game whose spin has ended
        self._ended_game: int | None = None  # the last game whose number is known
        self._number: int | None = None  # the number that the wheel is expected to show
        self._clockwise: bool | None = None  # the rotor's direction at the last launch

    def take(self, message: Message, now_s: float) -> list[SpinEvent]:
        """Takes a message, and returns the events that follow from it."""
        events: list[SpinEvent] = []
        if isinstance(message, Status):
            if self._silent:
                self._silent, self._gap = False, True
                self._clockwise = self._clockwise if now_s < self._heard_s + LAUNCH_HIDES_IN_S else None
                events.append(LineHeard())
            self._heard_s = now_s
            self._take_status(message, now_s, events)
        elif isinstance(message, NumberSaid) and self._spin:
            self._vote(self._spin, message.number, events)
        return events

    def next_time_s(self) -> float | None:
        """Returns the time at which `on_time` is due; None for never."""
        due = [] if self._silent else [self._heard_s + SILENT_AFTER_S]
        if self._spin and not self._spin.overdue:
            due.append(self._spin.since_s + LONGEST_SPIN_S)
        return min(due, default=None)

    def on_time(self, now_s: float) -> list[SpinEvent]:
        """Returns the events that are due at `now_s` without a further line. An early or late call does no harm."""
        events: list[SpinEvent] = []
        if not self._silent and now_s >= self._heard_s + SILENT_AFTER_S:
            self._silent = True
            events.append(LineSilent())
        spin = self._spin
        if spin and not spin.overdue and now_s >= spin.since_s + LONGEST_SPIN_S:
            spin.overdue = True
            spin.troubles[Trouble.OVERDUE] = None
            events.append(SpinOverdue(spin.game))
        return events

    # ---- after one line

    def _take_status(self, status: Status, now_s: float, events: list[SpinEvent]) -> None:
        if self._spin:
            self._count(self._spin, status, events)
        said, self._said = self._said, status
        if said is not None and _agree(said, status):
            self._settle(status, now_s, events)

    def _count(self, spin: _Spin, status: Status, events: list[SpinEvent]) -> None:
        """Counts a status as a vote for the spin's number. Deletes all votes if the status says that the ball of the
        spin still runs.

        A status of the spin's own game votes if it says that a number is detected. A status of the next game votes if
        it does not say so, and only for a number that already has a vote.
        """
        passed = games_between(spin.game, status.game)
        if status.state in _RUNNING and not passed:
            spin.votes.clear()
        elif status.number is not None and passed <= 1:
            lies_there = status.state is GameState.NUMBER_DETECTED
            if lies_there != bool(passed) and (lies_there or spin.votes[status.number]):
                self._vote(spin, status.number, events)

    def _vote(self, spin: _Spin, number: int, events: list[SpinEvent]) -> None:
        spin.votes[number] += 1
        if spin.votes[number] >= AGREEING:
            self._end(spin, number, events)

    # ---- after two lines that agree

    def _settle(self, status: Status, now_s: float, events: list[SpinEvent]) -> None:
        before, self._held = self._held, status
        if status.warnings != (before.warnings if before else Warnings.NONE):
            events.append(WarningsChanged(status.warnings))
        if before is None:
            self._number, self._gap = status.number, True
            if status.state is GameState.NUMBER_DETECTED:
                self._seen_game = self._ended_game = status.game
        else:
            self._pass_games(games_between(before.game, status.game), before.game, status, events)
        self._note_warnings(status)
        self._follow(status, now_s, events)
        self._note_warnings(status)
        self._gap = False
        if status.number != self._number:
            events.append(NumberChanged(status.game, self._number, status.number))
            self._number = status.number

    def _pass_games(self, passed: int, game: int, status: Status, events: list[SpinEvent]) -> None:
        """Notes that the wheel's counter has advanced by `passed` games from `game`. Ends a running spin, and reports
        the unseen games.
        """
        if not passed:
            return
        spin = self._spin
        is_seen = spin is not None or game == (self._ended_game if self._gap else self._seen_game)
        if spin:
            is_its_own = passed == 1 and status.state is not GameState.NUMBER_DETECTED  # not the next game's number
            came = status.number if is_its_own and status.number != self._number else None
            self._end(spin, came, events, Trouble.NO_NUMBER if came is None else Trouble.UNWITNESSED)
        is_anew = status.number is None and self._number is not None
        if is_anew or passed > is_seen:
            events.append(SpinsUnseen(None if is_anew else passed - is_seen, status.number))
            self._number = status.number

    def _note_warnings(self, status: Status) -> None:
        if self._spin:
            self._spin.troubles |= {TROUBLE_OF[one]: None for one in status.warnings}

    def _follow(self, status: Status, now_s: float, events: list[SpinEvent]) -> None:
        spin = self._spin
        if status.state in _RUNNING:
            self._run(status, now_s, events)
        elif status.state is not GameState.NUMBER_DETECTED:
            if spin:
                is_stopped = status.state is GameState.IDLE
                self._end(spin, None, events, Trouble.STOPPED if is_stopped else Trouble.NO_NUMBER)
        elif spin is None and status.number is not None and status.game != self._ended_game:
            trouble = Trouble.LAUNCH_UNSEEN if self._gap else Trouble.NOT_LAUNCHED
            self._clockwise = status.clockwise  # at the launch that was not seen
            self._end(_Spin(status.game, now_s), status.number, events, trouble)

    def _run(self, status: Status, now_s: float, events: list[SpinEvent]) -> None:
        if self._spin and self._spin.bets_closed and status.state is GameState.BALL_IN_RIM:
            self._end(self._spin, None, events, Trouble.NO_NUMBER)  # the ball was launched again
        spin = self._spin or self._launch(status, now_s, events)
        if status.state is GameState.NO_MORE_BETS and not spin.bets_closed:
            spin.bets_closed = True
            events.append(BetsClosed(spin.game))

    def _launch(self, status: Status, now_s: float, events: list[SpinEvent]) -> _Spin:
        self._spin = spin = _Spin(status.game, now_s)
        if self._gap:
            spin.troubles[Trouble.LAUNCH_UNSEEN] = None
        if status.clockwise is self._clockwise:
            spin.troubles[Trouble.SAME_DIRECTION] = None
        self._clockwise = status.clockwise
        events.append(BallLaunched(status.game, status.clockwise))
        return spin

    def _end(self, spin: _Spin, number: int | None, events: list[SpinEvent], *more: Trouble) -> None:
        self._spin, self._seen_game = None, spin.game
        if number is not None:
            self._number, self._ended_game = number, spin.game
        events.append(SpinEnded(spin.game, number, (*spin.troubles, *more)))


def _agree(one: Status, other: Status) -> bool:
    """True if the two statuses are equal except for the speed."""
    return (one.state, one.game, one.number, one.warnings, one.clockwise) == (
        other.state,
        other.game,
        other.number,
        other.warnings,
        other.clockwise,
    )
