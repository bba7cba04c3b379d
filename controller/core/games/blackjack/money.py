"""What is paid or taken, and why: each amount names its stake, its rate and the clause, and says what it cannot be."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum, unique
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.core.hand_rules import NOTHING, WHOLE, HandFigures, HandRules, Law, Rate
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


@unique
class Flag(StrEnum):
    """Why people have to decide what is paid: nothing is rounded."""

    NO_CHIP = "no-chip"  # whole cents, but no chips of this table make them up
    NO_WHOLE_CENTS = "no-whole-cents"


class Amount(Struct, frozen=True, gc=False):
    """What one stake brings, seen from the player: positive is paid to him, negative taken, beside the stake itself."""

    payment: Payment
    stake: Cents
    rate: Rate
    clause: str
    flag: Flag | None = None

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

    rate: Callable[[HandFigures], Rate]
    pt: str = ""
    house: str = ""
    mo: str = ""
    br: str = ""

    def clause(self, law: Law) -> str:
        """Empty where this law has nothing of the kind."""
        return (self.house or self.pt) if law is Law.HOUSE else str(getattr(self, law.value))


def _nothing(_figures: HandFigures) -> Rate:
    return NOTHING


def _all(_figures: HandFigures) -> Rate:
    return -WHOLE


PAYMENTS: Final[dict[Payment, Paying]] = {
    Payment.WIN: Paying(lambda of: of.win_pays, "pt.bj.23", "house.18", "mo.9", "br.play.9"),
    Payment.BANK_BUST: Paying(lambda of: of.win_pays, "pt.bj.23", "", "mo.9", "br.play.8b"),
    Payment.BLACKJACK: Paying(lambda of: of.blackjack_pays, "pt.bj.21a", "house.17", "mo.10.2", "br.play.7"),
    Payment.EVEN_MONEY: Paying(lambda of: of.even_money_pays, "pt.bj.34", "", "mo.10.3"),
    Payment.FIVE_CARDS: Paying(lambda of: of.five_cards_pays, mo="mo.19.1"),
    Payment.TIE: Paying(_nothing, "pt.bj.24a", "house.19", "mo.11.2", "br.play.8c"),
    Payment.BOTH_BLACKJACK: Paying(_nothing, "pt.bj.21a", "house.17", "mo.11.1", "br.play.7"),
    Payment.LOSS: Paying(_all, "pt.bj.23", "house.18", "mo.9", "br.play.8c"),
    Payment.BUST: Paying(_all, "pt.bj.22a", "house.1", "mo.7.2", "br.play.6"),
    Payment.BANK_BLACKJACK: Paying(_all, "pt.bj.20a", "", "mo.10.6a", "br.play.2"),
    Payment.BANK_BLACKJACK_DOUBLED: Paying(_all, mo="mo.10.7"),
    Payment.SURRENDERED: Paying(lambda of: -of.surrender_loses, "pt.bj.36a", "house.16a", "mo.18.1"),
    Payment.INSURANCE_WON: Paying(lambda of: of.insurance_pays, "pt.bj.33c", "house.15b", "mo.12.2", "br.ins.4"),
    Payment.INSURANCE_LOST: Paying(_all, "pt.bj.33c", "house.15b", "mo.12.3", "br.ins.5"),
    Payment.SPECIAL_PRIZE: Paying(lambda of: of.special_prize_pays, "pt.bj.35", "", "mo.15"),
    Payment.ANY_PAIR: Paying(lambda of: of.any_pair_pays, mo="mo.14.1"),
    Payment.SEVENS: Paying(lambda of: of.sevens_pays, mo="mo.14.2.1"),
    Payment.SEVENS_SUITED: Paying(lambda of: of.sevens_suited_pays, mo="mo.14.2.2"),
    Payment.THREE_SEVENS: Paying(lambda of: of.three_sevens_pays, mo="mo.14.2.3"),
    Payment.THREE_SEVENS_SUITED: Paying(lambda of: of.three_sevens_suited_pays, mo="mo.14.2.4"),
    Payment.OVER_UNDER: Paying(lambda of: of.over_under_pays, mo="mo.14.3"),
    Payment.SIDE_BET_LOST: Paying(_all, mo="mo.13"),
}

_CLAUSES: Final = {law: {payment: row.clause(law) for payment, row in PAYMENTS.items()} for law in Law}


def pay(payment: Payment, stake: Cents, rules: HandRules) -> Amount:
    """The amount of one payment on one stake, flagged where no chips of the table make it up."""
    rate = PAYMENTS[payment].rate(rules.figures)
    whole, rest = divmod(stake * rate.pays, rate.of)
    flag = None
    if rest:
        flag = Flag.NO_WHOLE_CENTS
    elif whole % rules.limits.smallest_chip:
        flag = Flag.NO_CHIP
    return Amount(payment, stake, rate, _CLAUSES[rules.law][payment], flag)


def house_result(amounts: Iterable[Amount]) -> Fraction:
    """What the bank wins by these amounts, in cents: the players' results with the other sign."""
    return -sum((one.exact for one in amounts), Fraction(0))
