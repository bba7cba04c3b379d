"""The acts of a spin: launch, announcements, number, null spin, change of ball, with their guards and effects
(pt.rou.17 to 23, 29).
"""

from typing import Any, Final

from msgspec import UNSET

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.roulette.cloth import LAST
from controller.core.games.roulette.payments import NOTHING_PAID, Settled, kept_of, settle
from controller.core.games.roulette.spin_table import SpinTrigger
from controller.core.games.roulette.stakes import Stake
from controller.core.games.roulette.state import Player, RouletteState, Spin, with_game, with_wheel
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.holds import holds_of, raise_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import supervises
from controller.core.house.rule import (
    DEALER,
    DEALER_OR_CHIEF,
    DELIBERATE_MS,
    SUPERVISORS,
    ActGuard,
    ActRule,
    Guard,
    P,
    R,
    S,
    SecondPerson,
    unchanged,
)
from controller.core.house.second_person import waiting_for
from controller.core.house.state import round_moved, with_tally
from controller.core.house.undoing import BY_ENTRY, by
from controller.core.words import HoldKind, TableMs

NULL_CALL: Final = "declare-null-spin"
CALLED_NULL: Final = "null-spin-asked"
"""The cause of a hold for a number that came after somebody has called the spin null."""


class LaunchBall(Act, frozen=True):
    """The dealer launches the ball. `clockwise`: the ball's direction; the wheel turns the other way."""

    clockwise: bool


class AnnounceNothingMore(Act, frozen=True):
    """The dealer announces that no more bets are taken: "Jogo feito. Nada mais."."""


class DeclareNullSpin(Act, frozen=True):
    pass


class PutBallBack(Act, frozen=True):
    number: int


class AnnounceNumber(Act, frozen=True):
    number: int


class ChangeBall(Act, frozen=True):
    """The dealer changes to the other of the table's two balls."""


class ReplaceBall(Act, frozen=True):
    """A ball that is defective, broken or missing is replaced."""

    diameter_mm: int


# --- guards

PAYMENTS_ARE_MADE = Guard[RouletteState]("payments_are_made", lambda state: state.game.phase is not R.PAYING)
BALL_IS_CHANGED = Guard[RouletteState](
    "ball_is_changed",
    lambda state: not state.wheel.ball_is_due,
    lambda state: (("ball", str(other_ball(state.wheel.ball))),),
)
DEALER_IS_WITHIN_THE_HOUR = Guard[RouletteState](
    "dealer_is_within_the_hour", lambda state: state.spinner is None or not state.spinner.is_over
)
WHEEL_IS_HEARD = Guard[RouletteState]("wheel_is_heard", lambda state: state.wheel.is_heard or not state.setup.has_wheel)
BALL_IS_BACK = Guard[RouletteState](
    "ball_is_back",
    lambda state: state.game.phase is not R.NULL_SPIN or state.game.ball_is_back,
    lambda state: (("number", shown_number(state.wheel.last_number)),),
)


PRIZES_ARE_BACK = Guard[RouletteState](
    "prizes_are_back",
    lambda state: not state.game.given,
    lambda state: (("players", " ".join(dict.fromkeys(str(one.player) for one in state.game.given))),),
)


def goes_the_other_way(state: RouletteState, *, clockwise: bool) -> bool:
    """True if the ball's direction is opposite to the last launch (pt.rou.21a).

    After a null spin the profile may permit both directions.
    """
    is_free = state.game.phase is R.NULL_SPIN and not state.rules.figures.relaunch_alternates
    return is_free or state.wheel.clockwise is not clockwise


LAUNCH_ALTERNATES = ActGuard[RouletteState, LaunchBall](
    "launch_alternates", lambda state, act: goes_the_other_way(state, clockwise=act.clockwise)
)
CHANGE_IS_MADE: Final = replace(DIFFERENCES_ARE_SETTLED, rule="differences_are_settled.launch")
TO_LAUNCH: Final = (
    PAYMENTS_ARE_MADE,
    PRIZES_ARE_BACK,
    CHANGE_IS_MADE,
    BALL_IS_CHANGED,
    DEALER_IS_WITHIN_THE_HOUR,
    BALL_IS_BACK,
)
"""The guards before a launch, for the dealer's act and for the wheel's report."""

BALL_IS_NOT_AT_REST = Guard[RouletteState](
    "ball_is_not_at_rest",
    lambda state: state.game.result is None,
    lambda state: (("number", shown_number(state.game.result)),),
)
NUMBER_IS_ON_THE_WHEEL = ActGuard[RouletteState, AnnounceNumber | PutBallBack](
    "number_is_on_the_wheel", lambda _state, act: 0 <= act.number <= LAST
)


