"""A player's words with a complaint are in sight of the person who decides it, and gone once it is decided."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.panel.complaints import HeardWords
from controller.panel.moment import Moment
from controller.panel.offer import Size
from controller.panel.offers import offers
from controller.protocol.status import HoldStatus, Status
from tests.daemon.rig import CHIEF, DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt, Served
from tests.panel.tables import Painted
from tests.panel.test_put_right import decided_wrong

SIZES = ((1280, 800, "10in"), (800, 480, "10in"), (1280, 720, "7in"))
WORDS = "The dealer paid 20, and 30 lay in my box"


def complaint(seat: str, number: str = "4", **about: str) -> HoldStatus:
    return HoldStatus("H1", "complaint", "raised", about={"seat": seat, "round": number, "person": "11", **about})


def test_the_words_stand_with_their_own_complaint_until_it_is_decided() -> None:
    heard, moment = HeardWords(), Moment(Status(round_number=4), True, (), frozenset())
    heard.take((("record-complaint", {"seat": "3", "bettor": "3", "words": "Too little"}),), moment)
    heard.take((("record-complaint", {"seat": "3", "round": "4", "words": "Ten too little"}),), moment)
    heard.take((("record-complaint", {"seat": "3", "bettor": "9", "words": "Mine, too"}),), moment)
    heard.take((("record-complaint", {"seat": "5"}), ("place-bet", {"seat": "6", "words": "none"})), moment)
    heard.follow(())  # the status of before: the hold is on its way
    assert heard.of(complaint("3")) == "Too little · Ten too little"
    assert heard.of(complaint("3", behind="9")) == "Mine, too"
    assert [heard.of(one) for one in (complaint("5"), complaint("6"), complaint("3", "3"))] == ["", "", ""]
    assert heard.of(as_a_ruling(complaint("3"))) == ""
    heard.follow((complaint("3"), complaint("3", behind="9")))
    heard.follow((complaint("3", behind="9"),))
    assert (heard.of(complaint("3")), heard.of(complaint("3", behind="9"))) == ("", "Mine, too")


def test_after_an_upheld_complaint_the_correction_comes_first_until_it_is_made() -> None:
    """NO COMPLAINT: PUT BACK was the large button, and would have put the proof away."""
    heard, status = HeardWords(), table_with_cards_collected().status
    moment = Moment(status, True, (), frozenset({"dealer"}))
    assert sizes(moment) == {"begin-putting-back": Size.MAIN}
    heard.decide((("decide-complaint", {"upheld": "no"}),), moment)
    assert not heard.is_to_be_put_right(status)
    heard.decide((("decide-complaint", {"upheld": "yes"}),), moment)
    assert heard.is_to_be_put_right(status)
    assert not heard.is_to_be_put_right(replace(status, round_number=status.round_number + 1))
    upheld = Moment(status, True, (), frozenset({"dealer"}), is_upheld=True)
    assert sizes(upheld) == {"correct-entry": Size.MAIN, "begin-putting-back": Size.SECOND}
    heard.decide((("correct-entry", {"entry": "2"}),), moment)
    assert not heard.is_to_be_put_right(status)


def sizes(moment: Moment) -> dict[str, Size]:
    return {one.name: one.size for one in offers(moment) if one.name in {"correct-entry", "begin-putting-back"}}


def as_a_ruling(hold: HoldStatus) -> HoldStatus:
    return HoldStatus(hold.id, "ruling", hold.phase, about=hold.about)


def table_with_cards_collected() -> Dealt:
    dealt = decided_wrong()
    dealt.lays_back = False
    for act, values in (("stand", {"seat": "1"}), ("stand", {"seat": "3"}), ("turn-hole-card", {})):
        assert dealt.ask(act, values) == ""
    for act in ("confirm-settled", "collect-cards"):
        assert dealt.ask(act, {}) == ""
    return dealt


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", table_with_cards_collected())
    yield table
    table.end()


@pytest.mark.waits
def test_who_decides_a_complaint_reads_what_the_player_said(open_screen: OpenScreen, table: Painted) -> None:
    """The words were in the record alone: the chief supervisor decided without them."""
    assert isinstance(table.shown, Dealt)
    assert isinstance(table.table, Served)
    screen, other = open_screen(table), open_screen(table)
    screen.tap("record-complaint")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.tap("c-seat-3")
    screen.page.locator("#t-words").fill(WORDS)
    screen.tap("do")
    screen.page.locator("#words", has_text=WORDS).wait_for()
    for size in SIZES[:2]:
        screen.is_of(size)
        assert (size, screen.hides("#words", "#middle")) == (size, [])
    other.page.locator("#b-decide-complaint").wait_for()
    assert WORDS not in other.page.content(), "no person is signed in there"
    table.table.comes(CHIEF, "chief_supervisor")
    screen.tap("decide-complaint")
    screen.sign_in(CHIEF)
    screen.signed_in()
    for size in SIZES:
        screen.is_of(size)
        assert (size, screen.hides("#sheet #words, #c-upheld-1, #c-upheld-2", "#middle")) == (size, [])
    screen.tap("c-upheld-2")
    screen.tap("do")
    screen.page.locator("#words").wait_for(state="detached")
    assert WORDS not in screen.page.content()
