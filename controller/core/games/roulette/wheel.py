"""The facts that the wheel reports over its line, and their effects. An unexpected report raises a hold.

A reported launch cannot be refused: a forbidden one raises a hold. A spin counts if the wheel reports it without
irregularity from launch to number. People decide on any other spin.
"""

from typing import Any, Final

from msgspec import UNSET

from controller.core.engine.act import Fact
from controller.core.engine.replacing import replace
from controller.core.games.roulette.spin_table import SpinTrigger
from controller.core.games.roulette.spins import (
    CALLED_NULL,
    CHANGE_IS_MADE,
    TO_LAUNCH,
    goes_the_other_way,
    launched,
    other_ball,
    shown_number,
)
from controller.core.games.roulette.state import RouletteState, Spinner, Wheel, with_game, with_wheel
from controller.core.house import controller_facts
from controller.core.house.facts import ControllerStarted
from controller.core.house.holds import forbidding, raise_hold
from controller.core.house.people import dealer_at_table
from controller.core.house.registry import Deadline, FactRule
from controller.core.house.state import round_moved, with_markers, without_round
from controller.core.words import HoldKind, Permission, RoundPhase, SessionPhase, TableMs, Timer

R = RoundPhase


class WheelHeard(Fact, frozen=True):
    """The wheel's line is connected again."""


class WheelLost(Fact, frozen=True):
    """The wheel's line is disconnected."""

    reason: str


class BallLaunched(Fact, frozen=True):
    """The ball was launched. `rotor_clockwise`: the direction of the wheel's rotor; the ball runs the other way."""

    game: int
    rotor_clockwise: bool


class WheelClosedBets(Fact, frozen=True):
    """The wheel has closed the bets: the ball is slowing down."""

    game: int


class SpinEnded(Fact, frozen=True):
    """The wheel reports the end of a spin.

    `number`: None if no number came; `troubles`: the irregularities, in the wheel's words.
    """

    game: int
    number: int | None
    troubles: tuple[str, ...] = ()


class SpinsUnseen(Fact, frozen=True):
    """The wheel has spun without any report. `games`: the number of such spins; None if unknown. `number`: the number
    on which the ball lies now.
    """

    games: int | None
    number: int | None


class NumberChanged(Fact, frozen=True):
    """The wheel reports another number for a game than before."""

    was: int | None
    number: int | None


class SpinOverdue(Fact, frozen=True):
    """The ball has been running for too long."""


# --- reports of the line


RULE_OF: Final = {
    "same-direction": "launch_alternates",
    "launched-otherwise": "launch_alternates",
    "ball-with-rotor": "plate_turns_against_the_ball",
    "number-without-spin": "number_is_the_wheels",
    "spin-without-number": "number_is_the_wheels",
    "number-changed": "number_is_the_wheels",
    CHANGE_IS_MADE.name: CHANGE_IS_MADE.rule,
}
"""The rule that is broken by a spin with this trouble; for a forbidden launch the guard's name is the rule."""


def _is_open(state: RouletteState) -> bool:
    return state.house.session is not SessionPhase.CLOSED


def _held(state: RouletteState, cause: str, at_ms: TableMs, number: int | None = None) -> RouletteState:
    rule = RULE_OF.get(cause, cause if "_" in cause else f"hold.{HoldKind.IRREGULAR_SPIN}")
    details = (("cause", cause), ("number", shown_number(number)), ("rule", rule))
    return raise_hold(state, HoldKind.IRREGULAR_SPIN, at_ms, details=details) if _is_open(state) else state


def ball_launched(state: RouletteState, event: BallLaunched, at_ms: TableMs) -> RouletteState:
    """Returns the state after the wheel has reported a launch. The report confirms the dealer's launch, or begins a new
    spin. At a closed table the report has no effect. A forbidden launch, or a launch in another direction than the
    dealer entered, raises a hold.
    """
    clockwise = not event.rotor_clockwise
    if not _is_open(state):
        return state
    if state.ball_runs and not state.game.is_seen:
        seen = with_wheel(with_game(state, is_seen=True), clockwise=clockwise)
        return seen if state.wheel.clockwise is clockwise else _held(seen, "launched-otherwise", at_ms)
    cause = _against_launch(state, clockwise=clockwise)
    moved = round_moved(state, SpinTrigger.LAUNCHED)
    is_spin = moved.game.phase is not state.game.phase
    if is_spin:
        state = launched(moved, clockwise=clockwise)
    state = with_wheel(with_game(state, is_seen=is_spin or state.game.is_seen), clockwise=clockwise)
    return state if cause is None else _held(state, cause, at_ms)


