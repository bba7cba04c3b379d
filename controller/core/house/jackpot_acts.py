"""What people say of the pool itself: its parameters, what is laid in, how much is in it, and whose it is.

Parameters change with the table closed, by the room manager under a reference of the approval, and never for a pool
that is being played for: they hold from the next reset on (pt.bj.40).
"""

from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.duties import is_a_reference
from controller.core.house.holds import end_holds, holds_of, raise_hold
from controller.core.house.pool import Level, Pool, approved, is_sound, moved_to, next_payment
from controller.core.house.rule import DELIBERATE_MS, FINAL_MS, ActGuard, ActRule, Case, Guard
from controller.core.house.state import State, StateT, with_house
from controller.core.jackpot_rules import CENT
from controller.core.words import Cents, HoldCause, HoldKind, Person, Role, SessionPhase, TableMs


class ApproveJackpot(Act, frozen=True):
    """What the configuration says of the jackpot is approved, under this reference."""

    reference: str


class LayIntoJackpot(Act, frozen=True):
    """The house lays this into a pool that cannot pay."""

    amount: Cents
    reference: str


class StateJackpot(Act, frozen=True):
    """So much is in the pool, read from sign and meters; two people state it, each with his own PIN."""

    amount: Cents


MANAGER: Final = (Role.ROOM_MANAGER,)
CHIEF_OR_MANAGER: Final = (Role.CHIEF_SUPERVISOR, Role.ROOM_MANAGER)
MOST_CENTS: Final = 10**13
"""More than any pool."""

TABLE_IS_CLOSED = Guard[State]("table_is_closed", lambda state: state.house.session is SessionPhase.CLOSED)
JACKPOT_IS_CONFIGURED = Guard[State]("jackpot_is_configured", lambda state: state.setup.jackpot is not None)


def _is_news(state: State) -> bool:
    pool = state.house.pool
    return pool is None or state.setup.jackpot != (pool.approved or pool.rules)


JACKPOT_PARAMETERS_ARE_NEW = Guard[State]("jackpot_parameters_are_new", _is_news)
APPROVAL_IS_NAMED = ActGuard[State, ApproveJackpot | LayIntoJackpot](
    "approval_is_named",
    lambda _state, act: is_a_reference(act.reference),
    case=Case("laid-in", lambda _state, act: isinstance(act, LayIntoJackpot)),
)


def _falls_short(state: State) -> bool:
    due = None if state.house.pool is None else next_payment(state.house.pool)
    return due is not None and not due.is_covered


POOL_FALLS_SHORT = Guard[State]("pool_falls_short", _falls_short)
AMOUNT_IS_POSITIVE = ActGuard[State, LayIntoJackpot](
    "amount_is_positive", lambda _state, act: 0 < act.amount <= MOST_CENTS
)
JACKPOT_IS_DOUBTED = Guard[State]("jackpot_is_doubted", lambda state: bool(holds_of(state, HoldKind.JACKPOT_DOUBTED)))


def _stated(state: State) -> tuple[int, int] | None:
    """Who has stated how much, first."""
    details = dict(holds_of(state, HoldKind.JACKPOT_DOUBTED)[0].details)
    return (int(details["by"]), int(details["stated"])) if "by" in details else None


def _is_the_second(state: State, act: StateJackpot) -> bool:
    stated = _stated(state) if JACKPOT_IS_DOUBTED.holds(state) else None
    return stated is None or stated[0] != act.person


TWO_PEOPLE_STATE_IT = ActGuard[State, StateJackpot]("two_people_state_it", _is_the_second)


def _is_sure(state: State) -> bool:
    pool = state.house.pool
    return pool is None or not (pool.owed or holds_of(state, HoldKind.JACKPOT_DOUBTED))


def _why_not(state: State) -> Values:
    doubt = holds_of(state, HoldKind.JACKPOT_DOUBTED)
    return (("cause", (doubt[0].cause or "") if doubt else HoldKind.JACKPOT_OWED.value),)


