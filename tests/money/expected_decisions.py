"""Each law's answer to a decision of a player or the bank: written by hand from the clauses."""

from collections.abc import Callable

from controller.core.custody.state import Card
from controller.core.games.blackjack.bank import may_bank_draw, may_bank_stand
from controller.core.games.blackjack.decisions.doubling import may_double
from controller.core.games.blackjack.decisions.even_money import may_take_even_money
from controller.core.games.blackjack.decisions.five_cards import may_claim_five_cards
from controller.core.games.blackjack.decisions.insurance import may_insure, may_insure_with, needs_accepting
from controller.core.games.blackjack.decisions.turns import may_stand
from controller.core.games.blackjack.hand import (
    Hand,
    due_at_once,
    is_blackjack,
    may_draw,
    may_split,
    points,
    prize_at_once,
)
from controller.core.words import Cents
from tests.money.kit import Row, Rules, cards, hand, may_surrender, rows, says

Ask = Callable[[Rules], object]


def total(text: str, flags: str = "") -> Ask:
    return lambda rules: points(hand(text, flags), rules.figures)


def blackjack(text: str, flags: str = "") -> Ask:
    return lambda rules: is_blackjack(hand(text, flags), rules.figures)


def draw(text: str, flags: str = "") -> Ask:
    return lambda rules: says(rules, may_draw(hand(text, flags), rules))


def stand(text: str, flags: str = "") -> Ask:
    return lambda rules: says(rules, may_stand(hand(text, flags), rules))


def double(text: str, flags: str = "") -> Ask:
    return lambda rules: says(rules, may_double(hand(text, flags), rules))


def split(text: str, flags: str = "", hands: int = 1) -> Ask:
    return lambda rules: says(rules, may_split(hand(text, flags), hands, rules))


def surrender(text: str, up: str, flags: str = "", *, drawn: bool = False) -> Ask:
    return lambda rules: says(
        rules,
        may_surrender(hand(text, flags), Card(up), rules, somebody_has_drawn=drawn),
    )


def even(text: str, up: str, flags: str = "", *, known: bool = False) -> Ask:
    return lambda rules: says(rules, may_take_even_money(hand(text, flags), Card(up), rules, second_is_known=known))


def insure(amount: int, stake: int, up: str, *, late: bool = False) -> Ask:
    return lambda rules: says(
        rules, may_insure(Cents(amount), Cents(stake), Card(up), rules, somebody_has_decided=late)
    )


def five(text: str, up: str, flags: str = "") -> Ask:
    return lambda rules: says(rules, may_claim_five_cards(hand(text, flags), Card(up), rules))


def at_once(text: str, up: str) -> Ask:
    return lambda rules: due_at_once(hand(text), Card(up), rules)


def prize(text: str) -> Ask:
    return lambda rules: prize_at_once(hand(text), rules) is not None


def bank_draws(text: str, *hands: Hand, insured: bool = False) -> Ask:
    return lambda rules: says(rules, may_bank_draw(cards(text), hands, rules, is_insured=insured))


def bank_stands(text: str, *hands: Hand) -> Ask:
    return lambda rules: says(rules, may_bank_stand(cards(text), hands, rules, is_insured=False))


VALUES: list[Row] = [
    *rows(total("AS KH"), all=21),
    *rows(total("AS 6H"), all=17),
    *rows(total("AS 6H 9C"), all=16),
    *rows(total("QS JH AD"), all=21),
    *rows(total("9C 7D 6H"), all=22),
    *rows(total("10C 5D 6H"), all=21),
    *rows(blackjack("AS KH"), all=True),
    *rows(blackjack("10S AH"), all=True),
    *rows(blackjack("QS JH AD"), all=False),
    *rows(blackjack("KD AC", "split"), all=False),
    *rows(blackjack("AD 10C", "split"), all=False),
    # the ace of a doubled hand (PY-10)
    *rows(total("AS 8H 2C", "doubled"), pt_house=11, mo_br=21),
    *rows(total("8H AS 2C", "doubled"), pt_house=11, mo_br=21),
    *rows(total("AS 8H 2C"), all=21),
    *rows(total("9H AS AC"), all=21),
    *rows(total("AS 9H AC", "doubled"), all=21),
    *rows(total("AS 9H", "doubled"), pt_house=10, mo_br=20),
    *rows(total("6S 5H AC", "doubled"), all=12),
    *rows(total("5S 5H AC", "doubled"), all=21),
    *rows(total("AS 8H 10C", "doubled"), all=19),
]

