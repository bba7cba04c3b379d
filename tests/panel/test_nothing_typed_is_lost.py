"""The panel keeps a person's typed words and answers, and reports an answer that has no effect."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from controller.catalogue import Language
from controller.panel.browsers import Browser
from controller.panel.pending import follow_request
from controller.panel.said import SAID_STAYS_S, let_fade
from controller.protocol.lines import ActDocument
from controller.protocol.status import PresentStatus, Status, WaitingStatus
from controller.protocol.values import ValueDocument, ValueKind
from controller.protocol.wheel_status import WheelStatus
from tests.panel.conftest import OpenScreen
from tests.panel.desk import CHIEF, CHIEF_ALONE, DEALER, Desk, Staffed, hold, run, status, table_of
from tests.panel.tables import Closed
from tests.panel.test_forms_stay import COMPLAINT, LATER, filled_in, page
from tests.panel.test_hands_at_the_screen import STEPS

pytestmark = pytest.mark.waits

JAMMED = {"outside": 0, "inside": 311, "rack": 0, "jammed": 1, "total": 312}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Staffed]:
    with table_of(tmp_path) as found:
        yield found


def test_words_that_were_typed_go_with_the_big_button(table: Staffed) -> None:
    async def evening() -> None:
        desk = await filled_in(table)
        await desk.press("ui:do", t_words="My chip lay there.")

    run(evening())
    assert ("record-complaint", {"seat": "4", "words": "My chip lay there."}) in table.asked


def test_words_stay_while_something_else_is_touched(table: Staffed) -> None:
    async def evening() -> Desk:
        desk = Desk(table, COMPLAINT)
        await desk.press("act:record-complaint")
        await desk.comes(DEALER)
        await desk.press("ui:pick", "seat=4", t_words="My chip")
        return desk

    assert 'value="My chip"' in page(run(evening()))


def test_a_form_about_a_table_that_has_gone_on_is_pressed_twice(table: Staffed) -> None:
    async def evening() -> tuple[str, int]:
        desk = await filled_in(table)
        before = len(table.asked)
        desk.status = LATER
        said = (await desk.press("ui:do")).say
        asked = len(table.asked) - before
        await desk.press("ui:do")
        return said, asked

    said, asked = run(evening())
    assert said == "The table has gone on since this was opened: read it again, then press once more."
    assert asked == 0
    assert table.asked[-1][0] == "record-complaint"


def test_the_pad_says_for_which_act_and_hold_and_closes_with_the_hold(table: Staffed) -> None:
    jam = replace(hold(6, "jam", "attended"), plan=STEPS)
    desk = Desk(table, status("in-play", "call-technician", holds=[jam], counts=JAMMED))

    async def evening() -> None:
        await desk.press("act:jammed-rack")
        await desk.press("ui:person", str(CHIEF))

    run(evening())
    assert desk.browser.asks_pin
    assert 'data-act="IN THE RACK · H6"' in page(desk)
    desk.status = status("in-play")
    follow_request(desk.browser, desk.moment(desk.browser))
    assert not desk.browser.asks_pin
    assert desk.browser.said == "Hold H6 has ended meanwhile: no PIN is needed for it any more."


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (("close-packet",), "The table has gone on: OPEN FOR A PACKET is not offered any more. Nothing was done."),
        (("open-packet", "close-packet"), ""),
    ],
)
def test_the_pad_closes_with_the_act_that_it_is_for(table: Staffed, after: tuple[str, ...], said: str) -> None:
    """The pad once stayed open when another screen had done its act, and asked a right PIN again and again."""
    desk = Desk(table, status("loading", "open-packet"))

    async def evening() -> None:
        await desk.press("act:open-packet")
        await desk.press("ui:person", str(CHIEF))

    run(evening())
    assert desk.browser.asks_pin
    desk.status = status("loading", *after)
    follow_request(desk.browser, desk.moment(desk.browser))
    assert (desk.browser.asks_pin, desk.browser.said) == (not said, said)


@pytest.mark.parametrize("is_over", [True, False])
def test_the_pad_over_a_form_closes_with_its_act_and_the_form_keeps_its_words(table: Staffed, is_over: bool) -> None:
    async def evening() -> Desk:
        desk = await filled_in(table)
        desk.browser.sign_out("table")
        await desk.press("ui:do")
        return desk

    desk = run(evening())
    assert desk.browser.asks_pin
    desk.status = status("in-play", round="idle") if is_over else LATER
    follow_request(desk.browser, desk.moment(desk.browser))
    assert desk.browser.asks_pin is not is_over
    assert desk.browser.picked == {"seat": "4"}
    assert ("COMPLAINT is not offered any more" in desk.browser.said) is is_over


def test_a_pin_for_an_act_that_is_over_closes_the_pad_and_is_not_sent(table: Staffed) -> None:
    desk = Desk(table, status("loading", "open-packet"))

    async def evening() -> str:
        await desk.press("act:open-packet")
        await desk.press("ui:person", str(CHIEF))
        desk.status = status("loading", "close-packet")
        return (await desk.types_pin(CHIEF)).say

    assert "OPEN FOR A PACKET is not offered any more" in run(evening())
    assert not desk.browser.asks_pin
    assert table.asked == []


def test_while_a_pin_is_being_checked_its_pad_stays(table: Staffed) -> None:
    """The table may report the act's result before the answer: the person who did it is not told that it is over."""
    desk = Desk(table, status("loading", "open-packet"))

    async def evening() -> None:
        await desk.press("act:open-packet")
        desk.status = status("loading", "close-packet")
        async with desk.browser.lock:
            follow_request(desk.browser, desk.moment(desk.browser))

    run(evening())
    assert desk.browser.asks_pin
    assert desk.browser.said == ""


