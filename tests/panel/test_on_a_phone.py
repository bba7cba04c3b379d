"""The panel on a telephone, as a chief supervisor carries one: the PIN pad, a jam, a dispute, a hand in turn."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.catalogue import Language
from controller.panel.browsers import Browser, Right, View
from controller.panel.moment import Moment
from controller.panel.watch import Seen
from controller.protocol.lines import PersonDocument
from controller.protocol.status import FiguresStatus, HandStatus, HoldStatus, PresentStatus, Status
from tests.daemon.rig import CHIEF, DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.desk import status
from tests.panel.paper import PHONE
from tests.panel.tables import Painted
from tests.panel.test_hands_at_the_screen import LOST, STEPS
from tests.panel.test_moments import Gone
from tests.panel.test_pages import PAGES
from tests.panel.test_touches import CHIEF_CAME, LONG, place

JAM = HoldStatus("H1", "jam", "attended", who=["chief_supervisor"], plan=STEPS)
FREED = {"outside": 0, "inside": 311, "rack": 0, "jammed": 1, "total": 312}
CLOSED = Status(session="closed")
BACK = '#pad [data-key="back"]'
SMALLEST = (320, 640, "10in")


def page(moment: Moment, browser: Browser) -> str:
    seen = Seen(1, moment.status, is_live=True, lost_at=1.0, heard_at=2.0)
    return PAGES.main(View.TABLE, browser, seen, moment, 3.0)


@pytest.fixture
def jammed(tmp_path: Path) -> Iterator[Painted]:
    shown = status("in-play", "clear-hold", round="dealing", holds=[JAM], counts=FREED)
    table = Painted(tmp_path / "jammed", shown, CHIEF_CAME)
    yield table
    table.end()


@pytest.mark.waits
def test_a_jams_button_says_on_a_phone_that_the_cause_is_gone_too(open_screen: OpenScreen, jammed: Painted) -> None:
    """The press states both; a phone once named the place of the cards alone."""
    screen = open_screen(jammed)
    for size in (PHONE, SMALLEST, (1280, 800, "10in")):
        screen.is_of(size)
        for name in ("jammed-rack", "jammed-inside"):
            assert "and the cause is gone" in screen.page.locator(f"#b-{name}").inner_text()
        assert (size, screen.measured(LOST)) == (size, [])


@pytest.mark.waits
def test_the_keys_of_the_pad_keep_their_place_on_a_phone_whatever_is_asked(
    open_screen: OpenScreen, jammed: Painted
) -> None:
    screen = open_screen(jammed)
    for size in (PHONE, SMALLEST):
        screen.page.goto(jammed.url)
        screen.is_of(size)
        screen.tap("jammed-rack")
        screen.page.locator("#pad").wait_for()
        before = place(screen, "#pad .keys")
        for words in ("#pad-title", "#pad .reason", "#pad .each-time"):
            screen.page.evaluate(LONG, words)
            assert (size, words, place(screen, "#pad .keys")) == (size, words, before)
        assert screen.hides("#pad button") == []
        before = place(screen, BACK)
        for key in (*str(CHIEF), "enter"):
            screen.page.locator(f'#pad [data-key="{key}"]').tap()
        screen.page.locator('#pad [data-key="other"]').wait_for()
        assert (size, place(screen, BACK)) == (size, before)
        screen.page.locator(BACK).tap()
        screen.signed_in()


@pytest.mark.parametrize(("roles", "is_said"), [(frozenset[str](), True), (frozenset({"chief_supervisor"}), False)])
def test_a_dispute_says_why_this_screen_shows_backs_only(roles: frozenset[str], *, is_said: bool) -> None:
    """Faces are for people who are signed in; whoever decided on a phone did not read why he saw none."""
    held = Status(
        session="in-play",
        round="collected",
        counts=FREED,
        hands=[HandStatus(1, [None, None])],
        figures=FiguresStatus(7, 6),
        holds=[HoldStatus("H3", "complaint", who=["chief_supervisor"], plan=STEPS)],
    )
    shown = page(Moment(held, True, (), roles), Browser(Language.EN))
    assert ("Look at the cards on the table." in shown) is is_said


@pytest.mark.parametrize(
    ("listed", "is_here", "said"),
    [
        ((), True, f"PIN of {DEALER} (You), dealer"),
        ((PersonDocument(DEALER, "You", "dealer"),), False, f"PIN of {DEALER} (You), dealer"),
        ((), False, f"PIN of {DEALER}"),
    ],
)
def test_the_pad_names_number_and_role_since_two_people_may_have_one_name(
    listed: tuple[PersonDocument, ...], said: str, *, is_here: bool
) -> None:
    browser = Browser(Language.EN, people=listed, asks_pin=True, asks_person=DEALER)
    if is_here:
        browser.sign_in(Right(DEALER, "You", "dealer", "table", Gone()))
    assert f'data-title="{said}"' in page(Moment(CLOSED, True, (), frozenset()), browser)


def test_the_role_of_somebody_at_the_table_is_named_without_a_name() -> None:
    present = Status(session="closed", present=[PresentStatus(CHIEF, "chief_supervisor", "loading")])
    browser = Browser(Language.EN, asks_pin=True, asks_person=CHIEF)
    assert f'data-title="PIN of {CHIEF}, chief supervisor"' in page(Moment(present, True, (), frozenset()), browser)
