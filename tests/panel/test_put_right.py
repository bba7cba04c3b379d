"""A wrong touch is corrected at the screen: one person picks the entry in the round's list, a second agrees."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from controller.catalogue import Language
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import permitted_act
from controller.daemon.speaker import Speaker
from controller.panel.adding import lacking
from controller.panel.banner import banner
from controller.panel.browsers import Browser
from controller.panel.complete import is_complete, stays, takes_back
from controller.panel.forms import asked_values, filled, pick, shown
from controller.panel.moment import Moment
from controller.panel.offer import Lane, Size
from controller.panel.offers import CORRECTED, beside, offer_of, offers, pressable
from controller.panel.stakes import last_stakes
from controller.protocol.lines import ActDocument
from controller.protocol.values import ValueDocument
from controller.runtime.game import game_of
from controller.screen.log_entries import MOST_SHOWN, entry_choices
from controller.screen.offers import offered_values
from tests.daemon.rig import DEALER
from tests.panel.conftest import OpenScreen
from tests.panel.dealt import Dealt, Served
from tests.panel.followed import page_of
from tests.panel.paper import PHONE, SIZES, is_of
from tests.panel.spun import Spun
from tests.panel.tables import Painted
from tests.panel.test_sizes import LEAST, MEASURE

MOST_TAPS = 5


def moment(dealt: Dealt) -> Moment:
    return Moment(dealt.status, True, (), frozenset({"dealer"}), faces=tuple(dealt.hands))


def decided_wrong() -> Dealt:
    """A dealt table before any decision: seats 1 and 3 have 19 and 18 against the bank's 17."""
    dealt = Dealt(minimum_bet="5", maximum_bet="150")
    dealt.cards = ["9S", "8H", "7D", "KC", "KD", "QD"]
    for seat, amount in (("1", "10"), ("3", "20")):
        assert dealt.ask("place-bet", {"seat": seat, "amount": amount}) == ""
    assert dealt.ask("announce-no-more-bets", {}) == ""
    return dealt


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Painted]:
    table = Painted(tmp_path / "hands", decided_wrong())
    yield table
    table.end()


@pytest.mark.waits
def test_a_bet_is_put_right_in_few_taps(open_screen: OpenScreen, table: Painted) -> None:
    assert isinstance(table.shown, Dealt)
    screen = open_screen(table)
    screen.sees("SEAT 1?")
    screen.tap("report")
    screen.tap("m-correct-entry")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.page.locator("#c-entry-2", has_text="2. Bet, seat 3: €20.00").tap()
    for digit in ("3", "0"):
        screen.page.locator("#sheet .digits").get_by_role("button", name=digit, exact=True).tap()
    screen.tap("do", hold_s=1.2)
    expect(screen.page.locator("#b-agree-correct-entry")).to_be_visible()
    expect(screen.page.locator(".why.asks")).to_contain_text("→ amount: €30.00")
    assert table.shown.ask("correct-entry", {"entry": "2", "amount": "30.00"}, "chief_supervisor") == ""
    assert screen.taps <= MOST_TAPS
    money = table.shown.status.money
    assert money is not None
    assert [bet.stake_cents for hand in money.hands for bet in hand.bets] == [1000, 3000]


ROLL = "() => { const middle = document.getElementById('middle'); middle.scrollTop = 30; return middle.scrollTop; }"
ROLLED = "() => document.getElementById('middle').scrollTop"


@pytest.mark.waits
def test_a_list_under_the_button_does_not_cover_it_when_the_table_goes_on(
    open_screen: OpenScreen, table: Painted
) -> None:
    """A croupier could not put right for six minutes: each new page covered the button anew."""
    assert isinstance(table.shown, Dealt)
    for seat in ("1", "3"):
        assert table.shown.ask("stand", {"seat": seat}) == ""
    screen = open_screen(table, "", 800, 480)
    screen.tap("report")
    screen.tap("m-correct-entry")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.page.locator("#c-entry-1").tap()
    screen.is_up_to_date()
    assert screen.page.evaluate(LIES_UNDER)
    assert isinstance(table.table, Served)
    table.table.happens(lambda: None)
    screen.page.locator(f'#number[data-entry="{table.table.entry}"]').wait_for(state="attached")
    assert screen.page.locator("#b-do").get_attribute("class") == "main last"