def _against_launch(state: RouletteState, *, clockwise: bool) -> str | None:
    """Returns the name of the first guard that forbids a launch now. None if it is permitted."""
    broken = next((guard.name for guard in TO_LAUNCH if not guard.holds(state)), None)
    if broken is None and state.house.session is not SessionPhase.IN_PLAY:
        return "session_is_at_this_step"
    if broken is None and state.game.phase not in {R.IDLE, R.NULL_SPIN}:
        return "round_is_at_this_step"
    if broken is None and forbidding(state, Permission.BET) is not None:
        return "no_hold_forbids_it"
    if broken is None and not goes_the_other_way(state, clockwise=clockwise):
        return "launch_alternates"
    return broken


def wheel_closed_bets(state: RouletteState, _event: WheelClosedBets, _at_ms: TableMs) -> RouletteState:
    """Returns the state with bets closed, even if the dealer has not announced it (pt.rou.20)."""
    return round_moved(state, SpinTrigger.BETS_CLOSED)


def _competes(state: RouletteState, number: int | None) -> bool:
    """True if the wheel has already reported another number for this spin, and no number is announced."""
    return state.game.phase is R.NO_MORE_BETS and number is not None and state.game.result not in {None, number}


def _two_numbers(state: RouletteState, number: int | None, at_ms: TableMs) -> RouletteState:
    """Returns the state with a hold for a spin with two numbers, and with no result. A supervisor decides."""
    both = f"{shown_number(state.game.result)} {shown_number(number)}"
    details = (("cause", "two-numbers"), ("number", both), ("rule", "number_is_the_wheels"))
    return raise_hold(with_game(state, result=None), HoldKind.IRREGULAR_SPIN, at_ms, details=details)


def spin_ended(state: RouletteState, event: SpinEnded, at_ms: TableMs) -> RouletteState:
    """Returns the state with bets closed and the number of a regular spin. After a null spin the wheel's report has no
    effect (pt.rou.22b).

    An irregular end raises a hold, and so does a number after a null spin was called.
    """
    if state.game.phase is R.NULL_SPIN:
        return state
    state = round_moved(state, SpinTrigger.BETS_CLOSED)
    if _competes(state, event.number):
        return _two_numbers(state, event.number, at_ms)
    if not state.ball_runs:
        return _held(state, next(iter(event.troubles), "number-without-spin"), at_ms, event.number)
    if event.troubles or event.number is None:
        return _held(state, next(iter(event.troubles), "spin-without-number"), at_ms, event.number)
    if state.game.null_is_called is True:
        return _held(state, CALLED_NULL, at_ms, event.number)
    return with_game(state, result=event.number)


def spins_unseen(state: RouletteState, event: SpinsUnseen, at_ms: TableMs) -> RouletteState:
    return _held(state, "spins-unseen", at_ms, event.number)


def number_changed(state: RouletteState, event: NumberChanged, at_ms: TableMs) -> RouletteState:
    if _competes(state, event.number):
        return _two_numbers(state, event.number, at_ms)
    return _held(state, "number-changed", at_ms, event.number)


def spin_overdue(state: RouletteState, _event: SpinOverdue, at_ms: TableMs) -> RouletteState:
    return _held(state, "ball-overdue", at_ms)


def wheel_heard(state: RouletteState, _event: WheelHeard, _at_ms: TableMs) -> RouletteState:
    return with_wheel(state, is_heard=True)


def wheel_lost(state: RouletteState, _event: WheelLost, at_ms: TableMs) -> RouletteState:
    """Returns the state with the wheel's line disconnected. In a session a hold is raised: spins may pass unseen."""
    return _held(with_wheel(state, is_heard=False), "wheel-silent", at_ms)


