"""Incidents on which people decide: an irregular spin, moved winning chips, a player's complaint
(pt.rou.22, pt.rou.31).
"""

from enum import StrEnum, unique
from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.games.roulette.chips import PLAYER_HAS_A_NUMBER
from controller.core.games.roulette.cloth import LAST
from controller.core.games.roulette.spin_table import SpinTrigger
from controller.core.games.roulette.spins import BETS_ARE_FOLLOWED, declare_null_spin, reopened, sees_the_spin
from controller.core.games.roulette.state import RouletteState, with_game, with_wheel
from controller.core.games.roulette.stated_bets import TO_STATE, StateBet, changes_a_stake, sees_a_bet, state_bet
from controller.core.house.holds import end_holds, holds_of, raise_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import CHIEF, DEALER_OR_CHIEF, ActGuard, ActRule, Guard, R, S, SecondPerson
from controller.core.house.state import round_moved, with_tally
from controller.core.house.undoing import BY_ENTRY, Never, by, never
from controller.core.words import HoldKind, Role, TableMs


@unique
class SpinOutcome(StrEnum):
    """The possible decisions on an irregular spin."""

    NUMBER_STANDS = "number-stands"
    NULL = "null"  # the ball is launched again from the last number
    GOES_ON = "goes-on"  # play goes on: no ball was under way, or it still runs


@unique
class Restored(StrEnum):
    """The source from which people know where moved chips lay (pt.rou.31)."""

    RECORDED = "recorded"  # the bets as the controller recorded them
    STAFF = "staff"  # the staff who saw them
    PLAYERS = "players"  # the players' word, where neither staff nor record is safe


class ContestSpin(Act, frozen=True):
    """A person states that the wheel visibly contradicts the reported or entered result of the spin."""


class RuleOnSpin(Act, frozen=True):
    """The decision on an irregular spin. `number`: the number on which the ball rests; None if it is unknown."""

    outcome: SpinOutcome
    number: int | None = None


class ReportMovedChips(Act, frozen=True):
    pass


class RebuildMarkings(Act, frozen=True):
    """Moved chips were laid back. `by`: the source used. `unsafe`: True if neither the staff's word nor the record was
    certain.
    """

    by: Restored
    unsafe: bool | None = None


class RecordClaim(Act, frozen=True):
    player: int


class DecideClaim(Act, frozen=True):
    """The decision on the oldest undecided complaint of the session. `upheld`: False if the complaint is rejected."""

    upheld: bool


# --- guards

SPIN_IS_IRREGULAR = Guard[RouletteState](
    "spin_is_irregular", lambda state: bool(holds_of(state, HoldKind.IRREGULAR_SPIN))
)


CONTESTED: Final = "contested"
"""The cause of a hold for a spin that must be decided anew."""


def is_contested_spin(state: RouletteState) -> bool:
    """True from a person's contest of the spin's result until the decision, whatever the wheel reports meanwhile."""
    return state.game.is_contested and SPIN_IS_IRREGULAR.holds(state)


SPIN_IS_NOT_CONTESTED = Guard[RouletteState]("spin_is_not_contested", lambda state: not is_contested_spin(state))
BALL_LIES_WHERE_IT_FELL = Guard[RouletteState]("ball_lies_where_it_fell", lambda state: not state.game.ball_is_back)


def _fits_the_spin(state: RouletteState, act: RuleOnSpin) -> bool:
    """True if the decision is possible. A null spin or a given number can be decided while the ball runs or the spin is
    contested.

    After a contested null spin play cannot go on, since the ball may still run. After a contested number, play can go
    on only without a new number: otherwise one person's word would set the wheel's last number.
    """
    is_contested = is_contested_spin(state)
    is_open = state.ball_runs or is_contested
    match act.outcome:
        case SpinOutcome.NUMBER_STANDS:
            return is_open and act.number is not None
        case SpinOutcome.NULL:
            return is_open
        case SpinOutcome.GOES_ON:
            return not is_contested or (act.number is None and state.game.phase is not R.NULL_SPIN)


def spin_takes_two(state: RouletteState, act: RuleOnSpin) -> bool:
    """True if bets are tracked and the decision's outcome is a number or a null spin, not GOES_ON."""
    return state.rules.follows_bets and act.outcome is not SpinOutcome.GOES_ON


OUTCOME_FITS_THE_SPIN = ActGuard[RouletteState, RuleOnSpin]("outcome_fits_the_spin", _fits_the_spin)
RULED_NUMBER_IS_ON_THE_WHEEL = ActGuard[RouletteState, RuleOnSpin](
    "number_is_on_the_wheel", lambda _state, act: act.number is None or 0 <= act.number <= LAST
)
CHIPS_WERE_MOVED = Guard[RouletteState]("chips_were_moved", lambda state: bool(holds_of(state, HoldKind.MOVED_CHIPS)))
BETS_WERE_RECORDED = ActGuard[RouletteState, RebuildMarkings](
    "bets_were_recorded", lambda state, act: act.by is not Restored.RECORDED or state.rules.follows_bets
)
PLAYERS_COME_LAST = ActGuard[RouletteState, RebuildMarkings](
    "players_come_last", lambda _state, act: act.by is not Restored.PLAYERS or act.unsafe is True
)
CLAIM_IS_OPEN = Guard[RouletteState]("complaint_is_open", lambda state: bool(holds_of(state, HoldKind.COMPLAINT)))
SPIN_WAS_PLAYED = Guard[RouletteState]("a_spin_was_played", lambda state: state.game.number > 0)


# --- effects


