"""Buttons have room: none shares a narrow place, and no text pushes a button out of sight."""

from collections.abc import Iterator
from itertools import product

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page

from controller.catalogue import Language
from controller.core.words import JamPlace
from controller.panel.browsers import Browser
from controller.panel.lanes import lane_of
from controller.panel.moment import Moment
from controller.panel.offer import CORRECTED, Lane, Offer
from controller.panel.offers import ROWS, beside, offers
from controller.protocol.money_status import MoneyStatus
from controller.protocol.status import (
    HoldStatus,
    NextStatus,
    SecondStatus,
    Status,
    StepState,
    StepStatus,
    WaitingStatus,
)
from controller.protocol.suggestion import Suggestion
from tests.panel.dealt import Dealt
from tests.panel.desk import status
from tests.panel.followed import page_of
from tests.panel.paper import SIZES, is_of
from tests.panel.spun import Spun
from tests.panel.test_sizes import LEAST, MEASURE

pytestmark = pytest.mark.waits

AT_THE_TABLE = ((800, 480, "10in"), (1024, 600, "10in"))
BOTH = frozenset({"dealer", "chief_supervisor"})
TEXT = "Entry 12 put right: the dealer 11 has asked; the same has to be asked for by: chief supervisor, room manager. "
AGREED = WaitingStatus("correct-entry", {}, 2 * TEXT, 11, "dealer", ["chief_supervisor"], 0)


def wrong(paper: Page, about: Moment) -> list[str]:
    """The buttons in Portuguese that are too small, cut, or out of sight at the smaller screens of a table."""
    found: list[str] = []
    for size in AT_THE_TABLE:
        is_of(paper, size)
        (measured,) = paper.evaluate(MEASURE, [[page_of(about, Browser(Language.PT))], LEAST, False])
        found += [f"{size[0]}x{size[1]} {one}" for one in measured]
    return found


def names(found: tuple[object, ...]) -> set[str]:
    return {getattr(one, "name", "") for one in found}


def test_decisions_of_other_hands_are_in_sight_however_tall_the_seats_are(paper: Page) -> None:
    dealt = Dealt("mo-shoe")
    dealt.cards = ["8S", "7C", "9C", "AD", "9D", "6H", "3C"]
    for seat, bettor in ((2, 2), (2, 11), (2, 12), (2, 13), (4, 4), (5, 5)):
        given = {"seat": str(seat), "bettor": str(bettor), "amount": "10", "consent": "yes"}
        assert dealt.ask("place-bet", given) == ""
    for bettor in (2, 11, 12):
        given = {"seat": "2", "bettor": str(bettor), "bet": "sevens", "amount": "10"}
        assert dealt.ask("place-side-bet", given) == ""
    dealt.ask("announce-no-more-bets", {})
    about = Moment(dealt.status, True, (), BOTH, faces=tuple(dealt.hands))
    assert {"insure-4", "insure-5"} <= names(beside(about))
    assert wrong(paper, about) == []


COVERED = """(page) => {
  document.getElementById('main').outerHTML = page;
  const tiles = document.querySelector('.tiles.beside'), edge = tiles || document.getElementById('acts');
  const most = edge.getBoundingClientRect().top + 1, read = '.seat .card, .seat .total, .seat .which, .one .stake';
  return [...document.querySelectorAll(read)].filter((one) => one.getBoundingClientRect().bottom > most)
    .map((one) => `${one.closest('.seat').id} ${one.className}`);
}"""


def moments_after_a_split(profile: str) -> Iterator[Moment]:
    """Five hands against an ace: insurance of each is asked for beside the first hand; then a pair is split."""
    dealt = Dealt(profile, minimum_bet="10", maximum_bet="200")
    dealt.cards = ["7S", "8S", "AC", "6C", "9S", "AD", "9H", "8H", "KC", "7D", "4D"]
    dealt.cards += ["KS"] if profile != "br" else []
    for seat in ("1", "2", "4", "5", "7"):
        assert dealt.ask("place-bet", {"seat": seat, "amount": "50"}) == ""
    assert dealt.ask("announce-no-more-bets", {}) == ""
    yield Moment(dealt.status, True, (), BOTH, faces=tuple(dealt.hands))
    assert dealt.ask("stand", {"seat": "1"}) == ""
    assert dealt.ask("split-pair", {"seat": "2"}) == ""
    dealt.cards = ["3H", "9C", "2C"]
    for act, hand in (("draw-card", "1"), ("draw-card", "1"), ("stand", "1"), ("draw-card", "2")):
        assert dealt.ask(act, {"seat": "2", "hand": hand}) == ""
        yield Moment(dealt.status, True, (), BOTH, faces=tuple(dealt.hands))


@pytest.mark.parametrize("profile", ["pt-csm", "mo-shoe", "br"])
@pytest.mark.parametrize("size", SIZES[:4], ids="{0[0]}x{0[1]}".format)
def test_every_hand_of_a_split_and_its_decisions_are_seen_without_scrolling(
    paper: Page, profile: str, size: tuple[int, int, str]
) -> None:
    """The strip of decisions about other hands covered the cards at 800x480, and the second hand lay below it."""
    is_of(paper, size)
    for about, language in product(moments_after_a_split(profile), (Language.PT, Language.EN)):
        page = page_of(about, Browser(language))
        assert (about.turn, language, paper.evaluate(COVERED, page)) == (about.turn, language, [])
        (measured,) = paper.evaluate(MEASURE, [[page], LEAST, False])
        assert (about.turn, language, measured) == (about.turn, language, [])


LAST, AGREES = "announce-last-round", "agree-correct-entry"


