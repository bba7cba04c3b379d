"""Acts on the jackpot's pool itself: approving its parameters, adding money to it, and stating its amount.

The room manager changes parameters while the table is closed, under a reference of the approval. New parameters apply
from the next reset on, never to the pool in play (pt.bj.40). Two people, one of them the room manager, add money to the
pool, and state its amount if it is in doubt. One person alone may add at most the sum that the pool lacks for the next
prize.
"""

from typing import Any, Final, NamedTuple

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.duties import is_a_reference
from controller.core.house.holds import end_holds, holds_of, raise_hold
from controller.core.house.jackpot_two import asked_first, asked_no_more, is_asked
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.pool import Level, Pool, approved, is_sound, moved_to, next_payment
from controller.core.house.pool_export import UNSURE, export_away, since
from controller.core.house.rule import DELIBERATE_MS, FINAL_MS, ActGuard, ActRule, Case, Guard
from controller.core.house.state import Hold, State, StateT, with_house
from controller.core.house.undoing import AGAIN, Never, never
from controller.core.jackpot_rules import CENT
from controller.core.money import units
from controller.core.words import Cents, HoldCause, HoldKind, Role, SessionPhase, TableMs


class ApproveJackpot(Act, frozen=True):
    """The room manager approves the jackpot parameters of the configuration. `reference`: the approval's reference."""

    reference: str


class LayIntoJackpot(Act, frozen=True):
    """The house adds money to a pool that cannot pay. For more than the lacking sum the room manager asks first."""

    amount: Cents
    reference: str


class StateJackpot(Act, frozen=True):
    """One person states the pool's amount, read from sign and meters. A second person must state the same amount, each
    with a PIN of their own. `reference`: the reference of the report to the inspection service. `journal_at`: the epoch
    and number of this act's own entry in the journal, filled in by the shell.
    """

    amount: Cents
    reference: str | None = None
    journal_at: str = ""


MANAGER: Final = (Role.ROOM_MANAGER,)
CHIEF_OR_MANAGER: Final = (Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER)
MOST_CENTS: Final = 10**13
"""The most that one act may add: more than any pool has."""

TABLE_IS_CLOSED = Guard[State]("table_is_closed", lambda state: state.house.session is SessionPhase.CLOSED)
JACKPOT_IS_CONFIGURED = Guard[State]("jackpot_is_configured", lambda state: state.setup.jackpot is not None)


def _is_news(state: State) -> bool:
    pool = state.house.pool
    return pool is None or state.setup.jackpot != (pool.approved or pool.rules)


JACKPOT_PARAMETERS_ARE_NEW = Guard[State]("jackpot_parameters_are_new", _is_news)
APPROVAL_IS_NAMED = ActGuard[State, Any](
    "approval_is_named",
    lambda _state, act: is_a_reference(act.reference),
    case=Case("laid-in", lambda _state, act: isinstance(act, LayIntoJackpot)),
)


def is_doubted(state: State) -> bool:
    return bool(holds_of(state, HoldKind.JACKPOT_DOUBTED))


POOL_IS_ACCOUNTED_FOR = Guard[State](
    "pool_is_accounted_for",
    lambda state: state.house.pool is not None or (export_away(state.house.handover) is None and not is_doubted(state)),
)


def lacking(state: State) -> Cents:
    """The cents that the pool lacks for the next prize; 0 if the pool can pay the prize."""
    pool = state.house.pool
    due = None if pool is None else next_payment(pool)
    return Cents(0) if pool is None or due is None or due.is_covered else Cents(due.cents - pool.cents)


POOL_FALLS_SHORT = Guard[State]("pool_falls_short", lambda state: lacking(state) > 0)
AMOUNT_IS_POSITIVE = ActGuard[State, LayIntoJackpot](
    "amount_is_positive", lambda _state, act: 0 < act.amount <= MOST_CENTS
)
LAY_IN: Final = "lay-into-jackpot"


def _laid_in(act: LayIntoJackpot) -> str:
    """The value that both people must give alike: the amount, and the reference of its approval."""
    return f"{act.amount} {act.reference}"


def _is_agreed(state: State, act: LayIntoJackpot) -> bool:
    """True if the amount is at most the lacking sum, or if the room manager asks or has asked for the same."""
    is_his = state.house.handover.asked_role is Role.ROOM_MANAGER and is_asked(state, LAY_IN, _laid_in(act))
    return act.amount <= lacking(state) or act.role is Role.ROOM_MANAGER or is_his


