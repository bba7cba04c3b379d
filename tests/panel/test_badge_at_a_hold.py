"""Badge and key at a hold: taking charge, clearing and ending it are a touch each."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.panel.wanted import asks_first
from controller.protocol.status import DeviceStatus, PresentedStatus, Status
from tests.panel.desk import CHIEF, Desk, Staffed, hold, run, table_of
from tests.panel.test_forms_stay import page
from tests.panel.test_pins import held

pytestmark = pytest.mark.waits

PARTS = {part: DeviceStatus(True, "") for part in ("badge_reader", "key_switch")}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Staffed]:
    with table_of(tmp_path) as found:
        yield found


def badged(status: Status, by: str = "badge-and-key") -> Status:
    return replace(status, devices=PARTS, presented=PresentedStatus(CHIEF, "chief_supervisor", by))


def test_by_badge_and_key_a_jam_takes_three_touches_and_no_pin(table: Staffed) -> None:
    desk = Desk(table, badged(held("in-play", hold(1, "jam"))))

    async def evening() -> None:
        await desk.press("act:take-charge")
        desk.status = replace(held("in-play", hold(1, "jam", "attended"), jammed=1), devices=PARTS)
        await desk.press("act:jammed-rack")
        desk.status = badged(held("in-play", hold(1, "jam", "cleared")))
        await desk.press("act:play-on")

    run(evening())
    assert not desk.browser.asks_pin
    assert [act for act, _values in table.asked] == ["attend-hold", "state-cards-moved", "clear-hold", "confirm-hold"]


@pytest.mark.parametrize(("by", "is_asked"), [("badge", True), ("badge-and-key", False)])
def test_without_the_key_a_badge_takes_charge_of_no_hold(table: Staffed, by: str, is_asked: bool) -> None:
    desk = Desk(table, badged(held("in-play", hold(1, "jam")), by))
    offer = desk.offer("act:take-charge")
    assert asks_first(desk.browser, desk.moment(desk.browser), offer) is is_asked
    run(desk.press("act:take-charge"))
    assert desk.browser.asks_pin is is_asked
    assert ("With badge and key instead" in page(desk)) is is_asked


def test_a_badge_that_has_served_meanwhile_leaves_the_pad(table: Staffed) -> None:
    desk = Desk(table, badged(held("in-play", hold(1, "jam"))))
    table.refuses_badge = True
    run(desk.press("act:take-charge"))
    assert desk.browser.asks_pin
    assert table.asked == []