DRAWING: list[Row] = [
    *rows(draw("10S 6H"), all="yes"),
    *rows(draw("10S KH"), all="yes"),
    *rows(
        draw("AS 3H 7C"),
        pt="total_is_below_21 pt.bj.18b",
        house="total_is_below_21 pt.bj.18b",
        mo="total_is_below_21 mo.6.4.1",
        br="yes",
    ),
    *rows(
        draw("AS KH"),
        pt="hand_is_no_blackjack pt.bj.18a",
        house="hand_is_no_blackjack house.9a",
        mo="hand_is_no_blackjack mo.6.4.1",
        br="hand_is_no_blackjack br.ex.5",
    ),
    *rows(
        draw("9C 7D 6H"),
        pt="hand_is_live pt.bj.22a",
        house="hand_is_live house.1",
        mo="hand_is_live mo.6.2",
        br="hand_is_live br.play.6",
    ),
    *rows(draw("10S 5H", "surrendered"), pt="giving_up_stands pt.bj.36c"),
    *rows(draw("5S 5H", "doubled"), all="yes"),
    *rows(
        draw("5S 5H 8C", "doubled"),
        pt="doubled_hand_lacks_its_card pt.bj.29b",
        house="doubled_hand_lacks_its_card house.12",
        mo="doubled_hand_lacks_its_card mo.6.4.2",
        br="doubled_hand_lacks_its_card br.double.1",
    ),
    *rows(draw("AS", "split"), all="yes"),
    *rows(
        draw("AS 5H", "split"),
        pt="split_ace_lacks_its_card pt.bj.26c",
        house="split_ace_lacks_its_card house.11a",
        mo="split_ace_lacks_its_card mo.6.4.3",
        br="split_ace_lacks_its_card br.pairs.6a",
    ),
    *rows(draw("8S 5H", "split"), all="yes"),
    *rows(
        draw("KS AH", "split"),
        pt_house="total_is_below_21 pt.bj.18b",
        mo="total_is_below_21 mo.6.4.1",
        br="yes",
    ),
]

STANDING: list[Row] = [
    *rows(
        stand("6S 5H"),
        pt="total_suffices_to_stand pt.bj.18a",
        house="total_suffices_to_stand house.9b",
        mo_br="yes",
    ),
    *rows(stand("10S 2H"), all="yes"),
    *rows(stand("AS 5H"), all="yes"),
    *rows(stand("AS AH"), all="yes"),
    *rows(stand("5S 4H"), mo_br="yes"),
    *rows(stand("2S 2H"), mo_br="yes"),
    *rows(lambda rules: rules.figures.stand_from, mo_br=0),
    *rows(
        stand("8S", "split"),
        pt="hand_has_two_cards pt.bj.26b",
        house="hand_has_two_cards pt.bj.26b",
        mo="hand_has_two_cards",
        br="hand_has_two_cards",
    ),
    *rows(stand("AS 5H", "split"), all="yes"),
    *rows(stand("AS AH", "split"), all="yes"),
    *rows(
        stand("5S 5H", "doubled"),
        pt="doubled_hand_has_its_card pt.bj.29b",
        house="doubled_hand_has_its_card house.12",
        mo="doubled_hand_has_its_card mo.17.1",
        br="doubled_hand_has_its_card br.double.1",
    ),
    *rows(stand("5S 4H 2C", "doubled"), all="yes"),
    *rows(
        stand("KS 5H 9C"),
        pt="hand_is_live pt.bj.22a",
        house="hand_is_live house.1",
        mo="hand_is_live mo.6.2",
        br="hand_is_live br.play.6",
    ),
]

