"""The acts by which people sign in and out at the table. A presence is one person's sign-in for one operation. The
presence lapses unless the person asks for an act within the profile's time. A dealer's presence never lapses
(pt.bj.54d, 55a).
"""

from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.holds import end_holds, raise_hold, update_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import chief_is_present, dealer_at_table, is_watched, lapsed, sign_in, supervises
from controller.core.house.registry import Deadline
from controller.core.house.rule import AT_THE_TABLE, ActGuard, ActRule, Guard
from controller.core.house.state import Presence, State, StateT, with_house
from controller.core.house.undoing import by
from controller.core.words import HoldKind, HoldPhase, Operation, Role, RoundPhase, SessionPhase, TableMs, Timer


class SignIn(Act, frozen=True):
    operation: Operation


class SignOut(Act, frozen=True):
    pass


def _chief_for(operation: Operation) -> Guard[State]:
    return Guard[State](
        f"supervisor_is_present_for_{operation.value}",
        lambda state: is_watched(state, operation),
        lambda _state: (("operation", operation.value),),
    )


CHIEF_PRESENT_FOR_LOADING = _chief_for(Operation.LOADING)
CHIEF_PRESENT_FOR_UNLOADING = _chief_for(Operation.UNLOADING)
CHIEF_PRESENT_FOR_HOLD = _chief_for(Operation.HOLD)


def _operation_fits(_state: State, act: SignIn) -> bool:
    return (act.operation is Operation.TABLE) == (act.role is Role.DEALER)


OPERATION_FITS_THE_ROLE = ActGuard[State, SignIn]("operation_fits_the_role", _operation_fits)


def _dealer_may_leave(state: State, act: Act) -> bool:
    """True unless this is the table's dealer while a round is open or the burn after a loading is due (pt.bj.10)."""
    may = state.game.phase is RoundPhase.IDLE and state.house.session is not SessionPhase.LOADED
    return act.role is not Role.DEALER or act.person != dealer_at_table(state) or may


DEALER_LEAVES_BETWEEN_ROUNDS = ActGuard[State, Act](
    "dealer_leaves_between_rounds",
    _dealer_may_leave,
    possible=lambda state: any(_dealer_may_leave(state, Act(one.person, one.role)) for one in state.house.present),
)
ACTOR_IS_SIGNED_IN = ActGuard[State, Act](
    "actor_is_signed_in",
    lambda state, act: any(p.person == act.person for p in state.house.present),
    possible=lambda state: bool(state.house.present),
)


def come(state: StateT, act: SignIn, at_ms: TableMs) -> StateT:
    """The state with the person signed in for the act's operation. A supervisor who signs in ends the hold for an
    absent supervisor, unless a loading or unloading still lacks its required supervisor.
    """
    state = sign_in(state, act.person, act.role, act.operation, at_ms)
    if not supervises(state.setup, act.role):
        return state
    watched = not _somebody_must_watch(state) or chief_is_present(state, _watch(state))
    return end_holds(state, lambda hold: hold.kind is HoldKind.SUPERVISOR_ABSENT and watched)


def go(state: StateT, act: SignOut, at_ms: TableMs) -> StateT:
    """The state with the person signed out of every operation. If a required supervisor leaves, a hold is raised."""
    return people_left(state, tuple(p for p in state.house.present if p.person == act.person), at_ms)


def _watch(state: State) -> Operation:
    """The operation that a chief supervisor must watch now: UNLOADING at the session's step UNLOADING, else LOADING."""
    return Operation.UNLOADING if state.house.session is SessionPhase.UNLOADING else Operation.LOADING


def _somebody_must_watch(state: State) -> bool:
    return state.house.session in {SessionPhase.LOADING, SessionPhase.TAKING_OUT, SessionPhase.UNLOADING}


def people_left(state: StateT, gone: tuple[Presence, ...], at_ms: TableMs) -> StateT:
    """The state without the presences in `gone`. A hold that one of these people attended goes back to the step RAISED.

    If a loading or unloading loses its required supervisor, the hold SUPERVISOR_ABSENT is raised.
    """
    unwatched = tuple(p.operation for p in gone if _was_watching(state, p))
    state = with_house(state, present=tuple(p for p in state.house.present if p not in gone))
    left_alone = any(not chief_is_present(state, operation) for operation in unwatched)
    for hold in state.house.holds:
        left = any(p.operation is Operation.HOLD and p.person == hold.attended_by for p in gone)
        if left and hold.phase is HoldPhase.ATTENDED:
            state = update_hold(state, replace(hold, phase=HoldPhase.RAISED, attended_by=None))
    return raise_hold(state, HoldKind.SUPERVISOR_ABSENT, at_ms) if left_alone else state


_COMES_TO_REST_MS: Final = 3_000
"""The time within which a card that moved when the chief supervisor left has come to rest."""


def is_unwatched(state: State, at_ms: TableMs) -> bool:
    """True if the supervisor who must watch the loading or unloading has been away for over 3 seconds (pt.bj.54d)."""
    absent = (hold for hold in state.house.holds if hold.kind is HoldKind.SUPERVISOR_ABSENT)
    return any(at_ms - hold.raised_ms > _COMES_TO_REST_MS for hold in absent)


def _was_watching(state: State, presence: Presence) -> bool:
    procedure, operation = state.setup.procedure, presence.operation
    asked = {Operation.LOADING: procedure.loading_supervised, Operation.UNLOADING: procedure.unloading_supervised}
    return asked.get(operation, False) and supervises(state.setup, presence.role) and state.is_under_way(operation)


PEOPLE_RULES: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "sign-in",
        SignIn,
        AT_THE_TABLE,
        come,
        (OPERATION_FITS_THE_ROLE,),
        undone=by("sign-out"),
        money=Money.NONE,
        manner=Manner.ATTESTS,
    ),
    ActRule(
        "sign-out",
        SignOut,
        AT_THE_TABLE,
        go,
        (ACTOR_IS_SIGNED_IN, DEALER_LEAVES_BETWEEN_ROUNDS),
        undone=by("sign-in"),
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)


def _presence_deadline(state: State) -> TableMs | None:
    confirmed = [p.confirmed_ms for p in state.house.present if p.operation is not Operation.TABLE]
    return TableMs(min(confirmed) + state.setup.parameters.presence_timeout_ms) if confirmed else None


def _presence_lapsed(state: StateT, at_ms: TableMs) -> StateT:
    return people_left(state, lapsed(state, at_ms), at_ms)


HOUSE_DEADLINES: tuple[Deadline[Any], ...] = (Deadline(Timer.PRESENCE, _presence_deadline, _presence_lapsed),)
