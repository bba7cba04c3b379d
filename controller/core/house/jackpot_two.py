"""Acts on the pool for two people, one of them the room manager: the first asks, the second completes the request.

Both ask for the same act and value, each with a PIN of their own. Only the second request has an effect.
"""

from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.state import State, StateT, with_house
from controller.core.words import Role, SessionPhase, TableMs


def is_asked(state: State, name: str, what: str) -> bool:
    """True if a first person's request for the value `what` by the act `name` waits for a second person."""
    handover = state.house.handover
    return bool(handover.asked) and (handover.asked_for, handover.asked) == (name, what)


def is_anothers(state: State, act: Act, name: str, what: str) -> bool:
    """True if `act` begins a request for `what`, or completes a request of another person."""
    return not is_asked(state, name, what) or state.house.handover.asked_by != act.person


def has_the_manager(state: State, act: Act, name: str, what: str) -> bool:
    """True if `act` begins a request, or if the room manager is one of the two people. `what`: the requested value.
    `name`: the act by which the first person asked.
    """
    return not is_asked(state, name, what) or Role.ROOM_MANAGER in {state.house.handover.asked_role, act.role}


def asked_first(state: StateT, act: Act, name: str, what: str) -> StateT:
    """The state in which the request of `act` for `what` waits for a second person, in place of any earlier request."""
    handover = replace(state.house.handover, asked=what, asked_by=act.person, asked_for=name, asked_role=act.role)
    return with_house(state, handover=handover)


def asked_no_more(state: StateT) -> StateT:
    """The state without a request on the pool that waits for a second person."""
    if not state.house.handover.asked:
        return state
    handover = replace(state.house.handover, asked="", asked_by=None, asked_for="", asked_role=None)
    return with_house(state, handover=handover)


def lapse_asking(before: StateT, after: StateT, _at_ms: TableMs) -> StateT:
    """Returns `after`, the state after an event. If the event opened a session, this removes every request on the pool
    that still waits for a second person.
    """
    is_opened = before.house.session is SessionPhase.CLOSED is not after.house.session
    return asked_no_more(after) if is_opened else after
