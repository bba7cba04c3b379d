"""The page of a roulette table shows a spin's next act, the wheel's number, and the cloth with its bets."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.catalogue import Language, sentence
from controller.core.engine.replacing import replace
from controller.core.games.roulette.chips import GiveColour
from controller.core.games.roulette.paying import ConfirmPayments
from controller.core.games.roulette.spins import AnnounceNumber
from controller.core.games.roulette.state import ChipColour
from controller.core.games.roulette.wheel import BallLaunched, SpinEnded, WheelHeard
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Cents, Operation
from controller.panel.banner import banner
from controller.panel.browsers import Browser, View
from controller.panel.cloth import NUMBERS, OUTSIDE, SERIES, TAPPED, TILES, bets_at
from controller.panel.moment import Moment
from controller.panel.offers import beside, offers
from controller.panel.pages import HERE
from controller.panel.watch import Seen
from controller.protocol.lines import ActDocument
from controller.protocol.status import HoldStatus, Status, StepState, StepStatus
from controller.protocol.values import ValueDocument, ValueKind
from controller.protocol.wheel_status import PrizeStatus, StakeStatus
from simulators.oracles.bets_by_name import bets_by_name
from simulators.oracles.wheel import FRENCH
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.followed import page_of
from tests.panel.spun import Spun
from tests.panel.tables import Painted
from tests.panel.test_hands_at_the_screen import fits
from tests.panel.test_pages import PAGES
from tests.runtime.wheel import DEALER_11, WheelTable

pytestmark = pytest.mark.waits

INSIDE = ("straight", "split", "street", "corner", "line")
STEPS = [StepStatus("rule", "Rule on it.", StepState.NEXT, ["chief_supervisor"])]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[WheelTable]:
    table = WheelTable(tmp_path / "journal")
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    yield table
    table.storage.close()


def moment(status: Status) -> Moment:
    return Moment(status, True, (), frozenset({"dealer"}))


def presses(status: Status) -> dict[str, tuple[tuple[str, object], ...]]:
    return {one.name: one.steps for one in offers(moment(status))}


def test_a_number_is_told_from_afar_with_its_colour_by_word(table: WheelTable) -> None:
    status = table.status()
    assert status.wheel is not None
    told = [
        banner(moment(replace(status, wheel=replace(status.wheel, result=number, colour=colour))), language).headline
        for number, colour in ((32, "red"), (0, "neither"))
        for language in (Language.EN, Language.PT, Language.ZH)
    ]
    assert told == ["32 RED", "32 ENCARNADO", "32 紅", "0 ZERO", "0 ZERO", "0 零"]


def test_every_bet_has_its_name_in_every_language() -> None:
    for language in Language:
        for name in bets_by_name(FRENCH):
            told = sentence("guard.face_value_lies_outside.reason", {"bet": name}, language)
            assert name.strip("-0123456789") not in told or language is Language.EN, told


def page(status: Status, view: View = View.TABLE) -> str:
    seen = Seen(1, status, is_live=True, lost_at=1.0, heard_at=2.0)
    return "".join(PAGES.main(view, Browser(one), seen, moment(status), 3.0) for one in Language)


def test_the_ball_is_launched_the_other_way_and_its_number_is_the_wheels(table: WheelTable) -> None:
    assert presses(table.status())["launch-ball"] == (("launch-ball", {"clockwise": "yes"}),)
    table.fact(WheelHeard())
    table.fact(BallLaunched(1, rotor_clockwise=False))
    table.fact(SpinEnded(1, 17, ()))
    assert presses(table.status())["announce-number"] == (("announce-number", {"number": "17"}),)
    table.act(AnnounceNumber, DEALER_11, 17)
    table.act(ConfirmPayments, DEALER_11)
    assert presses(table.status())["launch-ball"] == (("launch-ball", {"clockwise": "no"}),)


def test_a_bet_has_its_button_on_the_cloth_alone_and_other_acts_above_it() -> None:
    spun = Spun(17, minimum_bet="5", maximum_bet="150", chip_values="10")
    for player, colour in (("1", "red"), ("2", "blue")):
        assert spun.ask("give-colour", {"player": player, "colour": colour, "value": "10"}) == ""
    assert spun.ask("confirm-value", {"player": "1"}) == ""
    shown = page_of(moment(spun.status), Browser(Language.EN))
    above, _, cloth = shown.partition('<section class="cloth"')
    pressed = [re.findall('data-press="act:([^"]*)"', part.partition("</section>")[0]) for part in (above, cloth)]
    assert pressed[0] == ["confirm-value-2"]
    assert sorted(pressed[1]) == sorted(f"bet-{bet}" for bet in TILES)


def test_the_cloth_shows_what_lies_and_takes_bets_where_they_are_followed(table: WheelTable) -> None:
    table.act(GiveColour, DEALER_11, 1, ChipColour.RED, Cents(500))
    status = table.status()
    assert status.wheel is not None
    assert (status.wheel.players[0].colour, status.wheel.players[0].value) == ("red", "5.00")
    assert [one.name for one in beside(moment(status))] == ["confirm-value-1"]
    laid = replace(status.wheel, follows_bets=True, stakes=[StakeStatus(1, "straight-17", "25.00")])
    may = replace(next(one for one in status.next if one.act == "launch-ball"), act="place-chips")
    followed = replace(status, wheel=laid, next=[*status.next, may])
    assert len(beside(moment(followed))) == len(NUMBERS) + len(OUTSIDE) + 1
    assert "change-ball" not in presses(status)
    assert "change-ball" in presses(replace(status, wheel=replace(status.wheel, ball_due=True)))
    assert 'data-press="act:bet-straight-17"' in page(followed)
    assert "1: 25" in page(followed)
    assert 'data-press="act:bet-' not in page(status)


def test_a_chip_is_shown_in_its_colour_wherever_a_colour_is_named(table: WheelTable) -> None:
    style = (HERE / "static" / "panel.css").read_text()
    assert [colour for colour in ChipColour if f".chip-{colour} {{ --chip: #" not in style] == []
    table.act(GiveColour, DEALER_11, 1, ChipColour.BLUE, Cents(500))
    assert page(table.status()).count('class="of-chip chip-blue"') == len(Language)
    wheel = table.status().wheel
    assert wheel is not None
    laid = replace(wheel, follows_bets=True, stakes=[StakeStatus(1, "red", "25.00")])
    assert page(replace(table.status(), wheel=laid)).count('class="of-chip chip-blue"') == 2 * len(Language)


def test_the_bets_around_a_number_are_those_of_the_independent_table() -> None:
    """Each number's sheet has every bet of the cloth on that number, and on its neighbours (pt.rou.24a, pt.rou.25b)."""
    inside = {name: bet for name, bet in bets_by_name(FRENCH).items() if bet.parts[0].chance in INSIDE}
    for number in NUMBERS:
        shown = [name for name, _kind, _numbers in bets_at(f"straight-{number}")]
        around = {name for name, bet in inside.items() if len(bet.parts) == 1 and number in bet.parts[0].numbers}
        around |= {f"neighbours-{number}-{chips}" for chips in (3, 5, 7)} | set(SERIES)
        assert sorted(shown) == sorted(around)
    for kind, parts in (("dozen", ["1", "2", "3"]), ("column", ["34", "35", "36"])):
        splits = {name for name in bets_by_name(FRENCH) if name.startswith(f"{kind}-split")}
        shown = [[name for name, _kind, _numbers in bets_at(f"{kind}-{part}")] for part in parts]
        assert [names[0] for names in shown] == [f"{kind}-{part}" for part in parts]
        assert [len(names) for names in shown] == [2, 3, 2]
        assert {name for names in shown for name in names[1:]} == splits
    assert (bets_at("red"), bets_at("")) == ((("red", "red", ""),), ())