@pytest.mark.parametrize(
    ("acts", "below", "above"),
    [
        (("gather-cards", LAST), {"gather-cards", LAST, AGREES}, set()),
        ((LAST, "take-over-shift"), {LAST, AGREES}, {"take-over-shift"}),
        (("take-over-shift",), {"take-over-shift", AGREES}, set()),
        ((), {AGREES}, set()),
    ],
)
def test_a_narrow_place_holds_one_button_and_the_others_stand_in_the_middle(
    paper: Page, acts: tuple[str, ...], below: set[str], above: set[str]
) -> None:
    shown = status("in-play", *acts, who=("dealer",), round="idle", waiting=[AGREED])
    about = Moment(shown, True, (), BOTH)
    assert (names(offers(about)), names(beside(about))) == (below, above)
    assert wrong(paper, about) == []


def test_no_other_act_has_the_place_of_an_agreement() -> None:
    """A second person's agreement came and went where LAST ROUND stood, and a finger on its way announced it."""
    about = Moment(status("in-play", round="idle"), True, (), BOTH)
    acts = (*(row.name for row in ROWS), "take-over-shift", "pay-jackpot", "decide-amount", CORRECTED)
    assert [one for one in acts if lane_of(Offer(one, ("dealer",)), about) is Lane.AGREE] == []
    assert lane_of(Offer(AGREES, ("dealer",), act="agree"), about) is Lane.AGREE


POSTS = (["chief_supervisor"], ["table_inspector", "chief_supervisor", "room_manager"])


@pytest.mark.parametrize("size", SIZES[:4], ids="{0[0]}x{0[1]}".format)
def test_the_low_place_has_its_words_with_each_second_person(paper: Page, size: tuple[int, int, str]) -> None:
    is_of(paper, size)
    for language, act, who, roles in product(
        Language, ("confirm-differences", "confirm-settled"), POSTS, (frozenset[str](), BOTH)
    ):
        possible = [NextStatus(act, ["dealer"], second=[SecondStatus({}, who, afterwards=True)])]
        money = MoneyStatus(turn="bank", is_decided=act == "confirm-settled", choices=["draw-card", "stand"])
        shown = replace(status("in-play", round="playing"), next=possible, money=money)
        page = page_of(Moment(shown, True, (), roles), Browser(language))
        (measured,) = paper.evaluate(MEASURE, [[page], LEAST, False])
        assert (language, act, who, measured) == (language, act, who, [])


def jammed() -> Status:
    """A chief supervisor has come to a jam, and no person is signed in at the table's screen."""
    dealt = Dealt()
    assert dealt.ask("place-bet", {"seat": "2", "amount": "10"}) == ""
    dealt.waits = True
    dealt.ask("announce-no-more-bets", {})
    dealt.player.jam(JamPlace.MOUTH, 1)
    assert dealt.ask("attend-hold", {"hold": dealt.status.holds[0].id}, "chief_supervisor") == ""
    return dealt.status


@pytest.mark.parametrize("size", SIZES[:4], ids="{0[0]}x{0[1]}".format)
def test_whose_word_a_jam_takes_and_another_player_s_side_bet_are_in_sight(
    paper: Page, size: tuple[int, int, str]
) -> None:
    """Four lines of a freed card's button were cut, and the side bet lay in a second row below the fold."""
    dealt = Dealt("mo-shoe")
    assert dealt.ask("place-bet", {"seat": "3", "amount": "10"}) == ""
    stakes = {(3, 3): 1000, (2, 2): 100}
    laying = Moment(dealt.status, True, (), frozenset({"dealer"}), seat=2, stakes=stakes, kept={(2, 2): 1000})
    assert "place-side-bet" in names(beside(laying))
    is_of(paper, size)
    for about, language in product((laying, Moment(jammed(), True, (), frozenset())), Language):
        (measured,) = paper.evaluate(MEASURE, [[page_of(about, Browser(language))], LEAST, False])
        assert (language, measured) == (language, [])


def test_an_agreement_leaves_the_whole_cloth_in_sight(paper: Page) -> None:
    spun = Spun(17, minimum_bet="5", maximum_bet="150", chip_values="10")
    for act, values in (
        ("give-colour", {"player": "1", "colour": "red", "value": "10"}),
        ("confirm-value", {"player": "1"}),
    ):
        assert spun.ask(act, values) == ""
    about = Moment(replace(spun.status, waiting=[AGREED]), True, (), BOTH)
    assert AGREES in names(offers(about))
    assert "bet-low" in names(beside(about))
    assert wrong(paper, about) == []


def test_an_agreement_of_several_roles_has_its_words_in_the_narrow_place(paper: Page) -> None:
    waiting = replace(AGREED, who=["table_inspector", "room_manager"])
    about = Moment(status("in-play", round="idle", waiting=[waiting]), True, (), BOTH)
    assert names(offers(about)) == {AGREES}
    assert wrong(paper, about) == []


def test_three_ways_on_from_a_damaged_card_are_whole_words(paper: Page) -> None:
    acts = [Suggestion(act, {}, [], ["chief_supervisor"], None, True) for act in WAYS_ON]
    plan = [StepStatus(act.act, "Replace the deck, or the card.", StepState.NEXT, act.who, [act]) for act in acts]
    held = HoldStatus("H5", "damaged-card", "attended", plan=plan, who=["chief_supervisor"])
    possible = [NextStatus(act, ["chief_supervisor"]) for act in WAYS_ON]
    about = Moment(replace(status("checking"), holds=[held], next=possible), True, (), BOTH)
    assert names(offers(about)) == set(WAYS_ON)
    assert wrong(paper, about) == []


WAYS_ON = ("replace-deck", "record-authorisation", "replace-card")