DOUBLING: list[Row] = [
    *rows(double("5S 5H"), all="yes"),
    *rows(double("5S 4H"), all="yes"),
    *rows(double("6S 5H"), all="yes"),
    *rows(
        double("5S 3H"),
        pt="total_may_be_doubled pt.bj.29a",
        house="total_may_be_doubled house.12",
        mo="yes",
        br="total_may_be_doubled br.double.1",
    ),
    *rows(
        double("10S 2H"),
        pt="total_may_be_doubled pt.bj.29a",
        house="total_may_be_doubled house.12",
        mo="yes",
        br="total_may_be_doubled br.double.1",
    ),
    *rows(double("AS 8H"), all="yes"),
    *rows(double("AS 9H"), all="yes"),
    *rows(
        double("AS 10H"),
        pt="hand_is_no_blackjack pt.bj.18a",
        house="hand_is_no_blackjack house.9a",
        mo="hand_is_no_blackjack mo.6.4.1",
        br="hand_is_no_blackjack br.ex.5",
    ),
    *rows(
        double("2S 3H 5C"),
        pt="double_is_of_two_cards pt.bj.29a",
        house="double_is_of_two_cards house.12",
        mo="double_is_of_two_cards mo.17.1",
        br="double_is_of_two_cards br.double.1",
    ),
    *rows(double("5S 5H", "doubled"), pt="double_is_of_two_cards pt.bj.29a"),
    *rows(double("8S 3H", "split"), all="yes"),
    *rows(
        double("AS 8H", "split"),
        pt="split_ace_lacks_its_card pt.bj.26c",
        house="split_ace_lacks_its_card house.11a",
        mo="split_ace_lacks_its_card mo.6.4.3",
        br="split_ace_lacks_its_card br.pairs.6a",
    ),
    *rows(
        double("10S AH", "split"),
        pt_house="total_is_below_21 pt.bj.18b",
        mo="total_is_below_21 mo.6.4.1",
        br="yes",
    ),
]

SPLITTING: list[Row] = [
    *rows(split("8S 8H"), all="yes"),
    *rows(split("KS QH"), pt_house_br="yes", mo="cards_are_a_pair mo.16.1"),
    *rows(split("KS KH"), all="yes"),
    *rows(
        split("8S 9H"),
        pt="cards_are_a_pair pt.bj.26a",
        house="cards_are_a_pair house.10a",
        mo="cards_are_a_pair mo.16.1",
        br="cards_are_a_pair br.pairs.1",
    ),
    *rows(split("4S 4H 4C"), pt="cards_are_a_pair pt.bj.26a"),
    *rows(split("8S 8H", "doubled"), pt="hand_is_live pt.bj.22a"),
    *rows(split("8S 8H", "split", hands=2), all="yes"),
    *rows(split("8S 8H", "split", hands=3), all="yes"),
    *rows(split("8S 8H", "split", hands=4), pt_house_br="yes", mo="hands_are_few_enough mo.16.1"),
    *rows(split("8S 8H", "split", hands=12), pt_house_br="yes", mo="hands_are_few_enough mo.16.1"),
    *rows(split("AS AH"), all="yes"),
    *rows(split("AS AH", "split", hands=2), all="yes"),
    *rows(split("8S 8H", "split declined", hands=2), pt_house_br="yes", mo="pair_was_not_declined mo.16.5"),
]

SURRENDERING: list[Row] = [
    *rows(
        surrender("10S 6H", "10C"),
        pt_house_mo="yes",
        br="surrender_is_offered",
    ),
    *rows(surrender("10S 6H", "9C"), pt_house_mo="yes"),
    *rows(
        surrender("10S 6H", "AC"),
        pt="surrender_is_offered pt.bj.36a",
        house="surrender_is_offered house.16a",
        mo="surrender_is_offered mo.18.1",
        br="surrender_is_offered",
    ),
    *rows(
        surrender("10S 2H 3C", "10C"),
        pt="hand_is_as_dealt pt.bj.36b",
        house="hand_is_as_dealt house.16b",
        mo="hand_is_as_dealt mo.18.2",
    ),
    *rows(surrender("8S 8H", "10C", "split"), pt="hand_is_as_dealt pt.bj.36b"),
    *rows(
        surrender("8S 8H", "10C", "surrendered"),
        pt="giving_up_stands pt.bj.36c",
        house="giving_up_stands house.16b",
        mo="giving_up_stands mo.18.2",
    ),
    *rows(surrender("10S 6H", "10C", drawn=True), pt_house="yes", mo="nobody_has_drawn mo.18.2"),
]

