"""Guards: who is here, and who may speak for whom."""

from controller.core.engine.act import Act
from controller.core.house import acts as a
from controller.core.house.guard import ActGuard, Guard
from controller.core.house.people import dealer_at_table, is_watched
from controller.core.house.state import State
from controller.core.words import Operation, Role, RoundPhase, SessionPhase


def _chief_for(operation: Operation, clause: str) -> Guard[State]:
    return Guard[State](
        f"supervisor_is_present_for_{operation.value}",
        clause,
        lambda state: is_watched(state, operation),
        lambda _state: (("operation", operation.value),),
    )


CHIEF_PRESENT_FOR_LOADING = _chief_for(Operation.LOADING, "pt.bj.54d")
CHIEF_PRESENT_FOR_UNLOADING = _chief_for(Operation.UNLOADING, "pt.bj.55a")
CHIEF_PRESENT_FOR_HOLD = _chief_for(Operation.HOLD, "pt.bj.51d")

ACTOR_IS_THE_DEALER_AT_TABLE = ActGuard[State, Act](
    "actor_is_the_dealer_at_table",
    "pt.bj.7a",
    lambda state, act: act.role is not Role.DEALER or act.person == dealer_at_table(state),
)


def _operation_fits(_state: State, act: a.SignIn) -> bool:
    return (act.operation is Operation.TABLE) == (act.role is Role.DEALER)


OPERATION_FITS_THE_ROLE = ActGuard[State, a.SignIn]("operation_fits_the_role", "pt.bj.54d", _operation_fits)


def _dealer_may_leave(state: State, act: Act) -> bool:
    """Between rounds; what is burnt after the loading or filling is the dealer's to draw, too (pt.bj.10)."""
    may = state.game.phase is RoundPhase.IDLE and state.house.session is not SessionPhase.LOADED
    return act.role is not Role.DEALER or act.person != dealer_at_table(state) or may


DEALER_LEAVES_BETWEEN_ROUNDS = ActGuard[State, Act]("dealer_leaves_between_rounds", "pt.bj.7a", _dealer_may_leave)
ACTOR_IS_SIGNED_IN = ActGuard[State, Act](
    "actor_is_signed_in",
    "pt.bj.54d",
    lambda state, act: any(p.person == act.person for p in state.house.present),
    possible=lambda state: bool(state.house.present),
)
