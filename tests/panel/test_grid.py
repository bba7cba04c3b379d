"""The deck check's grid: counted by taps, with missing and surplus cards marked."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from controller.core.custody.state import DECK
from controller.panel.grid import CODES, Grid
from controller.protocol.status import FiguresStatus, NextStatus, PresentStatus, Status
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.tables import Painted

pytestmark = pytest.mark.waits

FOUND = [6] * 52
FOUND[CODES.index("9C")] = 5
FOUND[CODES.index("QH")] = 7
CHECKING = Status(
    table="T1",
    simulated=True,
    session="checking",
    round="idle",
    counts={"inside": 0, "rack": 0, "outside": 312, "total": 312},
    present=[PresentStatus(21, "chief_supervisor", "unloading", until=65_000)],
    next=[NextStatus("enter-grid", ["dealer"])],
    figures=FiguresStatus(seats=7, decks=6, found=FOUND),
)


def test_the_panel_has_the_cards_in_the_order_of_the_grid() -> None:
    assert CODES == DECK


def test_a_grid_knows_what_is_missing_and_what_is_too_many() -> None:
    grid = Grid.found(FOUND, 6)
    assert (grid.missing, grid.surplus, grid.total) == ({"9C": 1}, {"QH": 1}, 312)
    mended = grid.select("9C").change(1).select("QH").change(-1)
    assert (mended.missing, mended.surplus) == ({}, {})
    assert mended.text == Grid.full(6).text


def test_a_count_stays_within_its_bounds_and_needs_a_card() -> None:
    grid = Grid.full(0).change(1)
    assert grid.total == 0
    assert grid.select("AS").change(-1).total == 0
    assert grid.select("no card").selected == ""


@pytest.fixture
def painted(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "table", CHECKING)
    yield table
    table.end()


@pytest.mark.parametrize("size", [(1280, 720), (800, 480)])
def test_the_keys_of_the_count_keep_their_places(
    open_screen: OpenScreen, painted: Painted, size: tuple[int, int]
) -> None:
    """The key +1 jumped by fifty pixels when a card was picked, so that the finger missed it."""
    screen = open_screen(painted, "", *size)
    screen.tap("enter-grid")
    screen.sign_in(DEALER)
    screen.signed_in()
    keys = [screen.page.locator(name) for name in ("#n-cell-less", "#n-cell-more")]
    before = [key.bounding_box() for key in keys]
    for name in ("g-10C", "g-AH"):
        screen.tap(name)
        screen.is_up_to_date()
        assert [key.bounding_box() for key in keys] == before


def test_the_grid_is_entered_by_taps(open_screen: OpenScreen, painted: Painted) -> None:
    screen = open_screen(painted)
    screen.sees("DECK CHECK")
    expect(screen.page.locator(".grid52 .odd")).to_have_text(["7↑", "5↓"])
    expect(screen.page.locator("time[data-left]")).to_have_text(re.compile(r"^(1:0|0:)\d+$"))
    screen.picture("grid")
    screen.tap("enter-grid")
    screen.sign_in(DEALER)
    screen.signed_in()
    for name in ("g-9C", "n-cell-more", "g-QH", "n-cell-less", "g-2D", "n-cell-less"):
        screen.tap(name)
    expect(screen.page.locator("#sheet .odd")).to_have_text(["5↓"])
    expect(screen.page.locator("#o-cell")).to_be_in_viewport()
    screen.picture("grid-entered")
    screen.tap("do")
    expect(screen.page.locator("#sheet")).to_have_count(0)
    act, values = painted.table.asked[-1]
    assert act == "enter-grid"
    counts = dict(cell.split("=") for cell in values["counts"].split(","))
    assert {card for card, count in counts.items() if count != "6"} == {"2D"}
    assert counts["2D"] == "5"
    assert values["foreign"] == "0"


def test_the_dealer_confirms_the_check_with_his_own_pin_once(open_screen: OpenScreen, tmp_path: Path) -> None:
    checked = msgspec.structs.replace(CHECKING, next=[NextStatus("confirm-deck-check", ["dealer"], "pin")])
    table = Painted(tmp_path / "table", checked)
    try:
        screen = open_screen(table)
        screen.tap("confirm-deck-check", hold_s=3.2)
        screen.sign_in(DEALER)
        screen.signed_in()
        expect(screen.page.locator("#sheet")).to_have_count(0)
        assert [act for act, _values in table.table.asked] == ["confirm-deck-check"]
    finally:
        table.end()
