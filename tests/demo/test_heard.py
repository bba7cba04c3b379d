"""The comparison of a trainee's acts with the wishes of the players at a practice table."""

import io
from collections.abc import Mapping, Sequence

import msgspec
import pytest

from controller.protocol.jackpot import JackpotStatus
from controller.protocol.status import FiguresStatus, NextStatus, OwedStatus, Status
from simulators.demo.heard import STANDS_STILL_S, Heard
from simulators.demo.talk import Talk
from simulators.oracles.export_entries import Entry, Refusal
from simulators.people.doing import Ask

TRAINEE, OTHER = 12, 11
ROUND = (1, 4)
BETS = (
    Ask("place-bet", {"seat": "1", "amount": "10"}),
    Ask("place-bet", {"seat": "3", "bettor": "10", "amount": "7.50"}),
)


def entry(act: str, person: int = TRAINEE, refusal: Refusal | None = None, **values: object) -> Entry:
    body: Mapping[str, object] = {"person": person, "role": "dealer", **values}
    return Entry(1, 1, 0, 0, False, 0, act, body, None, refusal, "")


def practice(language: str = "en_GB") -> tuple[Heard, io.StringIO]:
    written = io.StringIO()
    return Heard(Talk(written, {"LANG": f"{language}.UTF-8"}), TRAINEE), written


def words(written: io.StringIO) -> str:
    return " ".join(written.getvalue().split())


def test_all_bets_of_a_round_are_told_at_once_and_once() -> None:
    heard, written = practice("pt_PT")
    for _ in range(3):
        heard.bets(ROUND, BETS)
    assert written.getvalue().splitlines() == [
        "O jogador do lugar 1 aposta 10.",
        "O jogador 10 aposta 7.50 no lugar 3; o jogador sentado concorda.",
    ]
    heard.bets((1, 5), BETS[:1])
    assert len(written.getvalue().splitlines()) == 3


def test_a_card_that_only_the_simulation_sees_is_told() -> None:
    heard, written = practice()
    heard.tell(Ask("state-card", {"seat": "0", "position": "1", "card": "9H"}))
    assert written.getvalue().splitlines() == ["The card on the table is 9H (bank): name it at the page."]


def test_one_seat_and_several_are_told_each_in_its_way() -> None:
    heard, written = practice()
    heard.tell(Ask("take-bets", {"seats": "6"}))
    heard.tell(Ask("take-bets", {"seats": "2,6"}))
    assert written.getvalue().splitlines() == ["Seat 6 bets.", "Seats 2,6 bet."]


def page(round_: str, *acts: str, owed: OwedStatus | None = None, jackpot: JackpotStatus | None = None) -> bytes:
    may, about = [NextStatus(act, ["dealer"]) for act in acts], {"owed": owed, "jackpot": jackpot}
    figures = FiguresStatus(seats=7, decks=6)
    return msgspec.json.encode(Status(session="in-play", round=round_, figures=figures, next=may, **about))


@pytest.mark.parametrize(
    ("document", "act", "told"),
    [
        (
            page("playing", "confirm-settled", "collect-cards"),
            "confirm-settled",
            ["Next, at the page: SETTLED, COLLECTED."],
        ),
        (page("idle", "take-bets", "spread-cards"), "spread-cards", []),
        (page("playing", "confirm-settled"), "call-for-count", ["Next, at the page: SETTLED, COLLECTED."]),
        (page("playing"), "confirm-settled", []),
        (page("settled", "agree-corrections"), "confirm-hold", []),
    ],
    ids=("its button", "bets are the players'", "the first button", "no button", "another agrees"),
)
def test_the_next_step_is_the_button_that_the_page_shows(document: bytes, act: str, told: Sequence[str]) -> None:
    heard, written = practice()
    heard.at(document)
    assert heard.tell(Ask(act)) is bool(told)
    assert written.getvalue().splitlines() == told


def test_a_card_that_waits_for_a_button_of_the_page_is_told_with_that_button() -> None:
    """The practice once sent the trainee to the list of reports, and the button stood at the bottom of the page."""
    heard, written = practice()
    raised = page("dealing", "raise-jackpot", owed=OwedStatus("seat", 1), jackpot=JackpotStatus(1_000_080))
    heard.at(raised)
    heard.wish(Ask("raise-jackpot"))
    heard.at(raised, quiet_s=STANDS_STILL_S)
    assert "at the page: DISPLAY RAISED." in words(written)


