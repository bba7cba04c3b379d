"""Every page of every state of the table can be made, in every language, from the catalogue."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

import controller.panel
from controller.catalogue import Language, sentence
from controller.core.games.blackjack.state import initial_state
from controller.core.games.blackjack.table import ACT_RULES
from controller.core.house.pool_export import LONGEST_LINE
from controller.core.words import HoldKind, HoldPhase, RoundPhase, SessionPhase
from controller.games.blackjack_screen import SCREEN
from controller.panel.browsers import Browser, Right, View
from controller.panel.history import History
from controller.panel.moment import Moment
from controller.panel.pages import Pages
from controller.panel.settings import PanelSettings
from controller.panel.watch import Seen
from controller.panel.wire import Wire
from controller.panel.wording import Wording
from controller.protocol.jackpot import (
    FloorSays,
    JackpotExportStatus,
    JackpotMoveStatus,
    JackpotStatus,
    LinkedHitStatus,
    LinkedStatus,
    PrizeStatus,
)
from controller.protocol.lines import ActDocument
from controller.protocol.record import RecordDocument, RecordFigure, RecordKind, RecordRow
from controller.protocol.status import (
    DeviceStatus,
    FiguresStatus,
    HandStatus,
    HoldStatus,
    LoadingStatus,
    NextStatus,
    NoticeStatus,
    OwedStatus,
    PresentStatus,
    Status,
    StepState,
    StepStatus,
)
from controller.screen.offers import offered_values
from tests.core.table import SETUP

SETTINGS = PanelSettings(Path("no-socket"), "127.0.0.1", 0, None, (), "7in", tuple(Language), "EUR")
PAGES = Pages(SETTINGS, History())
FACES = (HandStatus(0, ["AS", None]), HandStatus(2, ["10H", "", "FOREIGN"]))


def page(
    status: Status,
    view: View,
    language: Language,
    *,
    is_live: bool = True,
    faces: tuple[HandStatus, ...] = FACES,
    record: RecordDocument | None = None,
    percent: int | None = None,
) -> str:
    browser = Browser(language, record=record, percent=percent)
    seen = Seen(1, status, is_live=is_live, lost_at=1.0, heard_at=2.0)
    moment = Moment(status, is_live, (2, 4), frozenset({"dealer"}), faces=faces)
    return PAGES.main(view, browser, seen, moment, 3.0)


def table(session: str, round_: str, **changes: object) -> Status:
    """A table's status with content in every part of the page; `changes` replace fields."""
    fields: dict[str, object] = {
        "session": session,
        "round": round_,
        "simulated": True,
        "counts": dict.fromkeys(("outside", "inside", "rack", "table", "jammed", "total"), 3),
        "figures": FiguresStatus(seats=7, decks=6, found=[6] * 52 if session == "checking" else []),
        "hands": [HandStatus(hand.seat, [None] * len(hand.cards)) for hand in FACES],
        "present": [PresentStatus(21, "chief_supervisor", "loading", until=9000)],
        "loading": LoadingStatus([100, 12], packet_open=True),
        "devices": {"shuffler": DeviceStatus(connected=True), "shoe": DeviceStatus(trouble="silent", quality="good")},
        "jackpot": JackpotStatus(1_234_567, chips=[2, 4], won=[2], next_prize=PrizeStatus(2, 2, 20_000)),
        "notices": [NoticeStatus(1, "Heard.")],
        "next": [NextStatus(rule.name, [role.value for role in rule.who]) for rule in ACT_RULES],
    }
    return Status(**(fields | changes))


STATES = [
    *[(session.value, "idle") for session in SessionPhase if session is not SessionPhase.IN_PLAY],
    *[("in-play", round_.value) for round_ in RoundPhase],
]


@pytest.mark.parametrize(("session", "round_"), STATES)
@pytest.mark.parametrize("language", Language)
def test_every_state_has_its_pages(session: str, round_: str, language: Language) -> None:
    for view in View:
        for owed in (None, OwedStatus("seat", 2), OwedStatus("hole", 0), OwedStatus("burn", None)):
            assert whole(page(table(session, round_, owed=owed), view, language))
        assert whole(page(table(session, round_), view, language, is_live=False))


def test_the_pool_over_an_evening_is_a_picture_and_what_was_won_is_pending() -> None:
    history = History()
    for moved, (kind, cents) in enumerate((("jackpot-started", 100), ("jackpot-bets-collected", 180)), 1):
        history.pool.take(float(moved), JackpotStatus(cents, moved=moved, moves=[JackpotMoveStatus(kind, cents)]))
    shown = table("in-play", "playing")
    browser, seen = Browser(Language.EN), Seen(1, shown, is_live=True, lost_at=1.0, heard_at=2.0)
    moment = Moment(shown, True, (), frozenset({"dealer"}))
    made = Pages(SETTINGS, history).main(View.RECORD, browser, seen, moment, 3.0)
    assert '<polyline points="0.0,46.0 240.0,46.0 240.0,2.0"/>' in made
    assert "Won, payment pending at<b>2</b>" in made
    assert "Next prize: seat 2<b>€200.00</b>" in made