def _is_the_last(state: RouletteState, act: PutBallBack) -> bool:
    """True if the ball goes back to the last spin's number. Before any spin, True for a supervisor, who names the
    number.
    """
    last = state.wheel.last_number
    return supervises(state.setup, act.role) if last is None else act.number == last


BALL_GOES_TO_THE_LAST_NUMBER = ActGuard[RouletteState, PutBallBack](
    "ball_goes_to_the_last_number",
    _is_the_last,
    lambda state, _act: (("number", shown_number(state.wheel.last_number)),),
)


def _is_where_the_ball_rests(state: RouletteState, act: AnnounceNumber) -> bool:
    """True if the number is the one that the wheel or people gave before. If no number was given, True at a table
    without the wheel's line.
    """
    return state.game.result == act.number or (state.game.result is None and not state.setup.has_wheel)


NUMBER_IS_THE_WHEELS = ActGuard[RouletteState, AnnounceNumber](
    "number_is_the_wheels",
    _is_where_the_ball_rests,
    lambda state, _act: (("number", shown_number(state.game.result)),),
    possible=lambda state: not state.setup.has_wheel or state.game.result is not None,
)
BETS_ARE_FOLLOWED = Guard[RouletteState]("bets_are_followed", lambda state: state.rules.follows_bets)


BALL_IS_AS_WIDE = ActGuard[RouletteState, ReplaceBall](
    "ball_is_as_wide",
    lambda state, act: act.diameter_mm == state.rules.figures.ball_mm,
    lambda state, _act: (("mm", str(state.rules.figures.ball_mm)),),
)


def shown_number(number: int | None) -> str:
    return "-" if number is None else str(number)


def other_ball(ball: int) -> int:
    return 3 - ball


# --- effects


def launch_ball(state: RouletteState, act: LaunchBall, _at_ms: TableMs) -> RouletteState:
    return launched(state, clockwise=act.clockwise)


def launched(state: RouletteState, *, clockwise: bool) -> RouletteState:
    """Returns the state at the launch of the next spin. If the ball was put back after a null spin, that null spin is
    launched again.
    """
    number = state.game.number + (0 if state.game.ball_is_back else 1)
    was = state.game
    game = Spin(was.phase, number, without_bet=was.without_bet, given=was.given, handed=was.handed)
    return with_wheel(replace(state, game=game), clockwise=clockwise)


def declare_null_spin(state: RouletteState, _act: Act, _at_ms: TableMs) -> RouletteState:
    """Returns the state after a null spin: the spin has no result, counts as voided, and bets are open again
    (pt.rou.22b).
    """
    voided = state.house.tally.voided + 1
    return with_tally(with_game(state, is_seen=False, result=None), voided=voided)


def put_ball_back(state: RouletteState, act: PutBallBack, _at_ms: TableMs) -> RouletteState:
    """Returns the state with the ball back on the number that the act names."""
    return with_wheel(with_game(state, ball_is_back=True), last_number=act.number)


def watch_null_call(_before: RouletteState, after: RouletteState, _at_ms: TableMs) -> RouletteState:
    """Returns the state that remembers a null spin called while the ball runs, even without the second person."""
    called = after.ball_runs and waiting_for(after, NULL_CALL) is not None
    return with_game(after, null_is_called=True) if called else after


def held_for_a_null_call(state: RouletteState, act: AnnounceNumber, at_ms: TableMs) -> RouletteState | None:
    """Returns the state with a hold if the spin was called null before its number was known; otherwise None."""
    if state.game.result is not None or state.game.null_is_called is not True:
        return None
    details = (("cause", CALLED_NULL), ("number", shown_number(act.number)), ("rule", "number_is_the_wheels"))
    return raise_hold(state, HoldKind.IRREGULAR_SPIN, at_ms, details=details)


def announce_number(state: RouletteState, act: AnnounceNumber, _at_ms: TableMs) -> RouletteState:
    """Returns the state after the announced number: tracked bets are settled, and each player's spins without a bet are
    counted.
    """
    state = replace(state, players=tuple(_after_spin(state, one) for one in state.players))
    game = replace(state.game, result=act.number, number_before=state.wheel.last_number)
    state = with_wheel(replace(state, game=game), last_number=act.number)
    if not state.rules.follows_bets:
        return state
    state = replace(state, takings=replace(state.takings, spins=state.takings.spins + 1))
    return settled_by(state, act.number, state.stakes)


def _after_spin(state: RouletteState, player: Player) -> Player:
    if state.rules.follows_bets:
        has_bet = any(one.player == player.number for one in state.stakes)
    else:
        has_bet = player.number not in state.game.without_bet
    return replace(player, idle_spins=0 if has_bet else player.idle_spins + 1)


