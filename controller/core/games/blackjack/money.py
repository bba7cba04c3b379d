"""Payments and losses with their reasons: each amount names its stake, its rate and the rule, and its remainder."""

from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.core.hand_rules import NOTHING, WHOLE, HandFigures, HandRules, Rate
from controller.core.money import Flag, flag_of
from controller.core.words import Cents


@unique
class Payment(StrEnum):
    """Why an amount is paid or taken."""

    WIN = "win"  # nearer to 21 than the bank
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
    BANK_BLACKJACK_DOUBLED = "bank-blackjack-doubled"  # of a doubled stake the first alone
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
    """One stake's amount, seen from the player: positive is paid to him, negative taken, beside the stake itself."""

    payment: Payment
    stake: Cents
    rate: Rate
    flag: Flag | None = None
    rests_on: tuple[str, ...] = ()  # figures of the profile; of some `profile show` says that they are ours

    @property
    def exact(self) -> Fraction:
        """In cents, with whatever part of one is in it."""
        return Fraction(self.stake * self.rate.pays, self.rate.of)

    @property
    def cents(self) -> Cents | None:
        """The same; None where it is no whole number of them, and people decide."""
        whole, rest = divmod(self.stake * self.rate.pays, self.rate.of)
        return None if rest else Cents(whole)


@dataclass(frozen=True, slots=True)
class Paying:
    """How one kind of payment is worked out: by a figure of the profile, or everywhere the same."""

    figure: str | None = None
    fixed: Rate = NOTHING
    is_taken: bool = False  # the bank takes what the figure says

    def rate(self, figures: HandFigures) -> Rate:
        """Of the stake; negative where it is taken."""
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
    """The rule under which a law's profile says the clause of a payment."""
    return f"payment.{payment.value}"


def pay(payment: Payment, stake: Cents, rules: HandRules, rests_on: tuple[str, ...] = ()) -> Amount:
    """The amount of one payment on one stake, flagged where no chips of the table make it up.

    `rests_on`: figures of the profile that decided it, besides its rate.
    """
    rate = PAYMENTS[payment].rate(rules.figures)
    flag = flag_of(stake, rate, rules.limits.smallest_chip)
    return Amount(payment, stake, rate, flag, _FIGURES[payment] + rests_on)


def may_be_paid(paid: Cents, amount: Amount, rules: HandRules) -> bool:
    """True for the amounts that people may decide on where no chips make one up: the next above or below."""
    chip = rules.limits.smallest_chip
    return amount.flag is not None and paid % chip == 0 and abs(paid - abs(amount.exact)) < chip


def payable(amount: Amount, rules: HandRules) -> tuple[Cents, Cents]:
    """The amounts next below and above that chips make up, without their sign."""
    chip = rules.limits.smallest_chip
    below = abs(amount.exact) // chip * chip
    return Cents(below), Cents(below + chip)
