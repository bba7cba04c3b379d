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
    _twice(screen)
    taps = [hands.play_round(screen) for _round in range(ROUNDS)]
    assert max(taps) <= hands.MOST_TAPS_OF_A_ROUND


def _twice(screen: Screen) -> None:
    """Two touches on one button in the same moment are one act: the second gets the first one's answer."""
    number = screen.number
    form = f"new URLSearchParams({{number: '{number}', name: 'ui:nothing', value: '', sure: '1'}})"
    press = f"new URLSearchParams({{number: '{number}', name: 'act:no-such-act', value: '', sure: '1'}})"
    post = "fetch('/press', {method: 'POST', headers: {'X-Sabot': '1'}, body: %s}).then(a => a.json())"
    answers = screen.page.evaluate(f"() => Promise.all([{post % press}, {post % press}, {post % form}])")
    assert answers[0] == answers[1]
    assert int(screen.number) <= int(number) + 1
