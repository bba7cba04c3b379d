"""The figures for bets, decisions and payments at blackjack that law, profile and table set."""

import re
from math import gcd
from typing import Final

from msgspec import Struct

from controller.core import choices as c
from controller.core.words import Cents


class Rate(Struct, frozen=True, gc=False):
    """An exact ratio of a payment to its stake, such as 3:2. A negative rate is a payment to the bank."""

    pays: int
    of: int = 1

    def __str__(self) -> str:
        return f"{self.pays}:{self.of}"

    def __neg__(self) -> "Rate":
        return Rate(-self.pays, self.of)

    @property
    def is_none(self) -> bool:
        """True for a rate of 0, which says that the law has no such payment or bet."""
        return self.pays == 0


NOTHING: Final = Rate(0)
WHOLE: Final = Rate(1)

_RATE: Final = re.compile(r"(0|[1-9][0-9]{0,3}):([1-9][0-9]?)")


def parse_rate(text: str) -> Rate | None:
    """The rate in a text such as `3:2`. None for other texts."""
    found = _RATE.fullmatch(text)
    return Rate(int(found[1]), int(found[2])) if found else None


class BetLimits(Struct, frozen=True, gc=False):
    """The table's smallest and largest bet, and its smallest chip: only multiples of that chip can be paid exactly."""

    minimum: Cents
    maximum: Cents
    smallest_chip: Cents


def usual_chip(minimum: Cents) -> Cents:
    """The default for the smallest chip: the greatest common divisor of one currency unit and the minimum bet."""
    return Cents(gcd(100, minimum))


class HandFigures(Struct, frozen=True, gc=False):
    """The profile's figures for blackjack; each field is named as in the profile's file."""

    # bets
    bets_in_multiples: bool  # bets are multiples of the table's minimum
    maximum_completed: bool  # a stake that completes a place's maximum need not be a multiple
    place_total_limited: bool  # the table's maximum holds for all bets of a place together
    others_bets: c.OthersBets
    holder_bets_first: bool  # a player without an own bet at his place accepts no other bets there
    standing_on_vacant: bool  # a player without a seat may bet on a free place
    places_per_player: int  # 0: without limit
    shared_place: c.SharedPlace
    bettors_per_place: int  # the most bettors on a place; 0: no limit
    # cards
    bank_stands_from: int
    bank_draws_on_soft: bool  # the bank draws on that total if an ace counts 11 in it
    stand_from: int  # the least total on which a player may stand
    draws_at_21: bool
    # pairs
    pair: c.Pair
    split_hands: int  # 0: no limit
    split_again: bool
    split_aces_again: bool
    split_after_declining: bool
    split_ace_cards: int
    split_21_is_blackjack: bool
    others_split: c.OthersFollow
    # doubles
    double_on: c.DoubleOn
    double_after_split: bool
    double_cards: int
    doubled_ace_stays_one: bool
    others_double: c.OthersFollow
    # insurance, even money, surrender
    insurance_least: Rate  # the least part of the stake
    insurance_most: Rate
    insurance_pays: Rate
    insurance_needs_bank: bool  # the bank accepts the amount
    others_insure_alone: bool  # other bettors may insure where the holder does not
    even_money: c.EvenMoney
    even_money_pays: Rate
    surrender: c.Surrender
    surrender_loses: Rate
    # payments
    win_pays: Rate
    blackjack_pays: Rate
    blackjack_paid_at_once: bool  # paid at once where the bank's open card allows no blackjack
    doubled_loses_first_stake: bool  # to a bank's blackjack only the first stake is lost
    special_prize_pays: Rate
    special_prize_to_others: bool  # every bet of the place gets the prize
    special_prize_of_doubled: bool  # a doubled bet gets the prize on its whole stake
    five_cards: int  # cards of a hand that may be paid without the bank; 0: none
    five_cards_pays: Rate
    # side bets
    any_pair_pays: Rate
    any_pair_new_stake: bool  # a new stake may be laid for each pair after the first
    sevens_pays: Rate
    sevens_suited_pays: Rate
    three_sevens_pays: Rate
    three_sevens_suited_pays: Rate
    over_under_pays: Rate
    over_under_total: int
    over_under_ace_either: bool  # the player chooses 1 or 11 for an ace; otherwise 1


class HandRules(Struct, frozen=True, gc=False):
    """The table's limits and the profile's figures, from which every decision and payment at blackjack is computed."""

    limits: BetLimits
    figures: HandFigures
