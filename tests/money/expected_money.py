"""Each law's payments, losses, bets and deciders: written by hand from the clauses and their examples."""

from collections.abc import Callable

from controller.core.games.blackjack.bets.place import Offer, may_bet
from controller.core.games.blackjack.bets.side import may_bet_aside
from controller.core.games.blackjack.hand import is_pair
from controller.core.games.blackjack.hands import BettingPlace, Bettor, Laid, decider
from controller.core.games.blackjack.money import Payment, pay
from controller.core.games.blackjack.settling import Bet, settle_bet, settle_insurance, special_prizes
from controller.core.games.blackjack.side_bets import SideBet, settle_any_pair, settle_over_under, settle_sevens
from controller.core.words import Cents
from tests.money.kit import Row, Rules, cards, hand, rows, says, settle_hand, told

Ask = Callable[[Rules], object]


def settled(text: str, bank: str, flags: str = "", *, stake: int = 2_000) -> Ask:
    """Asks for the result of a hand's bet against the bank's final cards; a doubled hand's bet is doubled."""
    bet = Bet(1, Cents(stake), is_doubled="doubled" in flags)
    return lambda rules: told(rules, settle_bet(hand(text, flags), cards(bank), bet, rules))


def each(text: str, bank: str, *of: Bet, flags: str = "") -> Ask:
    """Asks for the result, in cents, of each of several bettors on one hand."""
    return lambda rules: tuple(
        (due.bettor, due.amount.cents) for due in settle_hand(hand(text, flags), cards(bank), of, rules)
    )


def insured(bank: str, amount: int = 1_500) -> Ask:
    return lambda rules: told(rules, settle_insurance(Cents(amount), cards(bank), rules))


def prizes(*of: Bet, holder: int = 1) -> Ask:
    return lambda rules: tuple((due.bettor, told(rules, due.amount)) for due in special_prizes(of, holder, rules))


