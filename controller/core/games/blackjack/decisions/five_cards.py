"""Five cards: a hand with the profile's number of cards and at most 21 points is paid half of its stake and ends
(mo.19.1).
"""

from typing import Final

from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.state import Card
from controller.core.games.blackjack.decisions.one_hand import (
    BANKS_CARD_IS_KNOWN,
    HAND_IS_SHOWN_TO_CLAIM,
    HandAct,
    decision,
    ended_by,
    hand_meant,
    is_left_to_the_bank,
    while_played,
)
from controller.core.games.blackjack.hand import ACE, Answer, Hand, HandEnd, PlayRule, is_live
from controller.core.games.blackjack.paying import claim_takes_two
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import card_value
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED


class ClaimFiveCards(HandAct, frozen=True):
    """A player claims half of his stake for five cards; the hand ends (mo.19.1)."""

    hand: int | None = None


FIVE_CARDS_ARE_PAID_HERE: Final = PlayRule("five_cards_are_paid_here")
HAND_HAS_FIVE_CARDS: Final = PlayRule("hand_has_five_cards")
FIVE_CARDS_ARE_OFFERED: Final = PlayRule("five_cards_are_offered")


def may_claim_five_cards(hand: Hand, up: Card, rules: HandRules) -> Answer:
    """Returns the rule that forbids a claim for five cards on this hand; None if the claim is permitted (mo.19.1).
    `up`: the bank's open card.
    """
    wanted = rules.figures.five_cards
    if not wanted:
        return FIVE_CARDS_ARE_PAID_HERE
    if not is_live(hand) or len(hand.cards) != wanted:
        return HAND_HAS_FIVE_CARDS
    return FIVE_CARDS_ARE_OFFERED if card_value(up) == ACE else None


def _may_claim(_state: BlackjackState, table: Table, act: HandAct) -> Answer:
    meant = hand_meant(table, act)
    if meant is None or table.up is None:
        return None
    played, hand = meant
    rule = may_claim_five_cards(hand, table.up, table.rules)
    is_late = rule is None and is_left_to_the_bank(table, played)
    return FIVE_CARDS_ARE_OFFERED if is_late else rule


FIVE_CARDS_MAY_BE_CLAIMED = while_played(
    _may_claim, FIVE_CARDS_ARE_PAID_HERE, HAND_HAS_FIVE_CARDS, FIVE_CARDS_ARE_OFFERED
)


_CLAIM: Final = ended_by(HandEnd.FIVE_CARDS)
FIVE_CARDS: Final = decision(
    "claim-five-cards",
    ClaimFiveCards,
    _CLAIM,
    DIFFERENCES_ARE_SETTLED,
    HAND_IS_SHOWN_TO_CLAIM,
    BANKS_CARD_IS_KNOWN,
    *FIVE_CARDS_MAY_BE_CLAIMED,
    CORRECTIONS_ARE_AGREED,
    second=claim_takes_two(_CLAIM),
)
