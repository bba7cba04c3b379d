"""The jackpot's sign: its amount is compared with the pool's, since the sign promises that amount to players.

A sign that can be read back reports its amount. A person states the amount of any other sign, once in each session and
connection. Until sign and pool agree, no bet is taken on the pool. A sign that still shows another amount gets the
command to show its fault message. If it promises more than the pool has, two people state the pool
(house/jackpot_acts.py). People cannot state a linked pool, since it may be hit at another table at any time: the sign
shows its fault message until it agrees.
"""

from enum import StrEnum, unique
from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.facts import DisplayFaulted, DisplayStatusHeard, SignStatus
from controller.core.house.jackpot_acts import JACKPOT_IS_CONFIGURED, doubted
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.promised import linked_on_sign, promised_cents
from controller.core.house.registry import Deadline, FactRule
from controller.core.house.rule import DELIBERATE_MS, ActRule, Guard
from controller.core.house.state import DisplayKnown, State, StateT, link_of, with_devices, with_link
from controller.core.house.undoing import AGAIN
from controller.core.money import units
from controller.core.words import Cents, Device, HoldCause, Role, SessionPhase, TableMs, Timer

SIGN_DUE_MS: Final = 5_000
"""The milliseconds in which a sign must follow the pool; SAS 6.02 calls a later update stale (section 10.2)."""


class StateSign(Act, frozen=True):
    """A person states the amount read on the sign."""

    amount: Cents


# --- reports of the sign


def with_sign_report(state: StateT, status: SignStatus | None) -> StateT:
    """The state with the sign's report of its amount. Unchanged if `status` is None."""
    if status is None:
        return state
    known = state.devices.display
    shown = Cents(status.shown_cents) if status.reads_back else None
    return _with_sign(state, replace(known, shown=shown, is_hidden=status.fault_shown, reads_back=status.reads_back))


def _with_sign(state: StateT, known: DisplayKnown) -> StateT:
    return state if known == state.devices.display else with_devices(state, display=known)


def sign_heard(state: StateT, event: DisplayStatusHeard, _at_ms: TableMs) -> StateT:
    return with_sign_report(state, event.status)


def sign_faulted(state: StateT, event: DisplayFaulted, _at_ms: TableMs) -> StateT:
    link = replace(link_of(state, Device.JACKPOT_DISPLAY), boot=event.source.boot, taken=event.source.number)
    return with_sign_report(with_link(state, Device.JACKPOT_DISPLAY, link), event.status)


def sign_is_news(state: State, status: SignStatus) -> bool:
    """True if the report differs from the table's record of the sign. Always False without a pool."""
    known = state.devices.display
    shown = status.shown_cents if status.reads_back else None
    told = (shown, status.fault_shown, status.reads_back)
    return state.house.pool is not None and told != (known.shown, known.is_hidden, known.reads_back)


def watch_sign(before: StateT, after: StateT, at_ms: TableMs) -> StateT:
    """The state with `differs_ms`, the time at which the sign began to show a wrong amount. The time is None while the
    sign shows the right amount or its fault message. A sign that agrees, or whose amount is unknown, is not stale.
    After a lost connection the amount counts as unknown.
    """
    known = _begun_anew(before, after)
    due = promised_cents(after)
    if due is None or known.shown in {None, due}:
        return _with_sign(after, replace(known, differs_ms=None, is_stale=False))
    since_ms = None if known.is_hidden else at_ms if known.differs_ms is None else known.differs_ms
    return _with_sign(after, replace(known, differs_ms=since_ms))


def _begun_anew(before: State, after: State) -> DisplayKnown:
    """The record of the sign. Its amount is forgotten after a lost connection and, for a sign that people read, when a
    session opens.
    """
    known, link = after.devices.display, after.devices.display.link
    is_other = not link.connected and before.devices.display.link.connected
    is_opened = before.house.session is SessionPhase.CLOSED is not after.house.session
    return replace(known, shown=None, is_read=False) if is_other or (is_opened and not known.reads_back) else known


def sign_differs(state: StateT, at_ms: TableMs) -> StateT:
    """The state in which the sign is stale: the sign did not follow the pool in time. If the sign shows more than the
    pool has, the pool is in doubt.
    """
    state = _with_sign(state, replace(state.devices.display, differs_ms=None, is_stale=True))
    return _doubted_where_more(state, state.devices.display.shown or Cents(0), at_ms)


def _doubted_where_more(state: StateT, shown: Cents, at_ms: TableMs) -> StateT:
    pool = state.house.pool
    if pool is None or linked_on_sign(state) is not None or shown <= pool.cents:
        return state
    return doubted(state, HoldCause.SIGN_PROMISES_MORE, at_ms)


def _due_ms(state: State) -> TableMs | None:
    since_ms = state.devices.display.differs_ms
    return None if since_ms is None else TableMs(since_ms + SIGN_DUE_MS)


# --- people's statements


def state_sign(state: StateT, act: StateSign, at_ms: TableMs) -> StateT:
    """The state after a person has read the sign. `is_read` becomes True if the person read the amount that the sign
    should show. A higher amount than the pool's puts the pool in doubt, unless the sign shows a linked pool.
    """
    state = _with_sign(state, replace(state.devices.display, is_read=act.amount == promised_cents(state)))
    return _doubted_where_more(state, act.amount, at_ms)


@unique
class SignSays(StrEnum):
    """The states of the sign, as the table knows them."""

    NONE = "none"  # the configuration has none
    LOST = "lost"
    UNCONFIRMED = "unconfirmed"  # the sign cannot be read back, and no person has stated its amount
    READ = "read"  # by a person, in this session and connection
    DIFFERS = "differs"
    POOL = "pool"  # the sign reports the pool's amount itself


def sign_says(state: State) -> SignSays:
    """The state of the sign, compared with the amount that it should show."""
    known, due = state.devices.display, promised_cents(state)
    if not state.setup.has_display:
        return SignSays.NONE
    if not known.link.connected:
        return SignSays.LOST
    if not known.reads_back:
        return SignSays.READ if known.is_read else SignSays.UNCONFIRMED
    return SignSays.POOL if due is not None and known.shown == due else SignSays.DIFFERS


def _why_not(state: State) -> Values:
    return (("shown", _units(state.devices.display.shown)), ("pool", _units(promised_cents(state))))


def _units(cents: int | None) -> str:
    return "-" if cents is None else units(cents)


_RIGHT: Final = (SignSays.NONE, SignSays.READ, SignSays.POOL)
SIGN_SHOWS_THE_POOL = Guard[State]("sign_shows_the_pool", lambda state: sign_says(state) in _RIGHT, _why_not)

SIGN_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "state-sign",
        StateSign,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        state_sign,
        (JACKPOT_IS_CONFIGURED,),
        hold_ms=DELIBERATE_MS,
        undone=AGAIN,
        money=Money.NONE,
        manner=Manner.ATTESTS,
    ),
)
SIGN_FACTS: Final[tuple[FactRule[Any, Any], ...]] = (
    FactRule("display-faulted", DisplayFaulted, sign_faulted),
    FactRule("display-status-heard", DisplayStatusHeard, sign_heard),
)
SIGN_DEADLINE: Final[Deadline[Any]] = Deadline(Timer.SIGN, _due_ms, sign_differs)