def test_a_bank_that_draws_at_a_table_of_cards_alone_is_touched_itself() -> None:
    heard, written = practice()
    heard.at(page("playing", "draw-card", "confirm-settled", "collect-cards"), 12)
    assert heard.tell(Ask("draw-card", {"seat": "0"}))
    assert written.getvalue().splitlines() == ["The bank draws: touch Bank at the page."]


def test_a_bank_that_stands_is_told_before_the_settlement() -> None:
    for total, is_told in ((16, False), (17, True), (21, True), (22, False)):
        heard, written = practice()
        heard.at(page("playing", "confirm-settled", "collect-cards"), total)
        heard.tell(Ask("confirm-settled"))
        assert (f"The bank stands at {total}." in written.getvalue()) is is_told


def test_a_card_that_does_not_come_is_not_the_trainees_mistake() -> None:
    heard, written = practice()
    waits = page("dealing", owed=OwedStatus("seat", 1))
    for quiet_s in (STANDS_STILL_S - 1, STANDS_STILL_S, STANDS_STILL_S + 1):
        heard.at(waits, quiet_s=quiet_s)
    assert words(written).count("that is not your mistake") == 1
    heard.at(page("idle", "take-bets"), quiet_s=STANDS_STILL_S)
    heard.at(waits)
    heard.at(waits, quiet_s=STANDS_STILL_S)
    assert words(written).count("that is not your mistake") == 2


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ("call-for-ruling", "A ruling is needed. You are the dealer: no card comes before you have called for it"),
        ("report-misdealt", "No card comes before you have done this, at the page (Report)"),
    ],
)
def test_a_trainee_whom_the_cards_wait_for_is_told_what_to_do(act: str, says: str) -> None:
    """The practice once said that it could not go on, while a player's dispute waited for the dealer's call."""
    heard, written = practice()
    waits = page("playing", owed=OwedStatus("seat", 1))
    heard.at(waits)
    heard.wish(Ask(act))
    heard.at(waits, quiet_s=STANDS_STILL_S)
    assert says in words(written)
    assert "cannot go on" not in words(written)
    heard.at(waits)
    heard.at(waits, quiet_s=STANDS_STILL_S)
    assert "cannot go on" in words(written), "the wish of an earlier look counts no more"


@pytest.mark.parametrize(
    ("laid", "missed", "text"),
    [
        ({(1, None): 1000, (3, 10): 750}, {}, ""),
        (
            {(1, None): 1000, (3, None): 750},
            {"wrong-seat": 1},
            "the 7.50 at seat 3 is the bet of player 10; player 3 is",
        ),
        ({(1, None): 1000, (5, None): 750}, {"wrong-seat": 1}, "wrong seat): the 7.50 of seat 3 lies at seat 5."),
        ({(1, None): 2000, (3, 10): 750}, {"wrong-amount": 1}, "at seat 1 was 10.00; 20.00 is entered"),
        ({(3, 10): 750}, {"forgotten": 1}, "the 10.00 of player 1 at seat 1 is not entered"),
        ({(1, None): 1000, (3, 10): 750, (7, None): 1000}, {"not-asked-for": 1}, "nobody had bet the 10.00"),
    ],
    ids=(
        "as wanted",
        "of another player",
        "at another seat",
        "another amount",
        "one forgotten",
        "one that nobody wanted",
    ),
)
def test_bets_are_compared_once_no_more_are_taken(
    laid: dict[tuple[int, int | None], int], missed: dict[str, int], text: str
) -> None:
    heard, written = practice()
    heard.bets(ROUND, BETS)
    heard.look([entry("place-bet", seat=1, bettor=None, amount=5000), entry("withdraw-bet", seat=1, bettor=None)])
    heard.look([entry("place-bet", seat=seat, bettor=bettor, amount=cents) for (seat, bettor), cents in laid.items()])
    assert not heard.missed
    heard.look([entry("announce-no-more-bets")])
    assert dict(heard.missed) == missed
    assert text in words(written)
    heard.look([entry("announce-no-more-bets")])
    assert dict(heard.missed) == missed, "a round is compared once"


@pytest.mark.parametrize(
    ("laid", "missed"),
    [([6], {}), ([3], {"wrong-seat": 1}), ([3, 6], {"not-asked-for": 1}), ([], {"forgotten": 1})],
)
def test_seats_are_compared_where_no_amounts_are_entered(laid: list[int], missed: dict[str, int]) -> None:
    heard, _written = practice()
    heard.wish(Ask("take-bets", {"seats": "6"}))
    heard.look([entry("take-bets", seats=[1, 2]), entry("take-bets", seats=laid), entry("announce-no-more-bets")])
    assert dict(heard.missed) == missed