LIES_UNDER = """() => {
  const box = (one) => one.getBoundingClientRect(), button = box(document.getElementById("b-do"));
  return [...document.querySelectorAll("#middle button[data-press]")].map(box).some((one) => {
    return one.left < button.right && button.left < one.right && one.top < button.bottom && button.top < one.bottom;
  });
}"""


@pytest.mark.waits
def test_the_way_back_from_a_form_leads_to_its_list_where_it_was_left(open_screen: OpenScreen, table: Painted) -> None:
    screen = open_screen(table, "", 800, 480)
    screen.tap("more")
    screen.page.locator("#m-correct-entry").wait_for()
    place = screen.page.evaluate(ROLL)
    assert place > 0
    screen.tap("m-correct-entry")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.page.locator("#c-entry-1").tap()
    screen.is_up_to_date()
    assert screen.page.evaluate(ROLLED) == 0
    screen.tap("close")
    screen.page.locator("#m-correct-entry").wait_for()
    assert screen.page.evaluate(ROLLED) == place
    screen.tap("close")
    screen.page.locator("#b-more").wait_for()


def test_the_same_bets_are_those_of_the_last_round_as_corrected_until_they_lie() -> None:
    """The next round's first bets once took their place, and a correction after the round had no effect on them."""
    dealt = decided_wrong()
    known = last_stakes(dealt.status, {})
    assert known == {(1, 1): 1000, (3, 3): 2000}
    for act, values in (("stand", {"seat": "1"}), ("stand", {"seat": "3"}), ("turn-hole-card", {})):
        assert dealt.ask(act, values) == ""
    for act in ("confirm-settled", "collect-cards"):
        assert dealt.ask(act, {}) == ""
    for values in ({"entry": "2", "amount": "30.00"}, {"entry": "1", "amount": "5"}):
        for act, given in (("correct-entry", values), ("confirm-differences", {})):
            for role in ("dealer", "chief_supervisor"):
                assert dealt.ask(act, given, role) == ""
        known = last_stakes(dealt.status, known)
    assert known == {(1, 1): 500, (3, 3): 3000}
    assert dealt.ask("place-bet", {"seat": "5", "amount": "10"}) == ""
    assert last_stakes(dealt.status, known) == {(1, 1): 500, (3, 3): 3000}


def test_a_seat_whose_turn_was_given_back_has_its_buttons() -> None:
    """Seat 1, which was passed over, gets its decisions back though seat 3 has drawn a card already."""
    dealt = decided_wrong()
    dealt.cards += ["2D"]
    assert dealt.ask("stand", {"seat": "1"}) == ""
    assert dealt.ask("draw-card", {"seat": "3"}) == ""
    assert offer_of(moment(dealt), "draw-card-1") is None
    assert dealt.ask("call-for-ruling", {"cause": "dispute"}) == ""
    assert dealt.ask("make-ruling", {"outcome": "turn-given-back", "seat": "1"}, "chief_supervisor") == ""
    assert moment(dealt).turn == "1"
    assert {"draw-card-1", "stand-1"} <= {one.name for one in pressable(moment(dealt))}
    offer = offer_of(moment(dealt), "draw-card-1")
    assert offer is not None
    ((act, values),) = offer.steps
    assert dealt.ask(act, values) == ""


def values_of(dealt: Dealt | Spun, act: str) -> dict[str, ValueDocument]:
    game, state = game_of(dealt.profile), dealt.player.state
    rule = game.registry.act_named[act]
    offered = offered_values(game.screen().offers, state, rule, Language.EN, allowed=True)
    return {one.name: one for one in offered.values}


def value_of(dealt: Dealt | Spun, act: str, name: str) -> ValueDocument:
    return values_of(dealt, act)[name]


def form_of(dealt: Dealt, act: str, language: Language = Language.EN) -> ActDocument:
    """The form of this act at the table now, as the panel gets it."""
    state = dealt.player.state
    may = (permitted_act(TABLE, state, TABLE.act_named[act].act),)
    (form,) = Speaker(game_of(dealt.profile), language).acts(state, may, None)
    return form


