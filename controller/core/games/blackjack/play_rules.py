"""The statements that must be true for a bet or a decision, each with the clause of each law; a refusal names one."""

from enum import StrEnum, unique
from typing import Final, TypeAlias

from msgspec import Struct

from controller.core.hand_rules import Law


@unique
class PlayRule(StrEnum):
    """A refusal names the first that is not true."""

    # bets
    BET_REACHES_THE_MINIMUM = "bet_reaches_the_minimum"
    BET_IS_A_MULTIPLE = "bet_is_a_multiple"
    BET_IS_WITHIN_THE_MAXIMUM = "bet_is_within_the_maximum"
    PLACE_IS_WITHIN_THE_MAXIMUM = "place_is_within_the_maximum"
    HOLDER_HAS_BET = "holder_has_bet"
    HOLDER_CONSENTS = "holder_consents"
    BETTOR_IS_SEATED = "bettor_is_seated"
    PLACE_HAS_ROOM = "place_has_room"
    BETTOR_HAS_A_PLACE_LEFT = "bettor_has_a_place_left"
    # decisions about a hand
    HAND_IS_IN_PLAY = "hand_is_live"
    HAND_HAS_TWO_CARDS = "hand_has_two_cards"
    HAND_IS_NO_BLACKJACK = "hand_is_no_blackjack"
    TOTAL_IS_BELOW_21 = "total_is_below_21"
    DOUBLED_HAND_LACKS_ITS_CARD = "doubled_hand_lacks_its_card"
    DOUBLED_HAND_HAS_ITS_CARD = "doubled_hand_has_its_card"
    SPLIT_ACE_LACKS_ITS_CARD = "split_ace_lacks_its_card"
    TOTAL_SUFFICES_TO_STAND = "total_suffices_to_stand"
    DOUBLE_IS_OF_TWO_CARDS = "double_is_of_two_cards"
    DOUBLE_AFTER_SPLIT_IS_ALLOWED = "double_after_split_is_allowed"
    TOTAL_MAY_BE_DOUBLED = "total_may_be_doubled"
    CARDS_ARE_A_PAIR = "cards_are_a_pair"
    PAIR_MAY_BE_SPLIT_AGAIN = "pair_may_be_split_again"
    ACES_MAY_BE_SPLIT_AGAIN = "aces_may_be_split_again"
    PAIR_WAS_NOT_DECLINED = "pair_was_not_declined"
    HANDS_ARE_FEW_ENOUGH = "hands_are_few_enough"
    # what is asked of the bank's open card
    INSURANCE_IS_OFFERED = "insurance_is_offered"
    INSURANCE_IS_IN_TIME = "insurance_is_in_time"
    INSURANCE_IS_WITHIN_THE_MOST = "insurance_is_within_the_most"
    INSURANCE_REACHES_THE_LEAST = "insurance_reaches_the_least"
    BANK_ACCEPTS_THE_INSURANCE = "bank_accepts_the_insurance"
    HOLDER_INSURES = "holder_insures"
    HAND_IS_A_BLACKJACK = "hand_is_a_blackjack"
    EVEN_MONEY_IS_OFFERED = "even_money_is_offered"
    BANKS_SECOND_IS_UNKNOWN = "banks_second_is_unknown"
    SURRENDER_IS_OFFERED = "surrender_is_offered"
    HAND_IS_AS_DEALT = "hand_is_as_dealt"
    NOBODY_HAS_DRAWN = "nobody_has_drawn"
    FIVE_CARDS_ARE_PAID_HERE = "five_cards_are_paid_here"
    HAND_HAS_FIVE_CARDS = "hand_has_five_cards"
    FIVE_CARDS_ARE_OFFERED = "five_cards_are_offered"
    # side bets
    SIDE_BET_EXISTS = "side_bet_exists"
    SIDE_BET_IS_IN_TIME = "side_bet_is_in_time"
    SIDE_BET_IS_OF_ONE_KIND = "side_bet_is_of_one_kind"
    # the bank
    SOMEBODY_IS_IN_PLAY = "somebody_is_in_play"
    BANK_IS_BELOW_ITS_TOTAL = "bank_is_below_its_total"
    BANK_HAS_ITS_TOTAL = "bank_has_its_total"