JACKPOT_IS_SURE = Guard[State]("jackpot_is_sure", _is_sure, _why_not)


def approve_jackpot(state: StateT, act: ApproveJackpot, _at_ms: TableMs) -> StateT:
    rules = state.setup.jackpot
    return state if rules is None else with_house(state, pool=approved(state.house.pool, rules, act.reference))


def lay_into_jackpot(state: StateT, act: LayIntoJackpot, _at_ms: TableMs) -> StateT:
    return _with_moved(state, act.amount * CENT, act.reference)


def _with_moved(state: StateT, millionths: int, reference: str) -> StateT:
    """From the house into the pool, or where it is negative the other way."""
    if state.house.pool is None:
        return state
    way = (Level.HOUSE, Level.POOL) if millionths > 0 else (Level.POOL, Level.HOUSE)
    return with_house(state, pool=moved_to(state.house.pool, abs(millionths), *way, reference))


def state_jackpot(state: StateT, act: StateJackpot, at_ms: TableMs) -> StateT:
    """The second statement ends the doubt where it is the first one's; another one is the first of two again."""
    stated = _stated(state)
    if stated is None or stated[1] != act.amount:
        return _with_statement(state, act.person, act.amount)
    pool = state.house.pool
    state = end_holds(state, lambda hold: hold.kind is HoldKind.JACKPOT_DOUBTED)
    if pool is None or pool.cents == act.amount:
        return check_pool(state, at_ms)
    return check_pool(_with_moved(state, act.amount * CENT - pool.millionths, STATED), at_ms)


STATED: Final = "two-people"
"""The reference of what two people's statement changes."""


def _with_statement(state: StateT, person: Person, amount: Cents) -> StateT:
    doubt = holds_of(state, HoldKind.JACKPOT_DOUBTED)[0]
    about = tuple(one for one in doubt.details if one[0] not in {"by", "stated"})
    changed = replace(doubt, details=(*about, ("by", str(person)), ("stated", str(amount))))
    return with_house(state, holds=tuple(changed if hold is doubt else hold for hold in state.house.holds))


def doubted(state: StateT, cause: HoldCause, at_ms: TableMs) -> StateT:
    """Nobody knows for sure how much is in the pool: until two people have stated it no bet is taken on it."""
    if state.house.pool is None:
        return state
    return raise_hold(state, HoldKind.JACKPOT_DOUBTED, at_ms, cause=cause)


def check_pool(state: StateT, at_ms: TableMs) -> StateT:
    """Meters that do not reconcile are a fault of the program or of its record; nobody plays for such a pool."""
    pool: Pool | None = state.house.pool
    return state if pool is None or is_sound(pool) else doubted(state, HoldCause.METERS, at_ms)


def watch_pool(before: StateT, after: StateT, at_ms: TableMs) -> StateT:
    """After every event that has moved it, and at each start, the pool is checked."""
    is_news = before.house.pool is not after.house.pool or before.house.start_number != after.house.start_number
    return check_pool(after, at_ms) if is_news else after


JACKPOT_HOUSE_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "approve-jackpot",
        ApproveJackpot,
        MANAGER,
        approve_jackpot,
        (JACKPOT_IS_CONFIGURED, TABLE_IS_CLOSED, JACKPOT_PARAMETERS_ARE_NEW, APPROVAL_IS_NAMED),
        hold_ms=FINAL_MS,
    ),
    ActRule(
        "lay-into-jackpot",
        LayIntoJackpot,
        CHIEF_OR_MANAGER,
        lay_into_jackpot,
        (POOL_FALLS_SHORT, AMOUNT_IS_POSITIVE, APPROVAL_IS_NAMED),
        hold_ms=DELIBERATE_MS,
    ),
    ActRule(
        "state-jackpot",
        StateJackpot,
        CHIEF_OR_MANAGER,
        state_jackpot,
        (JACKPOT_IS_DOUBTED, TWO_PEOPLE_STATE_IT),
        hold_ms=DELIBERATE_MS,
        own_pin=True,
    ),
)
