"""An evening at the table's own screen, dealt by taps: opening, loading, rounds, jams."""

from collections.abc import Callable

import pytest

from tests.panel import hands
from tests.panel.screen import Screen

ROUNDS = 4


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_an_evening_is_dealt_by_taps(open_screen: Callable[..., Screen]) -> None:
    screen = open_screen()
    hands.open_table(screen)
    hands.load(screen)
    for seat in (2, 4, 6):
        screen.tap(f"seat-{seat}")
    taps = [hands.play_round(screen) for _round in range(ROUNDS)]
    assert max(taps) <= hands.MOST_TAPS_OF_A_ROUND