def test_a_correction_is_tapped_and_not_typed() -> None:
    dealt = decided_wrong()
    for act in ("correct-entry", "add-entry"):
        assert [one.value for one in value_of(dealt, act, "seat").choices] == ["1", "2", "3", "4", "5", "6", "7"]
    assert [one.label for one in value_of(dealt, "add-entry", "adds").choices][:2] == ["Bet", "Insurance"]
    spun = Spun(27)
    assert spun.ask("give-colour", {"player": "1", "colour": "red", "value": "10"}) == ""
    assert spun.ask("confirm-value", {"player": "1"}) == ""
    assert spun.ask("place-chips", {"player": "1", "bet": "straight-17", "chips": "1"}) == ""
    for act in ("correct-spin-entry", "add-spin-entry"):
        bet = value_of(spun, act, "bet")
        assert (bet.label, len(bet.choices)) == ("Bet", 49)
        assert {"27", "red", "dozen 2"} <= {one.label for one in bet.choices}
    for bet in ("red", "split-17-20"):
        assert spun.ask("place-chips", {"player": "1", "bet": bet, "chips": "2"}) == ""
    listed = entry_choices(spun.player.state, "entry", {}, [], Language.PT)
    assert [one.label.partition(", jogador")[0] for one in listed] == [
        "3. Aposta cavalo 17-20",
        "2. Aposta encarnado",
        "1. Aposta pleno 17",
    ]


def test_a_side_bet_or_jackpot_chip_is_added_only_where_the_table_has_them() -> None:
    dealt = decided_wrong()
    without = {one.value for one in value_of(dealt, "add-entry", "adds").choices}
    assert {"place-bet", "stand"} <= without
    assert not {"place-side-bet", "place-jackpot-bet"} & without
    for has, bet in ((Dealt("mo-shoe"), "place-side-bet"), (Dealt(jackpot="manual"), "place-jackpot-bet")):
        assert has.ask("place-bet", {"seat": "1", "amount": "100"}) == ""
        assert bet in {one.value for one in value_of(has, "add-entry", "adds").choices}


def test_a_form_that_adds_an_act_asks_for_what_this_act_needs() -> None:
    """At the bet a dealer saw "may stay empty" at the seat and the amount, and the press was refused."""
    dealt = decided_wrong()
    form = form_of(dealt, "add-entry")
    browser = Browser(Language.EN, act=form)
    assert (asked_of(browser), is_complete(browser, form)) == (["before", "adds"], False)
    pick(browser, form, "pick", "before=3")
    pick(browser, form, "pick", "adds=place-bet")
    needed = [one.name for one in asked_values(browser, form) if not one.may_be_left_out]
    assert needed == ["before", "adds", "seat", "amount"]
    assert "bettor" in asked_of(browser)
    assert lacks(browser) == ["Seat", "Amount"]
    assert not is_complete(browser, form)
    for how, value in (("pick", "seat=5"), ("digit", "amount=5")):
        pick(browser, form, how, value)
    assert (lacks(browser), is_complete(browser, form)) == ([], True)
    pick(browser, form, "pick", "adds=stand")
    assert filled(browser, form) == {"before": "3", "adds": "stand", "seat": "5"}, "a stand has no amount"


def lacks(browser: Browser) -> list[str]:
    assert browser.act is not None
    return lacking(browser.act, asked_values(browser, browser.act), filled(browser, browser.act))


def test_an_entry_is_told_in_words() -> None:
    dealt = decided_wrong()
    for act, values in (("stand", {"seat": "1"}), ("stand", {"seat": "3"})):
        assert dealt.ask(act, values) == ""
    listed = entry_choices(dealt.player.state, "entry", {}, [], Language.EN)
    assert [one.label for one in listed][:2] == ["5. Stand, seat 3", "4. Stand, seat 1"]
    assert [one.label for one in listed][-2:] == ["2. Bet, seat 3: 20.00", "1. Bet, seat 1: 10.00"]


