"""Which decisions are open to a hand, and which rule keeps the others closed. Cards, figures and nothing else."""

from controller.core import choices as c
from controller.core.custody.state import Card
from controller.core.games.blackjack.hand import (
    ACE,
    TEN,
    Hand,
    HandEnd,
    has_special_prize,
    is_blackjack,
    is_bust,
    is_live,
    is_rank_pair,
    points,
)
from controller.core.games.blackjack.money import Payment
from controller.core.games.blackjack.play_rules import Answer, PlayRule
from controller.core.games.blackjack.values import BEST, card_value, hard_points
from controller.core.hand_rules import HandFigures, HandRules, Rate
from controller.core.words import Cents

_TWO = 2
_NINE, _ELEVEN = 9, 11


def may_draw(hand: Hand, rules: HandRules) -> Answer:
    """A further card for this hand (pt.bj.18b, pt.bj.26c, pt.bj.29b, mo.6.4, br.play.4, house.9a)."""
    return _against_drawing(hand, rules.figures)


def ended(hand: Hand) -> PlayRule:
    """Why a hand that has ended takes nothing more: what was given up stays so (pt.bj.36c)."""
    return PlayRule.GIVING_UP_STANDS if hand.end is HandEnd.SURRENDERED else PlayRule.HAND_IS_IN_PLAY


def _against_drawing(hand: Hand, figures: HandFigures) -> PlayRule | None:
    if not is_live(hand):
        return ended(hand)
    count = len(hand.cards)
    if hand.is_doubled and count >= _TWO + figures.double_cards:
        return PlayRule.DOUBLED_HAND_LACKS_ITS_CARD
    if hand.is_of_aces and count > figures.split_ace_cards:
        return PlayRule.SPLIT_ACE_LACKS_ITS_CARD
    if count == _TWO and is_blackjack(hand, figures):
        return PlayRule.HAND_IS_NO_BLACKJACK
    if points(hand, figures) >= BEST and not figures.draws_at_21:
        return PlayRule.TOTAL_IS_BELOW_21
    return None


def may_stand(hand: Hand, rules: HandRules) -> Answer:
    """No further card for this hand (pt.bj.18a, mo.6.2, br.play.4, house.9b)."""
    return _against_standing(hand, rules.figures)


def _against_standing(hand: Hand, figures: HandFigures) -> PlayRule | None:
    if not is_live(hand):
        return ended(hand)
    if len(hand.cards) < _TWO:
        return PlayRule.HAND_HAS_TWO_CARDS
    if hand.is_doubled:
        has_its_card = len(hand.cards) >= _TWO + figures.double_cards
        return None if has_its_card else PlayRule.DOUBLED_HAND_HAS_ITS_CARD
    if hand.is_of_aces and len(hand.cards) > figures.split_ace_cards:
        return None
    return PlayRule.TOTAL_SUFFICES_TO_STAND if points(hand, figures) < figures.stand_from else None


def may_double(hand: Hand, rules: HandRules) -> Answer:
    """The stake once more, for one card (pt.bj.29a, pt.bj.31, mo.17, br.double, house.12)."""
    figures = rules.figures
    if len(hand.cards) != _TWO or hand.is_doubled:
        return PlayRule.DOUBLE_IS_OF_TWO_CARDS
    rule = _against_drawing(hand, figures)
    if rule is None and hand.is_split and not _doubles_after_split(figures):
        rule = PlayRule.DOUBLE_AFTER_SPLIT_IS_ALLOWED
    if rule is None and not _may_be_doubled(hand.cards, figures):
        rule = PlayRule.TOTAL_MAY_BE_DOUBLED
    return rule


def _doubles_after_split(figures: HandFigures) -> bool:
    return figures.double_after_split and figures.double_on is not c.DoubleOn.ELEVEN


def _may_be_doubled(cards: tuple[Card, ...], figures: HandFigures) -> bool:
    if figures.double_on is c.DoubleOn.ANY_TWO:
        return True
    least = _NINE if figures.double_on is c.DoubleOn.NINE_TO_ELEVEN else _ELEVEN
    return least <= hard_points(cards) <= _ELEVEN


def is_pair(cards: tuple[Card, ...], figures: HandFigures) -> bool:
    """Two cards that this law lets a player separate."""
    if len(cards) != _TWO:
        return False
    first, second = cards
    if figures.pair is c.Pair.SAME_RANK:
        return is_rank_pair(first, second)
    return card_value(first) == card_value(second)


def may_split(hand: Hand, hands: int, rules: HandRules) -> Answer:
    """Two hands of this one; `hands`: how many the place has now (pt.bj.26, pt.bj.27, mo.16, br.pairs, house.10a)."""
    return _against_splitting(hand, hands, rules.figures)


def _against_splitting(hand: Hand, hands: int, figures: HandFigures) -> PlayRule | None:
    if not is_live(hand) or hand.is_doubled:
        return ended(hand)
    if not is_pair(hand.cards, figures):
        return PlayRule.CARDS_ARE_A_PAIR
    if hand.is_split and hand.is_of_aces and not figures.split_aces_again:
        return PlayRule.ACES_MAY_BE_SPLIT_AGAIN
    if hand.is_split and not hand.is_of_aces and not figures.split_again:
        return PlayRule.PAIR_MAY_BE_SPLIT_AGAIN
    if hand.has_declined and not (hand.is_of_aces or figures.split_after_declining):
        return PlayRule.PAIR_WAS_NOT_DECLINED
    if figures.split_hands and hands >= figures.split_hands:
        return PlayRule.HANDS_ARE_FEW_ENOUGH
    return None


