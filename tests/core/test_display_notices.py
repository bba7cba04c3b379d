"""The jackpot display stops nothing; but people get a notice when it is lost, and when it is back."""

from controller.core.engine.act import Fact
from controller.core.house.facts import ControllerStarted, DeviceConnected, DeviceLost
from controller.core.words import Device
from tests.core.table import SETUP, CoreTable

SIGN = DeviceConnected(Device.JACKPOT_DISPLAY, "Alpha sign", "", "", 4097, True, None, None)
AGAIN = DeviceConnected(Device.JACKPOT_DISPLAY, "Alpha sign", "", "", 4098, True, None, None)
LOST = DeviceLost(Device.JACKPOT_DISPLAY, "silent")


def heard(table: CoreTable, event: Fact) -> list[str]:
    return [notice.key for notice in table.put(event).notices]


def test_people_hear_when_the_sign_is_lost_and_when_it_is_back() -> None:
    table = CoreTable()
    assert heard(table, SIGN) == ["display-back"]
    assert heard(table, LOST) == ["display-lost"]
    assert heard(table, LOST) == []
    assert heard(table, AGAIN) == ["display-back"]
    assert table.state.house.holds == ()


def test_a_restart_says_nothing_of_a_sign_that_it_has_not_looked_for_yet() -> None:
    table = CoreTable()
    table.put(SIGN)
    assert heard(table, ControllerStarted(2, SETUP, "", "", "test", ())) == []