RESULTS: list[Row] = [
    *rows(
        settled("10S 9H", "10C 8D"),
        pt="win 2000 pt.bj.23",
        house="win 2000 house.18",
        mo="win 2000 mo.9",
        br="win 2000 br.play.9",
    ),
    *rows(
        settled("10S 8H", "10C 9D"),
        pt="loss -2000 pt.bj.23",
        house="loss -2000 pt.bj.23",
        mo="loss -2000 mo.9",
        br="loss -2000 br.play.8c",
    ),
    *rows(
        settled("10S 8H", "10C 8D"),
        pt="tie 0 pt.bj.24a",
        house="tie 0 house.19",
        mo="tie 0 mo.11.2",
        br="tie 0 br.play.8c",
    ),
    *rows(
        settled("AS KH", "10C QD"),
        pt="blackjack 3000 pt.bj.21a",
        house="blackjack 3000 house.17",
        mo="blackjack 3000 mo.10.2",
        br="blackjack 3000 br.play.7",
    ),
    *rows(
        settled("AS KH", "AC QD"),
        pt="both-blackjack 0 pt.bj.21a",
        house="both-blackjack 0 house.17",
        mo="both-blackjack 0 mo.11.1",
        br="both-blackjack 0 br.play.7",
    ),
    *rows(settled("AS KH", "10C 5D 6C"), pt="blackjack 3000 pt.bj.21a", mo="blackjack 3000 mo.10.2"),
    *rows(
        settled("10S 5H 6C", "AC QD"),
        pt="bank-blackjack-21 -2000 pt.bj.20a",
        house="bank-blackjack-21 -2000 pt.bj.20a",
        mo="bank-blackjack-21 -2000 mo.10.6a",
        br="bank-blackjack-21 -2000 br.play.5",
    ),
    *rows(
        settled("10S 8H", "AC QD"),
        pt="bank-blackjack -2000 pt.bj.23",
        house="bank-blackjack -2000 pt.bj.23",
        mo="bank-blackjack -2000 mo.12.2",
        br="bank-blackjack -2000 br.play.2",
    ),
    *rows(settled("10S 5H 6C", "10C 5D 6D"), pt="tie 0 pt.bj.24a", br="tie 0 br.play.8c"),
    *rows(
        settled("10S 5H 9C", "10C 6D 8D"),
        pt="bust -2000 pt.bj.22a",
        house="bust -2000 house.1",
        mo="bust -2000 mo.7.2",
        br="bust -2000 br.play.6",
    ),
    *rows(
        settled("10S 3H", "10C 6D 6H"),
        pt="bank-bust 2000 pt.bj.23",
        house="bank-bust 2000 pt.bj.23",
        mo="bank-bust 2000 mo.9",
        br="bank-bust 2000 br.play.8b",
    ),
    # a separated pair's 21 (PY-04, PY-05)
    *rows(
        settled("KD AC", "10C QD", "split", stake=4_000),
        pt="win 4000 pt.bj.23",
        house="win 4000 house.18",
        mo="win 4000 mo.9",
        br="win 4000 br.play.9",
    ),
    *rows(
        settled("KD AC", "AD QH", "split"),
        pt="bank-blackjack-21 -2000 pt.bj.20a",
        br="bank-blackjack-21 -2000 br.play.5",
    ),
    # doubled (PY-08, PY-10, mo.10.7)
    *rows(
        settled("5S 5H 8C", "10C 7D", "doubled", stake=3_000),
        pt="win 6000 pt.bj.23",
        house="win 6000 house.18",
        mo="win 6000 mo.9",
        br="win 6000 br.play.9",
    ),
    *rows(
        settled("AS 8H 2C", "10C 7D", "doubled"),
        pt="loss -4000 pt.bj.23",
        house="loss -4000 pt.bj.23",
        mo="win 4000 mo.9",
        br="win 4000 br.play.9",
    ),
    *rows(
        settled("5S 6H 8C", "AC KD", "doubled"),
        pt_house="bank-blackjack -4000 pt.bj.23",
        mo="bank-blackjack -4000 mo.12.2",
        br="bank-blackjack -4000 br.play.2",
    ),
    # hands that ended before the bank's (PY-18 to PY-20, PY-29)
    *rows(
        settled("10S 6H", "AC KD", "surrendered"),
        pt="surrendered -1000 pt.bj.36a",
        house="surrendered -1000 house.16a",
        mo="surrendered -1000 mo.18.1",
    ),
    *rows(
        settled("AS KH", "AC KD", "even-money"),
        pt="even-money 2000 pt.bj.34",
        house="even-money 2000 pt.bj.34",
        mo="even-money 2000 mo.10.3",
    ),
    *rows(settled("AS KH", "6C", "blackjack-paid"), pt="blackjack 3000 pt.bj.21a", house="blackjack 3000 house.17"),
    *rows(settled("2C 3D 4H 2S 5C", "9C 10D", "five-cards"), mo="five-cards 1000 mo.19.1"),
    # an insurance: PY-15, PY-16, PY-31
    *rows(
        insured("AC KD"),
        pt="insurance-won 3000 pt.bj.33c",
        house="insurance-won 3000 house.15b",
        mo="insurance-won 3000 mo.12.2",
        br="insurance-won 3000 br.ins.4",
    ),
    *rows(
        insured("AC 5D 5H"),
        pt="insurance-lost -1500 pt.bj.33c",
        house="insurance-lost -1500 house.15b",
        mo="insurance-lost -1500 mo.12.3",
        br="insurance-lost -1500 br.ins.5",
    ),
    # special prize (PY-22, PY-23, PY-34)
    *rows(
        prizes(Bet(1, Cents(2_000))),
        pt=((1, "special-prize 6000 pt.bj.35"),),
        house=((1, "special-prize 6000 pt.bj.35"),),
        mo=((1, "special-prize 6000 mo.15"),),
    ),
    *rows(prizes(Bet(1, Cents(2_000)), Bet(2, Cents(1_000))), br=((1, "special-prize 0"),)),
    *rows(
        prizes(Bet(1, Cents(2_000), is_doubled=True)),
        pt_house=((1, "special-prize 6000 pt.bj.35"),),
        mo=((1, "special-prize 6000 mo.15"),),
    ),
    *rows(
        prizes(Bet(1, Cents(2_000)), Bet(2, Cents(1_000))),
        pt_house=((1, "special-prize 6000 pt.bj.35"), (2, "special-prize 3000 pt.bj.35")),
        mo=((1, "special-prize 6000 mo.15"), (2, "special-prize 3000 mo.15")),
    ),
    # several bettors of one hand (PY-14): a bettor who did not double keeps his single stake
    *rows(
        each(
            "5S 6H 9C",
            "10C 9D",
            Bet(1, Cents(2_000), is_doubled=True),
            Bet(2, Cents(3_000)),
            Bet(3, Cents(1_000), is_doubled=True),
            flags="doubled",
        ),
        all=((1, 4_000), (2, 3_000), (3, 2_000)),
    ),
    *rows(each("10S 6H", "10C 9D", Bet(1, Cents(2_000)), Bet(2, Cents(3_000))), all=((1, -2_000), (2, -3_000))),
]