def settled_by(state: RouletteState, number: int, laid: tuple[Stake, ...]) -> RouletteState:
    """Returns the state with the spin settled by this number and these stakes, in place of any earlier settlement.

    If the number was withdrawn and came again, prizes that were paid for it count as paid, as far as they are still due
    (pt.rou.22b, 29a).
    """
    settled, before = settle(laid, number, state.rules), state.game.settled or Settled()
    half_cents = state.takings.half_cents + int(2 * (settled.house - before.house))
    state = with_game(state, settled=settled, laid=laid)
    if state.game.given_for == number:
        kept, given = kept_of((*state.game.paid.before, *state.game.given), settled)
        state = with_game(state, paid=replace(state.game.paid, kept=kept or UNSET), given=given)
    return replace(state, stakes=settled.staying, takings=replace(state.takings, half_cents=half_cents))


def reopened(state: RouletteState) -> RouletteState:
    """Returns the state before the spin's number or null spin was entered (pt.rou.23, 27): the chips are back on the
    cloth, and paid prizes must be returned.
    """
    was, game = state.game.phase, state.game
    state = with_game(round_moved(state, SpinTrigger.REOPENED), result=None)
    if was is R.NULL_SPIN:
        return with_tally(state, voided=state.house.tally.voided - 1)
    if was is not R.PAYING:
        return state
    state = with_wheel(state, last_number=game.number_before)
    state = replace(state, players=tuple(_before_spin(one) for one in state.players))
    if game.settled is None:
        return state
    takings = replace(
        state.takings,
        spins=state.takings.spins - 1,
        half_cents=state.takings.half_cents - int(2 * game.settled.house),
    )
    state = replace(state, stakes=game.laid, takings=takings)
    state, made = with_game(state, settled=None, laid=(), paid=NOTHING_PAID), game.settled.split(game.paid)[0]
    return with_game(state, given=(*game.given, *made), given_for=game.result) if made else state


def _before_spin(player: Player) -> Player:
    """Returns the player with one spin fewer in the count of spins without a bet, at least 0."""
    return replace(player, idle_spins=max(0, player.idle_spins - 1))


def null_spin_takes_two(state: RouletteState, _act: DeclareNullSpin) -> bool:
    """True if bets are tracked, except while the wheel's own reports show that bets are still open."""
    is_heard = state.setup.has_wheel and not holds_of(state, HoldKind.IRREGULAR_SPIN)
    return state.rules.follows_bets and not (is_heard and state.game.phase is R.SPINNING)


def sees_the_spin(state: RouletteState, _act: Act) -> object:
    """Returns the values whose change ends the wait for a second person: the whole spin, except the chips exchanged
    meanwhile.
    """
    return replace(state.game, handed=())


def change_ball(state: RouletteState, _act: ChangeBall, at_ms: TableMs) -> RouletteState:
    return with_wheel(state, ball=other_ball(state.wheel.ball), ball_since_ms=at_ms, ball_is_due=False)


SPIN_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "launch-ball",
        LaunchBall,
        DEALER,
        launch_ball,
        (WHEEL_IS_HEARD, *TO_LAUNCH, LAUNCH_ALTERNATES),
        round=SpinTrigger.LAUNCHED,
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "announce-nothing-more",
        AnnounceNothingMore,
        DEALER,
        unchanged,
        round=SpinTrigger.BETS_CLOSED,
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        NULL_CALL,
        DeclareNullSpin,
        DEALER,
        declare_null_spin,
        (BALL_IS_NOT_AT_REST,),
        round=SpinTrigger.NULLED,
        second=SecondPerson(SUPERVISORS, "null-spin", null_spin_takes_two, sees_the_spin),
        hold_ms=DELIBERATE_MS,
        undone=by("contest-spin"),
        money=Money.RULED,
        manner=Manner.DOES,
    ),
    ActRule(
        "put-ball-back",
        PutBallBack,
        DEALER_OR_CHIEF,
        put_ball_back,
        (NUMBER_IS_ON_THE_WHEEL, BALL_GOES_TO_THE_LAST_NUMBER),
        in_round=(R.NULL_SPIN,),
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "announce-number",
        AnnounceNumber,
        DEALER,
        announce_number,
        (NUMBER_IS_ON_THE_WHEEL, NUMBER_IS_THE_WHEELS),
        instead=held_for_a_null_call,
        round=SpinTrigger.ANNOUNCED,
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.SEEN,
        manner=Manner.DOES,
    ),
    ActRule(
        "change-ball",
        ChangeBall,
        DEALER,
        change_ball,
        in_session=(S.IN_PLAY,),
        in_round=(R.IDLE, R.NULL_SPIN, R.PAYING),
        undone=by("change-ball"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "replace-ball",
        ReplaceBall,
        DEALER_OR_CHIEF,
        unchanged,
        (BALL_IS_AS_WIDE,),
        in_session=(S.IN_PLAY,),
        in_round=(R.IDLE, R.NULL_SPIN, R.PAYING),
        undone=by("replace-ball"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