@pytest.mark.parametrize("language", Language)
def test_a_screen_reader_is_told_that_a_jam_has_come_and_that_it_is_over(language: Language) -> None:
    """Every page has the same live element, so that a screen reader reads out its changed words."""
    plan = [StepStatus("call", "Call.", StepState.NEXT, ["dealer"])]
    where = {"device": "shuffler", "place": "at the mouth", "place_code": "mouth"}
    jam = HoldStatus("H1", "jam", "raised", plan=plan, who=["chief_supervisor"], **where)
    for view in View:
        calm, held = (page(table("in-play", "playing", holds=holds), view, language) for holds in ([], [jam]))
        told = [one.partition('id="alarm" role="alert">')[2].partition("</p>")[0] for one in (calm, held)]
        assert told[0] == ""
        assert sentence("panel.headline.hold.jam-mouth", {}, language) in told[1]


@pytest.mark.parametrize("kind", HoldKind)
@pytest.mark.parametrize("language", Language)
def test_every_hold_has_its_page(kind: HoldKind, language: Language) -> None:
    steps = [StepStatus(state.value, "Do it.", state, ["dealer"]) for state in StepState]
    for phase in HoldPhase:
        where = {"device": "shuffler", "place": "at the feed", "place_code": "feed"}
        hold = HoldStatus("H1", kind.value, phase.value, plan=steps, who=["dealer"], times=2, **where)
        for view in View:
            assert whole(page(table("in-play", "playing", holds=[hold, hold]), view, language))


def test_technician_and_inspection_service_read_and_press_nothing() -> None:
    for session, round_ in STATES:
        for view in View:
            acts = 'data-press="act:' in page(table(session, round_), view, Language.EN)
            assert acts is (view in {View.TABLE, View.CHIEF}), (session, round_, view)


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("what", RecordKind)
def test_what_was_read_is_shown_at_the_browser_that_asked(what: RecordKind, language: Language) -> None:
    rows = [RecordRow(7, "2026-05-01 22:00:00+01:00", 3, "dealer 11 took <b>the bets</b>", ["AS is for seat 2"])]
    document = RecordDocument(what, "Session 1", rows, [RecordFigure("Rounds", "3")], "All of it.", is_well=True)
    for record, percent in ((None, 40), (document, None)):
        shown = page(table("in-play", "idle"), View.RECORD, language, record=record, percent=percent)
        assert whole(shown)
        assert ("AS is for seat 2" in shown) is (record is not None)
        assert "<b>the bets" not in shown
    for view in View:
        assert "AS is for seat 2" not in page(table("in-play", "idle"), view, language)


@pytest.mark.parametrize("language", Language)
def test_the_story_of_a_round_is_printed_with_its_code(language: Language) -> None:
    rows = [RecordRow(7, "2026-11-27T01:02:03+00:00", 1, "AS is for seat 2")]
    for text in ("", "sabot-page-1"):
        document = RecordDocument(RecordKind.STORY, "Session 1, round 1", rows, page=text)
        shown = page(table("in-play", "idle"), View.RECORD, language, record=document)
        is_there = bool(text)
        assert ("data-print" in shown, '<figure class="printed"><svg' in shown) == (is_there, is_there)


@pytest.mark.parametrize("text", ["", "sabot-page-1"])
def test_a_signed_hand_over_is_printed_with_its_code_once_it_has_one(text: str) -> None:
    document = RecordDocument(RecordKind.HANDOVER, "Session 1", page=text)
    shown = page(table("in-play", "idle"), View.RECORD, Language.EN, record=document)
    assert (shown.count("data-print"), '<figure class="printed"><svg' in shown) == (1, bool(text))


def test_what_was_read_goes_with_whoever_might_read_it() -> None:
    browser = Browser(Language.EN)
    browser.record = RecordDocument(RecordKind.STORY, "Session 1")
    for purpose in ("look", "H1"):
        browser.rights[purpose] = Right(21, "", "chief_supervisor", purpose, Gone())
    browser.sign_out("H1")
    assert browser.has_read
    browser.sign_out("look")
    assert not browser.has_read


class Gone(Wire):
    """A controller's connection that has ended."""

    def __init__(self) -> None:
        pass

    def leave(self) -> None:
        pass


