"""The beginning of a session and of a watched loading: what one press does, and whose credential it takes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.panel.forms import follow_table
from controller.protocol.status import FiguresStatus, LoadingStatus, PresentStatus
from tests.panel.desk import CHIEF, DEALER, Desk, Staffed, run, status, table_of

pytestmark = pytest.mark.waits


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Staffed]:
    with table_of(tmp_path) as found:
        yield found


WATCHES = [PresentStatus(CHIEF, "chief_supervisor", "loading")]
BEGUN = ("sign-in", "begin-loading", "open-packet")


async def dealer_opens(desk: Desk) -> None:
    desk.status = status("closed", "open-session", who=("dealer",))
    await desk.press("act:open-session")
    await desk.comes(DEALER)


def test_a_watched_loading_begins_by_the_dealers_post_and_one_pin_of_the_chief(table: Staffed) -> None:
    desk = Desk(table, status("closed"))

    async def evening() -> None:
        await dealer_opens(desk)
        desk.status = status("mixed", "sign-in")
        await desk.press("act:begin-watched")
        await desk.comes(CHIEF)
        desk.status = status("loading", "close-packet", loading=LoadingStatus([3], packet_open=True), present=WATCHES)
        await desk.press("act:next-packet")
        await desk.comes(CHIEF)

    run(evening())
    assert desk.pins == ["table", "own", "own"]
    acts = [act for act, _values in table.asked]
    assert acts == ["sign-in", "open-session", *BEGUN, "close-packet", "open-packet"]


def test_where_the_dealer_is_not_signed_in_the_chief_begins_no_loading(table: Staffed) -> None:
    desk = Desk(table, status("mixed", "sign-in"))
    assert [desk.shown(f"act:{name}") != "" for name in ("watch-loading", "begin-watched")] == [True, False]


def test_the_form_of_the_number_opens_with_the_session_and_closes_once_another_screen_has_numbered(
    table: Staffed,
) -> None:
    desk = Desk(table, status("closed"))

    async def evening() -> None:
        await dealer_opens(desk)
        assert desk.browser.sheet is None, "the table has not said yet that the session is open"
        desk.browser.sign_out("table")
        table.on_act = lambda: setattr(desk, "status", status("opened", "number-deck-set"))
        await dealer_opens(desk)

    run(evening())
    assert desk.browser.sheet == "act:number-deck-set"
    follow_table(desk.browser, desk.moment(desk.browser))
    assert desk.browser.sheet == "act:number-deck-set"
    desk.status = status("opened", "number-deck-set", figures=FiguresStatus(deck_set=7))
    follow_table(desk.browser, desk.moment(desk.browser))
    assert desk.browser.sheet is None
