"""A form keeps a person's entries until its act is done or the person goes back; scripted people wait meanwhile."""

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.panel.browsers import Browser, View
from controller.panel.forms import follow_table
from controller.panel.moment import Moment
from controller.panel.watch import Seen
from controller.protocol.lines import RefusalDocument
from controller.protocol.status import FiguresStatus, HandStatus, JournalStatus
from simulators.demo.forms import EVERY_S, PATIENCE_S, Forms
from tests.panel.desk import DEALER, Desk, Staffed, run, status, table_of
from tests.panel.tables import Painted
from tests.panel.test_pages import PAGES
from tests.panel.visitor import Visitor

pytestmark = pytest.mark.waits

COMPLAINT = status("in-play", "record-complaint", who=("dealer",), round="collected", round_number=3)
LATER = status("in-play", "record-complaint", who=("dealer",), round="putting-back", round_number=3)
SEAT = {"seat": "4"}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Staffed]:
    with table_of(tmp_path) as found:
        yield found


NOT_DURABLE = status("opened", journal=JournalStatus(waiting=2))
DURABLE = status("opened", "number-deck-set", who=("dealer",))


class Slow(Desk):
    """A desk whose table has the session's entry on the disk some looks after it has opened."""

    looks = 0

    def moment(self, browser: Browser) -> Moment:
        if self.table.asked:
            self.looks += 1
            self.status = NOT_DURABLE if self.looks < 5 else DURABLE
        return super().moment(browser)


def test_the_form_that_comes_next_waits_for_the_entry_of_the_open_session(table: Staffed) -> None:
    """The session is that of the latest entry, and the acts are those of the durable ones."""
    desk = Slow(table, status("closed", "open-session", who=("dealer",)))

    async def opens() -> None:
        await desk.press("act:open-session")
        await desk.comes(DEALER)

    run(opens())
    assert desk.browser.act is not None
    assert desk.browser.act.act == "number-deck-set"


async def filled_in(table: Staffed) -> Desk:
    """A desk with a filled-in form: a complaint of seat 4 that was not sent yet."""
    desk = Desk(table, COMPLAINT)
    await desk.press("act:record-complaint")
    await desk.comes(DEALER)
    await desk.press("ui:pick", "seat=4")
    return desk


def page(desk: Desk) -> str:
    moment = desk.moment(desk.browser)
    follow_table(desk.browser, moment)
    seen = Seen(1, moment.status, is_live=True, lost_at=1.0, heard_at=2.0)
    return PAGES.main(View.TABLE, desk.browser, seen, moment, 3.0)


def test_a_form_says_that_the_table_has_gone_on_and_keeps_what_was_entered(table: Staffed) -> None:
    async def evening() -> Desk:
        return await filled_in(table)

    desk = run(evening())
    assert 'id="changed"' not in page(desk)
    desk.status = LATER
    assert "The table has gone on since this was opened. What you entered is kept." in page(desk)
    desk.status = status("in-play", round="putting-back", round_number=3)
    assert "this cannot be done any more. What you entered is kept until you go back." in page(desk)
    assert desk.browser.picked == SEAT
    assert 'id="b-do"' in page(desk)  # the controller gives the reason why it is impossible by now


def test_a_form_in_which_nothing_was_entered_is_about_the_table_as_it_is(table: Staffed) -> None:
    """The form shows no earlier facts, and closes when its act is no longer possible."""
    desk = Desk(table, COMPLAINT)

    async def evening() -> None:
        await desk.press("act:record-complaint")
        await desk.comes(DEALER)

    run(evening())
    desk.status = LATER
    assert 'id="changed"' not in page(desk)
    assert 'id="sheet"' in page(desk)
    desk.status = status("in-play", round="idle", round_number=3)
    assert 'id="sheet"' not in page(desk)


def test_what_is_refused_stays_in_its_form_and_the_reason_stands_above_it(table: Staffed) -> None:
    async def evening() -> Desk:
        desk = await filled_in(table)
        table.refusal = msgspec.to_builtins(RefusalDocument("", "", None, None, "Too late.", "", []))
        await desk.press("ui:do")
        return desk

    desk = run(evening())
    assert (desk.browser.sheet, desk.browser.picked) == ("act:record-complaint", SEAT)
    assert "Too late." in page(desk)