def rule_on_spin(state: RouletteState, act: RuleOnSpin, at_ms: TableMs) -> RouletteState:
    """Returns the state after the decision, with the holds for the spin ended.

    If play goes on and no ball runs, a given number becomes the wheel's last number. Any other decision on a contested
    spin first undoes its result (`reopened`).
    """
    if act.outcome is not SpinOutcome.GOES_ON and is_contested_spin(state):
        state = reopened(state)
    match act.outcome:
        case SpinOutcome.NUMBER_STANDS:
            state = with_game(round_moved(state, SpinTrigger.BETS_CLOSED), result=act.number)
        case SpinOutcome.NULL:
            state = declare_null_spin(round_moved(state, SpinTrigger.NULLED), act, at_ms)
        case SpinOutcome.GOES_ON if act.number is not None and not state.ball_runs:
            state = with_wheel(state, last_number=act.number)
        case SpinOutcome.GOES_ON:
            pass
    state = with_game(state, is_contested=False)
    return end_holds(state, lambda hold: hold.kind is HoldKind.IRREGULAR_SPIN)


def has_nothing_to_rule_on(state: RouletteState, act: RuleOnSpin) -> bool:
    """True if the decision has no effect: play goes on, no number is given, and no hold for the spin is open."""
    return act.outcome is SpinOutcome.GOES_ON and act.number is None and not SPIN_IS_IRREGULAR.holds(state)


def contest_spin(state: RouletteState, _act: ContestSpin, at_ms: TableMs) -> RouletteState:
    number = state.game.result if state.game.result is not None else "-"
    details = (("cause", CONTESTED), ("number", str(number)), ("rule", "number_is_the_wheels"))
    return raise_hold(with_game(state, is_contested=True), HoldKind.IRREGULAR_SPIN, at_ms, details=details)


def report_moved_chips(state: RouletteState, _act: ReportMovedChips, at_ms: TableMs) -> RouletteState:
    return raise_hold(state, HoldKind.MOVED_CHIPS, at_ms)


def rebuild_markings(state: RouletteState, _act: RebuildMarkings, _at_ms: TableMs) -> RouletteState:
    return end_holds(state, lambda hold: hold.kind is HoldKind.MOVED_CHIPS)


def _last_played(state: RouletteState) -> int:
    """The number of the last spin that has a result; 1 during the first spin."""
    runs = state.game.phase is not R.IDLE and state.game.result is None
    return max(1, state.game.number - runs)


def record_claim(state: RouletteState, act: RecordClaim, at_ms: TableMs) -> RouletteState:
    """Returns the state with a hold for a complaint, about the last spin that has a result."""
    about = (("seat", str(act.player)), ("round", str(_last_played(state))))
    state = with_tally(state, complaints=state.house.tally.complaints + 1)
    return raise_hold(state, HoldKind.COMPLAINT, at_ms, details=about)


def decide_claim(state: RouletteState, _act: DecideClaim, _at_ms: TableMs) -> RouletteState:
    """Returns the state with the hold for the oldest complaint ended."""
    oldest = holds_of(state, HoldKind.COMPLAINT)[:1]
    return end_holds(state, lambda hold: hold in oldest)


_OPEN = (S.IN_PLAY, S.CLOSING)

INCIDENT_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "contest-spin",
        ContestSpin,
        DEALER_OR_CHIEF,
        contest_spin,
        (SPIN_IS_NOT_CONTESTED, BALL_LIES_WHERE_IT_FELL),
        in_round=(R.NO_MORE_BETS, R.NULL_SPIN, R.PAYING),
        undone=by("rule-on-spin"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "rule-on-spin",
        RuleOnSpin,
        CHIEF,
        rule_on_spin,
        (SPIN_IS_IRREGULAR, RULED_NUMBER_IS_ON_THE_WHEEL, OUTCOME_FITS_THE_SPIN),
        second=SecondPerson(
            (Role.DEALER, Role.TABLE_INSPECTOR, Role.ROOM_MANAGER), "spin", spin_takes_two, sees_the_spin
        ),
        falls_away=has_nothing_to_rule_on,
        undone=by("contest-spin"),
        money=Money.RULED,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "report-moved-chips",
        ReportMovedChips,
        DEALER_OR_CHIEF,
        report_moved_chips,
        in_round=(R.NO_MORE_BETS, R.PAYING),
        undone=by("rebuild-markings"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "rebuild-markings",
        RebuildMarkings,
        CHIEF,
        rebuild_markings,
        (CHIPS_WERE_MOVED, BETS_WERE_RECORDED, PLAYERS_COME_LAST),
        undone=by("report-moved-chips"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
    ActRule(
        "state-bet",
        StateBet,
        CHIEF,
        state_bet,
        (BETS_ARE_FOLLOWED, CHIPS_WERE_MOVED, PLAYER_HAS_A_NUMBER, *TO_STATE),
        second=SecondPerson(
            (Role.TABLE_INSPECTOR, Role.ROOM_MANAGER), "other-than-recorded", changes_a_stake, sees_a_bet
        ),
        undone=BY_ENTRY,
        money=Money.CHIPS,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "record-claim",
        RecordClaim,
        DEALER_OR_CHIEF,
        record_claim,
        (SPIN_WAS_PLAYED, PLAYER_HAS_A_NUMBER),
        in_session=_OPEN,
        undone=by("decide-claim"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "decide-claim",
        DecideClaim,
        CHIEF,
        decide_claim,
        (CLAIM_IS_OPEN,),
        undone=never(Never.DECIDED),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
)
