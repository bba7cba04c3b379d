"""What is paid or taken, and why: each amount names its stake, its rate and the clause, and says what it cannot be."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.core.hand_rules import NOTHING, WHOLE, HandFigures, HandRules, Law, Rate
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
    """What one stake brings, seen from the player: positive is paid to him, negative taken, beside the stake itself."""

    payment: Payment
    stake: Cents
    rate: Rate
    clause: str
    flag: Flag | None = None
    rests_on: tuple[str, ...] = ()  # figures of the profile; of some `profile show` says that they are ours

    @property
    def exact(self) -> Fraction:
        """In cents, with whatever part of one is in it."""
        return Fraction(self.stake * self.rate.pays, self.rate.of)

    @property
    def handed_back(self) -> Fraction:
        """What the player gets of all that lay there: a stake that was not lost, and what is paid on it (pt.bj.25)."""
        return self.stake + self.exact

    @property
    def cents(self) -> Cents | None:
        """The same; None where it is no whole number of them, and people decide."""
        whole, rest = divmod(self.stake * self.rate.pays, self.rate.of)
        return None if rest else Cents(whole)


@dataclass(frozen=True, slots=True)
class Paying:
    """How one kind of payment is worked out, and by which clause of each law; the leaflet's gaps are Portugal's."""

    figure: str | None  # the profile's figure that is its rate; None: the same everywhere
    fixed: Rate = NOTHING
    is_taken: bool = False  # the bank takes what the figure says
    pt: str = ""
    house: str = ""
    mo: str = ""
    br: str = ""

    def rate(self, figures: HandFigures) -> Rate:
        """Of the stake; negative where it is taken."""
        if self.figure is None:
            return self.fixed
        rate: Rate = getattr(figures, self.figure)
        return -rate if self.is_taken else rate

    def clause(self, law: Law) -> str:
        """Empty where this law has nothing of the kind."""
        return (self.house or self.pt) if law is Law.HOUSE else str(getattr(self, law.value))


def _pays(figure: str, pt: str = "", house: str = "", mo: str = "", br: str = "") -> Paying:
    return Paying(figure, pt=pt, house=house, mo=mo, br=br)


def _nothing(pt: str, house: str, mo: str, br: str) -> Paying:
    return Paying(None, NOTHING, pt=pt, house=house, mo=mo, br=br)


def _all(pt: str = "", house: str = "", mo: str = "", br: str = "") -> Paying:
    return Paying(None, -WHOLE, pt=pt, house=house, mo=mo, br=br)


PAYMENTS: Final[dict[Payment, Paying]] = {
    Payment.WIN: _pays("win_pays", "pt.bj.23", "house.18", "mo.9", "br.play.9"),
    Payment.BANK_BUST: _pays("win_pays", "pt.bj.23", "", "mo.9", "br.play.8b"),
    Payment.BLACKJACK: _pays("blackjack_pays", "pt.bj.21a", "house.17", "mo.10.2", "br.play.7"),
    Payment.EVEN_MONEY: _pays("even_money_pays", "pt.bj.34", "", "mo.10.3"),
    Payment.FIVE_CARDS: _pays("five_cards_pays", mo="mo.19.1"),
    Payment.TIE: _nothing("pt.bj.24a", "house.19", "mo.11.2", "br.play.8c"),
    Payment.BOTH_BLACKJACK: _nothing("pt.bj.21a", "house.17", "mo.11.1", "br.play.7"),
    Payment.LOSS: _all("pt.bj.23", "", "mo.9", "br.play.8c"),
    Payment.BUST: _all("pt.bj.22a", "house.1", "mo.7.2", "br.play.6"),
    Payment.BANK_BLACKJACK: _all("pt.bj.23", "", "mo.12.2", "br.play.2"),
    Payment.BANK_BLACKJACK_21: _all("pt.bj.20a", "", "mo.10.6a", "br.play.5"),
    Payment.BANK_BLACKJACK_DOUBLED: _all(mo="mo.10.7"),
    Payment.SURRENDERED: Paying("surrender_loses", is_taken=True, pt="pt.bj.36a", house="house.16a", mo="mo.18.1"),
    Payment.INSURANCE_WON: _pays("insurance_pays", "pt.bj.33c", "house.15b", "mo.12.2", "br.ins.4"),
    Payment.INSURANCE_LOST: _all("pt.bj.33c", "house.15b", "mo.12.3", "br.ins.5"),
    Payment.SPECIAL_PRIZE: _pays("special_prize_pays", "pt.bj.35", "", "mo.15"),
    Payment.ANY_PAIR: _pays("any_pair_pays", mo="mo.14.1"),
    Payment.SEVENS: _pays("sevens_pays", mo="mo.14.2.1"),
    Payment.SEVENS_SUITED: _pays("sevens_suited_pays", mo="mo.14.2.2"),
    Payment.THREE_SEVENS: _pays("three_sevens_pays", mo="mo.14.2.3"),
    Payment.THREE_SEVENS_SUITED: _pays("three_sevens_suited_pays", mo="mo.14.2.4"),
    Payment.OVER_UNDER: _pays("over_under_pays", mo="mo.14.3"),
    Payment.SIDE_BET_LOST: _all(mo="mo.13"),
}

_FIGURES: Final = {payment: () if row.figure is None else (row.figure,) for payment, row in PAYMENTS.items()}
_CLAUSES: Final = {law: {payment: row.clause(law) for payment, row in PAYMENTS.items()} for law in Law}


def pay(payment: Payment, stake: Cents, rules: HandRules, rests_on: tuple[str, ...] = ()) -> Amount:
    """The amount of one payment on one stake, flagged where no chips of the table make it up.

    `rests_on`: figures of the profile that decided it, besides its rate.
    """
    rate = PAYMENTS[payment].rate(rules.figures)
    flag = flag_of(stake, rate, rules.limits.smallest_chip)
    return Amount(payment, stake, rate, _CLAUSES[rules.law][payment], flag, _FIGURES[payment] + rests_on)


def may_be_paid(paid: Cents, amount: Amount, rules: HandRules) -> bool:
    """What people may decide instead of an amount that no chips make up: what they do make up, next above or below."""
    chip = rules.limits.smallest_chip
    return amount.flag is not None and paid % chip == 0 and abs(paid - abs(amount.exact)) < chip


def payable(amount: Amount, rules: HandRules) -> tuple[Cents, Cents]:
    """The amounts next below and above that chips make up, without their sign."""
    chip = rules.limits.smallest_chip
    below = abs(amount.exact) // chip * chip
    return Cents(below), Cents(below + chip)


def house_result(amounts: Iterable[Amount]) -> Fraction:
    """What the bank wins by these amounts, in cents: the players' results with the other sign."""
    return -sum((one.exact for one in amounts), Fraction(0))
