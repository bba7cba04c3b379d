"""Guards: who is here, and who may speak for whom."""

from controller.core.engine.act import Act
from controller.core.house import acts as a
from controller.core.house.guard import Guard
from controller.core.house.people import dealer_at_table, is_watched
from controller.core.state import State
from controller.core.words import Operation, Role, RoundPhase, SessionPhase


def _chief_for(operation: Operation, clause: str) -> Guard:
    return Guard(
        f"supervisor_is_present_for_{operation.value}",
        clause,
        lambda state, _act: is_watched(state, operation),
        lambda _state, _act: (("operation", operation.value),),
    )


CHIEF_PRESENT_FOR_LOADING = _chief_for(Operation.LOADING, "pt.bj.54d")
CHIEF_PRESENT_FOR_UNLOADING = _chief_for(Operation.UNLOADING, "pt.bj.55a")
CHIEF_PRESENT_FOR_HOLD = _chief_for(Operation.HOLD, "pt.bj.51d")

ACTOR_IS_THE_DEALER_AT_TABLE = Guard(
    "actor_is_the_dealer_at_table",
    "pt.bj.7a",
    lambda state, act: act is None or act.role is not Role.DEALER or act.person == dealer_at_table(state),
    needs_act=True,
)


def _operation_fits(_state: State, act: Act | None) -> bool:
    match act:
        case a.SignIn(role=role, operation=operation):
            return (operation is Operation.TABLE) == (role is Role.DEALER)
        case _:
            return True


OPERATION_FITS_THE_ROLE = Guard("operation_fits_the_role", "pt.bj.54d", _operation_fits, needs_act=True)


def _dealer_may_leave(state: State, act: Act | None) -> bool:
    """Between rounds; what is burnt after the loading or filling is the dealer's to draw, too (pt.bj.10)."""
    may = state.game.phase is RoundPhase.IDLE and state.house.session is not SessionPhase.LOADED
    return act is None or act.role is not Role.DEALER or act.person != dealer_at_table(state) or may


DEALER_LEAVES_BETWEEN_ROUNDS = Guard("dealer_leaves_between_rounds", "pt.bj.7a", _dealer_may_leave, needs_act=True)
ACTOR_IS_SIGNED_IN = Guard(
    "actor_is_signed_in",
    "pt.bj.54d",
    lambda state, act: any(act is None or p.person == act.person for p in state.house.present),
)