def test_whoever_goes_back_from_the_pin_pad_is_at_his_form_again(table: Staffed) -> None:
    async def evening() -> Desk:
        desk = await filled_in(table)
        desk.browser.sign_out("table")
        await desk.press("ui:do")
        assert desk.browser.asks_pin
        assert 'id="asks-pin"' in page(desk)
        await desk.press("ui:no-pin")
        return desk

    desk = run(evening())
    assert (desk.browser.sheet, desk.browser.picked) == ("act:record-complaint", SEAT)
    assert not desk.browser.asks_pin
    run(desk.press("ui:close"))
    assert (desk.browser.sheet, desk.browser.picked) == (None, {})


def test_the_way_back_leads_to_the_list_from_which_the_form_was_opened(table: Staffed) -> None:
    """From the pad over the list, too, and from the reasons to the list of what is possible."""
    desk = Desk(table, status("in-play", "move-card", who=("dealer",), round="playing"))

    async def evening() -> list[str | None]:
        seen: list[str | None] = []
        await desk.press("ui:sheet", "why")
        for way in ("ui:no-pin", "ui:close"):
            await desk.press("more:move-card")
            if way == "ui:close":
                await desk.comes(DEALER)
            seen.append(desk.browser.sheet)
            await desk.press(way)
            seen.append(desk.browser.sheet)
        for _ in range(2):
            await desk.press("ui:close")
            seen.append(desk.browser.sheet)
        return seen

    assert run(evening()) == [None, "why", "act:move-card", "why", "more", None]


@pytest.mark.parametrize("face", ["KS", None])
def test_the_form_about_the_last_card_shows_which_it_is_to_those_who_may_see_it(
    table: Staffed, face: str | None
) -> None:
    """The form once offered to move a card that no person could identify."""
    desk = Desk(
        table, status("in-play", "move-card", who=("dealer",), round="playing", figures=FiguresStatus(last_at="2/2"))
    )
    desk.faces = (HandStatus(2, ["2C"]), HandStatus(2, ["3C", face], 2))

    async def evening() -> str:
        await desk.press("ui:sheet", "why")  # a list with the act
        await desk.press("more:move-card")
        await desk.comes(DEALER)
        return page(desk)

    shown = run(evening())
    found = shown.partition('id="last-card"')[2].partition("</div>")[0]
    assert "The last card, at Seat 2, hand 2" in found
    assert ("K of spades" in found) is (face is not None)
    assert ("face down" in found.lower()) is (face is None)


def test_what_is_done_closes_its_form(table: Staffed) -> None:
    async def evening() -> Desk:
        desk = await filled_in(table)
        desk.browser.sign_out("table")
        await desk.press("ui:do")
        await desk.comes(DEALER)
        return desk

    desk = run(evening())
    assert ("record-complaint", SEAT) in table.asked
    assert (desk.browser.sheet, desk.browser.picked) == (None, {})


@pytest.mark.parametrize(("is_simulated", "said"), [(True, "1"), (False, "0")])
def test_a_simulated_table_is_told_that_a_form_lies_open(tmp_path: Path, is_simulated: bool, said: str) -> None:
    shown = status(
        "in-play", "record-complaint", who=("dealer",), round="collected", simulated=is_simulated, seats=[2, 4]
    )
    table = Painted(tmp_path / "table", shown, (DEALER, "dealer"))
    try:
        visitor = Visitor(table.url)
        visitor.visit()
        assert visitor.ask("GET", "/forms") == (200, "0")
        visitor.press("act:record-complaint")
        visitor.post("/pin", f"pin={DEALER}")
        visitor.post("/pin", f"pin=314159&person={DEALER}")
        assert visitor.ask("GET", "/forms") == (200, said)
        visitor.press("ui:close")
        assert visitor.ask("GET", "/forms") == (200, "0")
    finally:
        table.end()


class Answers(http.server.BaseHTTPRequestHandler):
    said = b"1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(Answers.said)

    def log_message(self, *_: object) -> None:
        pass


def test_scripted_people_wait_for_a_form_and_not_for_ever() -> None:
    server = http.server.HTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        forms = Forms(f"http://127.0.0.1:{server.server_port}/")
        assert forms.are_waited_for(0.0)
        assert forms.are_waited_for(PATIENCE_S - 1)
        assert not forms.are_waited_for(PATIENCE_S + 1), "it was left open"
        Answers.said = b"0"
        assert not forms.are_waited_for(PATIENCE_S + 2)
        Answers.said = b"1"
        assert not forms.are_waited_for(PATIENCE_S + 2 + EVERY_S / 2), "asked at most so often"
        assert forms.are_waited_for(PATIENCE_S + 3)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    assert not forms.are_waited_for(PATIENCE_S + 4), "nobody answers"
    assert not Forms(None).are_waited_for(0.0)
