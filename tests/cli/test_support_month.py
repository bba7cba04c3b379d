"""After the month of its support, a version's screens report its end; an unreleased version promises nothing."""

import re
from datetime import date
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.cli.render import status_lines
from controller.cli.status_check import check
from controller.floor.database import Database
from controller.floor.page import Page
from controller.machine import support
from controller.machine.support import SUPPORTED_UNTIL, over_since
from controller.panel.browsers import Browser, View
from controller.panel.history import History
from controller.panel.moment import Moment
from controller.panel.pages import Pages
from controller.panel.settings import PanelSettings
from controller.panel.watch import Seen
from controller.protocol.status import Status

ROOT = Path(__file__).parents[2]
STATUS = Status(table="BJ-07", state="Bets are open.", session="in-play", round="betting", software="sabot")


def test_the_program_has_the_month_that_the_page_promises_for_its_version() -> None:
    page = (ROOT / ".github/SECURITY.md").read_text("utf-8")
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    assert version is not None
    row = re.search(rf"^\| {re.escape(version[1])} \| (\S+) \|$", page, re.MULTILINE)
    assert row is not None, "each version has a row"
    assert row[1] == (SUPPORTED_UNTIL or "unreleased")
    assert re.fullmatch(r"(20\d\d-(0[1-9]|1[0-2]))?", SUPPORTED_UNTIL)


@pytest.mark.parametrize(
    ("until", "today", "over"),
    [
        ("2031-12", date(2031, 12, 31), ""),
        ("2031-12", date(2032, 1, 1), "2031-12"),
        ("2031-09", date(2031, 10, 1), "2031-09"),
        ("", date(2099, 1, 1), ""),
    ],
)
def test_it_is_over_with_the_end_of_the_month(
    until: str, today: date, over: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(support, "SUPPORTED_UNTIL", until)
    assert over_since(today) == over


def screens() -> dict[str, str]:
    """The text of the same table on each kind of screen."""
    settings = PanelSettings(Path("no-socket"), "127.0.0.1", 0, None, (), "7in", tuple(Language), "EUR")
    browser, seen = Browser(Language.EN), Seen(1, STATUS, is_live=True, lost_at=1.0, heard_at=2.0)
    moment = Moment(STATUS, True, (), frozenset({"dealer"}))
    return {
        "terminal": "\n".join(status_lines(STATUS, Language.EN)),
        "monitoring": repr(check(STATUS).troubles),
        "panel": Pages(settings, History()).main(View.TABLE, browser, seen, moment, 1_900_000_000.0),
        "floor": Page(Database(""), Language.EN)
        ._pages.get_template("refused.html")
        .render(why="not-yours", person=None),
    }


def test_each_screen_says_it_and_none_before(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [name for name, text in screens().items() if "2020-01" in text] == []
    monkeypatch.setattr(support, "SUPPORTED_UNTIL", "2020-01")
    said = screens()
    assert [name for name, text in said.items() if "2020-01" in text] == list(said)
    assert "NOT MENDED SINCE 2020-01" in said["panel"]
    assert "NOT MENDED SINCE 2020-01" in said["floor"]
    assert "This version is not mended any more: it was until the end of 2020-01." in said["terminal"]