def test_a_ruling_on_facts_that_have_changed_closes_and_says_which(table: Staffed) -> None:
    """The ball stops while the form is open: the form closes. Once, the answer was accepted and annulled the number."""

    def spin(text: str, result: int | None) -> Status:
        held = replace(hold(6, "irregular-spin"), text=text)
        return status("in-play", "rule-on-spin", holds=[held], counts=None, wheel=WheelStatus(result=result))

    desk = Desk(table, spin("Launched otherwise.", None))
    values = [ValueDocument(name, "", "", ValueKind.WORD, name != "outcome") for name in ("outcome", "number")]

    async def evening() -> str:
        await desk.press("ui:close")
        act = ActDocument("rule-on-spin", "Decide spin", "", list(CHIEF_ALONE), True, True, 0, *(None,) * 5, values, [])
        desk.browser.act, desk.browser.sheet = act, "act:rule-on-spin"
        assert "Launched otherwise." in page(desk)
        await desk.press("ui:pick", "outcome=goes-on")
        desk.status = spin("The ball rests.", 35)
        pressed = await desk.press("ui:do")
        assert not pressed.is_done
        return pressed.say

    said = run(evening())
    assert "Decide spin" in said
    assert "The ball rests; " in said
    assert "35" in said
    assert desk.browser.act is None
    assert table.asked == []


@pytest.mark.parametrize("upheld", ["yes", "no"])
def test_whoever_upholds_a_complaint_reads_what_follows_and_for_whom(table: Staffed, upheld: str) -> None:
    complaint = replace(hold(3, "complaint"), about={"seat": "4", "round": "12"})
    desk = Desk(table, status("in-play", "decide-complaint", round="collected", holds=[complaint]))

    async def evening() -> None:
        await desk.press("ui:sheet", "why")  # a list with the act
        await desk.press("more:decide-complaint")
        await desk.press("ui:pick", f"upheld={upheld}")
        await desk.press("ui:do")
        await desk.press("ui:person", str(CHIEF))
        assert f" · Upheld: {upheld} · " in page(desk)
        await desk.comes(CHIEF)

    run(evening())
    assert ("decide-complaint", {"upheld": upheld}) in table.asked
    assert ("Upheld, for seat 4, round 12." in desk.browser.said) is (upheld == "yes")
    assert desk.pins == ["own"]


ASKED = WaitingStatus("correct-entry", {"entry": "2"}, "Put right", DEALER, "dealer", ["chief_supervisor"], 0)


@pytest.mark.parametrize(("asked_by", "says"), [(DEALER, "Agreed: 21"), (CHIEF, "")])
def test_the_screen_says_who_has_agreed_with_another_persons_request(table: Staffed, asked_by: int, says: str) -> None:
    waiting = replace(ASKED, person=asked_by)
    desk = Desk(table, status("in-play", "correct-entry", round="idle", waiting=[waiting]))

    async def evening() -> None:
        await desk.press("act:agree-correct-entry")
        await desk.comes(CHIEF)

    run(evening())
    assert table.asked == [("correct-entry", {"entry": "2"})]
    assert desk.browser.said == says


@pytest.mark.parametrize(("asked_by", "asks"), [(CHIEF, None), (DEALER, CHIEF)])
def test_the_pad_does_not_ask_the_first_person_to_agree(table: Staffed, asked_by: int, asks: int | None) -> None:
    """The pad began with the supervisor at the table, though he himself had asked for the correction."""
    waiting = replace(ASKED, person=asked_by)
    here = [PresentStatus(CHIEF, "chief_supervisor", "loading")]
    desk = Desk(table, status("in-play", "correct-entry", round="idle", waiting=[waiting], present=here))
    desk.browser.known = {"chief_supervisor": CHIEF}
    run(desk.press("act:agree-correct-entry"))
    assert (desk.browser.asks_pin, desk.browser.asks_person) == (True, asks)


def test_whoever_was_not_the_first_reads_it_though_the_table_has_gone_on() -> None:
    browser = Browser(Language.EN)
    browser.say("Somebody has ended it.", is_refusal=True)
    let_fade(browser, "held", 1.0)
    let_fade(browser, "playing", 2.0)
    assert browser.said
    let_fade(browser, "playing", 1.0 + SAID_STAYS_S)
    assert not browser.said


def test_the_way_back_of_the_browser_stays_in_the_panel(open_screen: OpenScreen, closed: Closed) -> None:
    screen = open_screen(closed)
    screen.tap("more")
    screen.page.locator("#sheet").wait_for()
    screen.page.go_back()
    expect(screen.page.locator("#sheet")).to_have_count(0)
    screen.sees("CLOSED")
    assert screen.page.url == closed.url


def test_a_press_ends_the_message_about_the_press_before(table: Staffed) -> None:
    """A refusal stood in the form of the next act, and covered the page's instruction."""
    desk = Desk(table, status("closed", "open-session"))
    desk.browser.say("The table has gone on: look again.", is_refusal=True)
    run(desk.press("act:open-session"))
    assert desk.browser.asks_pin
    assert desk.browser.said == ""
