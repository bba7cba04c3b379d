"""The page of a request that waits for a second person, and of one that has lapsed."""

import pytest

from controller.catalogue import Language
from controller.core.engine.replacing import replace
from controller.panel.browsers import Browser, View
from controller.panel.lapsed import TOLD_S
from controller.panel.watch import Seen
from controller.protocol.status import LapsedStatus, NextStatus, Status
from tests.panel.dealt import STEPS, Dealt
from tests.panel.followed import NOW, page_of
from tests.panel.test_moments import moment
from tests.panel.test_pages import PAGES


def with_a_prize() -> Dealt:
    """A table at which seat 1 has won, the dealer has asked for the payment, and seat 2 decides."""
    dealt = Dealt(jackpot="manual")
    for step in ("bet 1 10", "bet 2 10", "chip 1", "no-more-bets", "draw JS 9H 10H JS 9D 10S", "stand 1"):
        word, *rest = step.split()
        STEPS[word].do(dealt.player, tuple(rest))
    dealt.ask("stand", {"seat": "2"})
    dealt.ask("pay-jackpot", {"seat": "1"})
    return dealt


def shown(dealt: Dealt, language: Language = Language.EN) -> str:
    return page_of(moment(dealt.status), Browser(language), View.TABLE)


def why_of(page: str) -> str:
    return page.partition('<p class="why')[2].partition("</p>")[0]


def test_while_a_prize_waits_the_page_says_who_is_awaited_and_the_pressed_button_is_gone() -> None:
    page = shown(with_a_prize())
    assert "Still to agree: table inspector, chief supervisor, room manager." in why_of(page)
    assert 'id="b-agree-pay-jackpot"' in page
    assert 'id="b-pay-jackpot"' not in page


def test_once_it_has_lapsed_the_page_says_so_and_why_and_the_button_is_back() -> None:
    dealt = with_a_prize()
    dealt.player.act("second-dealer", "sign-in", {"operation": "table"})
    page = shown(dealt)
    assert "Lapsed, since the person who asked has left: Jackpot paid" in why_of(page)
    assert "Ask again" in why_of(page)
    assert 'id="b-pay-jackpot"' in page
    dealt.ask("pay-jackpot", {"seat": "1"})


def lapsed(act: str, since_s: float, *, is_possible: bool = True) -> str:
    may = [NextStatus(act, ["dealer"])] if is_possible else []
    told = [LapsedStatus(act, "It has lapsed.", 100_000)]
    status = Status(session="in-play", round="playing", counts={}, lapsed=told, next=may)
    seen = Seen(1, status, is_live=True, lost_at=NOW, heard_at=NOW, table_ms=100_000)
    return PAGES.main(View.TABLE, Browser(Language.EN), seen, moment(status), NOW + since_s)


@pytest.mark.parametrize(
    ("act", "since_s", "is_possible", "is_told"),
    [
        ("correct-entry", TOLD_S - 1, True, True),
        ("correct-entry", TOLD_S, True, False),
        ("confirm-settled", TOLD_S + 3600, True, True),
        ("confirm-settled", 1, False, False),
    ],
)
def test_a_request_that_people_may_leave_is_told_for_a_while(
    act: str, since_s: float, *, is_possible: bool, is_told: bool
) -> None:
    assert ("It has lapsed." in lapsed(act, since_s, is_possible=is_possible)) is is_told


def test_a_stop_tells_of_every_lapsed_request() -> None:
    dealt = with_a_prize()
    STEPS["jam"].do(dealt.player, ("mouth", "1"))
    status = replace(dealt.status, next=[])
    assert "Lapsed, since a stop has begun" in page_of(moment(status), Browser(Language.EN), View.TABLE)


def done(dealt: Dealt, *steps: str) -> None:
    for step in steps:
        word, *rest = step.split()
        STEPS[word].do(dealt.player, tuple(rest))


def lapsed_texts(dealt: Dealt) -> str:
    return " ".join(one.text for one in dealt.status.lapsed)


def test_a_lapsed_correction_names_no_bet_of_the_next_round() -> None:
    dealt = Dealt()
    done(dealt, "bet 1 10", "no-more-bets", "draw 10S 9H 10H 10C", "stand 1")
    for act in ("turn-hole-card", "confirm-settled", "collect-cards"):
        dealt.ask(act, {})
    dealt.ask("correct-entry", {"entry": "1", "amount": "20"})
    assert "Bet, seat 1: 10.00" in dealt.status.waiting[0].text
    done(dealt, "wait 5", "bet 5 50")
    assert not dealt.status.waiting
    assert "seat 5" not in lapsed_texts(dealt)


def test_a_lapsed_correction_names_the_bet_of_its_own_round() -> None:
    dealt = Dealt()
    done(dealt, "bet 1 10", "no-more-bets", "draw 10S 9H 10H 10C", "wait 5")
    dealt.ask("correct-entry", {"entry": "1", "amount": "20"})
    done(dealt, "stand 1")
    assert "Bet, seat 1: 10.00" in lapsed_texts(dealt)
