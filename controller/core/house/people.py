"""The people who are signed in at the table. A presence is one person's sign-in for one operation. The presence lapses
unless the person asks for an act within the profile's time. A dealer's presence never lapses (pt.bj.54d, 55a).
"""

from typing import Final

from controller.core.engine.replacing import replace
from controller.core.house.state import Presence, State, StateT, with_house
from controller.core.setup import Setup
from controller.core.words import Operation, Person, Role, SessionPhase, TableMs


def roles_in(setup: Setup, who: tuple[Role, ...]) -> tuple[Role, ...]:
    """The roles `who`, with the inspector added if inspectors decide incidents and a chief supervisor is among `who`
    (br.staff.3).
    """
    if setup.procedure.incident_authority is not Role.TABLE_INSPECTOR:
        return who
    return (*who, Role.TABLE_INSPECTOR) if _CHIEF in who and Role.TABLE_INSPECTOR not in who else who


_CHIEF = Role.CHIEF_SUPERVISOR


def supervises(setup: Setup, role: Role) -> bool:
    """True if this role has the chief supervisor's powers at this table."""
    return role in roles_in(setup, (_CHIEF,))


def chief_is_present(state: State, operation: Operation) -> bool:
    """True if a person with the chief supervisor's powers is signed in for this operation."""
    return any(p.operation is operation and supervises(state.setup, p.role) for p in state.house.present)


def is_watched(state: State, operation: Operation) -> bool:
    """True if a person with the chief supervisor's powers is signed in for `operation`, or if `operation` requires no
    such person (pt.bj.54d, 55a).
    """
    procedure = state.setup.procedure
    asked = {Operation.LOADING: procedure.loading_supervised, Operation.UNLOADING: procedure.unloading_supervised}
    return not asked.get(operation, True) or chief_is_present(state, operation)


WATCHED_AT: Final = {
    SessionPhase.LOADING: Operation.LOADING,
    SessionPhase.TAKING_OUT: Operation.LOADING,
    SessionPhase.UNLOADING: Operation.UNLOADING,
}
"""The operation that a supervisor watches at each step at which cards go in or run out."""


def machine_is_watched(state: State) -> bool:
    """True if a person with the chief supervisor's powers is signed in for the loading or unloading in progress."""
    operation = WATCHED_AT.get(state.house.session)
    return operation is not None and chief_is_present(state, operation)


def dealer_at_table(state: State) -> Person | None:
    """The dealer who is signed in at the table. None if no dealer is signed in."""
    return next((p.person for p in state.house.present if p.operation is Operation.TABLE), None)


def sign_in(state: StateT, person: Person, role: Role, operation: Operation, at_ms: TableMs) -> StateT:
    """The state with this person signed in for the operation. For TABLE the person takes the place of the previous
    dealer.
    """
    relieved = operation is Operation.TABLE
    others = tuple(
        p
        for p in state.house.present
        if not (p.operation is operation and (relieved or (p.person == person and p.role is role)))
    )
    return with_house(state, present=(*others, Presence(person, role, operation, at_ms, at_ms)))


def confirm_presence(state: StateT, person: Person, at_ms: TableMs) -> StateT:
    """The state with all presences of this person confirmed at `at_ms`. Called for every permitted act."""
    present = tuple(replace(p, confirmed_ms=at_ms) if p.person == person else p for p in state.house.present)
    return with_house(state, present=present)


def end_presence(state: StateT, operation: Operation) -> StateT:
    """The state without the presences for this operation. Called when the operation is over."""
    return with_house(state, present=tuple(p for p in state.house.present if p.operation is not operation))


def lapsed(state: State, at_ms: TableMs) -> tuple[Presence, ...]:
    """The presences that were not confirmed within the profile's time, without the dealer's, which never lapses."""
    timeout = state.setup.parameters.presence_timeout_ms
    return tuple(
        p for p in state.house.present if p.operation is not Operation.TABLE and at_ms - p.confirmed_ms >= timeout
    )
