"""Amounts that are paid or taken for a stake, each with its reason, its rate and the rule that gives the rate."""

from enum import StrEnum, unique
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.core.hand_rules import NOTHING, WHOLE, HandFigures, HandRules, Rate
from controller.core.money import Flag, flag_of
from controller.core.words import Cents


@unique
class Payment(StrEnum):
    """The reason for which an amount is paid or taken."""

    WIN = "win"  # the hand is nearer to 21 than the bank's
    BANK_BUST = "bank-bust"
    BLACKJACK = "blackjack"
    EVEN_MONEY = "even-money"
    FIVE_CARDS = "five-cards"
    TIE = "tie"
    BOTH_BLACKJACK = "both-blackjack"
    LOSS = "loss"
    BUST = "bust"
    BANK_BLACKJACK = "bank-blackjack"
    BANK_BLACKJACK_21 = "bank-blackjack-21"  # against a total of 21
    BANK_BLACKJACK_DOUBLED = "bank-blackjack-doubled"  # only the first stake of a doubled hand
    SURRENDERED = "surrendered"
    INSURANCE_WON = "insurance-won"
    INSURANCE_LOST = "insurance-lost"
    SPECIAL_PRIZE = "special-prize"
    ANY_PAIR = "any-pair"
    SEVENS = "sevens"
    SEVENS_SUITED = "sevens-suited"
    THREE_SEVENS = "three-sevens"
    THREE_SEVENS_SUITED = "three-sevens-suited"
    OVER_UNDER = "over-under"
    SIDE_BET_LOST = "side-bet-lost"


class Amount(Struct, frozen=True, gc=False):
    """The amount paid or taken for one stake, without the stake: positive to the player, negative to the bank."""

    payment: Payment
    stake: Cents
    rate: Rate
    flag: Flag | None = None
    rests_on: tuple[str, ...] = ()  # names of profile figures that decided it; `profile show` marks our own

    @property
    def exact(self) -> Fraction:
        """Returns the amount in cents, exactly, with fractions of a cent."""
        return Fraction(self.stake * self.rate.pays, self.rate.of)

    @property
    def cents(self) -> Cents | None:
        """Returns the amount in whole cents. None for a fraction of a cent, on which people must decide."""
        whole, rest = divmod(self.stake * self.rate.pays, self.rate.of)
        return None if rest else Cents(whole)


class Paying(Struct, frozen=True, gc=False):
    """The source of a payment's rate: a figure of the profile, or a fixed rate."""

    figure: str | None = None
    fixed: Rate = NOTHING
    is_taken: bool = False  # the bank takes the figure's part of the stake

    def rate(self, figures: HandFigures) -> Rate:
        """Returns the rate by which the stake is multiplied; negative if the bank takes the amount."""
        if self.figure is None:
            return self.fixed
        rate: Rate = getattr(figures, self.figure)
        return -rate if self.is_taken else rate


_NO_GAIN: Final = Paying()
_ALL_LOST: Final = Paying(fixed=-WHOLE)

PAYMENTS: Final[dict[Payment, Paying]] = {
    Payment.WIN: Paying("win_pays"),
    Payment.BANK_BUST: Paying("win_pays"),
    Payment.BLACKJACK: Paying("blackjack_pays"),
    Payment.EVEN_MONEY: Paying("even_money_pays"),
    Payment.FIVE_CARDS: Paying("five_cards_pays"),
    Payment.TIE: _NO_GAIN,
    Payment.BOTH_BLACKJACK: _NO_GAIN,
    Payment.LOSS: _ALL_LOST,
    Payment.BUST: _ALL_LOST,
    Payment.BANK_BLACKJACK: _ALL_LOST,
    Payment.BANK_BLACKJACK_21: _ALL_LOST,
    Payment.BANK_BLACKJACK_DOUBLED: _ALL_LOST,
    Payment.SURRENDERED: Paying("surrender_loses", is_taken=True),
    Payment.INSURANCE_WON: Paying("insurance_pays"),
    Payment.INSURANCE_LOST: _ALL_LOST,
    Payment.SPECIAL_PRIZE: Paying("special_prize_pays"),
    Payment.ANY_PAIR: Paying("any_pair_pays"),
    Payment.SEVENS: Paying("sevens_pays"),
    Payment.SEVENS_SUITED: Paying("sevens_suited_pays"),
    Payment.THREE_SEVENS: Paying("three_sevens_pays"),
    Payment.THREE_SEVENS_SUITED: Paying("three_sevens_suited_pays"),
    Payment.OVER_UNDER: Paying("over_under_pays"),
    Payment.SIDE_BET_LOST: _ALL_LOST,
}

_FIGURES: Final = {payment: () if row.figure is None else (row.figure,) for payment, row in PAYMENTS.items()}


def rule_of(payment: Payment) -> str:
    """Returns the name under which a profile gives the clause for this payment."""
    return f"payment.{payment.value}"


def pay(payment: Payment, stake: Cents, rules: HandRules, rests_on: tuple[str, ...] = ()) -> Amount:
    """Returns the amount of a payment for one stake, with a flag if the table's chips cannot make it up. `rests_on`:
    the names of the profile's figures, besides the rate, that decided the payment.
    """
    rate = PAYMENTS[payment].rate(rules.figures)
    flag = flag_of(stake, rate, rules.limits.smallest_chip)
    return Amount(payment, stake, rate, flag, _FIGURES[payment] + rests_on)


def may_be_paid(paid: Cents, amount: Amount, rules: HandRules) -> bool:
    """True if `paid` is the next amount, above or below, that people may pay in place of an amount that no chips make
    up.
    """
    chip = rules.limits.smallest_chip
    return amount.flag is not None and paid % chip == 0 and abs(paid - abs(amount.exact)) < chip


def payable(amount: Amount, rules: HandRules) -> tuple[Cents, Cents]:
    """Returns the two amounts in cents that chips make up, the next below and the next above, both without sign."""
    chip = rules.limits.smallest_chip
    below = abs(amount.exact) // chip * chip
    return Cents(below), Cents(below + chip)
