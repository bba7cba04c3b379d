"""A tile of the room's page shows its state and its oldest holds, and never more lines than it has room for."""

from datetime import UTC, datetime
from typing import Final

import pytest

from controller.catalogue import Language
from controller.floor.room import AWAY_S, TableRow
from controller.floor.tile import MOST_LINES, tile_of
from controller.protocol.shown import RoomHold, Shown

NOW: Final = datetime(2026, 11, 28, tzinfo=UTC)


def row(holds: int, heard_s: int = 0) -> TableRow:
    told = tuple(RoomHold(id=f"H{number}", text=f"hold {number}", since=number) for number in range(1, holds + 1))
    return TableRow("BJ-01", 1, 1, NOW, heard_s, (), 1, 0, Shown(state="the deal", holds=told))


@pytest.mark.parametrize("holds", range(MOST_LINES + 3))
@pytest.mark.parametrize("heard_s", [0, AWAY_S + 1])
def test_a_tile_has_as_many_lines_as_it_has_room_for(holds: int, heard_s: int) -> None:
    lines = tile_of(row(holds, heard_s), Language.EN).lines
    is_away = heard_s > AWAY_S
    above = 2 if is_away else 0 if holds else 1  # its absence, and its state where no hold says more
    assert len(lines) == min(above + holds, MOST_LINES)
    assert all(f"hold {number}" in line for number, line in enumerate(lines[above:], 1)), "the oldest come first"


def test_a_tile_has_room_for_four_lines() -> None:
    assert MOST_LINES == 4
    assert len(tile_of(row(9), Language.EN).lines) == 4
