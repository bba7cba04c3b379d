"""Every touch of a first start, counted in the real pages at 800x480, and each page looked at for what lies outside."""

from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from controller.catalogue import Language
from controller.config import read_config
from controller.staff import load_staff
from tests.endings import HANGS_S
from tests.panel.first_start import PEOPLE, Technician, bare_table
from tests.panel.screen import HIDDEN, WAIT_MS, at_rest
from tests.panel.test_first_start import SMALLEST, started

pytestmark = pytest.mark.waits

TABLE = {
    "commission.touched.language": 1,
    "commission.table.id": 6,
    "commission.touched.profile": 1,
    "panel.first.usual": 1,
    "commission.table.minimum_bet": 1,
    "commission.table.maximum_bet": 1,
}
DEVICES = {
    "ask.device-lamp-lit": 1,
    "ask.device-lamp-dark": 1,
    "ask.display-amount": 1,
    "ask.display-fault": 1,
    "ask.has-jackpot_slots": 1,
    "ask.has-lamp": 1,
    "ask.lamp-dark": 1,
    "ask.lamp-lit": 1,
    "ask.lamp-lit-dead": 1,
    "ask.has-buzzer": 1,
    "ask.buzzer-heard": 1,
    "ask.has-key_switch": 1,
    "ask.key-out": 1,
}
END = {"panel.first.written": 1, "panel.first.closed": 1}
NAMES = {"dealer": 9, "chief_supervisor": 7, "technician": 9}
"""The touches of each name: its letters and the way on. A capital needs no touch of its own."""

VALUES = {"device": "shuffler", "amount": "1234.56", "decks": "6", "seats": "7", "currency": "EUR"}


def expected(technician: Technician) -> Counter[str]:
    """The touches by the text of the page: 99 together, of which 13 are for each PIN."""
    words = technician.words
    said = {words(key, **VALUES): count for key, count in (TABLE | DEVICES | END).items()}
    for role, one in PEOPLE.items():
        who = {"number": one.number, "name": one.name}
        said |= {words("commission.touched.number", of=role): 3, words("commission.staff.name", of=role): NAMES[role]}
        said |= {words("panel.first.pin", **who): 7, words("panel.first.pin-again", **who): 6}
    return Counter(said)


def looked_at(text: str, page: Page) -> None:
    assert page.evaluate(at_rest(HIDDEN), ["button, input, svg.qr, #asked", "html"]) == [], text
    assert page.evaluate(at_rest(HIDDEN), [".middle figcaption, .middle b, .middle svg", "#middle"]) == [], text
    assert page.evaluate(CUT) == [], text


CUT = """() => [...document.querySelectorAll("button, #asked, .said, figcaption")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.textContent.trim())"""


@pytest.mark.parametrize("language", [Language.PT, Language.EN, Language.ZH])
def test_a_first_start_takes_99_touches(
    tmp_path: Path, chromium: Browser, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    with bare_table(tmp_path, monkeypatch) as table, started(tmp_path) as panel:
        asking = table.begins()
        assert panel.stdout is not None
        context = chromium.new_context(viewport=SMALLEST, has_touch=True)
        try:
            page = context.new_page()
            page.set_default_timeout(WAIT_MS)
            page.goto(panel.stdout.readline().split()[-1])
            technician = Technician(page, table, language, looked_at)
            technician.sets_up()
            asking.join(HANGS_S)
        finally:
            context.close()
            panel.terminate()
        touched = Counter(technician.by_page())
        assert touched == expected(technician)
        assert touched.total() == 99
        staff = load_staff(read_config(table.config).staff)
        assert {one.badge for one in staff.people} == {one.badge for one in PEOPLE.values()}