FLAGS: list[Row] = [
    # chips of one unit: a blackjack of 25, half of 25 (PY-01, PY-20)
    *rows(
        settled("AS KH", "10C 8D", stake=2_500),
        pt="blackjack 3750 pt.bj.21a no-chip",
        house="blackjack 3750 house.17 no-chip",
        mo="blackjack 3750 mo.10.2 no-chip",
        br="blackjack 3750 br.play.7 no-chip",
    ),
    *rows(
        settled("AS KH", "10C 8D", stake=2_501),
        pt="blackjack 7503/2 pt.bj.21a no-whole-cents",
        house="blackjack 7503/2 house.17 no-whole-cents",
        mo="blackjack 7503/2 mo.10.2 no-whole-cents",
        br="blackjack 7503/2 br.play.7 no-whole-cents",
    ),
    *rows(
        settled("10S 6H", "10C 8D", "surrendered", stake=2_500),
        pt="surrendered -1250 pt.bj.36a no-chip",
        house="surrendered -1250 house.16a no-chip",
        mo="surrendered -1250 mo.18.1 no-chip",
    ),
    *rows(
        settled("10S 6H", "10C 8D", "surrendered", stake=2_501),
        pt="surrendered -2501/2 pt.bj.36a no-whole-cents",
        house="surrendered -2501/2 house.16a no-whole-cents",
        mo="surrendered -2501/2 mo.18.1 no-whole-cents",
    ),
    *rows(settled("2C 3D 4H 2S 5C", "9C", "five-cards", stake=2_500), mo="five-cards 1250 mo.19.1 no-chip"),
    *rows(
        lambda rules: pay(Payment.BLACKJACK, Cents(2_501), rules).cents,
        all=None,
    ),
    *rows(lambda rules: pay(Payment.BLACKJACK, Cents(2_000), rules).flag, all=None),
]


def pair_bet(text: str) -> Ask:
    first, second = cards(text)
    return lambda rules: told(rules, settle_any_pair(first, second, Cents(1_000), rules))


def sevens(text: str, *, split: bool = False) -> Ask:
    return lambda rules: told(rules, settle_sevens(cards(text), Cents(1_000), rules, is_split=split))


def beside_13(side: SideBet, text: str) -> Ask:
    first, second = cards(text)
    return lambda rules: told(rules, settle_over_under(side, first, second, Cents(1_000), rules))


def aside(bet: SideBet, *placed: SideBet, cards: int = 0, pairs: int = 0) -> Ask:
    return lambda rules: says(rules, may_bet_aside(bet, placed, rules, cards=cards, pairs=pairs))


LOST = "side-bet-lost -1000 mo.13"