def test_the_button_says_that_an_entry_without_other_values_is_taken_back() -> None:
    dealt = decided_wrong()
    form = form_of(dealt, "correct-entry")
    browser = Browser(Language.EN, act=form)
    assert not takes_back(browser)
    assert not is_complete(browser, form), "a person chooses the entry"
    pick(browser, form, "pick", "entry=1")
    assert takes_back(browser)
    pick(browser, form, "pick", "instead=stand")
    assert not takes_back(browser)
    pick(browser, form, "pick", "instead=stand")
    assert takes_back(browser), "a second touch empties a choice"
    pick(browser, form, "pick", "entry=1")
    assert browser.picked["entry"] == "1", "an entry has to be named"


def test_an_entry_whose_card_has_come_is_not_taken_back_alone_and_the_button_says_so_at_once() -> None:
    """The second person's PIN was asked for, and then the controller refused."""
    dealt = decided_wrong()
    dealt.cards = ["2S"]
    assert dealt.ask("stand", {"seat": "1"}) == ""
    assert dealt.ask("draw-card", {"seat": "3"}) == ""
    assert dealt.ask("stand", {"seat": "3"}) == ""
    form = form_of(dealt, "correct-entry")
    browser = Browser(Language.EN, act=form, sheet="act:correct-entry")
    for entry, is_refused in (("5", True), ("6", False)):
        assert (dealt.ask("correct-entry", {"entry": entry}) != "") is is_refused
        pick(browser, form, "pick", f"entry={entry}")
        assert (stays(browser), is_complete(browser, form)) == (is_refused, not is_refused)
        assert ("Its card lies on the table" in page_of(moment(dealt), browser)) is is_refused
    pick(browser, form, "pick", "entry=5")
    pick(browser, form, "pick", "instead=double-down")
    assert (stays(browser), is_complete(browser, form)) == (False, True)


def test_a_correction_shows_the_values_of_its_own_entry_as_recorded_and_sends_only_what_differs() -> None:
    dealt = decided_wrong()
    assert dealt.ask("stand", {"seat": "1"}) == ""
    form = form_of(dealt, "correct-entry")
    browser = Browser(Language.EN, act=form)
    assert asked_of(browser) == ["entry"]
    pick(browser, form, "pick", "entry=4")
    assert asked_of(browser) == ["entry", "seat", "instead", "also"], "seat 1 stands"
    (also,) = (one for one in asked_values(browser, form) if one.name == "also")
    assert [one.value for one in also.choices] == ["3", "2", "1"], "the entry itself is taken back by its own choice"
    pick(browser, form, "pick", "entry=2")
    assert asked_of(browser) == ["entry", "amount", "seat", "bettor", "consent", "instead", "also"]
    (amount,) = (one for one in form.values if one.name == "amount")
    assert shown(browser, form, amount) == "20.00"
    assert takes_back(browser), "nothing differs"
    for digit in "20":
        pick(browser, form, "digit", f"amount={digit}")
    assert filled(browser, form) == {"entry": "2"}, "20 is the recorded amount"
    pick(browser, form, "digit", "amount=")
    pick(browser, form, "digit", "amount=5")
    assert filled(browser, form) == {"entry": "2", "amount": "25"}
    pick(browser, form, "pick", "entry=")
    assert (asked_of(browser), is_complete(browser, form)) == (["entry"], False)
    pick(browser, form, "pick", "entry=1")
    assert filled(browser, form) == {"entry": "1"}, "an amount is about the entry for which it was typed"


def test_what_was_chosen_keeps_its_place_and_value_when_another_act_replaces_the_entry() -> None:
    """At "Instead" every value that the form has came before it, and the button went from under the finger."""
    dealt = decided_wrong()
    assert dealt.ask("stand", {"seat": "1"}) == ""
    form = form_of(dealt, "correct-entry")
    browser = Browser(Language.EN, act=form)
    for value in ("entry=4", "seat=3", "also=3"):
        pick(browser, form, "toggle" if value.startswith("also") else "pick", value)
    before = asked_of(browser)
    pick(browser, form, "pick", "instead=draw-card")
    assert asked_of(browser) == before, "a card takes what a stand takes"
    pick(browser, form, "pick", "instead=place-bet")
    assert asked_of(browser) == ["entry", "seat", "instead", "amount", "bettor", "consent", "also"]
    pick(browser, form, "digit", "amount=5")
    with_bet = {"entry": "4", "seat": "3", "also": "3", "instead": "place-bet", "amount": "5"}
    assert filled(browser, form) == with_bet
    pick(browser, form, "pick", "instead=stand")
    assert filled(browser, form) == {"entry": "4", "seat": "3", "also": "3", "instead": "stand"}, "it has no amount"
    pick(browser, form, "pick", "instead=place-bet")
    assert filled(browser, form) == with_bet


