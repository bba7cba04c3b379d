"""Guards of holds: who may take them on, in which order, with which evidence."""

from typing import TypeAlias

from controller.core.house import acts as a
from controller.core.house.guard import ActGuard, Guard
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import hold_of, link_of
from controller.core.house.people import roles_in
from controller.core.house.state import Hold, State
from controller.core.words import Device, HoldPhase, Role

HoldAct: TypeAlias = a.AttendHold | a.CallTechnician | a.AttestRepair | a.ClearHold | a.ConfirmHold


HOLD_STANDS = ActGuard[State, HoldAct](
    "hold_stands",
    "pt.bj.51c",
    lambda state, act: hold_of(state, act.hold) is not None,
    possible=lambda state: bool(state.house.holds),
)


def _actor_may(state: State, act: HoldAct) -> bool:
    hold = hold_of(state, act.hold)
    if hold is None:
        return True
    rule = hold_rule(hold.kind)
    match act:
        case a.AttendHold():
            return act.role in roles_in(state.setup, rule.attend)
        case a.ClearHold():
            return act.role in roles_in(state.setup, rule.clear)
        case a.ConfirmHold():
            return act.role in roles_in(state.setup, rule.confirm)
        case a.CallTechnician() | a.AttestRepair():
            return bool(rule.attend)


ACTOR_MAY_END_THE_HOLD = ActGuard[State, HoldAct](
    "actor_may_end_the_hold",
    "pt.bj.51d",
    _actor_may,
    lambda state, act: (("hold", hold.kind.value if act and (hold := hold_of(state, act.hold)) else ""),),
)


def _attended(state: State, act: HoldAct) -> bool:
    hold = hold_of(state, act.hold)
    return hold is None or hold.phase is not HoldPhase.RAISED


HOLD_IS_ATTENDED = ActGuard[State, HoldAct]("hold_is_attended", "pt.bj.51d", _attended)


def _not_cleared(state: State, act: HoldAct) -> bool:
    hold = hold_of(state, act.hold)
    return hold is None or hold.phase is not HoldPhase.CLEARED


HOLD_IS_NOT_CLEARED_YET = ActGuard[State, HoldAct]("hold_is_not_cleared_yet", "pt.bj.51d", _not_cleared)


def _cleared(state: State, act: HoldAct) -> bool:
    hold = hold_of(state, act.hold)
    return hold is None or hold.phase is HoldPhase.CLEARED


HOLD_IS_CLEARED = ActGuard[State, HoldAct]("hold_is_cleared", "pt.bj.51d", _cleared)


def _technician_was_called(state: State, act: HoldAct) -> bool:
    hold = hold_of(state, act.hold)
    return hold is None or hold.technician_called


TECHNICIAN_WAS_CALLED = ActGuard[State, HoldAct]("technician_was_called", "pt.bj.51e", _technician_was_called)


def _may_clear(state: State, act: HoldAct) -> bool:
    """A technician ends what is his to take up; in anything else he helps when he was called."""
    hold = hold_of(state, act.hold)
    if hold is None or act.role is not Role.TECHNICIAN or Role.TECHNICIAN in hold_rule(hold.kind).attend:
        return True
    return hold.technician_called


CALLED_TECHNICIAN_CLEARS = ActGuard[State, HoldAct]("called_technician_clears", "pt.bj.51e", _may_clear)


def _repair_is_attested(state: State, act: HoldAct) -> bool:
    hold = hold_of(state, act.hold)
    return hold is None or not hold.technician_called or hold.technician is not None


REPAIR_IS_ATTESTED = ActGuard[State, HoldAct]("repair_is_attested", "pt.bj.51e", _repair_is_attested)


def _spare_is_bound(state: State, act: HoldAct) -> bool:
    """Where a spare device was ruled, another number answers at the port than that of the one it stands in for."""
    hold = hold_of(state, act.hold)
    return hold is None or not hold.not_serial or _serial_at(state, hold) != hold.not_serial


def _serial_at(state: State, hold: Hold) -> str:
    return link_of(state, hold.device or Device.SHUFFLER).serial


SPARE_DEVICE_IS_BOUND = ActGuard[State, HoldAct]("spare_device_is_bound", "pt.bj.51e", _spare_is_bound)

A_HOLD_IS_ATTENDED = Guard[State](
    "a_hold_is_attended",
    "pt.bj.51d",
    lambda state: any(hold.phase is not HoldPhase.RAISED for hold in state.house.holds),
)