SIDE_BETS: list[Row] = [
    *rows(pair_bet("JS JH"), mo="any-pair 11000 mo.14.1"),
    *rows(pair_bet("JS QH"), mo=LOST),
    *rows(pair_bet("10S KH"), mo=LOST),
    *rows(sevens("7S 7H"), mo="sevens 50000 mo.14.2.1"),
    *rows(sevens("7S 7S"), mo="sevens-suited 150000 mo.14.2.2"),
    *rows(sevens("7S 7H 9C", split=True), mo="sevens 50000 mo.14.2.1"),
    *rows(sevens("7S 7H 7C", split=True), mo="three-sevens 500000 mo.14.2.3"),
    *rows(sevens("7S 7S 7C", split=True), mo="three-sevens 500000 mo.14.2.3"),
    *rows(sevens("7S 7S 7S", split=True), mo="three-sevens-suited 5000000 mo.14.2.4"),
    *rows(sevens("7S 7H 7C"), mo="sevens 50000 mo.14.2.1"),
    *rows(sevens("7S 8H"), mo=LOST),
    *rows(sevens("8S 7H"), mo=LOST),
    *rows(beside_13(SideBet.OVER, "10S 4H"), mo="over-under 1000 mo.14.3"),
    *rows(beside_13(SideBet.UNDER, "10S 4H"), mo=LOST),
    *rows(beside_13(SideBet.UNDER, "6S 5H"), mo="over-under 1000 mo.14.3"),
    *rows(beside_13(SideBet.UNDER, "6S 6H"), mo="over-under 1000 mo.14.3"),
    *rows(beside_13(SideBet.OVER, "6S 7H"), mo=LOST),
    *rows(beside_13(SideBet.UNDER, "6S 7H"), mo=LOST),
    *rows(beside_13(SideBet.UNDER, "AS 2H"), mo="over-under 1000 mo.14.3"),
    *rows(beside_13(SideBet.OVER, "AS 3H"), mo=LOST),
    *rows(aside(SideBet.ANY_PAIR), pt_house_br="side_bet_exists", mo="yes"),
    *rows(aside(SideBet.SEVENS), pt_house_br="side_bet_exists", mo="yes"),
    *rows(aside(SideBet.OVER), pt_house_br="side_bet_exists", mo="yes"),
    *rows(aside(SideBet.UNDER), pt_house_br="side_bet_exists", mo="yes"),
    *rows(aside(SideBet.SEVENS, cards=1), mo="sevens_are_in_time mo.13.2"),
    *rows(aside(SideBet.OVER, cards=1), mo="over_under_is_in_time mo.13.3"),
    *rows(aside(SideBet.UNDER, cards=1), mo="over_under_is_in_time mo.13.3"),
    *rows(aside(SideBet.ANY_PAIR, cards=1, pairs=1), mo="side_bet_is_in_time"),
    *rows(aside(SideBet.OVER, SideBet.SEVENS), mo="side_bet_is_of_one_kind mo.13"),
    *rows(aside(SideBet.ANY_PAIR, SideBet.SEVENS), mo="side_bet_is_of_one_kind mo.13"),
    *rows(aside(SideBet.ANY_PAIR, SideBet.ANY_PAIR), mo="yes"),
    *rows(aside(SideBet.OVER, SideBet.UNDER), mo="yes"),
    # the other laws have none, as figures
    *rows(
        lambda rules: tuple(
            str(pay(payment, Cents(1_000), rules).exact)
            for payment in (
                Payment.ANY_PAIR,
                Payment.SEVENS,
                Payment.SEVENS_SUITED,
                Payment.THREE_SEVENS,
                Payment.THREE_SEVENS_SUITED,
                Payment.OVER_UNDER,
                Payment.FIVE_CARDS,
            )
        ),
        pt_house_br=("0",) * 7,
    ),
    *rows(
        lambda rules: tuple(
            str(pay(payment, Cents(1_000), rules).exact)
            for payment in (Payment.EVEN_MONEY, Payment.SURRENDERED, Payment.SPECIAL_PRIZE)
        ),
        br=("0",) * 3,
    ),
    *rows(
        lambda rules: (
            rules.figures.over_under_total,
            rules.figures.over_under_ace_either,
            rules.figures.any_pair_new_stake,
        ),
        pt_house_br=(0, False, False),
    ),
]

S1, S2, S3, STANDING_A, STANDING_B = Bettor(1, 1), Bettor(2, 2), Bettor(3, 3), Bettor(8), Bettor(9)


def place(*laid: tuple[Bettor, int], holder: Bettor | None = S1) -> BettingPlace:
    return BettingPlace(1, holder, tuple(Laid(bettor, Cents(units * 100)) for bettor, units in laid))


def bet(units: int, on: BettingPlace, by: Bettor = S1, *, consent: bool = False, places: int = 0) -> Ask:
    return lambda rules: says(rules, may_bet(Offer(by, Cents(units * 100), consent, places), on, rules))


def decides(on: BettingPlace) -> Ask:
    def ask(rules: Rules) -> object:
        found = decider(on, rules)
        return None if found is None else found.number

    return ask


EMPTY = place()
OVER_MAXIMUM = {
    "pt": "bet_is_within_the_maximum pt.bj.14",
    "house": "bet_is_within_the_maximum house.5",
    "mo": "bet_is_within_the_maximum",
    "br": "bet_is_within_the_maximum br.bets.1",
}

