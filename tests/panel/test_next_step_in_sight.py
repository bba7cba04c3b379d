"""A page that a finger has rolled begins at its top again once another step of a hold comes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.panel.conftest import OpenScreen
from tests.panel.dealt import STEPS, Dealt, Served
from tests.panel.tables import Painted
from tests.panel.test_put_right import ROLL, ROLLED, decided_wrong

pytestmark = pytest.mark.waits


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    dealt = decided_wrong()
    STEPS["jam"].do(dealt.player, ("mouth", "1"))
    table = Painted(tmp_path / "jam", dealt)
    yield table
    table.end()


def test_the_next_step_of_a_jam_stands_above(open_screen: OpenScreen, table: Painted) -> None:
    """The button that ends the stop lay above a page that had been rolled in the step before."""
    screen = open_screen(table, "", 800, 300)
    step = screen.page.locator(".step-now")
    first = step.inner_text()
    assert screen.page.evaluate(ROLL) > 0
    dealt, served = table.shown, table.table
    assert isinstance(dealt, Dealt)
    assert isinstance(served, Served)
    served.happens(lambda: dealt.player.act("chief", "attend-hold", {"hold": "H1"}))
    screen.page.wait_for_function("(first) => document.querySelector('.step-now').innerText !== first", arg=first)
    assert screen.page.evaluate(ROLLED) == 0