def asked_of(browser: Browser) -> list[str]:
    return [] if browser.act is None else [one.name for one in asked_values(browser, browser.act)]


def test_players_who_follow_are_tapped_where_somebody_could() -> None:
    alone, followed = decided_wrong(), Dealt(minimum_bet="5", maximum_bet="150")
    for bet in ({"seat": "1", "amount": "20"}, {"seat": "1", "bettor": "8", "amount": "10", "consent": "yes"}):
        assert followed.ask("place-bet", bet) == ""
    for act in ("correct-entry", "add-entry"):
        assert [one.value for one in value_of(followed, act, "others").choices] == ["8", "0"]
        assert "others" not in values_of(alone, act)


def test_the_newest_entries_are_listed_and_an_older_one_has_its_number() -> None:
    dealt = Dealt(minimum_bet="5", maximum_bet="150")
    assert dealt.ask("place-bet", {"seat": "2", "amount": "10"}) == ""
    for _ in range(MOST_SHOWN // 2):
        assert dealt.ask("place-bet", {"seat": "1", "amount": "10"}) == ""
        assert dealt.ask("withdraw-bet", {"seat": "1"}) == ""
    listed = value_of(dealt, "correct-entry", "entry")
    assert (listed.choices[0].value, listed.choices[-1].value) == (str(MOST_SHOWN + 1), "2")
    assert (listed.least, listed.most) == (1, MOST_SHOWN + 1)


def test_an_amount_that_changes_is_told_until_it_is_settled() -> None:
    """Seat 3 has won with a bet of 30.00, entered as 20.00: the page shows the difference until it is settled."""
    dealt = decided_wrong()
    for seat in ("1", "3"):
        assert dealt.ask("stand", {"seat": seat}) == ""
    assert dealt.ask("turn-hole-card", {}) == ""
    assert dealt.ask("confirm-settled", {}) == ""
    for role in ("dealer", "chief_supervisor"):
        assert dealt.ask("correct-entry", {"entry": "2", "amount": "30.00"}, role) == ""
    (changed,) = dealt.status.differences
    assert (changed.seat, changed.amount) == (3, "+10.00")
    shown = banner(moment(dealt), Language.EN)
    assert (shown.headline, changed.text in shown.why) == ("SETTLE DIFFERENCES", True)
    assert offers(moment(dealt))[0].name == "confirm-differences"
    for role in ("dealer", "chief_supervisor"):
        assert dealt.ask("confirm-differences", {}, role) == ""
    assert dealt.status.differences == []


def corrected() -> Dealt:
    """A card is taken back, then a hand busts; its cards, and the surrender of the next hand, wait for agreement."""
    dealt = Dealt(minimum_bet="10", maximum_bet="200")
    dealt.cards = ["6D", "10C", "9H", "6C", "KC", "7D", "KD"]
    for seat, amount in (("2", "10"), ("4", "20")):
        assert dealt.ask("place-bet", {"seat": seat, "amount": amount}) == ""
    assert dealt.ask("announce-no-more-bets", {}) == ""
    assert dealt.ask("draw-card", {"seat": "2"}) == ""
    assert dealt.ask("report-misdealt", {"seen": "yes"}) == ""
    dealt.cards = ["KD", "KH"]
    assert dealt.ask("draw-card", {"seat": "2"}) == ""
    return dealt


def test_the_agreement_with_a_correction_is_a_button_wherever_something_waits_for_it() -> None:
    dealt = corrected()
    assert moment(dealt).hands_out == ()
    shown = []
    for act, values in (("stand", {"seat": "4"}), ("turn-hole-card", {}), ("draw-card", {"seat": "bank"})):
        assert CORRECTED in {one.name for one in beside(moment(dealt))}
        shown.append(moment(dealt).turn)
        assert dealt.ask(act, values) == ""
    assert shown == ["4", "bank", "bank"]
    assert moment(dealt).is_to_settle
    assert [(one.lane, one.size) for one in offers(moment(dealt)) if one.name == CORRECTED] == [(Lane.TURN, Size.MAIN)]
    assert dealt.ask(CORRECTED, {}, "chief_supervisor") == ""
    assert offer_of(moment(dealt), CORRECTED) is None
    assert [one.name for one in offers(moment(dealt))] == ["settled-collected"]


@pytest.mark.waits
@pytest.mark.parametrize("language", [Language.EN, Language.PT])
def test_the_agreement_has_its_room_in_the_middle(paper: Page, language: Language) -> None:
    page = page_of(moment(corrected()), Browser(language))
    for size in SIZES:
        is_of(paper, size)
        (measured,) = paper.evaluate(MEASURE, [[page], LEAST, size == PHONE])
        assert (size, measured) == (size, [])


@pytest.mark.waits
@pytest.mark.parametrize("language", [Language.EN, Language.PT])
def test_what_an_added_act_needs_is_above_the_fold(paper: Page, language: Language) -> None:
    """At 800x480 the two lists filled the page, and seat and amount of a forgotten bet began below it."""
    dealt = decided_wrong()
    page = page_of(moment(dealt), adding(dealt, language, {"before": "3", "adds": "place-bet"}))
    for size in (one for one in SIZES if one != PHONE and one[2] != "7in"):
        is_of(paper, size)
        paper.evaluate("(page) => { document.getElementById('main').outerHTML = page; }", page)
        assert (size, paper.evaluate(BELOW, "[id^=c-seat-], [id^=d-amount-], [id^=c-adds-]")) == (size, [])


BELOW = """(what) => {
  const edge = document.getElementById('middle').getBoundingClientRect().bottom + 1;
  const found = [...document.querySelectorAll(what)];
  return found.length < 12 ? ['none'] : found.map((one) => [one.id, one.getBoundingClientRect().bottom])
    .filter(([, bottom]) => bottom > edge).map(([id]) => id);
}"""


@pytest.mark.waits
def test_no_button_above_the_finger_moves_when_another_act_replaces_the_entry(
    open_screen: OpenScreen, table: Painted
) -> None:
    screen = open_screen(table, "", 800, 480)
    screen.tap("report")
    screen.tap("m-correct-entry")
    screen.sign_in(DEALER)
    screen.signed_in()
    screen.tap("c-entry-1")
    places = []
    for name in ("c-instead-2", "c-instead-9"):
        screen.tap(name)
        places.append(screen.measured(FROM_THE_TOP))
    assert places[0] == places[1]
    assert screen.page.locator("#d-amount-1").count()


FROM_THE_TOP = """() => [...document.querySelectorAll('#sheet [id^=c-entry-], #sheet [id^=c-instead-]')].map((one) => {
  const { left, top } = one.getBoundingClientRect();
  return [one.id, left, top + document.getElementById('middle').scrollTop].map((of) => of.toFixed?.(0) ?? of).join();
})"""


@pytest.mark.waits
@pytest.mark.parametrize("language", list(Language))
def test_what_an_added_act_lacks_has_its_room_on_the_button(paper: Page, language: Language) -> None:
    pages = [page_of(moment(dealt), adding(dealt, language, picked)) for dealt in [decided_wrong()] for picked in ADDED]
    assert all('id="lacks"' in page for page in pages)
    for size in SIZES:
        is_of(paper, size)
        measured = paper.evaluate(MEASURE, [pages, LEAST, size == PHONE])
        assert (size, measured) == (size, [[] for _page in pages])


ADDED: tuple[dict[str, str], ...] = ({}, {"before": "3", "adds": "place-bet"}, {"adds": "place-bet"})


def adding(dealt: Dealt, language: Language, picked: dict[str, str]) -> Browser:
    form = form_of(dealt, "add-entry", language)
    return Browser(language, act=form, sheet="act:add-entry", picked=dict(picked))