BETS: list[Row] = [
    # PY-25
    *rows(bet(10, EMPTY), all="yes"),
    *rows(bet(300, EMPTY), all="yes"),
    *rows(bet(15, EMPTY), pt="bet_is_a_multiple pt.bj.14", house="bet_is_a_multiple house.5", mo_br="yes"),
    *rows(bet(310, EMPTY), **OVER_MAXIMUM),
    *rows(
        bet(5, EMPTY),
        pt="bet_reaches_the_minimum pt.bj.14",
        house="bet_reaches_the_minimum house.5",
        mo="bet_reaches_the_minimum",
        br="bet_reaches_the_minimum br.bets.1",
    ),
    *rows(bet(110, place((S1, 200))), **OVER_MAXIMUM),
    # PY-26
    *rows(
        bet(110, place((S1, 200)), S2, consent=True),
        pt="place_is_within_the_maximum pt.bj.15a",
        house="place_is_within_the_maximum house.6a",
        mo="yes",
        br="place_is_within_the_maximum br.bets.2",
    ),
    *rows(bet(100, place((S1, 200)), S2, consent=True), all="yes"),
    # XP-06, and a stake that completes the maximum without being a multiple
    *rows(
        bet(20, place((S1, 200), (S2, 90), holder=None), S3),
        pt_house="vacant_place_is_within_the_maximum pt.bj.16a",
    ),
    *rows(bet(10, place((S1, 200), (S2, 90), holder=None), S3), all="yes"),
    *rows(bet(25, place((S1, 275)), S2, consent=True), pt_house_mo_br="yes"),
    *rows(
        bet(5, place((S1, 295)), S2, consent=True),
        pt_house="yes",
        mo="bet_reaches_the_minimum",
        br="bet_reaches_the_minimum br.bets.1",
    ),
    *rows(bet(15, place((S1, 275)), S2, consent=True), pt="bet_is_a_multiple pt.bj.14"),
    # a completing bet of another is not left beside a lower one
    *rows(bet(100, place((S2, 25)), S1), pt_house="place_stays_completed pt.bj.15a", mo_br="yes"),
    # on the place of another
    *rows(
        bet(20, EMPTY, S2, consent=True),
        pt="holder_has_bet pt.bj.15a",
        house="holder_has_bet house.6a",
        mo="yes",
        br="holder_has_bet br.players.2",
    ),
    *rows(bet(20, place((S1, 20)), S2), pt_house_mo="yes", br="holder_consents br.bets.2"),
    *rows(bet(20, place((S1, 20)), STANDING_A), pt_house_mo="yes", br="holder_consents br.bets.2"),
    # on a vacant place
    *rows(bet(20, place(holder=None), S2), all="yes"),
    *rows(bet(20, place(holder=None), STANDING_A), pt_house_mo="yes", br="bettor_is_seated br.players.2"),
    *rows(bet(20, EMPTY, S1, places=6), all="yes"),
    *rows(bet(20, EMPTY, S1, places=1), all="yes"),
    # XT-02: a fourth bettor, and the deciding one
    *rows(bet(10, place((S1, 100), (STANDING_A, 50), (STANDING_B, 20)), S2, consent=True), all="yes"),
    *rows(decides(place((S1, 100), (STANDING_A, 200), (STANDING_B, 50))), all=1),
    *rows(decides(place((S2, 50), (S3, 90), holder=None)), pt_house_br=3, mo=2),
    *rows(decides(place((S3, 90), (S2, 90), holder=None)), pt_house_br=2, mo=3),
    *rows(decides(place((STANDING_A, 90), (S2, 90), holder=None)), pt_house=2, mo=8),
    *rows(decides(place((S2, 50), (S3, 90), (S2, 50), holder=None)), pt_house_br=2),
    *rows(decides(place(holder=None)), all=None),
    *rows(lambda rules: rules.figures.bettors_per_place, pt_house_br=0, mo=3),
    # the other bets of the place (PY-14, pt.bj.28, br.players.2)
    *rows(
        lambda rules: (rules.figures.others_split, rules.figures.others_double),
        pt_house=("optional", "optional"),
        mo_br=("always", "always"),
    ),
    *rows(lambda rules: is_pair(cards("KD 10C"), rules.figures), pt_house_br=True, mo=False),
]