def started(state: RouletteState, event: ControllerStarted, at_ms: TableMs) -> RouletteState:
    """Returns the state after the controller's start: the displayed values are unknown, and the wheel must be heard
    again.

    In a session a wheel with a line also raises a hold: spins may have passed unseen, and the wheel does not store
    them.
    """
    was_open = _is_open(state)
    state = with_markers(with_wheel(controller_facts.started(state, event, at_ms), is_heard=False), values=())
    return _held(state, "controller-was-down", at_ms) if was_open and event.setup.has_wheel else state


# --- time limits


def _ball_due(state: RouletteState) -> TableMs | None:
    if not _is_open(state) or state.wheel.ball_is_due:
        return None
    return TableMs(state.wheel.ball_since_ms + state.rules.figures.ball_change_ms)


def _ball_is_due(state: RouletteState, _at_ms: TableMs) -> RouletteState:
    return with_wheel(state, ball_is_due=True)


def _dealer_due(state: RouletteState) -> TableMs | None:
    spinner, figures = state.spinner, state.rules.figures
    if spinner is None or spinner.is_over:
        return None
    before = 0 if spinner.is_warned else figures.dealer_warning_ms
    return TableMs(spinner.since_ms + max(0, figures.dealer_most_ms - before))


def _dealer_is_due(state: RouletteState, _at_ms: TableMs) -> RouletteState:
    spinner = state.spinner
    if spinner is None:
        return state
    return replace(state, spinner=replace(spinner, is_warned=True, is_over=spinner.is_warned))


def watch_dealer(_before: RouletteState, after: RouletteState, at_ms: TableMs) -> RouletteState:
    """Returns the state in which a new dealer's hour has begun. A dealer who returns continues the old hour
    (pt.rou.33). At a closed table without a dealer the hour ends.
    """
    dealer = dealer_at_table(after)
    if dealer is None and not _is_open(after):
        return after if after.spinner is None else replace(after, spinner=None)
    if dealer is None or (after.spinner is not None and after.spinner.person == dealer):
        return after
    return replace(after, spinner=Spinner(dealer, at_ms))


def watch_session(before: RouletteState, after: RouletteState, at_ms: TableMs) -> RouletteState:
    """Returns the state in which a new session has no players, chips or takings, and uses the other ball. The wheel
    stays connected.

    When a session closes, its unfinished null spin ends. Chips that were not exchanged are still known in the next
    session.
    """
    if after.house.session is SessionPhase.CLOSED:
        after = without_round(after, over=True) if after.game.phase is RoundPhase.NULL_SPIN else after
        return replace(after, worth=tuple(one for one in after.worths if one.is_out) or UNSET)
    if before.house.session is not SessionPhase.CLOSED:
        return after
    fresh = RouletteState(setup=after.setup)
    wheel = Wheel(ball=other_ball(after.wheel.ball), ball_since_ms=at_ms, is_heard=after.wheel.is_heard)
    return replace(
        after,
        wheel=wheel,
        players=fresh.players,
        waiting=fresh.waiting,
        stakes=fresh.stakes,
        takings=fresh.takings,
    )


WHEEL_DEADLINES: Final[tuple[Deadline[Any], ...]] = (
    Deadline(Timer.BALL, _ball_due, _ball_is_due),
    Deadline(Timer.DEALER, _dealer_due, _dealer_is_due),
)
WHEEL_FACTS: Final[tuple[FactRule[Any, Any], ...]] = (
    FactRule("controller-started", ControllerStarted, started),
    FactRule("wheel-heard", WheelHeard, wheel_heard),
    FactRule("wheel-lost", WheelLost, wheel_lost),
    FactRule("ball-launched", BallLaunched, ball_launched),
    FactRule("wheel-closed-bets", WheelClosedBets, wheel_closed_bets),
    FactRule("spin-ended", SpinEnded, spin_ended),
    FactRule("spins-unseen", SpinsUnseen, spins_unseen),
    FactRule("number-changed", NumberChanged, number_changed),
    FactRule("spin-overdue", SpinOverdue, spin_overdue),
)
