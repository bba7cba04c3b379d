"""The collection of all open holds: raising, moving and ending them."""

from collections.abc import Callable
from typing import Final

from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.house.hold_table import HOLD, HoldTrigger, forbids, hold_rule
from controller.core.house.state import Hold, State, StateT, with_devices, with_house
from controller.core.words import (
    Device,
    HoldCause,
    HoldId,
    HoldKind,
    HoldPhase,
    JamPlace,
    LostReason,
    Operation,
    Permission,
    TableMs,
)


def raise_hold(
    state: StateT,
    kind: HoldKind,
    at_ms: TableMs,
    *,
    device: Device | None = None,
    place: JamPlace | None = None,
    cause: HoldCause | None = None,
    details: Values = (),
    needs_count: bool = False,
) -> StateT:
    """The state with a new hold. If a hold of this kind and device is open, that hold is raised again instead: its
    `times` grows by 1. A kind with `each_its_own` is raised again only with equal details. `cause`: becomes the first
    of the details.
    """
    details = details if cause is None else (("cause", cause.value), *details)
    for hold in state.house.holds:
        is_same = hold.kind is kind and hold.device is device
        is_another = hold_rule(kind).each_its_own and hold.details != details
        phase = HOLD.target(state.setup.procedure, hold.phase, HoldTrigger.RECURRED)
        if is_same and not is_another and phase is not None:
            again = replace(
                hold,
                phase=phase,
                place=place or hold.place,
                details=hold.details if is_for_technician(hold) else details or hold.details,
                times=hold.times + 1,
                needs_count=hold.needs_count or needs_count,
                counted=False,
            )
            return update_hold(state, again)
    number = HoldId(state.house.last_hold + 1)
    new = Hold(number, kind, HOLD.initial, at_ms, device, place, details, needs_count=needs_count)
    return with_house(state, holds=(*state.house.holds, new), last_hold=new.id)


def is_for_technician(hold: Hold) -> bool:
    """True if the hold's device came back with another model or firmware. A technician must then attest the device."""
    return dict(hold.details).get("reason") == LostReason.OTHER_VERSION


def update_hold(state: StateT, changed: Hold) -> StateT:
    """The state with `changed` in place of the open hold with the same number. An ended hold leaves the collection.
    People who then attend no open hold are signed out of the operation HOLD.
    """
    holds = tuple(changed if hold.id == changed.id else hold for hold in state.house.holds)
    return end_of_attendance(with_house(state, holds=tuple(h for h in holds if h.phase is not HoldPhase.ENDED)))


def move_hold(state: StateT, hold: Hold, trigger: HoldTrigger) -> StateT:
    """The state with the hold at the step to which `trigger` leads. Unchanged if `trigger` leads to no step from the
    hold's own step. If the row of the hold's kind requires a recount at this trigger, also requests a recount of the
    shuffler.
    """
    target = HOLD.target(state.setup.procedure, hold.phase, trigger)
    if target is None:
        return state
    moved = replace(hold, phase=target)
    if hold_rule(hold.kind).recounts_on is trigger:
        state = ask_for_recount(state)
        moved = replace(moved, recount_request=state.devices.recount_request)
    return update_hold(state, moved)


def ask_for_recount(state: StateT) -> StateT:
    """The state with a new `recount_request`, by which the shuffler is to count the cards in its own slots."""
    return with_devices(state, recount_request=(state.devices.recount_request + 1) % 0x10000)


def end_holds(state: StateT, which: Callable[[Hold], bool]) -> StateT:
    """The state in which every open hold for which `which` is true has ended, at any of its steps."""
    for hold in state.house.holds:
        if which(hold):
            state = move_hold(state, hold, HoldTrigger.RESOLVED)
    return state


def end_of_attendance(state: StateT) -> StateT:
    """The state in which people who attend no open hold are signed out of the operation HOLD."""
    attended_by = tuple(h.attended_by for h in state.house.holds) + tuple(h.technician for h in state.house.holds)
    present = tuple(p for p in state.house.present if p.operation is not Operation.HOLD or p.person in attended_by)
    return state if len(present) == len(state.house.present) else with_house(state, present=present)


def hold_of(state: State, number: HoldId) -> Hold | None:
    """The open hold with this number. None if no open hold has it."""
    return next((hold for hold in state.house.holds if hold.id == number), None)


def holds_of(state: State, kind: HoldKind) -> tuple[Hold, ...]:
    """The open holds of one kind."""
    return tuple(hold for hold in state.house.holds if hold.kind is kind)


def holds_of_devices(state: State) -> tuple[Hold, ...]:
    """The open holds whose cause is a faulty device."""
    return tuple(hold for hold in state.house.holds if hold_rule(hold.kind).of_a_device)


def forbidding(state: State, permission: Permission) -> Hold | None:
    """The first open hold that takes this permission away, or None. A hold for leftover cards never takes away feeding
    and putting back, since the return of the cards can end it.
    """
    for hold in state.house.holds:
        if forbids(hold.kind, hold.device, permission) and not _ends_by(hold, permission):
            return hold
    return None


LEFTOVERS: Final = "hold.leftovers"
"""The name of the rule in a refusal while leftover cards wait for a ruling."""


def rule_of(hold: Hold) -> str:
    """Returns the name of the rule in a refusal by `hold`: LEFTOVERS for leftover cards, otherwise the rule in the
    hold's details. If the details name no rule, returns the rule of the hold's kind.
    """
    return LEFTOVERS if owes_leftovers(hold) else dict(hold.details).get("rule", f"hold.{hold.kind.value}")


def owes_leftovers(hold: Hold) -> bool:
    """True for a hold for leftover cards, which ends by a ruling or by the return of the cards (mo.2.2.4)."""
    return hold.kind is HoldKind.RULING and hold.cause == HoldCause.LEFTOVERS


def _ends_by(hold: Hold, permission: Permission) -> bool:
    return permission in {Permission.FEED, Permission.PUT_BACK} and owes_leftovers(hold)
