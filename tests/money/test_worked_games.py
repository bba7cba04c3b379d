"""Whole rounds of the laws' sources, and of the written scenarios, played by the functions of hands and money alone."""

from fractions import Fraction
from typing import Final

import pytest

from controller.core.games.blackjack.bank import may_bank_draw
from controller.core.games.blackjack.decisions.doubling import may_double
from controller.core.games.blackjack.decisions.insurance import may_insure
from controller.core.games.blackjack.decisions.turns import may_stand
from controller.core.games.blackjack.hand import Hand, is_blackjack, is_bust, may_draw, may_split, points
from controller.core.games.blackjack.money import Amount, Payment
from controller.core.games.blackjack.settling import (
    Bet,
    bets_of_doubled_hand,
    bets_of_new_hand,
    result,
    settle_bet,
    settle_insurance,
    special_prizes,
)
from controller.core.words import Cents
from tests.money.kit import RULES, cards, hand, handed_back, house_result, settle_hand

BR, PT, MO, HOUSE = (RULES[name] for name in ("br", "pt-csm", "mo-shoe", "house"))


def units(amount: int) -> Cents:
    return Cents(amount * 100)


THOUSAND: Final = units(1_000)

PLAYED: Final[dict[str, Hand]] = {
    "A": hand("6C 6D 2H 4S"),
    "B": hand("AS JS"),
    "C": hand("KH QC"),
    "D": hand("6H 5S KD", "doubled"),
    "E": hand("5D 3C 4H 2S 9C"),
    "F": hand("3S 3H 4D 9D"),
    "G": hand("10C JD"),
}
"""The game in the Brazilian text; of the cards it gives only the king of D and the dealer's (br.ex.2)."""

INSURED: Final = ("A", "D", "E", "F")
DEALER: Final = cards("AD 4C 4H")


def brazil(bank: str | None = None) -> tuple[dict[str, Amount], dict[str, Amount]]:
    """Returns the result of each bet and of each insurance of the Brazilian game; `bank`: other cards of the dealer."""
    final = cards(bank) if bank else DEALER
    bets = {name: Bet(1, THOUSAND, is_doubled=name == "D") for name in PLAYED}
    settled = {name: settle_bet(one, final, bets[name], BR) for name, one in PLAYED.items()}
    return settled, {name: settle_insurance(units(500), final, BR) for name in INSURED}


def in_units(amount: Amount) -> Fraction:
    return amount.exact / 100


def test_brazils_game_step_by_step() -> None:
    """BR-01: br.ex.1 br.ex.2 br.ex.3 br.ex.4 br.ex.5 br.ex.6 br.ex.7 br.ex.8 br.ex.9 br.ex.10."""
    ace = DEALER[0]
    assert [may_insure(units(500), THOUSAND, ace, BR, somebody_has_decided=False) for _name in INSURED] == [None] * 4
    assert {name: points(one, BR.figures) for name, one in PLAYED.items()} == dict(
        zip("ABCDEFG", (18, 21, 20, 21, 23, 19, 20), strict=True)
    )
    assert may_split(hand("6C 6D"), 1, BR) is None
    assert may_split(hand("3S 3H"), 1, BR) is None
    assert is_blackjack(PLAYED["B"], BR.figures)
    assert may_double(hand("6H 5S"), BR) is None
    assert [name for name, one in PLAYED.items() if is_bust(one)] == ["E"]
    assert may_stand(PLAYED["A"], BR) is None
    assert may_draw(PLAYED["D"], BR) is not None


def test_brazils_game_gives_the_house_1500_less() -> None:
    """BR-01, BR-02: br.ex.11 br.ex.12a br.pairs.2."""
    bets, insurances = brazil()
    assert {name: in_units(one) for name, one in bets.items()} == {
        "A": -1_000,
        "B": 1_500,
        "C": 1_000,
        "D": 2_000,
        "E": -1_000,
        "F": 0,
        "G": 1_000,
    }
    assert {name: in_units(one) for name, one in insurances.items()} == dict.fromkeys(INSURED, -500)
    assert sum(one.exact for one in bets.values() if one.exact > 0) == units(5_500)
    taken = [one.exact for one in (*bets.values(), *insurances.values()) if one.exact < 0]
    assert -sum(taken) == units(4_000)
    assert house_result([*bets.values(), *insurances.values()]) == units(-1_500)


@pytest.mark.parametrize(("third", "total"), [("2H", 17), ("3H", 18), ("4H", 19), ("5H", 20), ("6H", 21)])
def test_what_if_the_dealers_third_card_had_been_lower(third: str, total: int) -> None:
    """BR-03: br.ex.12b."""
    bank = cards(f"AD 4C {third}")
    assert points(Hand(bank), BR.figures) == total
    assert may_bank_draw(bank, PLAYED.values(), BR, is_insured=True) is not None


@pytest.mark.parametrize(("third", "total"), [("7H", 12), ("8H", 13), ("9H", 14), ("10H", 15)])
def test_what_if_the_dealers_third_card_had_been_a_seven_or_higher(third: str, total: int) -> None:
    """BR-03: br.ex.12b."""
    bank = cards(f"AD 4C {third}")
    assert points(Hand(bank), BR.figures) == total
    assert may_bank_draw(bank, PLAYED.values(), BR, is_insured=True) is None


