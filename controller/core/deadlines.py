"""When the core wants to be woken: each deadline is a function of the state; a timer that fires is an event."""

from typing import Final

from controller.core.custody.books import differences
from controller.core.custody.cards_moving import join_expired
from controller.core.custody.device_facts import devices_overdue
from controller.core.engine.replacing import replace
from controller.core.house.effects import people_left
from controller.core.house.facts import TimerFired
from controller.core.house.holds import holds_of, raise_hold
from controller.core.house.people import lapsed
from controller.core.state import State
from controller.core.words import HoldKind, Operation, SessionPhase, TableMs, Timer


def next_deadline(state: State) -> tuple[TableMs, Timer] | None:
    """The earliest moment at which something must be decided though nothing happens."""
    due = [(at, timer) for timer, deadline in _DEADLINES.items() if (at := deadline(state)) is not None]
    return min(due, default=None)


def _counts_deadline(state: State) -> TableMs | None:
    began = state.custody.differing_since_ms
    return None if began is None else TableMs(began + state.setup.parameters.difference_ms)


def _presence_deadline(state: State) -> TableMs | None:
    confirmed = [p.confirmed_ms for p in state.house.present if p.operation is not Operation.TABLE]
    return TableMs(min(confirmed) + state.setup.parameters.presence_timeout_ms) if confirmed else None


def _devices_deadline(state: State) -> TableMs | None:
    return state.devices.devices_due_ms


def _join_deadline(state: State) -> TableMs | None:
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


_DEADLINES: Final = {
    Timer.JOIN: _join_deadline,
    Timer.COUNTS: _counts_deadline,
    Timer.PRESENCE: _presence_deadline,
    Timer.DEVICES: _devices_deadline,
}


def timer_fired(state: State, event: TimerFired, at_ms: TableMs) -> State:
    """Acts only on what is due now: a timer that comes late or twice does nothing."""
    timer = event.timer
    due = _DEADLINES[timer](state)
    if due is None or at_ms < due:
        return state
    match timer:
        case Timer.JOIN:
            return join_expired(state, at_ms)
        case Timer.COUNTS:
            return _counts_differ(state, at_ms)
        case Timer.PRESENCE:
            return people_left(state, lapsed(state, at_ms), at_ms)
        case Timer.DEVICES:
            return devices_overdue(state, at_ms)


def _counts_differ(state: State, at_ms: TableMs) -> State:
    """Book and evidence have differed for too long: hold, naming both figures."""
    figures = "; ".join(f"{d.what} {d.book}/{d.evidence}" for d in differences(state))
    details = (("cause", "difference"), ("figures", figures))
    by_people = state.house.session is not SessionPhase.CLOSED  # then there is no deck set that they could count
    return raise_hold(state, HoldKind.COUNT, at_ms, details=details, needs_count=by_people)


def watch_counts(state: State, at_ms: TableMs) -> State:
    """Notes since when book and evidence differ; nothing to note while a count hold stands."""
    differ = bool(differences(state)) and not holds_of(state, HoldKind.COUNT)
    if differ == (state.custody.differing_since_ms is not None):
        return state
    return replace(state, custody=replace(state.custody, differing_since_ms=at_ms if differ else None))
