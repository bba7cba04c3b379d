"""The forms of bets: the number of a player who stands, the amount that lies, and the way of a bet that goes back."""

from controller.catalogue import Language
from controller.catalogue.problems import problem_text
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import permitted_act
from controller.daemon.speaker import Speaker
from controller.panel.browsers import Browser
from controller.panel.forms import enter, filled, follow_table
from controller.panel.moment import Moment
from controller.panel.offers import offer_of
from controller.panel.stakes import stakes_of
from controller.protocol.check import Problem
from controller.runtime.game import game_of
from tests.panel.dealt import Dealt
from tests.panel.followed import page_of
from tests.panel.test_hands_at_the_screen import moment, press


def form(dealt: Dealt, act: str, known: dict[str, str]) -> tuple[Browser, Moment]:
    """The browser with the form of `act`, as a button at a seat or the list of acts opens it."""
    state = dealt.player.state
    may = (permitted_act(TABLE, state, TABLE.act_named[act].act),)
    (document,) = Speaker(game_of(dealt.profile), Language.EN).acts(state, may, None)
    given = {name: value for name, value in known.items() if value}
    browser = Browser(Language.EN, act=document, sheet=f"act:{act}", picked=dict(known), given=given)
    about = moment(dealt)
    follow_table(browser, about)
    return browser, about


def with_a_bet() -> Dealt:
    dealt = Dealt(jackpot="manual")
    assert dealt.ask("place-bet", {"seat": "1", "amount": "20"}) == ""
    return dealt


def test_any_number_of_a_player_is_typed() -> None:
    """The row had the seats and one number more; the player who stood said that he was 61."""
    dealt = with_a_bet()
    browser, about = form(dealt, "place-bet", {"seat": "1", "bettor": ""})
    enter(browser, about, "pick", "bettor=8")
    assert 'id="d-bettor-6"' not in page_of(about, browser)
    enter(browser, about, "key", "bettor")
    assert browser.picked["bettor"] == "", "the number begins anew"
    for digit in "61":
        assert 'id="d-bettor-6"' in page_of(about, browser)
        enter(browser, about, "digit", f"bettor={digit}")
    for touch in ("amount=1", "amount=0"):
        enter(browser, about, "digit", touch)
    enter(browser, about, "pick", "consent=yes")
    assert browser.act is not None
    said = filled(browser, browser.act)
    assert said == {"seat": "1", "bettor": "61", "amount": "10", "consent": "yes"}
    assert dealt.ask("place-bet", said) == ""


def test_another_amount_begins_with_what_lies_and_says_that_it_is_the_whole() -> None:
    dealt = with_a_bet()
    browser, about = form(dealt, "change-bet", {})
    enter(browser, about, "pick", "seat=1")
    page = page_of(about, browser)
    assert "the whole new stake" in page
    assert "lies now: " in page
    assert browser.act is not None
    assert "amount" not in filled(browser, browser.act), "nothing is changed yet"
    for digit in "35":
        enter(browser, about, "digit", f"amount={digit}")
    assert filled(browser, browser.act) == {"seat": "1", "amount": "35"}


def test_a_comma_without_cents_is_no_fault_of_the_amount() -> None:
    browser, about = form(with_a_bet(), "change-bet", {"seat": "1"})
    for touch in ("amount=3", "amount=0", "amount=."):
        enter(browser, about, "digit", touch)
    assert browser.act is not None
    assert filled(browser, browser.act)["amount"] == "30"


def test_a_refusal_in_a_form_is_hidden_once_another_value_is_entered() -> None:
    """The refusal otherwise stands beside the amount that has been mended."""
    browser, about = form(with_a_bet(), "change-bet", {"seat": "1"})
    browser.say("The amount is too low.", is_refusal=True)
    assert 'class="said refused" id="said"' in page_of(about, browser)
    enter(browser, about, "digit", "amount=5")
    assert 'class="said refused old" id="said"' in page_of(about, browser)
    browser.say("The amount is too low.", is_refusal=True)
    assert 'class="said refused" id="said"' in page_of(about, browser)


def test_a_wrong_value_is_told_by_its_label_with_the_comma_of_the_language() -> None:
    wrong = Problem("amount", "unreadable", "amount", "1.234")
    assert problem_text(wrong, Language.PT, is_typed=False).startswith('"1,234" não serve para Valor.')
    assert problem_text(wrong, Language.EN, is_typed=False).startswith('"1.234"')
    assert "amount" in problem_text(wrong, Language.EN), "a command names the value as it was typed"


def test_a_bet_that_is_taken_to_nothing_has_a_button_that_enters_it() -> None:
    """The page said that it enters by itself, the button for that was gone, and the jackpot's chip stayed."""
    dealt = with_a_bet()
    assert dealt.ask("place-jackpot-bet", {"seat": "1"}) == ""
    nothing = {(1, 1): 0}
    assert offer_of(moment(dealt, nothing, 1), "bet-back") is not None
    assert press(dealt, "bet-back", nothing) == ""
    assert stakes_of(dealt.status.money) == {}
    assert dealt.player.state.game.jackpot.chips == ()
    assert offer_of(moment(dealt, {}, 1), "bet-back") is None
    assert offer_of(moment(with_a_bet()), "bet-back") is None
