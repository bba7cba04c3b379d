"""People go on handling a device while the checks run: no check blames a good device for their deeds."""

from collections.abc import Callable

import pytest

from firmware_protocols.tdp.conform.line import Host
from firmware_protocols.tdp.conform.suite import Status, make_checks, verdicts
from simulators.devices.cards import make_cards
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from tests.conform.broken.table import KINDS, NOW_S, Device, device_of
from tests.conform.line import LateLine

pytestmark = pytest.mark.waits

DRAWN_EVERY_S = 0.5
LATE_S = 0.02


class BusyLine(LateLine):
    """A hand acts at the device each time that `every_s` have passed."""

    def __init__(self, device: Device, every_s: float, act: Callable[[float], object]) -> None:
        super().__init__(device, NOW_S, LATE_S)
        self._every_s, self._act, self._next_s = every_s, act, NOW_S + every_s

    def hear(self, until_s: float) -> bytes:
        while self._next_s <= until_s:
            if heard := super().hear(self._next_s):
                return heard
            self._act(self._now_s)
            self._next_s += self._every_s
        return super().hear(until_s)


def dealt_from() -> Host:
    """The line to a shoe from which a hand deals all the time."""
    shoe = SimulatedShoe(now_s=NOW_S)
    shoe.put_cards(make_cards(8) * 9)
    return Host(BusyLine(shoe, DRAWN_EVERY_S, shoe.draw_card), shoe._schema, 1000, is_simulated=True)


def fed() -> Host:
    """The line to a shuffler whose hopper a hand fills with what it gives."""
    shuffler = device_of("shuffler", KINDS["shuffler"])
    assert isinstance(shuffler, SimulatedShuffler)
    shuffler.put_cards_in_hopper(make_cards(6), NOW_S)

    def hands(now_s: float) -> None:
        cards = [*shuffler.pull_cards(now_s), *shuffler.take_from_tray(now_s)]
        shuffler.put_cards_in_hopper(cards, now_s)

    return Host(BusyLine(shuffler, DRAWN_EVERY_S, hands), shuffler._schema, 1000, is_simulated=True, moves=True)


@pytest.mark.parametrize("made", [dealt_from, fed])
def test_no_duty_is_broken_by_hands_that_go_on(made: Callable[[], Host]) -> None:
    host = made()
    found = {one.number: one for one in verdicts(host, make_checks(host))}
    assert [one for one in found.values() if one.status is Status.BROKEN] == []
    for number in ("5.6", "5.9"):
        assert found[number].status is Status.KEPT
