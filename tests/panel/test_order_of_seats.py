"""The screen shows the seats in the order of their numbers on the table's cloth."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt
from tests.panel.screen import SCREENS_AT_THE_TABLE
from tests.panel.tables import Painted

pytestmark = pytest.mark.waits

FROM_THE_LEFT = """() => [...document.querySelectorAll('.seat')].filter((one) => one.id !== 'seat-0')
  .sort((one, other) => one.getBoundingClientRect().left - other.getBoundingClientRect().left)
  .map((one) => one.querySelector('.name').textContent)"""


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", Dealt())
    yield table
    table.end()


def test_the_places_stand_in_order_from_the_dealers_left(open_screen: OpenScreen, hands: Painted) -> None:
    """The seats' numbers run clockwise from the dealer's left (pt.bj.2), so the screen has them from left to right."""
    screen = open_screen(hands)
    for size in SCREENS_AT_THE_TABLE:
        screen.is_of(size)
        assert (size, screen.measured(FROM_THE_LEFT)) == (size, [f"Seat {number}" for number in range(1, 8)])
