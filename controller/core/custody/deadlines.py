"""When custody wants to be woken: a card whose halves do not meet, counts that differ, devices that do not come."""

from typing import Any

from controller.core.custody.books import differences
from controller.core.custody.cards_moving import join_expired
from controller.core.custody.device_facts import devices_overdue
from controller.core.custody.state import CardState, CardStateT
from controller.core.engine.replacing import replace
from controller.core.house.holds import holds_of, raise_hold
from controller.core.house.registry import Deadline
from controller.core.words import HoldKind, SessionPhase, TableMs, Timer


def _counts_deadline(state: CardState) -> TableMs | None:
    began = state.custody.differing_since_ms
    return None if began is None else TableMs(began + state.setup.parameters.difference_ms)


def _devices_deadline(state: CardState) -> TableMs | None:
    return state.devices.devices_due_ms


def _join_deadline(state: CardState) -> TableMs | None:
    """While the device that owes the other half is away nothing is late: it will tell when it is back."""
    join = state.custody.join
    began, owing = (
        (join.counted_ms, state.devices.reader)
        if join.counted_ms is not None
        else (join.read_ms, state.devices.shuffler)
    )
    if began is None or not owing.link.connected:
        return None
    return TableMs(began + state.setup.parameters.join_ms)


def _counts_differ(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """Book and evidence have differed for too long: hold, naming both figures."""
    figures = "; ".join(f"{d.what} {d.book}/{d.evidence}" for d in differences(state))
    details = (("cause", "difference"), ("figures", figures))
    by_people = state.house.session is not SessionPhase.CLOSED  # then there is no deck set that they could count
    return raise_hold(state, HoldKind.COUNT, at_ms, details=details, needs_count=by_people)


def watch_counts(_before: CardStateT, state: CardStateT, at_ms: TableMs) -> CardStateT:
    """Notes since when book and evidence differ; nothing to note while a count hold stands."""
    differ = bool(differences(state)) and not holds_of(state, HoldKind.COUNT)
    if differ == (state.custody.differing_since_ms is not None):
        return state
    return replace(state, custody=replace(state.custody, differing_since_ms=at_ms if differ else None))


CUSTODY_DEADLINES: tuple[Deadline[Any], ...] = (
    Deadline(Timer.JOIN, _join_deadline, join_expired),
    Deadline(Timer.COUNTS, _counts_deadline, _counts_differ),
    Deadline(Timer.DEVICES, _devices_deadline, devices_overdue),
)