IDIOMORPH = "4cbd535caf7663a51eda9bce6595371c384fc430d54b8d414e29a61167f19f96"
"""The SHA-256 of dist/idiomorph.min.js, version 0.8.0, as its authors published it."""


def test_the_script_of_others_is_what_they_published() -> None:
    static = Path(controller.panel.__file__).parent / "static"
    assert sha256((static / "idiomorph.min.js").read_bytes()).hexdigest() == IDIOMORPH
    assert "Zero-Clause BSD" in (static / "idiomorph.LICENSE.txt").read_text()


def test_a_card_that_lies_face_down_is_drawn_without_a_face() -> None:
    """Every viewer gets the same element for the face-down card, and nothing else on the page names it (pt.bj.17b)."""
    back = '<li class="card back"><span class="sr">a card that lies face down</span></li>'
    shown = table("in-play", "playing")
    for view in (View.TABLE, View.CHIEF):
        two, one = (page(shown, view, Language.EN, faces=(HandStatus(0, cards),)) for cards in (["AS", None], ["AS"]))
        assert [line.strip() for line in two.splitlines() if "card back" in line] == [back]
        assert "".join(two.replace(back, "").split()) == "".join(one.split())


def whole(text: str) -> bool:
    """True where `text` has no unfilled placeholder and no None."""
    return re.search(r"\{[a-z_:]+\}|\{\{|None\b", text) is None


@pytest.mark.parametrize("language", Language)
def test_a_pool_that_moves_shows_its_line_and_its_code_with_the_table_closed(language: Language) -> None:
    gone = JackpotExportStatus("aa11", export="JP2:line", code="c0de" * 4, receipt="JR1:line")
    shown = page(table("closed", "idle", jackpot_export=gone), View.RECORD, language)
    assert all(text in shown for text in ("aa11", "JP2:line", "c0de" * 4, "JR1:line"))
    asked = ("take-over-jackpot", "bj-07", "bb22", 1_234_567)
    waits = JackpotExportStatus("aa11", "JP2:line", "", *asked)
    shown = page(table("closed", "idle", jackpot_export=waits), View.RECORD, language)
    assert all(text in shown for text in ("bj-07", "bb22", Wording(language, "EUR").money(12_345_67)))
    assert "aa11" not in page(table("in-play", "idle", jackpot_export=gone), View.RECORD, language)


def test_the_line_of_an_export_fits_into_its_field() -> None:
    rule = next(one for one in ACT_RULES if one.name == "show-export")
    values = offered_values(SCREEN.offers, initial_state(SETUP), rule, Language.EN, allowed=False).values
    act = ActDocument("show-export", "", "", [], True, True, 0, None, None, None, None, None, values, [])
    browser = Browser(Language.EN, act=act, sheet="act:show-export")
    seen = Seen(1, table("closed", "idle"), is_live=True, lost_at=1.0, heard_at=2.0)
    shown = PAGES.main(View.TABLE, browser, seen, Moment(seen.status, True, (), frozenset()), 3.0)
    assert f'maxlength="{LONGEST_LINE}"' in shown


def test_the_linked_pool_is_on_the_dealers_page_and_on_the_jackpots_with_the_age_of_the_floors_word() -> None:
    to_come, known = LinkedHitStatus([2], "1.7"), LinkedHitStatus([2, 4], "1.7", 500_000, 4, 250_000)
    for view in (View.TABLE, View.RECORD):
        for floor, says in ((FloorSays.HEARD, "Floor heard, ago"), (FloorSays.AWAY, "FLOOR AWAY, for")):
            linked = LinkedStatus("gold", floor, 765_432, hits=[to_come, known])
            made = page(table("in-play", "betting", linked=linked), view, Language.EN)
            assert "Linked pool<b>€7,654.32</b>" in made
            assert f"{says}<b><time data-at=" in made
            assert "Linked pool hit: 2<b>amount to come</b>" in made
            assert "Next prize: seat 4<b>€2,500.00</b>" in made
            is_refused = view is View.TABLE and floor is not FloorSays.HEARD
            assert ("no jackpot chip is taken" in made) is is_refused


def test_from_the_record_one_touch_leads_back_to_the_table() -> None:
    """The way led through More and below its fold, and the Back there led to the record again."""
    for view in (View.RECORD, View.DEVICES):
        bar = page(table("in-play", "idle"), view, Language.EN).partition('id="acts"')[2]
        assert '<a class="to-table" id="to-table" href="/">Table</a>' in bar, view
    for view in (View.TABLE, View.CHIEF):
        assert 'id="to-table"' not in page(table("in-play", "idle"), view, Language.EN)
