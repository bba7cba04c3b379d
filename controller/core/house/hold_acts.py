"""Acts on a hold: the posts that may ask for them, the order of the acts, and the evidence needed (pt.bj.51)."""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.hold_table import HoldTrigger, hold_rule
from controller.core.house.holds import hold_of, is_for_technician, move_hold, update_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.people import roles_in, sign_in, supervises
from controller.core.house.rule import CHIEF, HOLD_PEOPLE, ActGuard, ActRule, AnyGuard, Case, Guard, always
from controller.core.house.state import Hold, State, StateT, link_of, with_devices, with_tally
from controller.core.house.undoing import Never, by, never
from controller.core.words import Device, HoldId, HoldKind, HoldPhase, Operation, Role, SessionPhase, TableMs


class AttendHold(Act, frozen=True):
    hold: HoldId


class CallTechnician(Act, frozen=True):
    hold: HoldId


class AttestRepair(Act, frozen=True):
    hold: HoldId


class ClearHold(Act, frozen=True):
    hold: HoldId


class ConfirmHold(Act, frozen=True):
    hold: HoldId


HoldAct: TypeAlias = AttendHold | CallTechnician | AttestRepair | ClearHold | ConfirmHold
HOLD_STANDS = ActGuard[State, HoldAct](
    "hold_stands",
    lambda state, act: hold_of(state, act.hold) is not None,
    possible=lambda state: bool(state.house.holds),
)


def _nothing(_state: State, _act: HoldAct | None) -> Values:
    return ()


def _is_of_the_machine(state: State, act: HoldAct) -> bool:
    hold = hold_of(state, act.hold)
    return hold is None or hold_rule(hold.kind).opens_machine


OF_THE_MACHINE = Case[State, HoldAct]("machine", _is_of_the_machine)
"""The case of a jam or an open lid, for which the law names the person who solves it (pt.bj.51d, 51e)."""


def _of_its_hold(
    name: str,
    is_true: Callable[[State, HoldAct, Hold], bool],
    says: Callable[[State, HoldAct | None], Values] = _nothing,
) -> ActGuard[State, HoldAct]:
    """Returns a guard on the hold that the act names. If no such hold is open, the guard is met, and HOLD_STANDS
    refuses the act.
    """

    def holds(state: State, act: HoldAct) -> bool:
        hold = hold_of(state, act.hold)
        return hold is None or is_true(state, act, hold)

    return ActGuard[State, HoldAct](name, holds, says, case=OF_THE_MACHINE)


def _actor_may(state: State, act: HoldAct, hold: Hold) -> bool:
    rule = hold_rule(hold.kind)
    match act:
        case AttendHold():
            return act.role in roles_in(state.setup, rule.attend)
        case ClearHold():
            return act.role in roles_in(state.setup, rule.clear)
        case ConfirmHold():
            return act.role in roles_in(state.setup, rule.confirm)
        case CallTechnician() | AttestRepair():
            return bool(rule.attend)


ACTOR_MAY_END_THE_HOLD = _of_its_hold(
    "actor_may_end_the_hold",
    _actor_may,
    lambda state, act: (("hold", hold.kind.value if act and (hold := hold_of(state, act.hold)) else ""),),
)
HOLD_IS_ATTENDED = _of_its_hold("hold_is_attended", lambda _state, _act, hold: hold.phase is not HoldPhase.RAISED)
HOLD_IS_NOT_CLEARED_YET = _of_its_hold(
    "hold_is_not_cleared_yet", lambda _state, _act, hold: hold.phase is not HoldPhase.CLEARED
)
HOLD_IS_CLEARED = _of_its_hold("hold_is_cleared", lambda _state, _act, hold: hold.phase is HoldPhase.CLEARED)
TECHNICIAN_WAS_CALLED = _of_its_hold("technician_was_called", lambda _state, _act, hold: hold.technician_called)


def _may_clear(_state: State, act: HoldAct, hold: Hold) -> bool:
    """True unless a technician asks who may not attend this hold and was not called to it."""
    is_his = act.role is not Role.TECHNICIAN or Role.TECHNICIAN in hold_rule(hold.kind).attend
    return is_his or hold.technician_called


CALLED_TECHNICIAN_CLEARS = _of_its_hold("called_technician_clears", _may_clear)
REPAIR_IS_ATTESTED = _of_its_hold(
    "repair_is_attested",
    lambda _state, _act, hold: not hold.technician_called or hold.technician is not None,
)


RULED_IN: Final = (SessionPhase.LOADED, SessionPhase.IN_PLAY)
"""The steps at which a ruling can be made, and a spare device is required if one was decided."""


def _spare_is_bound(state: State, _act: HoldAct, hold: Hold) -> bool:
    """True unless a spare device is required and the device at the port still has the old serial number."""
    is_required = hold.not_serial and state.house.session in RULED_IN
    return not is_required or link_of(state, hold.device or Device.SHUFFLER).serial != hold.not_serial