CARD = Ask("draw-card", {"seat": "2"})
BANKS = Ask("draw-card", {"seat": "bank"})
SETTLE = Ask("confirm-settled")
RED = Ask("place-chips", {"player": "2", "bet": "red", "chips": "3"})


@pytest.mark.parametrize(
    ("wish", "did", "kind", "text"),
    [
        (Ask("stand", {"seat": "3"}), entry("stand", seat=3), "", ""),
        (Ask("stand", {"seat": "3"}), entry("draw-card", seat=3), "not-asked-for", "seat 3 a card; seat 3 had said"),
        (Ask("stand", {"seat": "3"}), entry("stand", seat=4), "wrong-seat", "you let seat 4 stand; seat 3 had said"),
        (CARD, entry("draw-card", seat=1), "wrong-seat", "you gave seat 1 a card; seat 2 had asked for a card."),
        (CARD, entry("turn-hole-card"), "forgotten", "you turned the bank's card; seat 2 had asked for a card."),
        (CARD, entry("draw-card", seat=0), "forgotten", "you gave the bank a card; seat 2 had asked for a card."),
        (CARD, entry("confirm-settled"), "forgotten", "you settled the round; seat 2 had asked for a card."),
        (BANKS, entry("confirm-settled"), "forgotten", "you settled the round; the bank still had to draw a card."),
        (BANKS, entry("draw-card", seat=0), "", ""),
        (BANKS, entry("draw-card", seat=2), "not-asked-for", "you gave seat 2 a card; nobody had asked for it."),
        (Ask("turn-hole-card"), entry("draw-card", seat=2), "not-asked-for", "nobody had asked for it."),
        (SETTLE, entry("draw-card", seat=2), "not-asked-for", "you gave seat 2 a card; nobody had asked for it."),
        (SETTLE, entry("draw-card", seat=0), "not-asked-for", "you gave the bank a card; the bank had to stand."),
        (SETTLE, entry("confirm-settled"), "", ""),
        (Ask("stand", {"seat": "3"}), entry("draw-card", OTHER, seat=3), "", ""),
        (Ask("stand", {"seat": "3"}), entry("insure", refusal=Refusal("late", None, "r"), seat=3), "", ""),
        (RED, entry("place-chips", player=2, bet="red", chips=3), "", ""),
        (RED, entry("place-chips", player=2, bet="red", chips=1), "wrong-amount", "chips: 1; player 2 had bet on red"),
        (RED, entry("place-chips", player=1, bet="red", chips=3), "wrong-seat", "you laid for player 1 on red"),
        (RED, entry("launch-ball"), "forgotten", "you launched the ball; player 2 had bet on red; chips: 3."),
        (
            Ask("place-value-chips", {"player": "2", "bet": "red", "amount": "25"}),
            entry("place-value-chips", player=2, bet="red", amount=2500),
            "",
            "",
        ),
        (
            Ask("confirm-value", {"player": "1"}),
            entry("launch-ball"),
            "forgotten",
            "you launched the ball; the value of player 1's chips had not been seen.",
        ),
        (
            Ask("give-colour", {"player": "1", "colour": "red"}),
            entry("give-colour", player=1, colour="blue"),
            "not-asked-for",
            "you gave player 1 blue; player 1 had wanted red.",
        ),
    ],
)
def test_an_act_that_nobody_wanted_is_counted_with_its_kind(wish: Ask, did: Entry, kind: str, text: str) -> None:
    heard, written = practice()
    heard.wish(wish)
    heard.look([did])
    assert dict(heard.missed) == ({kind: 1} if kind else {})
    assert text in words(written)
    assert bool(written.getvalue()) == bool(kind)
    before = dict(heard.missed)
    heard.look([did])
    assert dict(heard.missed) == before, "the next wish is not heard yet"


@pytest.mark.parametrize(
    ("is_chief", "is_his", "told"),
    [(False, False, "comes and ends it"), (False, True, "step is yours"), (True, False, "")],
)
def test_only_a_dealer_who_is_no_chief_waits_for_the_chief(is_chief: bool, is_his: bool, told: str) -> None:
    written = io.StringIO()
    Heard(Talk(written, {"LANG": "en_GB.UTF-8"}), TRAINEE, is_chief=is_chief).tell_hold(is_his=is_his)
    assert told in words(written)
    assert bool(written.getvalue()) == bool(told)
