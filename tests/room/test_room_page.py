"""The room's page in Chromium: a hold is on its tile within a second, and the page is usable on a telephone."""

from pathlib import Path
from statistics import median
from urllib.parse import quote

import pytest
from axe_playwright_python.sync_playwright import Axe
from msgspec import structs
from playwright.sync_api import expect

from controller.floor.ledger import Ledger
from controller.protocol.carried import Said
from controller.protocol.shown import RoomDevice, RoomDuty, RoomHold, RoomJackpot, Shown
from simulators.floor.room import Room
from tests.floor.kit import entry
from tests.floor.provider import provided, roles
from tests.floor.test_traps import until
from tests.room.conftest import DESK, PHONE, BrowserAt, followed, standing
from tests.waiting import descendants, stopwatch

pytestmark = pytest.mark.waits

TABLES = 200
TIMES = 5
JAM = RoomHold("H1", "jam", device="shuffler", text="A card is jammed.", who=["dealer", "technician"], since=1000)
PLAYS = Shown(state="Cards are dealt.", session="in-play", table_ms=1000)
LONG = "BJ-004 " + "M" * 25
"""A name as long as one may be, in one word."""

PAGES = ("", "holds", "devices", "jackpots", "report", "fleet", "table/BJ-002")


def test_a_hold_is_on_the_page_within_a_second_with_200_tables(
    room: Room, ledger: Ledger, keys: Path, browser_at: BrowserAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 200 tables a hold is on its tile a second after the durable entry, over uplink, TLS and PostgreSQL."""
    for number in range(1, TABLES):
        standing(ledger, keys, f"BJ-{number:03}", PLAYS)
    floor = room.start()
    with followed(room, floor, "BJ-200", monkeypatch) as table:
        table.stands(PLAYS)
        page = browser_at(floor.page, DESK)
        expect(page.locator("#tiles li")).to_have_count(TABLES, timeout=20_000)
        tile = page.locator('#tiles li[data-name="BJ-200"]')
        took_s = []
        for times in range(1, TIMES + 1):
            expect(tile).to_have_class("plays", timeout=20_000)
            words = f"A card is jammed, the {times}th time."
            watch = stopwatch(*descendants())  # of floor, database and browser, too
            table.stands(Shown(state="Held.", session="in-play", table_ms=1000, holds=[RoomHold("H1", text=words)]))
            expect(tile).to_contain_text(words, timeout=20_000)
            took_s.append(watch())
            expect(tile).to_have_class("held")
            table.stands(PLAYS)
    assert median(took_s) < 1.0, took_s


def test_every_page_fits_a_telephone_and_axe_finds_nothing(
    room: Room, ledger: Ledger, keys: Path, browser_at: BrowserAt
) -> None:
    devices = {"shuffler": RoomDevice(True, "connected", None, "CSM", "S-1", "1.0"), "unheard-of": RoomDevice()}
    duty = RoomDuty("D1", text="Count the rack.", since=500)
    held = Shown(
        state="Held.", session="in-play", holds=[JAM], duties=[duty], devices=devices, table_ms=181_000,
        jackpot=RoomJackpot(12_345),
    )  # fmt: skip
    floor = room.start()
    long = structs.replace(held, state="M" * 60, holds=[RoomHold("H1", text="M" * 60)])
    said = {"BJ-001": PLAYS, "BJ-002": held, "BJ-003": Shown(session="closed"), LONG: long}
    tables = [standing(ledger, keys, name, shown) for name, shown in said.items()]
    page = browser_at(floor.page, PHONE)
    found = page.locator("#tiles li").evaluate_all("all => all.map(one => one.className)")
    assert found == ["plays", "held", "closed", "held"]
    page.get_by_role("link", name="BJ-002").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("BJ-002")
    for words in ("A card is jammed. (3 min)", "Count the rack.", "shuffler: connected (CSM S-1 1.0)", "123.45"):
        expect(page.get_by_text(words)).to_be_visible()
    page.get_by_role("link", name="Holds").tap()
    expect(page.get_by_role("row", name="A card is jammed.")).to_contain_text("dealer, technician")
    for path in (*PAGES, f"table/{quote(LONG)}"):
        for table in tables:
            assert table.give(ledger, 4, 3).said is Said.TAKEN  # it does not count as away, however long this takes
        page.goto(floor.page + path)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"], path
        assert [one["id"] for one in Axe().run(page).response["violations"]] == [], path


def test_words_of_a_table_are_text_on_every_page(
    room: Room, ledger: Ledger, keys: Path, browser_at: BrowserAt, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first page and the stream's changes show markup in a table's words as plain text."""
    bad = "</span><script>document.title='x'</script><img src=x onerror=\"document.title='x'\">'\"{{7*7}}"
    device = RoomDevice(True, bad, bad, bad, bad, bad)
    hold = RoomHold(bad, bad, bad, bad, bad, bad, [bad], 1)
    shown = Shown(
        bad, True, bad, bad, bad, bad, 1, bad, 1, [hold], [RoomDuty(bad, bad, bad, 1, bad)],
        {"shuffler": device, bad: device}, RoomJackpot(sign=bad), table_ms=1000,
    )  # fmt: skip
    name = "A. b_-c"
    table = standing(ledger, keys, name, shown)
    table.add(entry(4, bad[:100])).add(entry(5, "card-counted-in"))
    table.give(ledger, 4, 5)
    floor = room.start()
    with followed(room, floor, "BJ-1", monkeypatch) as other:
        page = browser_at(floor.page, DESK)
        expect(page.locator("#tiles li")).to_contain_text([bad])
        other.stands(shown)
        tile = page.locator('#tiles li[data-name="BJ-1"]')
        expect(tile).to_contain_text(bad, timeout=20_000)
        tile.get_by_role("link").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("BJ-1")
        for path in (*PAGES[:-1], f"table/{quote(name)}"):
            page.goto(floor.page + path)
            assert page.title() != "x", path
            assert page.locator("img, script:not([src]), main script").count() == 0, path


def test_people_sign_in_on_a_telephone_and_a_session_that_ends_is_renewed_by_itself(
    room: Room, ledger: Ledger, keys: Path, browser_at: BrowserAt
) -> None:
    standing(ledger, keys, "BJ-001", PLAYS)
    with provided(room) as provider:
        provider.claims = roles("pit-managers")
        floor = room.start()
        page = browser_at(floor.page, PHONE)
        expect(page.locator("#tiles li")).to_have_count(1)
        names = page.get_by_role("link").all_inner_texts()
        assert names == ["Tables of the room", "Holds", "Devices", "Jackpots", "BJ-001"]
        page.goto(f"{floor.page}fleet")
        expect(page.get_by_role("alert")).to_contain_text("do not read this page")
        assert [one["id"] for one in Axe().run(page).response["violations"]] == []
        browser_at.troubles.clear()  # the page that she may not read
        page.goto(f"{floor.page}holds")
        page.context.clear_cookies()
        until(lambda: provider.asked == 2)
        expect(page.get_by_role("heading", level=1)).to_have_text("Holds")
        page.get_by_role("button", name="Ana Silva: sign out").tap()
        expect(page.get_by_role("alert")).to_have_text("You are signed out.")
        browser_at.troubles.clear()  # the session that was over
        page.context.close()  # and with it its open connections to the provider


def test_a_database_that_goes_is_said_and_the_tiles_stay(
    room: Room, ledger: Ledger, keys: Path, browser_at: BrowserAt
) -> None:
    standing(ledger, keys, "BJ-001", PLAYS)
    floor = room.start()
    page = browser_at(floor.page, DESK)
    expect(page.locator("#tiles li")).to_have_count(1)
    expect(page.get_by_role("alert")).not_to_be_visible()
    floor.end()
    expect(page.get_by_role("alert")).to_be_visible(timeout=20_000)
    expect(page.locator("#tiles li")).to_have_count(1)
    browser_at.troubles.clear()  # the connection that has ended
