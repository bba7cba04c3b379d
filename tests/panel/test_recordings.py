"""On the page of recordings a supervisor marks an incident with the place of its recording."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.machine.places import OWN_SCREEN
from controller.panel.browsers import Browser, View
from controller.panel.forms import follow_table
from controller.panel.watch import Seen
from controller.protocol.record import RecordDocument, RecordKind, RecordRow
from tests.panel.desk import CHIEF, Desk, Staffed, run, status, table_of
from tests.panel.test_forms_stay import PAGES

pytestmark = pytest.mark.waits

WHO = ("chief_supervisor", "room_manager")
AT = "2026-05-01 22:00:00+01:00"
ROWS = [
    RecordRow(12, AT, 1, "complaint H1", may_be_marked=True),
    RecordRow(19, AT, 1, "jam H2"),
    RecordRow(23, AT, 1, "ruling H3, kept", may_be_marked=True, is_done=True),
]


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with table_of(tmp_path) as table:
        yield desk_of(table)


def desk_of(table: Staffed) -> Desk:
    """A table's screen that shows three incidents, of which the second goes on."""
    record = RecordDocument(RecordKind.INCIDENTS, "Session 1", list(ROWS))
    browser = Browser(Language.EN, OWN_SCREEN, record=record)
    return Desk(table, status("in-play", "keep-recording", who=WHO, round="idle"), browser)


def page(desk: Desk) -> str:
    moment = desk.moment(desk.browser)
    follow_table(desk.browser, moment)
    return PAGES.main(View.RECORD, desk.browser, Seen(1, moment.status, True, 1.0, 2.0), moment, 3.0)


def test_each_incident_that_has_ended_has_the_button(desk: Desk) -> None:
    shown = page(desk)
    assert [f'data-press="keep:{row.seq}"' in shown for row in ROWS] == [True, False, True]
    desk.status = status("in-play", who=WHO, round="idle")
    assert "keep:" not in page(desk)


def test_the_form_knows_the_incident_and_the_mark_is_a_supervisors_own_act(desk: Desk) -> None:
    async def evening() -> None:
        await desk.press("keep:12")
        assert desk.browser.act is not None
        assert 'id="t-kept_at"' in page(desk)
        await desk.press("ui:do", t_kept_at="vault 3")
        await desk.comes(CHIEF)

    run(evening())
    assert desk.table.asked == [("keep-recording", {"incident": "#12", "kept_at": "vault 3"})]
    assert desk.pins == ["own"]
    assert desk.browser.record is None, "the list that was shown is out of date"


@pytest.mark.parametrize("entry", ["19", "13", "", "12x"])
def test_no_other_entry_is_marked_by_this_page(desk: Desk, entry: str) -> None:
    async def evening() -> None:
        pressed = await desk.press(f"keep:{entry}")
        assert not pressed.is_done

    run(evening())
    assert desk.browser.act is None
