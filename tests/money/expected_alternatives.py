"""The expected results where a house chooses another alternative of its law than the default."""

from controller.core.choices import DoubleOn, Pair, SharedPlace
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.insurance import may_insure_with
from controller.core.games.blackjack.settling import Bet
from controller.core.games.blackjack.side_bets import SideBet
from controller.core.hand_rules import BetLimits
from controller.core.words import Cents
from tests.money.expected_decisions import TEN, bank_draws, double, five, split
from tests.money.expected_money import (
    S1,
    S2,
    STANDING_A,
    STANDING_B,
    Ask,
    aside,
    beside_13,
    bet,
    decides,
    place,
    prizes,
    settled,
)
from tests.money.kit import Row, rows, says


def with_(ask: Ask, **chosen: object) -> Ask:
    """Returns the question `ask` for a table whose house has chosen these values."""
    return lambda rules: ask(replace(rules, figures=replace(rules.figures, **chosen)))


def with_chips(ask: Ask, smallest: int) -> Ask:
    limits = BetLimits(Cents(1_000), Cents(30_000), Cents(smallest))
    return lambda rules: ask(replace(rules, limits=limits))


ALTERNATIVES: list[Row] = [
    # mo.17.2: the second method, and its reading for a separated pair
    *rows(with_(double("5S 3H"), double_on=DoubleOn.ELEVEN), mo="total_may_be_doubled mo.17.2"),
    *rows(with_(double("10S 2H"), double_on=DoubleOn.ELEVEN), mo="total_may_be_doubled mo.17.2"),
    *rows(with_(double("5S 5H"), double_on=DoubleOn.ELEVEN), mo="total_may_be_doubled mo.17.2"),
    *rows(with_(double("6S 5H"), double_on=DoubleOn.ELEVEN), mo="yes"),
    *rows(with_(double("8S 3H", "split"), double_on=DoubleOn.ELEVEN), mo="double_after_split_is_allowed mo.17.2"),
    *rows(with_(double("8S 3H", "split"), double_on=DoubleOn.ELEVEN_ALSO_SPLIT), mo="yes"),
    *rows(
        with_(double("8S 3H", "split"), double_after_split=False),
        pt_house_br="double_after_split_is_allowed",
        mo="double_after_split_is_allowed mo.17.2",
    ),
    # PY-33: aces, and further pairs
    *rows(
        with_(split("AS AH", "split", hands=2), split_aces_again=False),
        pt="aces_may_be_split_again",
        house="aces_may_be_split_again",
        mo="aces_may_be_split_again mo.16.3",
        br="aces_may_be_split_again",
    ),
    *rows(with_(split("AS AH"), split_aces_again=False), all="yes"),
    *rows(
        with_(split("8S 8H", "split", hands=2), split_again=False),
        pt="pair_may_be_split_again",
        house="pair_may_be_split_again",
        mo="pair_may_be_split_again mo.16.5",
        br="pair_may_be_split_again",
    ),
    *rows(with_(split("AS AH", "split", hands=2), split_again=False), all="yes"),
    *rows(
        with_(split("8S 8H", "split declined", hands=2), split_after_declining=False),
        pt="pair_was_not_declined",
        house="pair_was_not_declined",
        br="pair_was_not_declined",
    ),
    *rows(
        with_(split("8S 8H", "split", hands=4), split_hands=4),
        pt="hands_are_few_enough",
        house="hands_are_few_enough",
        br="hands_are_few_enough",
    ),
    *rows(with_(split("8S 8H", "split", hands=4), split_hands=5), mo="yes"),
    *rows(with_(split("KS QH"), pair=Pair.SAME_VALUE), mo="yes"),
    *rows(
        with_(lambda rules: says(rules, may_insure_with(rules, holder_insures=False)), others_insure_alone=False),
        mo="holder_insures",
    ),
    *rows(with_(bank_draws("AS 6H", TEN), bank_draws_on_soft=True), mo="yes"),
    *rows(with_(bank_draws("10S 7H", TEN), bank_draws_on_soft=True), mo="bank_is_below_its_total mo.6.1a"),
    # mo.10.7: a doubled hand's first stake alone
    *rows(
        with_(settled("5S 6H 8C", "AC KD", "doubled"), doubled_loses_first_stake=True),
        mo="bank-blackjack-doubled -2000 mo.10.7",
    ),
    *rows(with_(settled("5S 6H 8C", "AC KD"), doubled_loses_first_stake=True), mo="bank-blackjack -2000 mo.12.2"),
    *rows(with_(settled("5S 6H 7C", "10C 9D", "doubled"), doubled_loses_first_stake=True), mo="loss -4000 mo.9"),
    # pt.bj.35: whether bets beside the holder's get the prize
    *rows(
        with_(prizes(Bet(1, Cents(2_000)), Bet(2, Cents(1_000))), special_prize_to_others=False),
        pt_house=((1, "special-prize 6000 pt.bj.35"),),
    ),
    # mo.15: whether a doubled bet gets the prize on its whole stake
    *rows(
        with_(prizes(Bet(1, Cents(2_000), is_doubled=True)), special_prize_of_doubled=True),
        mo=((1, "special-prize 12000 mo.15"),),
    ),
    *rows(
        with_(prizes(Bet(1, Cents(2_000))), special_prize_of_doubled=True),
        mo=((1, "special-prize 6000 mo.15"),),
    ),
    # mo.13: the other readings of the side bets (SB-02, SB-08)
    *rows(with_(aside(SideBet.ANY_PAIR, cards=1, pairs=1), any_pair_new_stake=True), mo="yes"),
    *rows(with_(aside(SideBet.ANY_PAIR, cards=2, pairs=1), any_pair_new_stake=True), mo="side_bet_is_in_time"),
    *rows(with_(beside_13(SideBet.OVER, "AS 3H"), over_under_ace_either=True), mo="over-under 1000 mo.14.3"),
    *rows(with_(beside_13(SideBet.UNDER, "AS 3H"), over_under_ace_either=True), mo="over-under 1000 mo.14.3"),
    *rows(with_(beside_13(SideBet.OVER, "AS AH"), over_under_ace_either=True), mo="over-under 1000 mo.14.3"),
    # mo.20.1: the second and the third procedure (XT-02), mo.3.2: places
    *rows(
        with_(
            bet(10, place((S1, 100), (STANDING_A, 50), (STANDING_B, 20)), S2), shared_place=SharedPlace.SEATED_OF_FEW
        ),
        mo="place_has_room mo.20.1.2",
    ),
    *rows(
        with_(
            bet(10, place((S1, 100), (STANDING_A, 50), (STANDING_B, 20)), S1), shared_place=SharedPlace.SEATED_OF_FEW
        ),
        mo="yes",
    ),
    *rows(
        with_(
            bet(10, place((S1, 100), (STANDING_A, 50)), S2),
            shared_place=SharedPlace.SEATED_OF_FEW,
            bettors_per_place=2,
        ),
        mo="place_has_room mo.20.1.2",
    ),
    *rows(
        with_(decides(place((S1, 100), (STANDING_A, 200), (STANDING_B, 50))), shared_place=SharedPlace.HIGHEST), mo=8
    ),
    *rows(
        with_(decides(place((STANDING_A, 200), (S1, 50), (STANDING_B, 200))), shared_place=SharedPlace.HIGHEST), mo=1
    ),
    *rows(
        with_(decides(place((STANDING_A, 200), (STANDING_B, 200), holder=None)), shared_place=SharedPlace.HIGHEST),
        mo=8,
    ),
    *rows(with_(decides(place((S1, 50), (STANDING_A, 60))), shared_place=SharedPlace.SEATED_OF_FEW), mo=1),
    *rows(with_(decides(place((STANDING_A, 60), (S2, 90), holder=None)), shared_place=SharedPlace.SEATED_OF_FEW), mo=8),
    *rows(with_(bet(10, place(), S1, places=2), places_per_player=2), mo="bettor_has_a_place_left mo.3.2"),
    *rows(with_(bet(10, place(), S1, places=1), places_per_player=2), mo="yes"),
    *rows(with_(bet(10, place((S1, 20)), S1, places=2), places_per_player=2), mo="yes"),
    *rows(with_(bet(110, place((S1, 200)), S2), place_total_limited=True), mo="place_is_within_the_maximum"),
    *rows(with_(five("2C 3D 4H 2S", "9H"), five_cards=4), mo="yes"),
    # chips: what a table can pay
    *rows(with_chips(settled("AS KH", "10C 8D", stake=2_500), 50), pt="blackjack 3750 pt.bj.21a"),
    *rows(with_chips(settled("AS KH", "10C 8D", stake=2_000), 500), pt="blackjack 3000 pt.bj.21a"),
    *rows(with_chips(settled("AS KH", "10C 8D", stake=1_000), 1_000), pt="blackjack 1500 pt.bj.21a no-chip"),
]
