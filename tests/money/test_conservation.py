"""Random rounds of every profile, several bettors a place, with any permitted decision: no money is unexplained."""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from controller.config.notice_clauses import clause_behind
from controller.config.profile import CARD_PROFILES
from controller.core.custody.state import DECK, Card
from controller.core.games.blackjack.bank import may_bank_draw, may_bank_stand
from controller.core.games.blackjack.decisions.doubling import may_double
from controller.core.games.blackjack.decisions.even_money import may_take_even_money
from controller.core.games.blackjack.decisions.five_cards import may_claim_five_cards
from controller.core.games.blackjack.decisions.insurance import may_insure
from controller.core.games.blackjack.decisions.turns import may_stand
from controller.core.games.blackjack.hand import (
    Hand,
    HandEnd,
    due_at_once,
    is_bust,
    is_live,
    may_draw,
    may_split,
    prize_at_once,
)
from controller.core.games.blackjack.money import Amount, Payment, rule_of
from controller.core.games.blackjack.settling import (
    Bet,
    bets_of_doubled_hand,
    bets_of_new_hand,
    settle_insurance,
    special_prizes,
)
from controller.core.money import Flag
from controller.core.words import Cents
from tests.money.kit import RULES, Rules, handed_back, house_result, may_surrender, settle_hand
from tests.night import examples

HOLDER: Final = 1
CHIPS: Final = st.sampled_from([1, 50, 100, 500])


@dataclass
class Place:
    """The hands of one place with their bets in a round, and the place's money."""

    rules: Rules
    up: Card
    hands: list[tuple[Hand, tuple[Bet, ...]]]
    laid: Fraction = Fraction(0)
    amounts: list[Amount] = field(default_factory=list)
    back: Fraction = Fraction(0)  # the players' money at the end

    def lay(self, bets: tuple[Bet, ...]) -> None:
        self.laid += sum(bet.stake for bet in bets)

    def pay(self, amount: Amount, *, has_stake: bool = True) -> None:
        self.amounts.append(amount)
        self.back += handed_back(amount) if has_stake else amount.exact


def decide(place: Place, number: int, draw: "st.DrawFn", take: "Draw") -> bool:
    """Makes one random permitted decision about the hand of this number; returns False where the hand is finished."""
    hand, bets = place.hands[number]
    rules, up = place.rules, place.up
    if len(hand.cards) == 1:
        place.hands[number] = (structs.replace(hand, cards=(*hand.cards, take())), bets)
        return True
    open_to_it = {
        "stand": may_stand(hand, rules),
        "draw": may_draw(hand, rules),
        "double": may_double(hand, rules),
        "split": may_split(hand, len(place.hands), rules),
        "surrender": may_surrender(hand, up, rules, somebody_has_drawn=False),
        "even": may_take_even_money(hand, up, rules, second_is_known=False),
        "five": may_claim_five_cards(hand, up, rules),
    }
    allowed = [name for name, answer in open_to_it.items() if answer is None]
    if not is_live(hand):
        assert not {"stand", "draw", "double", "split", "five"} & set(allowed)
        return False
    assert {"stand", "draw"} & set(allowed), "a hand in play always goes on, or stands"
    followers = draw(st.sampled_from([(), (2,), (2, 3)]))
    match draw(st.sampled_from(allowed)):
        case "draw":
            place.hands[number] = (structs.replace(hand, cards=(*hand.cards, take())), bets)
        case "double":
            doubled = bets_of_doubled_hand(bets, HOLDER, followers, rules)
            place.laid += sum(bet.whole for bet in doubled) - sum(bet.whole for bet in bets)
            place.hands[number] = (structs.replace(hand, cards=(*hand.cards, take()), is_doubled=True), doubled)
        case "split":
            new = bets_of_new_hand(bets, HOLDER, followers, rules)
            place.lay(new)
            first, second = hand.cards
            place.hands[number] = (Hand((first,), is_split=True), bets)
            place.hands.insert(number + 1, (Hand((second,), is_split=True), new))
        case "surrender":
            place.hands[number] = (structs.replace(hand, end=HandEnd.SURRENDERED), bets)
        case "even":
            place.hands[number] = (structs.replace(hand, end=HandEnd.EVEN_MONEY), bets)
        case "five":
            place.hands[number] = (structs.replace(hand, end=HandEnd.FIVE_CARDS), bets)
        case _:
            return False
    return True


class Draw:
    """Cards of six decks, in an order that hypothesis chooses."""

    def __init__(self, draw: "st.DrawFn") -> None:
        self._draw = draw

    def __call__(self) -> Card:
        return self._draw(st.sampled_from(DECK))


def check(amount: Amount, rules: Rules) -> None:
    """Checks that the amount follows from its own parts, and that its flag is right."""
    assert amount.exact == Fraction(amount.stake * amount.rate.pays, amount.rate.of)
    assert amount.exact >= -amount.stake
    assert (amount.cents is None) == (amount.flag is Flag.NO_WHOLE_CENTS) == (amount.exact.denominator != 1)
    if amount.cents is not None:
        assert (amount.flag is Flag.NO_CHIP) == (amount.cents % rules.limits.smallest_chip != 0)
    assert clause_behind(rules.profile, rule_of(amount.payment)), "each payment of a law has its clause"


@st.composite
def rounds(draw: "st.DrawFn", profile: str) -> tuple[Place, Rules]:
    """Plays a whole round of one place with random permitted decisions; returns the place and the rules."""
    rules = RULES[profile]
    rules = structs.replace(rules, limits=structs.replace(rules.limits, smallest_chip=Cents(draw(CHIPS))))
    take = Draw(draw)
    stakes = draw(st.lists(st.integers(100, 30_000), min_size=1, max_size=3))
    bets = tuple(Bet(number, Cents(stake)) for number, stake in enumerate(stakes, 1))
    first, up, second = take(), take(), take()
    place = Place(rules, up, [(Hand((first, second)), bets)])
    place.lay(bets)
    insured = Cents(draw(st.integers(0, stakes[0])))
    if may_insure(insured, bets[0].stake, up, rules, somebody_has_decided=False) is not None:
        insured = Cents(0)
    place.laid += insured
    if due_at_once(place.hands[0][0], up, rules) is Payment.BLACKJACK:
        place.hands[0] = (structs.replace(place.hands[0][0], end=HandEnd.BLACKJACK_PAID), bets)
    number = 0
    while number < len(place.hands):
        number += 0 if decide(place, number, draw, take) else 1
    hands, bank = [hand for hand, _bets in place.hands], (up,)
    while may_bank_draw(bank, hands, rules, is_insured=bool(insured)) is None:
        assert may_bank_stand(bank, hands, rules, is_insured=bool(insured)) is not None
        bank = (*bank, take())
    for hand, its in place.hands:
        if prize_at_once(hand, rules) is not None:
            for due in special_prizes(its, HOLDER, rules):
                place.pay(due.amount, has_stake=False)
        for due in settle_hand(hand, bank, its, rules):
            place.pay(due.amount)
            assert not is_bust(hand) or due.amount.payment is Payment.BUST
    if insured:
        place.pay(settle_insurance(insured, bank, rules))
    return place, rules


@pytest.mark.parametrize("profile", CARD_PROFILES)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_what_players_laid_is_what_they_have_back_and_the_house_has_won(profile: str, data: st.DataObject) -> None:
    place, rules = data.draw(rounds(profile))
    for amount in place.amounts:
        check(amount, rules)
    assert place.laid == place.back + house_result(place.amounts)