def test_brazils_game_with_a_natural_of_the_dealer() -> None:
    """br.ins.4 br.play.2 br.play.7: all stakes but B's are lost, each insurance pays 1,000."""
    bets, insurances = brazil("AD KC")
    assert in_units(bets["D"]) == -2_000
    assert bets["B"].payment is Payment.BOTH_BLACKJACK
    assert bets["E"].payment is Payment.BUST
    assert {in_units(one) for one in insurances.values()} == {1_000}
    assert house_result([*bets.values(), *insurances.values()]) == units(7_000 - 4_000)


def test_a_complete_round() -> None:
    """RD-01: S5's blackjack at once, S3 doubles; the house loses 165."""
    bank = cards("6C 10H 7S")
    amounts = [
        settle_bet(hand("AD KC", "blackjack-paid"), cards("6C"), Bet(5, units(30)), PT),
        settle_bet(hand("10S 6D"), bank, Bet(1, units(20)), PT),
        settle_bet(hand("9H 2S 9D", "doubled"), bank, Bet(3, units(50), is_doubled=True), PT),
    ]
    assert [in_units(one) for one in amounts] == [45, 20, 100]
    assert house_result(amounts) == units(-165)


def test_two_hands_of_one_pair() -> None:
    """PY-04, PY-05: pt.bj.20b pt.bj.26a br.pairs.6b."""
    bet = Bet(1, units(40))
    won, lost = (settle_bet(hand(text, "split"), cards("10C QD"), bet, PT) for text in ("KD AC", "QC 9S"))
    assert (in_units(won), in_units(lost)) == (40, -40)
    both = [settle_bet(hand(text, "split"), cards("AC QD"), bet, PT) for text in ("KD AC", "QC 9S")]
    assert house_result(both) == units(80)


def test_who_follows_a_split_and_a_double() -> None:
    """PY-14, XP-07: pt.bj.28a pt.bj.28b pt.bj.30 house.14 mo.16.2."""
    bets = (Bet(1, units(20)), Bet(2, units(30)), Bet(3, units(10)))
    new = bets_of_new_hand(bets, 1, (3,), PT)
    assert new == (Bet(1, units(20)), Bet(3, units(10)))
    first = settle_hand(hand("8S 10D", "split"), cards("10C 7D"), bets, PT)
    second = settle_hand(hand("8H 8D", "split"), cards("10C 7D"), new, PT)
    assert [(due.bettor, in_units(due.amount)) for due in first] == [(1, 20), (2, 30), (3, 10)]
    assert [(due.bettor, in_units(due.amount)) for due in second] == [(1, -20), (3, -10)]
    assert bets_of_new_hand(bets, 1, (), MO) == bets, "all follow who decides"
    doubled = bets_of_doubled_hand(bets, 1, (3,), HOUSE)
    assert [bet.whole for bet in doubled] == [units(40), units(30), units(20)]
    assert [bet.whole for bet in bets_of_doubled_hand(bets, 1, (), BR)] == [units(40), units(60), units(20)]


@pytest.mark.parametrize(("insured", "bank", "net"), [(15, "AC KD", 0), (10, "AC KD", -10), (15, "AC 6D", 15)])
def test_a_bet_with_its_insurance(insured: int, bank: str, net: int) -> None:
    """PY-15, PY-16: pt.bj.33c."""
    amounts = [
        settle_bet(hand("10S KH"), cards(bank), Bet(1, units(30)), PT),
        settle_insurance(units(insured), cards(bank), PT),
    ]
    assert house_result(amounts) == units(-net)


@pytest.mark.parametrize(("text", "bank", "net"), [("7S 7D 7H", "10C QD", 80), ("6H 7H 8H", "KC AD", 40)])
def test_a_special_prize_beside_the_result(text: str, bank: str, net: int) -> None:
    """PY-22, PY-23: pt.bj.25."""
    bet = Bet(1, units(20))
    prize = [due.amount for due in special_prizes((bet,), 1, PT)]
    assert house_result([*prize, settle_bet(hand(text), cards(bank), bet, PT)]) == units(-net)


def test_what_is_handed_back() -> None:
    """XP-02: pt.bj.25: 40 for a win of 20, 50 for a blackjack, the stake on a tie, nothing of a loss."""
    bet = Bet(1, units(20))
    texts = (("10S 9H", "10C 8D"), ("AS KH", "10C QD"), ("10S 8H", "10C 8D"), ("10S 8H", "10C 9D"))
    back = [handed_back(settle_bet(hand(text), cards(bank), bet, PT)) for text, bank in texts]
    assert back == [units(40), units(50), units(20), 0]


def test_a_hand_that_has_ended_needs_no_bank() -> None:
    assert result(hand("10S 6H", "surrendered"), (), PT.figures) is Payment.SURRENDERED
    assert result(hand("10S 6H 9C"), (), PT.figures) is Payment.BUST