_BY_LAW: Final[dict[PlayRule, tuple[str, str, str, str]]] = {
    PlayRule.BET_REACHES_THE_MINIMUM: ("pt.bj.14", "house.5", "", "br.bets.1"),
    PlayRule.BET_IS_A_MULTIPLE: ("pt.bj.14", "house.5", "", ""),
    PlayRule.BET_IS_WITHIN_THE_MAXIMUM: ("pt.bj.14", "house.5", "", "br.bets.1"),
    PlayRule.PLACE_IS_WITHIN_THE_MAXIMUM: ("pt.bj.15a", "house.6a", "", "br.bets.2"),
    PlayRule.HOLDER_HAS_BET: ("pt.bj.15a", "house.6a", "", "br.players.2"),
    PlayRule.HOLDER_CONSENTS: ("", "", "", "br.bets.2"),
    PlayRule.BETTOR_IS_SEATED: ("", "", "", "br.players.2"),
    PlayRule.PLACE_HAS_ROOM: ("", "", "mo.20.1.2", ""),
    PlayRule.BETTOR_HAS_A_PLACE_LEFT: ("", "", "mo.3.2", ""),
    PlayRule.HAND_IS_IN_PLAY: ("pt.bj.22a", "house.1", "mo.6.2", "br.play.6"),
    PlayRule.HAND_HAS_TWO_CARDS: ("pt.bj.26b", "", "mo.16.4", "br.pairs.3"),
    PlayRule.HAND_IS_NO_BLACKJACK: ("pt.bj.18a", "house.9a", "mo.6.4.1", "br.values.2"),
    PlayRule.TOTAL_IS_BELOW_21: ("pt.bj.18b", "", "mo.6.4.1", "br.play.4"),
    PlayRule.DOUBLED_HAND_LACKS_ITS_CARD: ("pt.bj.29b", "house.12", "mo.6.4.2", "br.double.1"),
    PlayRule.DOUBLED_HAND_HAS_ITS_CARD: ("pt.bj.29b", "house.12", "mo.6.4.2", "br.double.1"),
    PlayRule.SPLIT_ACE_LACKS_ITS_CARD: ("pt.bj.26c", "house.11a", "mo.6.4.3", "br.pairs.6a"),
    PlayRule.TOTAL_SUFFICES_TO_STAND: ("pt.bj.18a", "house.9b", "", ""),
    PlayRule.DOUBLE_IS_OF_TWO_CARDS: ("pt.bj.29a", "house.12", "mo.17.1", "br.double.1"),
    PlayRule.DOUBLE_AFTER_SPLIT_IS_ALLOWED: ("pt.bj.31", "", "mo.17.2", "br.double.2"),
    PlayRule.TOTAL_MAY_BE_DOUBLED: ("pt.bj.29a", "house.12", "mo.17.2", "br.double.1"),
    PlayRule.CARDS_ARE_A_PAIR: ("pt.bj.26a", "house.10a", "mo.16.1", "br.pairs.1"),
    PlayRule.PAIR_MAY_BE_SPLIT_AGAIN: ("pt.bj.27", "", "mo.16.5", "br.pairs.4"),
    PlayRule.ACES_MAY_BE_SPLIT_AGAIN: ("pt.bj.27", "", "mo.16.3", "br.pairs.4"),
    PlayRule.PAIR_WAS_NOT_DECLINED: ("pt.bj.27", "", "mo.16.5", "br.pairs.4"),
    PlayRule.HANDS_ARE_FEW_ENOUGH: ("pt.bj.27", "", "mo.16.1", "br.pairs.4"),
    PlayRule.INSURANCE_IS_OFFERED: ("pt.bj.33a", "house.15a", "mo.12.1", "br.ins.1"),
    PlayRule.INSURANCE_IS_IN_TIME: ("pt.bj.33a", "house.15a", "mo.12.1", "br.ins.2"),
    PlayRule.INSURANCE_IS_WITHIN_THE_MOST: ("pt.bj.33b", "house.15a", "mo.12.1", "br.ins.3"),
    PlayRule.INSURANCE_REACHES_THE_LEAST: ("pt.bj.33b", "house.15a", "mo.12.1", "br.ins.3"),
    PlayRule.BANK_ACCEPTS_THE_INSURANCE: ("", "", "mo.12.1", ""),
    PlayRule.HOLDER_INSURES: ("pt.bj.15c", "", "mo.12.1", "br.players.2"),
    PlayRule.HAND_IS_A_BLACKJACK: ("pt.bj.34", "", "mo.10.3", ""),
    PlayRule.EVEN_MONEY_IS_OFFERED: ("pt.bj.34", "", "mo.10.3", ""),
    PlayRule.BANKS_SECOND_IS_UNKNOWN: ("pt.bj.34", "", "mo.10.3", ""),
    PlayRule.SURRENDER_IS_OFFERED: ("pt.bj.36a", "house.16a", "mo.18.1", ""),
    PlayRule.HAND_IS_AS_DEALT: ("pt.bj.36b", "house.16b", "mo.18.2", ""),
    PlayRule.NOBODY_HAS_DRAWN: ("", "", "mo.18.2", ""),
    PlayRule.FIVE_CARDS_ARE_PAID_HERE: ("", "", "", ""),
    PlayRule.HAND_HAS_FIVE_CARDS: ("", "", "mo.19.1", ""),
    PlayRule.FIVE_CARDS_ARE_OFFERED: ("", "", "mo.19.2", ""),
    PlayRule.SIDE_BET_EXISTS: ("", "", "", ""),
    PlayRule.SIDE_BET_IS_IN_TIME: ("", "", "mo.13.2", ""),
    PlayRule.SIDE_BET_IS_OF_ONE_KIND: ("", "", "mo.13", ""),
    PlayRule.SOMEBODY_IS_IN_PLAY: ("pt.bj.22b", "", "", ""),
    PlayRule.BANK_IS_BELOW_ITS_TOTAL: ("pt.bj.19a", "", "mo.6.1a", "br.staff.2"),
    PlayRule.BANK_HAS_ITS_TOTAL: ("pt.bj.19c", "", "mo.6.1a", "br.play.8a"),
}
"""Portugal, the house's leaflet (where it is silent, Portugal's), Macau, Brazil. Empty: no text, the rule is ours."""


class No(Struct, frozen=True, gc=False):
    """Why something may not be; `clause` is empty where the rule is no law's but ours."""

    rule: PlayRule
    clause: str


Answer: TypeAlias = No | None
"""None: allowed."""


def clause_of(rule: PlayRule, law: Law) -> str:
    """The clause of this law behind a rule; empty where the rule is ours."""
    pt, house, mo, br = _BY_LAW[rule]
    return {Law.PT: pt, Law.HOUSE: house or pt, Law.MO: mo, Law.BR: br}[law]


_NOES: Final = {law: {rule: No(rule, clause_of(rule, law)) for rule in PlayRule} for law in Law}


def no(rule: PlayRule, law: Law) -> No:
    """The refusal that names this rule."""
    return _NOES[law][rule]