SPARE_DEVICE_IS_BOUND = _of_its_hold("spare_device_is_bound", _spare_is_bound)
A_HOLD_IS_ATTENDED = Guard[State](
    "a_hold_is_attended",
    lambda state: any(hold.phase is not HoldPhase.RAISED for hold in state.house.holds),
)
HoldActT = TypeVar("HoldActT", AttendHold, CallTechnician, AttestRepair, ClearHold, ConfirmHold)


def on_hold(
    effect: Callable[[StateT, HoldActT, Hold, TableMs], StateT],
) -> Callable[[StateT, HoldActT, TableMs], StateT]:
    """Returns an effect that calls `effect` with the hold that the act names. Without such a hold the effect changes
    nothing.
    """

    def done(state: StateT, act: HoldActT, at_ms: TableMs) -> StateT:
        hold = hold_of(state, act.hold)
        return state if hold is None else effect(state, act, hold, at_ms)

    return done


def attend_hold(state: StateT, act: AttendHold, hold: Hold, at_ms: TableMs) -> StateT:
    """The state with the hold attended by this person, who is signed in for it. A supervisor who attends withdraws the
    call of a technician, unless a technician must attest the device.
    """
    called = hold.technician_called and (is_for_technician(hold) or not supervises(state.setup, act.role))
    attended = replace(hold, attended_by=act.person, technician_called=called)
    return move_hold(sign_in(state, act.person, act.role, Operation.HOLD, at_ms), attended, HoldTrigger.ATTENDED)


def call_technician(state: StateT, _act: CallTechnician, hold: Hold, _at_ms: TableMs) -> StateT:
    return update_hold(state, replace(hold, technician_called=True, technician=None))


def attest_repair(state: StateT, act: AttestRepair, hold: Hold, _at_ms: TableMs) -> StateT:
    return update_hold(state, replace(hold, technician=act.person))


def clear_hold(state: StateT, _act: ClearHold, hold: Hold, _at_ms: TableMs) -> StateT:
    """The state with the hold cleared. For a jam, `jams_ended` becomes the shuffler's number of this jam, which tells
    the shuffler to end it.
    """
    status = state.devices.shuffler.status
    if hold.kind is HoldKind.JAM and status is not None:
        state = with_devices(state, jams_ended=status.jams)
    return move_hold(state, hold, HoldTrigger.CLEARED)


def confirm_hold(state: StateT, _act: ConfirmHold, hold: Hold, _at_ms: TableMs) -> StateT:
    if hold.kind is HoldKind.JAM:
        state = with_tally(state, jams_cleared=state.house.tally.jams_cleared + 1)
    return move_hold(state, hold, HoldTrigger.CONFIRMED)


def on_hold_rules(evidence: tuple[AnyGuard[Any, Any], ...]) -> tuple[ActRule[Any, Any], ...]:
    """The rows of the acts on a hold. `evidence`: the guards on all evidence that a hold of this table may need."""
    return (
        ActRule(
            "attend-hold",
            AttendHold,
            HOLD_PEOPLE,
            on_hold(attend_hold),
            (HOLD_STANDS, ACTOR_MAY_END_THE_HOLD),
            who_case=OF_THE_MACHINE,
            falls_away=always,
            undone=by("sign-out"),
            money=Money.NONE,
            manner=Manner.DECIDES,
        ),
        ActRule(
            "call-technician",
            CallTechnician,
            CHIEF,
            on_hold(call_technician),
            (HOLD_STANDS, HOLD_IS_ATTENDED),
            who_case=OF_THE_MACHINE,
            falls_away=always,
            undone=never(Never.SAID),
            money=Money.NONE,
            manner=Manner.DECIDES,
        ),
        ActRule(
            "attest-repair",
            AttestRepair,
            (Role.TECHNICIAN,),
            on_hold(attest_repair),
            (HOLD_STANDS, TECHNICIAN_WAS_CALLED),
            falls_away=always,
            undone=never(Never.SAID),
            money=Money.NONE,
            manner=Manner.ATTESTS,
        ),
        ActRule(
            "clear-hold",
            ClearHold,
            HOLD_PEOPLE,
            on_hold(clear_hold),
            (
                HOLD_STANDS,
                ACTOR_MAY_END_THE_HOLD,
                HOLD_IS_ATTENDED,
                HOLD_IS_NOT_CLEARED_YET,
                CALLED_TECHNICIAN_CLEARS,
                REPAIR_IS_ATTESTED,
                SPARE_DEVICE_IS_BOUND,
                *evidence,
            ),
            who_case=OF_THE_MACHINE,
            falls_away=always,
            undone=never(Never.SAID),
            money=Money.NONE,
            manner=Manner.DECIDES,
        ),
        ActRule(
            "confirm-hold",
            ConfirmHold,
            CHIEF,
            on_hold(confirm_hold),
            (HOLD_STANDS, ACTOR_MAY_END_THE_HOLD, HOLD_IS_CLEARED, SPARE_DEVICE_IS_BOUND, *evidence),
            who_case=OF_THE_MACHINE,
            falls_away=always,
            undone=never(Never.SAID),
            money=Money.NONE,
            manner=Manner.ATTESTS,
        ),
    )
