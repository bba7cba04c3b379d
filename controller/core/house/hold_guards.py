"""Guards of holds: who may take them on, in which order, with which evidence."""

from controller.core.custody.books import can_be_compared, differences
from controller.core.custody.faces import impossible_cards
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.guard import Guard
from controller.core.house import acts as a
from controller.core.house.hold_table import Evidence, hold_rule
from controller.core.house.holds import hold_of, link_of
from controller.core.house.people import roles_in
from controller.core.house.state import Hold
from controller.core.state import State
from controller.core.words import Device, HoldPhase, Outage, Role


def _hold_in(act: Act | None, state: State) -> Hold | None:
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
    lambda state, act: bool(state.house.holds) if act is None else _hold_in(act, state) is not None,
)


def _actor_may(state: State, act: Act | None) -> bool:
    hold = _hold_in(act, state)
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
    lambda state, act: (("hold", hold.kind.value if (hold := _hold_in(act, state)) else ""),),
    needs_act=True,
)


def _attended(state: State, act: Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.phase is not HoldPhase.RAISED


HOLD_IS_ATTENDED = Guard("hold_is_attended", "pt.bj.51d", _attended, needs_act=True)


def _not_cleared(state: State, act: Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.phase is not HoldPhase.CLEARED


HOLD_IS_NOT_CLEARED_YET = Guard("hold_is_not_cleared_yet", "pt.bj.51d", _not_cleared, needs_act=True)


def _cleared(state: State, act: Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.phase is HoldPhase.CLEARED


HOLD_IS_CLEARED = Guard("hold_is_cleared", "pt.bj.51d", _cleared, needs_act=True)


def _technician_was_called(state: State, act: Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or hold.technician_called


TECHNICIAN_WAS_CALLED = Guard("technician_was_called", "pt.bj.51e", _technician_was_called, needs_act=True)


def _may_clear(state: State, act: Act | None) -> bool:
    """A technician ends what is his to take up; in anything else he helps when he was called."""
    hold = _hold_in(act, state)
    if act is None or hold is None or act.role is not Role.TECHNICIAN or Role.TECHNICIAN in hold_rule(hold.kind).attend:
        return True
    return hold.technician_called


CALLED_TECHNICIAN_CLEARS = Guard("called_technician_clears", "pt.bj.51e", _may_clear, needs_act=True)


def _repair_is_attested(state: State, act: Act | None) -> bool:
    hold = _hold_in(act, state)
    return hold is None or not hold.technician_called or hold.technician is not None


REPAIR_IS_ATTESTED = Guard("repair_is_attested", "pt.bj.51e", _repair_is_attested, needs_act=True)


def _spare_is_bound(state: State, act: Act | None) -> bool:
    """Where a spare device was ruled, another number answers at the port than that of the one it stands in for."""
    hold = _hold_in(act, state)
    return hold is None or not hold.not_serial or _serial_at(state, hold) != hold.not_serial


def _serial_at(state: State, hold: Hold) -> str:
    return link_of(state, hold.device or Device.SHUFFLER).serial


SPARE_DEVICE_IS_BOUND = Guard("spare_device_is_bound", "pt.bj.51e", _spare_is_bound, needs_act=True)

A_HOLD_IS_ATTENDED = Guard(
    "a_hold_is_attended",
    "pt.bj.51d",
    lambda state, _act: any(hold.phase is not HoldPhase.RAISED for hold in state.house.holds),
)


def _evidence(kind: Evidence, state: State, hold: Hold) -> bool:  # noqa: C901 - one case a word
    status = state.devices.shuffler.status
    match kind:
        case Evidence.PATH_IS_CLEAR:
            return status is not None and not status.path_blocked
        case Evidence.LID_IS_CLOSED:
            return status is not None and not status.lid_open
        case Evidence.JAMMED_CARDS_ARE_STATED:
            return state.custody.book.jammed == 0
        case Evidence.NO_CARD_IS_IN_HAND:
            return state.custody.book.in_hand == 0
        case Evidence.NO_CARD_IS_PENDING:
            return state.custody.book.pending == (0 if state.custody.set_aside is None else 1)
        case Evidence.DEVICE_IS_CONNECTED:
            return _device_connected(state, hold)
        case Evidence.DEVICE_RUNS_AGAIN:
            return status is not None and not status.jammed
        case Evidence.RECOUNT_IS_DONE:
            return hold.recount_request is None or not state.setup.has_shuffler or _recounted(state)
        case Evidence.COUNT_IS_STATED:
            return hold.counted or not hold.needs_count
        case Evidence.COUNTS_AGREE:
            return can_be_compared(state) and not differences(state)
        case Evidence.CARD_IS_REPLACED:
            return state.custody.damaged is None
        case Evidence.JOURNAL_IS_WRITING:
            return not state.house.journal_failed
        case Evidence.OUTAGE_IS_STATED:
            return state.house.outage is not Outage.TO_BE_STATED
        case Evidence.FACES_ARE_POSSIBLE:
            return not impossible_cards(state)


def is_met(kind: Evidence, state: State, hold: Hold) -> bool:
    """Whether this much is true of a hold now."""
    return _evidence(kind, state, hold)


def _recounted(state: State) -> bool:
    """The shuffler has counted for the last request, and knows the figure."""
    status = state.devices.shuffler.status
    return status is not None and status.recounts == state.devices.recount_request and status.inside is not None


def _device_connected(state: State, hold: Hold) -> bool:
    match hold.device:
        case Device.SHUFFLER:
            return state.devices.shuffler.link.connected
        case Device.SHOE:
            return state.devices.reader.link.connected or not state.setup.has_reader
        case Device.JACKPOT_DISPLAY | None:
            return True


def _evidence_guard(kind: Evidence, clause: str) -> Guard:
    def holds(state: State, act: Act | None) -> bool:
        hold = _hold_in(act, state)
        if hold is None:
            return True
        rule = hold_rule(hold.kind)
        asked = rule.to_clear if isinstance(act, a.ClearHold) else rule.to_confirm
        return kind not in asked or _evidence(kind, state, hold)

    return Guard(kind.value, clause, holds, _figures, needs_act=True)


def _figures(state: State, _act: Act | None) -> Values:
    found = "; ".join(f"{d.what} {d.book}/{d.evidence}" for d in differences(state))
    return (
        ("differences", found),
        ("jammed", str(state.custody.book.jammed)),
        ("in_hand", str(state.custody.book.in_hand)),
        ("pending", str(state.custody.book.pending)),
        ("impossible", ", ".join(impossible_cards(state))),
    )


_EVIDENCE_CLAUSES: dict[Evidence, str] = {
    Evidence.PATH_IS_CLEAR: "pt.bj.51c",
    Evidence.LID_IS_CLOSED: "pt.bj.51d",
    Evidence.JAMMED_CARDS_ARE_STATED: "pt.bj.51d",
    Evidence.NO_CARD_IS_IN_HAND: "pt.bj.51d",
    Evidence.NO_CARD_IS_PENDING: "pt.bj.17a",
    Evidence.DEVICE_IS_CONNECTED: "pt.bj.51e",
    Evidence.DEVICE_RUNS_AGAIN: "pt.bj.51c",
    Evidence.RECOUNT_IS_DONE: "pt.bj.51e",
    Evidence.COUNT_IS_STATED: "pt.bj.51e",
    Evidence.COUNTS_AGREE: "pt.bj.51e",
    Evidence.CARD_IS_REPLACED: "pt.bj.51a",
    Evidence.JOURNAL_IS_WRITING: "pt.bj.51e",
    Evidence.OUTAGE_IS_STATED: "pt.bj.51e",
    Evidence.FACES_ARE_POSSIBLE: "pt.bj.3a",
}
EVIDENCE_GUARDS: tuple[Guard, ...] = tuple(_evidence_guard(kind, _EVIDENCE_CLAUSES[kind]) for kind in Evidence)
