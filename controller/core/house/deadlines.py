"""When the house wants to be woken."""

from typing import Any

from controller.core.house.effects import people_left
from controller.core.house.people import lapsed
from controller.core.house.registry import Deadline
from controller.core.house.state import State, StateT
from controller.core.words import Operation, TableMs, Timer


def _presence_deadline(state: State) -> TableMs | None:
    confirmed = [p.confirmed_ms for p in state.house.present if p.operation is not Operation.TABLE]
    return TableMs(min(confirmed) + state.setup.parameters.presence_timeout_ms) if confirmed else None


def _presence_lapsed(state: StateT, at_ms: TableMs) -> StateT:
    return people_left(state, lapsed(state, at_ms), at_ms)


HOUSE_DEADLINES: tuple[Deadline[Any], ...] = (Deadline(Timer.PRESENCE, _presence_deadline, _presence_lapsed),)
