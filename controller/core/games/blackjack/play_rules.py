"""The rules of bets and decisions: statements that must be true. A refusal names the first that is not."""

from enum import StrEnum, unique
from typing import TypeAlias


@unique
class PlayRule(StrEnum):
    """A refusal names the first that is not true."""

    # bets
    BET_REACHES_THE_MINIMUM = "bet_reaches_the_minimum"
    BET_IS_A_MULTIPLE = "bet_is_a_multiple"
    BET_IS_WITHIN_THE_MAXIMUM = "bet_is_within_the_maximum"
    PLACE_IS_WITHIN_THE_MAXIMUM = "place_is_within_the_maximum"
    VACANT_PLACE_IS_WITHIN_THE_MAXIMUM = "vacant_place_is_within_the_maximum"
    HOLDER_HAS_BET = "holder_has_bet"
    HOLDER_CONSENTS = "holder_consents"
    BETTOR_IS_SEATED = "bettor_is_seated"
    PLACE_HAS_ROOM = "place_has_room"
    BETTOR_HAS_A_PLACE_LEFT = "bettor_has_a_place_left"
    # decisions about a hand
    HAND_IS_IN_PLAY = "hand_is_live"
    GIVING_UP_STANDS = "giving_up_stands"
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
    SEVENS_ARE_IN_TIME = "sevens_are_in_time"
    OVER_UNDER_IS_IN_TIME = "over_under_is_in_time"
    SIDE_BET_IS_OF_ONE_KIND = "side_bet_is_of_one_kind"
    # the bank
    SOMEBODY_IS_IN_PLAY = "somebody_is_in_play"
    BANK_IS_BELOW_ITS_TOTAL = "bank_is_below_its_total"
    BANK_HAS_ITS_TOTAL = "bank_has_its_total"


Answer: TypeAlias = PlayRule | None
"""The rule that is not kept; None: allowed."""