@pytest.fixture
def spun(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "spun", Spun(17, minimum_bet="5", maximum_bet="150", chip_values="10"))
    yield table
    table.end()


def test_a_spin_is_played_by_taps(open_screen: OpenScreen, spun: Painted) -> None:
    """A whole spin is played by taps, which are counted: a colour's value, bets, the ball, its number, every prize."""
    screen, cloth = open_screen(spun), spun.shown
    assert isinstance(cloth, Spun)
    screen.tap("give-colour")
    screen.sign_in(DEALER)
    screen.signed_in()
    for name in ("c-colour-1", "d-value-1", "d-value-10", "do", "confirm-value-1"):
        screen.tap(name)
    assert screen.taps == 6
    screen.taps = 0
    for tapped, bet in (("straight-17", "split-17-20"), ("dozen-2", "dozen-split-1-2"), ("red", "")):
        screen.tap(f"bet-{tapped}")
        if bet:
            screen.tap(f"c-bet-{bet}")
        screen.tap("do")
    assert screen.taps == MOST_TAPS_OF_A_BET * 2 + 2
    assert {one.bet for one in cloth.player.state.stakes} == {"split-17-20", "dozen-split-1-2", "red"}
    fits(screen)
    screen.taps = 0
    for name in ("launch-ball", "announce-nothing-more"):
        screen.tap(name)
    screen.page.locator("#b-bet-straight-17.result").wait_for()
    screen.sees("17 BLACK")
    assert "1: split 17-20 €10.00" in screen.page.locator("p.strip").all_inner_texts()[0]
    screen.picture("wheel")
    for name in ("announce-number", "pay-prizes", "pay-prizes", "confirm-payments"):
        screen.tap(name)
    assert screen.taps == 4 + len(PRIZES)
    assert {one.bet: one.cents for one in cloth.player.state.stakes} == {"split-17-20": 1000, "dozen-split-1-2": 1000}