def _says_lacking(state: State, _act: Act | None) -> Values:
    return (("amount", units(lacking(state))),)


ROOM_MANAGER_AGREES = ActGuard[State, LayIntoJackpot]("room_manager_agrees", _is_agreed, _says_lacking)
JACKPOT_IS_DOUBTED = Guard[State]("jackpot_is_doubted", is_doubted)


class Stated(NamedTuple):
    """The pool's amount as the first of two people has stated it."""

    by: int
    cents: int
    role: str


def _stated(state: State) -> Stated | None:
    doubts = holds_of(state, HoldKind.JACKPOT_DOUBTED)
    details = dict(doubts[0].details) if doubts else {}
    return Stated(int(details["by"]), int(details["stated"]), details.get("role", "")) if "by" in details else None


def _is_the_second(state: State, act: StateJackpot) -> bool:
    stated = _stated(state)
    return stated is None or stated.by != act.person


def _is_the_managers(state: State, act: StateJackpot) -> bool:
    """True unless this act completes two equal statements, neither of them the room manager's."""
    stated = _stated(state)
    return stated is None or stated.cents != act.amount or Role.ROOM_MANAGER in {stated.role, act.role}


TWO_PEOPLE_STATE_IT = ActGuard[State, StateJackpot]("two_people_state_it", _is_the_second)
ROOM_MANAGER_STATES_IT = ActGuard[State, StateJackpot]("room_manager_states_it", _is_the_managers)
STATED_POOL_IS_HERE = ActGuard[State, StateJackpot](
    "stated_pool_is_here", lambda state, act: act.amount == 0 or state.house.pool is not None
)


def _is_the_signs(doubt: Hold) -> bool:
    return doubt.cause == HoldCause.SIGN_PROMISES_MORE


def _is_reported(state: State, act: StateJackpot) -> bool:
    """True unless the room manager states the amount without a report's reference. No reference is needed if only the
    sign was in doubt and the stated amount is the recorded one.
    """
    doubts, pool = holds_of(state, HoldKind.JACKPOT_DOUBTED), state.house.pool
    is_as_recorded = pool is not None and pool.cents == act.amount
    is_small = is_as_recorded and state.house.handover.since != UNSURE and all(map(_is_the_signs, doubts))
    return act.role is not Role.ROOM_MANAGER or is_small or is_a_reference(act.reference or "")


STATEMENT_IS_REPORTED = ActGuard[State, StateJackpot]("statement_is_reported", _is_reported)


def _is_sure(state: State) -> bool:
    pool = state.house.pool
    return pool is None or not (pool.owed or is_doubted(state))


def _why_not(state: State) -> Values:
    doubt = holds_of(state, HoldKind.JACKPOT_DOUBTED)
    return (("cause", (doubt[0].cause or "") if doubt else HoldKind.JACKPOT_OWED.value),)


JACKPOT_IS_SURE = Guard[State]("jackpot_is_sure", _is_sure, _why_not)


def approve_jackpot(state: StateT, act: ApproveJackpot, _at_ms: TableMs) -> StateT:
    rules = state.setup.jackpot
    return state if rules is None else with_house(state, pool=approved(state.house.pool, rules, act.reference))


def lay_into_jackpot(state: StateT, act: LayIntoJackpot, _at_ms: TableMs) -> StateT:
    """The state with the amount added to the pool. One person's request is enough up to the lacking sum. For a larger
    sum the room manager's request only waits, and the sum is added when a chief supervisor asks for the same.
    """
    if act.amount > lacking(state) and act.role is Role.ROOM_MANAGER:
        return asked_first(state, act, LAY_IN, _laid_in(act))
    return asked_no_more(_with_moved(state, act.amount * CENT, act.reference))


def _with_moved(state: StateT, millionths: int, reference: str) -> StateT:
    """The state with `millionths` moved from the house into the pool. A negative amount goes back to the house."""
    if state.house.pool is None:
        return state
    way = (Level.HOUSE, Level.POOL) if millionths > 0 else (Level.POOL, Level.HOUSE)
    return with_house(state, pool=moved_to(state.house.pool, abs(millionths), *way, reference))