EVEN_MONEY: list[Row] = [
    *rows(even("AS KH", "AC"), pt_house_mo="yes", br="even_money_is_offered"),
    *rows(
        even("AS KH", "10C"),
        pt="even_money_is_offered pt.bj.34",
        house="even_money_is_offered pt.bj.34",
        mo="yes",
        br="even_money_is_offered",
    ),
    *rows(even("AS KH", "QC"), mo="yes"),
    *rows(even("AS KH", "9C"), pt="even_money_is_offered pt.bj.34", mo="even_money_is_offered mo.10.3"),
    *rows(even("AS KH", "AC", "split"), pt_house="hand_is_a_blackjack pt.bj.34", mo="hand_is_a_blackjack mo.10.3"),
    *rows(even("AS KH", "AC", "even-money"), pt="hand_is_a_blackjack pt.bj.34"),
    *rows(
        even("AS KH", "AC", known=True),
        pt_house="banks_second_is_unknown pt.bj.34",
        mo="banks_second_is_unknown",
    ),
]

INSURING: list[Row] = [
    *rows(
        insure(1_500, 3_000, "KC"),
        pt="insurance_is_offered pt.bj.33a",
        house="insurance_is_offered house.15a",
        mo="insurance_is_offered mo.12.1",
        br="insurance_is_offered br.ins.1",
    ),
    *rows(insure(1_500, 3_000, "AC"), all="yes"),
    *rows(insure(1_000, 3_000, "AC"), pt_house_br="yes", mo="insurance_reaches_the_least mo.12.1"),
    *rows(insure(1_499, 3_000, "AC"), mo="insurance_reaches_the_least mo.12.1"),
    *rows(
        insure(1_501, 3_000, "AC"),
        pt="insurance_is_within_the_most pt.bj.33b",
        house="insurance_is_within_the_most house.15a",
        mo="yes",
        br="insurance_is_within_the_most br.ins.3",
    ),
    *rows(insure(3_000, 3_000, "AC"), mo="yes"),
    *rows(insure(3_001, 3_000, "AC"), mo="insurance_is_within_the_most mo.12.1"),
    *rows(
        insure(0, 3_000, "AC"),
        pt="insurance_reaches_the_least",
        house="insurance_reaches_the_least",
        mo="insurance_reaches_the_least mo.12.1",
        br="insurance_reaches_the_least",
    ),
    *rows(insure(1, 3_000, "AC"), pt_house_br="yes"),
    *rows(
        insure(1_500, 3_000, "AC", late=True),
        pt_house_mo="insurance_is_in_time",
        br="insurance_is_in_time br.ins.2",
    ),
    *rows(
        lambda rules: says(rules, needs_accepting(rules, is_accepted=False)),
        pt_house_br="yes",
        mo="bank_accepts_the_insurance mo.12.1",
    ),
    *rows(lambda rules: says(rules, needs_accepting(rules, is_accepted=True)), all="yes"),
    *rows(
        lambda rules: says(rules, may_insure_with(rules, holder_insures=False)),
        pt="holder_insures pt.bj.15c",
        house="holder_insures pt.bj.15c",
        mo="yes",
        br="holder_insures br.players.2",
    ),
    *rows(lambda rules: says(rules, may_insure_with(rules, holder_insures=True)), all="yes"),
]

FIVE_CARDS: list[Row] = [
    *rows(five("2C 3D 4H 2S 5C", "9H"), pt_house_br="five_cards_are_paid_here", mo="yes"),
    *rows(five("2C 3D 4H 2S 10C", "10H"), mo="yes"),
    *rows(five("2C 3D 4H 2S 5C", "9H", "split"), mo="yes"),
    *rows(five("2C 3D 4H 2S 5C", "AH"), mo="five_cards_are_offered mo.19.2"),
    *rows(five("2C 3D 4H 2S", "9H"), mo="hand_has_five_cards mo.19.1"),
    *rows(five("2C 3D 4H 2S 2D 2H", "9H"), mo="hand_has_five_cards mo.19.1"),
    *rows(five("5C 5D 4H 2S 6C", "9H"), mo="hand_has_five_cards mo.19.1"),
]

