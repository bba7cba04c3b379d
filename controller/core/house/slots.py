"""The jackpot slots: the last report of their sensors, and the collection that they must still make (pt.bj.41a).

The slots keep the number of their last collection, so that a repeated command collects only once.
"""

from typing import Any, Final

from controller.core.engine.replacing import replace
from controller.core.house.facts import SlotsChanged, SlotsStatus, SlotsStatusHeard
from controller.core.house.registry import FactRule
from controller.core.house.state import State, StateT, link_of, with_link, with_slots
from controller.core.words import Device, TableMs

COLLECTIONS_SPAN: Final = 1 << 16


def with_slots_report(state: StateT, status: SlotsStatus | None, *, are_others: bool = False) -> StateT:
    """The state with the slots' report. Unchanged if `status` is None. Once `status` counts the due collection as made,
    it is no longer due.

    `are_others`: True if the report comes from other slots than before; no collection is then due.
    """
    if status is None:
        return state
    due = state.devices.slots.collection_due
    is_over = are_others or due == status.collections
    return with_slots(state, status=status, collection_due=None if is_over else due)


def next_collection(state: State) -> int:
    """The number of the next collection; 0 follows 65535."""
    return (state.devices.slots.status.collections + 1) % COLLECTIONS_SPAN


def slots_changed(state: StateT, event: SlotsChanged, _at_ms: TableMs) -> StateT:
    link = replace(link_of(state, Device.JACKPOT_SLOTS), boot=event.source.boot, taken=event.source.number)
    return with_slots_report(with_link(state, Device.JACKPOT_SLOTS, link), event.status)


def slots_heard(state: StateT, event: SlotsStatusHeard, _at_ms: TableMs) -> StateT:
    return with_slots_report(state, event.status)


SLOTS_FACTS: Final[tuple[FactRule[Any, Any], ...]] = (
    FactRule("slots-changed", SlotsChanged, slots_changed),
    FactRule("slots-status-heard", SlotsStatusHeard, slots_heard),
)