MOST_TAPS_OF_A_BET = 3
PRIZES = ("dozens", "splits")


def test_a_sheet_that_was_opened_on_a_number_offers_the_bets_around_it(table: WheelTable) -> None:
    table.act(GiveColour, DEALER_11, 1, ChipColour.RED, Cents(500))
    value = ValueDocument("bet", "the bet", "Bet", ValueKind.TEXT)
    place = ActDocument(
        "place-chips", "Take a bet", "", ["dealer"], True, False, 0, None, None, None, None, None, [value], []
    )
    browser = Browser(Language.EN, act=place, sheet="act", picked={"bet": "split-17-20", TAPPED: "straight-17"})
    seen = Seen(1, table.status(), is_live=True, lost_at=1.0, heard_at=2.0)
    shown = PAGES.main(View.TABLE, browser, seen, moment(table.status()), 3.0)
    assert '<button type="button" id="c-bet-split-17-20" class="on"' in shown
    assert 'split <span class="whole">14-17</span>' in shown


def test_the_button_to_pay_names_the_group_and_one_players_prizes(table: WheelTable) -> None:
    status = table.status()
    assert status.wheel is not None
    prizes = [
        PrizeStatus(3, "column-35", "20.00"),
        PrizeStatus(4, "column-35", "5.00"),
        PrizeStatus(3, "column-34", "10.00"),
    ]
    may = replace(next(one for one in status.next if one.act == "launch-ball"), act="pay-prizes")
    paying = replace(status, wheel=replace(status.wheel, next_prizes="columns", prizes=prizes), next=[may])
    assert "<small>columns · player 3: €20.00 · €10.00</small>" in page(paying)
    paid = replace(paying, wheel=replace(status.wheel, next_prizes="", prizes=[]))
    assert 'id="b-pay-prizes"' not in page(paid)


def test_a_complaint_at_a_wheel_shows_no_seats(table: WheelTable) -> None:
    """The complaint's form at a wheel has no seats and no steps about cards."""
    complaint = HoldStatus("H1", "complaint", "raised", who=["chief_supervisor"], plan=STEPS)
    held = replace(table.status(), holds=[complaint])
    assert 'class="seats' not in page(held)
    with_cards = replace(held, wheel=None)
    assert 'class="seats' in page(with_cards)


def test_a_bet_on_what_is_a_digit_but_no_number_is_no_bet_on_the_cloth() -> None:
    assert bets_at("straight-\N{SUPERSCRIPT TWO}") == ()
    assert ("straight-2", "straight", "2") in bets_at("straight-2")


def test_a_wheel_counts_no_cards(table: WheelTable) -> None:
    assert set(table.status().tally) == {"rounds", "complaints", "corrections", "voided", "put_right"}


@pytest.mark.parametrize("kind", ["irregular-spin", "moved-chips"])
def test_a_hold_of_the_wheel_has_its_headline(table: WheelTable, kind: str) -> None:
    held = replace(table.status(), holds=[HoldStatus("H1", kind, "raised", who=["chief_supervisor"], plan=STEPS)])
    for language in Language:
        assert banner(moment(held), language).headline
    assert page(held, View.CHIEF)