def may_surrender(hand: Hand, up: Card, rules: HandRules, *, somebody_has_drawn: bool) -> Answer:
    """Half of the stake for the hand (pt.bj.36, mo.18, house.16); irrevocable, since the hand has ended."""
    is_as_dealt = hand.end is None and not hand.is_split and not hand.is_doubled and len(hand.cards) == _TWO
    is_given_up = hand.end is HandEnd.SURRENDERED
    return may_surrender_unseen(
        up, rules, is_as_dealt=is_as_dealt, somebody_has_drawn=somebody_has_drawn, is_given_up=is_given_up
    )


def may_surrender_unseen(
    up: Card, rules: HandRules, *, is_as_dealt: bool, somebody_has_drawn: bool, is_given_up: bool = False
) -> Answer:
    """The same where the hand's cards may lie face down: of all faces the bank's open card alone counts (mo.18)."""
    figures = rules.figures
    if figures.surrender is c.Surrender.NEVER or card_value(up) == ACE:
        return PlayRule.SURRENDER_IS_OFFERED
    if not is_as_dealt:
        return PlayRule.GIVING_UP_STANDS if is_given_up else PlayRule.HAND_IS_AS_DEALT
    if figures.surrender is c.Surrender.BEFORE_ANY_CARD and somebody_has_drawn:
        return PlayRule.NOBODY_HAS_DRAWN
    return None


def may_take_even_money(hand: Hand, up: Card, rules: HandRules, *, second_is_known: bool) -> Answer:
    """An amount like the stake for a blackjack, at once (pt.bj.34, mo.10.3)."""
    figures = rules.figures
    against = {c.EvenMoney.NEVER: (), c.EvenMoney.ACE: (ACE,), c.EvenMoney.ACE_OR_TEN: (ACE, TEN)}[figures.even_money]
    if card_value(up) not in against:
        return PlayRule.EVEN_MONEY_IS_OFFERED
    if hand.end is not None or not is_blackjack(hand, figures):
        return PlayRule.HAND_IS_A_BLACKJACK
    return PlayRule.BANKS_SECOND_IS_UNKNOWN if second_is_known else None


def may_insure(amount: Cents, stake: Cents, up: Card, rules: HandRules, *, somebody_has_decided: bool) -> Answer:
    """So much of an insurance on a stake as it was made (pt.bj.33, mo.12.1, br.ins, house.15a)."""
    figures = rules.figures
    if card_value(up) != ACE:
        return PlayRule.INSURANCE_IS_OFFERED
    if somebody_has_decided:
        return PlayRule.INSURANCE_IS_IN_TIME
    if amount <= 0 or _reaches(amount, stake, figures.insurance_least) < 0:
        return PlayRule.INSURANCE_REACHES_THE_LEAST
    if _reaches(amount, stake, figures.insurance_most) > 0:
        return PlayRule.INSURANCE_IS_WITHIN_THE_MOST
    return None


def _reaches(amount: Cents, stake: Cents, rate: Rate) -> int:
    """Above 0: more than this part of the stake; below: less. Exact, in whatever part of a cent."""
    return amount * rate.of - stake * rate.pays


def needs_accepting(rules: HandRules, *, is_accepted: bool) -> Answer:
    """The bank decides whether it takes an insurance's amount, where the law says so (mo.12.1)."""
    if rules.figures.insurance_needs_bank and not is_accepted:
        return PlayRule.BANK_ACCEPTS_THE_INSURANCE
    return None


def may_insure_with(rules: HandRules, *, holder_insures: bool) -> Answer:
    """An insurance of a bet on another's place (pt.bj.15c)."""
    if holder_insures or rules.figures.others_insure_alone:
        return None
    return PlayRule.HOLDER_INSURES


def may_claim_five_cards(hand: Hand, up: Card, rules: HandRules) -> Answer:
    """Half of the stake for so many cards that are not beyond 21 (mo.19.1)."""
    wanted = rules.figures.five_cards
    if not wanted:
        return PlayRule.FIVE_CARDS_ARE_PAID_HERE
    if not is_live(hand) or len(hand.cards) != wanted:
        return PlayRule.HAND_HAS_FIVE_CARDS
    return PlayRule.FIVE_CARDS_ARE_OFFERED if card_value(up) == ACE else None


def due_at_once(hand: Hand, up: Card, rules: HandRules) -> Payment | None:
    """What ends this hand by itself before the bank plays: a blackjack that it cannot equal, or a bust."""
    if is_bust(hand):
        return Payment.BUST
    if not rules.figures.blackjack_paid_at_once or card_value(up) in (ACE, TEN):
        return None
    return Payment.BLACKJACK if hand.end is None and is_blackjack(hand, rules.figures) else None


def prize_at_once(hand: Hand, rules: HandRules) -> Payment | None:
    """The special prize, which leaves the hand in play (pt.bj.35, mo.15)."""
    return Payment.SPECIAL_PRIZE if has_special_prize(hand, rules.figures) else None


ENDS: dict[HandEnd, Payment] = {
    HandEnd.SURRENDERED: Payment.SURRENDERED,
    HandEnd.EVEN_MONEY: Payment.EVEN_MONEY,
    HandEnd.BLACKJACK_PAID: Payment.BLACKJACK,
    HandEnd.FIVE_CARDS: Payment.FIVE_CARDS,
}
"""What a hand is paid that ended before the bank's."""