AT_ONCE: list[Row] = [
    *rows(at_once("AS KH", "6C"), pt_house="blackjack", mo_br=None),
    *rows(at_once("AS KH", "2C"), pt_house="blackjack", mo_br=None),
    *rows(at_once("AS KH", "9C"), pt_house="blackjack"),
    *rows(at_once("AS KH", "10C"), all=None),
    *rows(at_once("AS KH", "AC"), all=None),
    *rows(at_once("KS KH", "6C"), all=None),
    *rows(at_once("KS KH 2C", "6C"), all="bust"),
    *rows(prize("6H 7H 8H"), pt_house_mo=True, br=False),
    *rows(prize("8H 6H 7H"), pt_house_mo=True),
    *rows(prize("6H 7H 8C"), all=False),
    *rows(prize("7S 7D 7H"), pt_house_mo=True, br=False),
    *rows(prize("7S 7D 7H 2C"), all=False),
    *rows(prize("5H 7H 9H"), all=False),
]

TEN = hand("10S 8H")
BLACKJACK = hand("AS KH")
BUST = hand("10S 8H 9C")

BANK: list[Row] = [
    *rows(bank_draws("10S 6H", TEN), all="yes"),
    *rows(
        bank_draws("10S 7H", TEN),
        pt_house="bank_is_below_its_total pt.bj.19a",
        mo="bank_is_below_its_total mo.6.1a",
        br="bank_is_below_its_total br.staff.2",
    ),
    *rows(
        bank_draws("AS 6H", TEN),
        pt_house="bank_is_below_its_total pt.bj.19a",
        mo="bank_is_below_its_total mo.6.1a",
        br="bank_is_below_its_total br.staff.2",
    ),
    *rows(bank_draws("AS 2H 4C", TEN), pt="bank_is_below_its_total pt.bj.19a"),
    *rows(bank_draws("AS 5H", TEN), all="yes"),
    *rows(bank_draws("AS 6H 5C", TEN), all="yes"),
    *rows(bank_draws("AS 6H 10C", TEN), pt="bank_is_below_its_total pt.bj.19a"),
    *rows(
        bank_stands("10S 6H", TEN),
        pt_house="bank_has_its_total pt.bj.19c",
        mo="bank_has_its_total mo.6.1a",
        br="bank_has_its_total br.play.8a",
    ),
    *rows(bank_stands("10S 7H", TEN), all="yes"),
    # no player is in play: no third card (DM-12)
    *rows(bank_draws("10S 6H", BUST), pt_house="somebody_is_in_play pt.bj.22b", mo_br="somebody_is_in_play"),
    *rows(bank_draws("10S 6H", BLACKJACK, BUST), pt_house="somebody_is_in_play pt.bj.22b"),
    *rows(bank_draws("10S 6H", BLACKJACK, TEN), all="yes"),
    *rows(bank_stands("10S 6H", BUST), all="yes"),
    *rows(bank_stands("10S 6H", hand("10S 6H", "surrendered")), all="yes"),
    # the second card, where it is drawn after the players
    *rows(bank_draws("AS", BLACKJACK), all="yes"),
    *rows(bank_draws("AS", BUST), mo_br="somebody_is_in_play"),
    *rows(bank_draws("AS", BUST, insured=True), mo_br="yes"),
    # the text's worked game on a third card (BR-03, br.ex.12b)
    *(row for third in ["7H", "8H", "9H", "10H"] for row in rows(bank_draws(f"AD 4C {third}", TEN), all="yes")),
    *(
        row
        for third in ["2H", "3H", "4H", "5H", "6H"]
        for row in rows(bank_draws(f"AD 4C {third}", TEN), br="bank_is_below_its_total br.staff.2")
    ),
]