def state_jackpot(state: StateT, act: StateJackpot, at_ms: TableMs) -> StateT:
    """The state after one person has stated the pool's amount. If another person has stated the same amount before, the
    pool gets the amount, and the doubt ends. Otherwise the amount waits for a second person.
    """
    stated = _stated(state)
    if stated is None or stated.cents != act.amount:
        return _with_statement(state, act)
    pool = state.house.pool
    state = doubted_no_more(state, act.journal_at)
    if pool is None or pool.cents == act.amount:
        return check_pool(state, at_ms)
    return check_pool(_with_moved(state, act.amount * CENT - pool.millionths, STATED), at_ms)


STATED: Final = "two-people"
"""The reference of a movement to the amount that two people have stated."""


def doubted_no_more(state: StateT, journal_at: str) -> StateT:
    """The state without doubt about the pool. After lost journal entries, this computer gets a new name for later
    exports.
    """
    state = end_holds(state, lambda hold: hold.kind is HoldKind.JACKPOT_DOUBTED)
    handover = state.house.handover
    return with_house(state, handover=replace(handover, since=since(journal_at))) if handover.since == UNSURE else state


def _with_statement(state: StateT, act: StateJackpot) -> StateT:
    doubt = holds_of(state, HoldKind.JACKPOT_DOUBTED)[0]
    about = tuple(one for one in doubt.details if one[0] not in {"by", "stated", "role"})
    said = (("by", str(act.person)), ("stated", str(act.amount)), ("role", act.role.value))
    changed = replace(doubt, details=(*about, *said))
    return with_house(state, holds=tuple(changed if hold is doubt else hold for hold in state.house.holds))


def doubted(state: StateT, cause: HoldCause, at_ms: TableMs) -> StateT:
    """The state with a doubt about the pool's amount, or about the computer that has the pool. No jackpot bet is
    accepted until two people state the amount.
    """
    return raise_hold(state, HoldKind.JACKPOT_DOUBTED, at_ms, cause=cause)


def entries_lost(state: StateT, at_ms: TableMs) -> StateT:
    """The state with the pool in doubt after journal entries were lost: these may have moved, exported or taken over a
    pool. A request that waits for a second person is dropped, and no pool is exported to this computer until people end
    the doubt.
    """
    handover = replace(asked_no_more(state).house.handover, since=UNSURE)
    return doubted(with_house(state, handover=handover), HoldCause.RESTORED, at_ms)


def check_pool(state: StateT, at_ms: TableMs) -> StateT:
    """The state with the pool in doubt if its meters do not reconcile; else unchanged.

    Meters that do not reconcile show a fault of the program or of the record.
    """
    pool: Pool | None = state.house.pool
    return state if pool is None or is_sound(pool) else doubted(state, HoldCause.METERS, at_ms)


def watch_pool(_before: StateT, after: StateT, at_ms: TableMs) -> StateT:
    """The state after `check_pool`. Called after every event that has moved the pool, and at each start."""
    return check_pool(after, at_ms)


JACKPOT_HOUSE_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "approve-jackpot",
        ApproveJackpot,
        MANAGER,
        approve_jackpot,
        (
            JACKPOT_IS_CONFIGURED,
            TABLE_IS_CLOSED,
            JACKPOT_PARAMETERS_ARE_NEW,
            POOL_IS_ACCOUNTED_FOR,
            APPROVAL_IS_NAMED,
        ),
        hold_ms=FINAL_MS,
        undone=AGAIN,
        money=Money.PARAMETERS,
        manner=Manner.DECIDES,
    ),
    ActRule(
        LAY_IN,
        LayIntoJackpot,
        CHIEF_OR_MANAGER,
        lay_into_jackpot,
        (POOL_FALLS_SHORT, AMOUNT_IS_POSITIVE, APPROVAL_IS_NAMED, ROOM_MANAGER_AGREES),
        hold_ms=DELIBERATE_MS,
        own_pin=True,
        undone=never(Never.AGREED),
        money=Money.POOL,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "state-jackpot",
        StateJackpot,
        CHIEF_OR_MANAGER,
        state_jackpot,
        (
            JACKPOT_IS_DOUBTED,
            STATED_POOL_IS_HERE,
            TWO_PEOPLE_STATE_IT,
            STATEMENT_IS_REPORTED,
            ROOM_MANAGER_STATES_IT,
        ),
        hold_ms=DELIBERATE_MS,
        own_pin=True,
        undone=AGAIN,
        money=Money.POOL,
        manner=Manner.ATTESTS,
    ),
)
