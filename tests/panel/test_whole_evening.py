"""A whole evening, played by taps at the table's own screen: opening, loading, rounds, jams."""

import pytest

from tests.night import IS_NIGHT
from tests.panel import hands
from tests.panel.conftest import OpenScreen
from tests.panel.screen import Screen
from tests.panel.tables import Evening

pytestmark = [pytest.mark.waits, pytest.mark.daily]

PINS_OF_AN_OPENING = 5
"""The dealer's PIN, and four of the chief supervisor's.

The chief's PINs are for the number of the deck set, for his presence with the first packet, for the second packet, and
for the end of the loading.
"""

ROUNDS = 10 if IS_NIGHT else 1


@pytest.mark.timeout(300)
def test_an_evening_is_dealt_by_taps(open_screen: OpenScreen, evening: Evening) -> None:
    screen = open_screen(evening)
    player = hands.Player(screen, evening)
    player.open_table()
    player.load()
    assert screen.pins == PINS_OF_AN_OPENING
    for seat in (2, 4, 6):
        screen.tap(f"seat-{seat}")
    _twice(screen)
    taps = [player.play_round() for _round in range(ROUNDS)]
    assert max(taps) <= hands.MOST_TAPS_OF_A_ROUND
    assert player.jams
    assert max(player.jams) <= hands.MOST_OF_A_JAM
    player.read_the_evening()
    player.read_chinese()


def _twice(screen: Screen) -> None:
    """Presses a button twice at the same moment: the panel does one press, and both requests get its answer."""
    number = screen.number
    form = f"new URLSearchParams({{number: '{number}', name: 'ui:nothing', value: '', sure: '1'}})"
    press = f"new URLSearchParams({{number: '{number}', name: 'act:no-such-act', value: '', sure: '1'}})"
    post = "fetch('/press', {method: 'POST', headers: {'X-Sabot': '1'}, body: %s}).then(a => a.json())"
    answers = screen.page.evaluate(f"() => Promise.all([{post % press}, {post % press}, {post % form}])")
    assert answers[0] == answers[1]
    assert int(screen.number) <= int(number) + 1
