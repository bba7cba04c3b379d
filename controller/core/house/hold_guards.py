"""Guards of holds: who may take them on, in which order, with which evidence."""

from controller.core.engine.act import Act
from controller.core.house import acts as a
from controller.core.house.guard import Guard
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import hold_of, link_of
from controller.core.house.people import roles_in
from controller.core.house.state import Hold
from controller.core.state import State
from controller.core.words import Device, HoldPhase, Role


def hold_in(act: Act | None, state: State) -> Hold | None:
    match act:
        case a.AttendHold(hold=n) | a.CallTechnician(hold=n) | a.AttestRepair(hold=n):
            return hold_of(state, n)
        case a.ClearHold(hold=n) | a.ConfirmHold(hold=n):
            return hold_of(state, n)
        case _:
            return None


HOLD_STANDS = Guard(
    "hold_stands",
    "pt.bj.51c",
    lambda state, act: bool(state.house.holds) if act is None else hold_in(act, state) is not None,
)


def _actor_may(state: State, act: Act | None) -> bool:
    hold = hold_in(act, state)
    if act is None or hold is None:
        return True
    rule = hold_rule(hold.kind)
    match act:
        case a.AttendHold():
            return act.role in roles_in(state.setup, rule.attend)
        case a.ClearHold():
            return act.role in roles_in(state.setup, rule.clear)
        case a.ConfirmHold():
            return act.role in roles_in(state.setup, rule.confirm)
        case _:
            return bool(rule.attend)


ACTOR_MAY_END_THE_HOLD = Guard(
    "actor_may_end_the_hold",
    "pt.bj.51d",
    _actor_may,
    lambda state, act: (("hold", hold.kind.value if (hold := hold_in(act, state)) else ""),),
    needs_act=True,
)


def _attended(state: State, act: Act | None) -> bool:
    hold = hold_in(act, state)
    return hold is None or hold.phase is not HoldPhase.RAISED


HOLD_IS_ATTENDED = Guard("hold_is_attended", "pt.bj.51d", _attended, needs_act=True)


def _not_cleared(state: State, act: Act | None) -> bool:
    hold = hold_in(act, state)
    return hold is None or hold.phase is not HoldPhase.CLEARED


HOLD_IS_NOT_CLEARED_YET = Guard("hold_is_not_cleared_yet", "pt.bj.51d", _not_cleared, needs_act=True)


def _cleared(state: State, act: Act | None) -> bool:
    hold = hold_in(act, state)
    return hold is None or hold.phase is HoldPhase.CLEARED


HOLD_IS_CLEARED = Guard("hold_is_cleared", "pt.bj.51d", _cleared, needs_act=True)


def _technician_was_called(state: State, act: Act | None) -> bool:
    hold = hold_in(act, state)
    return hold is None or hold.technician_called


TECHNICIAN_WAS_CALLED = Guard("technician_was_called", "pt.bj.51e", _technician_was_called, needs_act=True)


def _may_clear(state: State, act: Act | None) -> bool:
    """A technician ends what is his to take up; in anything else he helps when he was called."""
    hold = hold_in(act, state)
    if act is None or hold is None or act.role is not Role.TECHNICIAN or Role.TECHNICIAN in hold_rule(hold.kind).attend:
        return True
    return hold.technician_called


CALLED_TECHNICIAN_CLEARS = Guard("called_technician_clears", "pt.bj.51e", _may_clear, needs_act=True)


def _repair_is_attested(state: State, act: Act | None) -> bool:
    hold = hold_in(act, state)
    return hold is None or not hold.technician_called or hold.technician is not None


REPAIR_IS_ATTESTED = Guard("repair_is_attested", "pt.bj.51e", _repair_is_attested, needs_act=True)


def _spare_is_bound(state: State, act: Act | None) -> bool:
    """Where a spare device was ruled, another number answers at the port than that of the one it stands in for."""
    hold = hold_in(act, state)
    return hold is None or not hold.not_serial or _serial_at(state, hold) != hold.not_serial


def _serial_at(state: State, hold: Hold) -> str:
    return link_of(state, hold.device or Device.SHUFFLER).serial


SPARE_DEVICE_IS_BOUND = Guard("spare_device_is_bound", "pt.bj.51e", _spare_is_bound, needs_act=True)

A_HOLD_IS_ATTENDED = Guard(
    "a_hold_is_attended",
    "pt.bj.51d",
    lambda state, _act: any(hold.phase is not HoldPhase.RAISED for hold in state.house.holds),
)
