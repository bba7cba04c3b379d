"""What acts at every table change: people come and go, holds are taken up and ended, duties reported."""

from collections.abc import Callable
from typing import TypeVar

from controller.core.engine.replacing import replace
from controller.core.house import acts as a
from controller.core.house.hold_table import HoldTrigger
from controller.core.house.holds import (
    end_holds,
    hold_of,
    is_for_technician,
    move_hold,
    raise_hold,
    update_hold,
)
from controller.core.house.people import chief_is_present, sign_in, supervises
from controller.core.house.state import Hold, Presence, State, StateT, with_devices, with_house, with_tally
from controller.core.words import HoldKind, HoldPhase, Operation, SessionPhase, TableMs


def come(state: StateT, act: a.SignIn, at_ms: TableMs) -> StateT:
    """A person comes for an operation."""
    state = sign_in(state, act.person, act.role, act.operation, at_ms)
    if not supervises(state.setup, act.role):
        return state
    watched = not _somebody_must_watch(state) or chief_is_present(state, _watch(state))
    return end_holds(state, lambda hold: hold.kind is HoldKind.SUPERVISOR_ABSENT and watched)


def go(state: StateT, act: a.SignOut, at_ms: TableMs) -> StateT:
    """A person goes."""
    return people_left(state, tuple(p for p in state.house.present if p.person == act.person), at_ms)


def _watch(state: State) -> Operation:
    """The operation for which a chief supervisor watches the shuffler now."""
    return Operation.UNLOADING if state.house.session is SessionPhase.UNLOADING else Operation.LOADING


def _somebody_must_watch(state: State) -> bool:
    return state.house.session in {SessionPhase.LOADING, SessionPhase.TAKING_OUT, SessionPhase.UNLOADING}


def people_left(state: StateT, gone: tuple[Presence, ...], at_ms: TableMs) -> StateT:
    """Presences end: a feed or an unloading under somebody's eyes stops; holds that they attended wait again."""
    unwatched = tuple(p.operation for p in gone if _was_watching(state, p))
    state = with_house(state, present=tuple(p for p in state.house.present if p not in gone))
    left_alone = any(not chief_is_present(state, operation) for operation in unwatched)
    for hold in state.house.holds:
        left = any(p.operation is Operation.HOLD and p.person == hold.attended_by for p in gone)
        if left and hold.phase is HoldPhase.ATTENDED:
            state = update_hold(state, replace(hold, phase=HoldPhase.RAISED, attended_by=None))
    return raise_hold(state, HoldKind.SUPERVISOR_ABSENT, at_ms) if left_alone else state


def _was_watching(state: State, presence: Presence) -> bool:
    procedure, operation = state.setup.procedure, presence.operation
    asked = {Operation.LOADING: procedure.loading_supervised, Operation.UNLOADING: procedure.unloading_supervised}
    return asked.get(operation, False) and supervises(state.setup, presence.role) and state.is_under_way(operation)


HoldActT = TypeVar("HoldActT", a.AttendHold, a.CallTechnician, a.AttestRepair, a.ClearHold, a.ConfirmHold)


def on_hold(
    effect: Callable[[StateT, HoldActT, Hold, TableMs], StateT],
) -> Callable[[StateT, HoldActT, TableMs], StateT]:
    """An act on one hold, which it finds by its number."""

    def done(state: StateT, act: HoldActT, at_ms: TableMs) -> StateT:
        hold = hold_of(state, act.hold)
        return state if hold is None else effect(state, act, hold, at_ms)

    return done


def attend_hold(state: StateT, act: a.AttendHold, hold: Hold, at_ms: TableMs) -> StateT:
    """Whoever takes a hold up is present for it; a supervisor takes his own call for the technician back."""
    called = hold.technician_called and (is_for_technician(hold) or not supervises(state.setup, act.role))
    attended = replace(hold, attended_by=act.person, technician_called=called)
    return move_hold(sign_in(state, act.person, act.role, Operation.HOLD, at_ms), attended, HoldTrigger.ATTENDED)


def call_technician(state: StateT, _act: a.CallTechnician, hold: Hold, _at_ms: TableMs) -> StateT:
    return update_hold(state, replace(hold, technician_called=True, technician=None))


def attest_repair(state: StateT, act: a.AttestRepair, hold: Hold, _at_ms: TableMs) -> StateT:
    return update_hold(state, replace(hold, technician=act.person))


def clear_hold(state: StateT, _act: a.ClearHold, hold: Hold, _at_ms: TableMs) -> StateT:
    """The cause is gone; of a jam the shuffler is told so by its number."""
    status = state.devices.shuffler.status
    if hold.kind is HoldKind.JAM and status is not None:
        state = with_devices(state, jams_ended=status.jams)
    return move_hold(state, hold, HoldTrigger.CLEARED)


def confirm_hold(state: StateT, _act: a.ConfirmHold, hold: Hold, _at_ms: TableMs) -> StateT:
    if hold.kind is HoldKind.JAM:
        state = with_tally(state, jams_cleared=state.house.tally.jams_cleared + 1)
    return move_hold(state, hold, HoldTrigger.CONFIRMED)


def report_duty(state: StateT, act: a.ReportDuty, _at_ms: TableMs) -> StateT:
    left = tuple(duty for duty in state.house.duties if duty.id != act.duty)
    return with_house(state, duties=left, closing_final=not left)
