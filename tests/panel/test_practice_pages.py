"""The pages of a practice: they are marked from the first moment on, and end without an alarm."""

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from controller.catalogue import Language
from controller.machine.places import caller_of
from controller.panel.app import language_of
from controller.panel.browsers import Browser, View
from controller.panel.history import History
from controller.panel.moment import Moment
from controller.panel.pages import Pages
from controller.panel.settings import PRACTICE, PanelSettings
from controller.panel.watch import Seen
from controller.protocol.status import FiguresStatus, JournalStatus, NextStatus, Status
from simulators.demo.child import PanelChild

HALF = ("127.0.0.1", 0, None, (), "10in", tuple(Language), "EUR")
OF_A_PRACTICE = PanelSettings(Path("no-socket"), *HALF, is_practice=True)
OF_A_TABLE = PanelSettings(Path("no-socket"), *HALF)


def main(settings: PanelSettings, table: str | None, *, is_live: bool) -> str:
    """The page of a closed table, as a browser sees it; `table` None: before the first word of the controller."""
    browser = Browser(Language.EN)
    status = Status(
        table=table or "", simulated=True, session="closed", round="idle", journal=JournalStatus(code="AB12")
    )
    seen = Seen(1, None if table is None else status, is_live=is_live, lost_at=1.0, heard_at=2.0)
    moment = None if table is None else Moment(status, is_live, (), frozenset())
    return Pages(settings, History()).main(View.TABLE, browser, seen, moment, 10.0)


def test_the_end_of_a_practice_is_no_alarm() -> None:
    over = main(OF_A_PRACTICE, PRACTICE, is_live=False)
    assert "PRACTICE OVER" in over
    assert "this page may be closed" in over
    assert "Stop the deal" not in over
    assert "Lost for" not in over
    assert "Stop the deal" in main(OF_A_TABLE, "demo", is_live=False)


def test_a_practice_is_marked_before_the_first_word_of_the_controller() -> None:
    begins = main(OF_A_PRACTICE, None, is_live=False)
    assert PRACTICE in begins
    assert "SIMULATED" in begins
    assert "SIMULATED" not in main(OF_A_TABLE, None, is_live=False)


@pytest.mark.parametrize(
    ("settings", "table", "code"),
    [(OF_A_PRACTICE, PRACTICE, "not to be noted"), (OF_A_TABLE, "demo", "to be noted in")],
)
def test_nobody_notes_the_code_of_a_practice(settings: PanelSettings, table: str, code: str) -> None:
    assert code in main(settings, table, is_live=True)


def test_a_practice_whose_program_has_gone_is_over_too() -> None:
    browser = Browser(Language.EN)
    assert 'data-no-link="PRACTICE OVER"' in Pages(OF_A_PRACTICE, History()).document(View.TABLE, browser, "")
    assert 'data-no-link="NO LINK"' in Pages(OF_A_TABLE, History()).document(View.TABLE, browser, "")


def test_a_touched_seat_says_which_seats_come_from_the_last_round() -> None:
    may = [NextStatus(act, ["dealer"]) for act in ("take-bets", "announce-no-more-bets")]
    figures = FiguresStatus(seats=7, decks=6)
    status = Status(table=PRACTICE, simulated=True, session="in-play", round="idle", figures=figures, next=may)
    seen = Seen(1, status, is_live=True, lost_at=1.0, heard_at=2.0)
    moment = Moment(status, True, (1, 2, 6), frozenset({"dealer"}), seats_before=(1, 2))
    pages = Pages(OF_A_PRACTICE, History())
    for before, is_told in (((1, 2), True), ((), False)):
        shown = replace(moment, seats_before=before)
        page = pages.main(View.TABLE, Browser(Language.EN), seen, shown, 10.0)
        assert "seats 1, 2, 6" in page
        assert ("as last round: 1, 2" in page) is is_told


@pytest.mark.parametrize(
    ("there", "has_own_screen", "wanted", "language"),
    [
        ("127.0.0.1", True, "pt-PT,pt;q=0.9,en;q=0.8", Language.EN),  # the table's screen, by configuration
        ("127.0.0.1", False, "pt-PT,pt;q=0.9,en;q=0.8", Language.PT),  # a demo's page
        ("127.0.0.1", False, "fr", Language.EN),
        ("127.0.0.1", False, "", Language.EN),
        ("192.0.2.7", True, "pt-PT", Language.PT),
    ],
)
def test_a_page_begins_in_the_browsers_language_but_at_the_tables_own_screen(
    there: str, has_own_screen: bool, wanted: str, language: Language
) -> None:
    """A Portuguese visitor's page of a demo began in the language of the terminal."""
    languages = (Language.EN, Language.PT)
    settings = msgspec.structs.replace(OF_A_TABLE, languages=languages, has_own_screen=has_own_screen)
    caller = caller_of(there, "127.0.0.1")
    assert language_of(wanted, caller, settings) is language


def test_a_demo_serves_its_page_to_visitors(tmp_path: Path) -> None:
    child = PanelChild(tmp_path / "sabot.toml", tmp_path / "log", 0)
    child._log.close()
    assert "--visitors" in child._command
