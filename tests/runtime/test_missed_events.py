"""A device without acknowledgements reports its old events as lost. Those that the table has are not missed."""

import pytest

from controller.core.engine.replacing import replace
from controller.core.house import facts
from controller.core.house.state import link_of, with_link
from controller.core.words import Device, TableMs
from controller.games.intake import Intake
from drivers.events import EventsMissed
from tests.core.table import CoreTable
from tests.runtime.bench import Bench

TAKEN = 320


@pytest.mark.parametrize(
    ("first", "last", "missing"),
    [(1, TAKEN, None), (1, TAKEN + 2, (TAKEN + 1, TAKEN + 2)), (TAKEN + 2, TAKEN + 3, (TAKEN + 2, TAKEN + 3))],
)
def test_only_what_the_table_has_not_taken_is_missed(first: int, last: int, missing: tuple[int, int] | None) -> None:
    state = CoreTable().state
    state = with_link(state, Device.SHOE, replace(link_of(state, Device.SHOE), taken=TAKEN))
    fact = Intake(Bench().runtime._side._faces).fact(Device.SHOE, EventsMissed(first, last), state, state, TableMs(0))
    assert fact == (None if missing is None else facts.EventsMissed(Device.SHOE, *missing))
