"""Computes the amount of each bet, against the bank's final cards or as soon as the hand has ended."""

from typing import Final

from msgspec import Struct

from controller.core.choices import OthersFollow
from controller.core.custody.state import Card
from controller.core.games.blackjack.hand import ACE, ENDS, Hand, has_blackjack, is_blackjack, is_bust, points
from controller.core.games.blackjack.money import Amount, Payment, pay
from controller.core.games.blackjack.values import BEST, card_value, hand_points
from controller.core.hand_rules import HandFigures, HandRules
from controller.core.words import Cents


class Bet(Struct, frozen=True, gc=False):
    """One player's bet on one hand. A player who did not follow a split bets only on the first hand (pt.bj.28b). A
    player who did not double keeps the single stake (pt.bj.30).
    """

    bettor: int
    stake: Cents  # the stake before it was doubled
    is_doubled: bool = False

    @property
    def whole(self) -> Cents:
        """Returns the stake in cents, which is twice the first stake for a doubled bet."""
        return Cents(2 * self.stake) if self.is_doubled else self.stake


def bets_of_new_hand(
    bets: tuple[Bet, ...], holder: int, following: tuple[int, ...], rules: HandRules
) -> tuple[Bet, ...]:
    """Returns the bets on the second hand of a split: those of `bets`, the first hand's, that belong to the holder or
    to a player who follows (pt.bj.26a, 28a, mo.16.2). `following`: the players who follow, if the profile lets them
    choose.
    """
    follow = rules.figures.others_split is OthersFollow.ALWAYS
    return tuple(bet for bet in bets if follow or bet.bettor == holder or bet.bettor in following)


def bets_of_doubled_hand(
    bets: tuple[Bet, ...], holder: int, doubling: tuple[int, ...], rules: HandRules
) -> tuple[Bet, ...]:
    """Returns the bets on a hand that its holder doubles: the holder's and those of `doubling` doubled, any other
    unchanged. If the profile makes all players follow, every bet is doubled (pt.bj.29a, pt.bj.30, house.14,
    br.double.1, mo.17).
    """
    follow = rules.figures.others_double is OthersFollow.ALWAYS
    doubled = {bet.bettor for bet in bets if follow or bet.bettor == holder or bet.bettor in doubling}
    return tuple(Bet(bet.bettor, bet.stake, is_doubled=bet.bettor in doubled) for bet in bets)


class Due(Struct, frozen=True, gc=False):
    """The amount that one player's bet brings or costs."""

    bettor: int
    amount: Amount


def result(hand: Hand, bank: tuple[Card, ...], figures: HandFigures) -> Payment:
    """Returns the payment for a hand against the bank's final cards, which do not matter for an ended hand (pt.bj.20 to
    24, br.play.2 to 9, house.1, house.17 to 19, mo.7.2, mo.9 to 11).
    """
    if is_bust(hand):
        return Payment.BUST
    if hand.end is not None:
        return ENDS[hand.end]
    bank_has_blackjack = has_blackjack(bank)
    if is_blackjack(hand, figures):
        return Payment.BOTH_BLACKJACK if bank_has_blackjack else Payment.BLACKJACK
    mine = points(hand, figures)
    if bank_has_blackjack:
        return Payment.BANK_BLACKJACK_21 if mine == BEST else Payment.BANK_BLACKJACK
    return _compared(mine, hand_points(bank))


def _compared(mine: int, banks: int) -> Payment:
    if banks > BEST:
        return Payment.BANK_BUST
    if mine == banks:
        return Payment.TIE
    return Payment.WIN if mine > banks else Payment.LOSS


def settle_bet(hand: Hand, bank: tuple[Card, ...], bet: Bet, rules: HandRules) -> Amount:
    """Returns the amount of one bet on a hand. By mo.10.7 a doubled bet may lose only its first stake to a bank's
    blackjack.
    """
    payment = result(hand, bank, rules.figures)
    is_spared = bet.is_doubled and rules.figures.doubled_loses_first_stake
    if payment in _TO_BLACKJACK and is_spared:
        return pay(Payment.BANK_BLACKJACK_DOUBLED, bet.stake, rules, _OF_A_DOUBLED)
    return pay(payment, bet.whole, rules, _of_doubled(hand, payment) if bet.is_doubled else ())


_TO_BLACKJACK: Final = (Payment.BANK_BLACKJACK, Payment.BANK_BLACKJACK_21)
_OF_A_DOUBLED: Final = ("doubled_loses_first_stake",)


def _of_doubled(hand: Hand, payment: Payment) -> tuple[str, ...]:
    """Returns the names of the profile's figures, other than the rate, on which a doubled bet's payment depends."""
    if payment in _TO_BLACKJACK:
        return _OF_A_DOUBLED
    has_ace = any(card_value(card) == ACE for card in hand.cards[:2])
    return ("doubled_ace_stays_one",) if has_ace else ()


def settle_insurance(amount: Cents, bank: tuple[Card, ...], rules: HandRules) -> Amount:
    """Returns the amount of an insurance, won if the bank has a blackjack (pt.bj.33c, house.15b, mo.12.2, mo.12.3,
    br.ins).
    """
    return pay(Payment.INSURANCE_WON if has_blackjack(bank) else Payment.INSURANCE_LOST, amount, rules)


def special_prizes(bets: tuple[Bet, ...], holder: int, rules: HandRules) -> tuple[Due, ...]:
    """Returns the special prizes for a hand: for the holder's bet, and for other players' bets if the profile says so.

    For a doubled bet the profile says if the prize is paid on the first stake or on the whole stake (pt.bj.35, mo.15).
    """
    of_holder = [_special_prize(bet, rules) for bet in bets if bet.bettor == holder]
    if not rules.figures.special_prize_to_others:
        return tuple(of_holder)
    why = ("special_prize_to_others",)
    return (*of_holder, *(_special_prize(bet, rules, why) for bet in bets if bet.bettor != holder))


def _special_prize(bet: Bet, rules: HandRules, why: tuple[str, ...] = ()) -> Due:
    of_doubled = ("special_prize_of_doubled",) if bet.is_doubled else ()
    stake = bet.whole if rules.figures.special_prize_of_doubled else bet.stake
    return Due(bet.bettor, pay(Payment.SPECIAL_PRIZE, stake, rules, (*why, *of_doubled)))
