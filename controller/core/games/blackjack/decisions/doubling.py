"""Doubling: a player doubles his stake and gets one more card (pt.bj.29a, pt.bj.31, mo.17, br.double, house.12)."""

from typing import Final

from controller.core import choices as c
from controller.core.custody.round import of_the_round
from controller.core.custody.set_aside import give_set_aside
from controller.core.custody.state import Card, with_round
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import (
    HAND_IS_IN_TURN,
    HAND_IS_SHOWN_TO_CLAIM,
    PLAYERS_ASK_BEFORE_THE_BANK,
    FollowedAct,
    decision,
    of_the_hand,
    on_hand,
    others_have_bets,
    while_played,
    with_hand,
)
from controller.core.games.blackjack.decisions.turns import A_CARD_IS_INSIDE
from controller.core.games.blackjack.hand import (
    GIVING_UP_STANDS,
    HAND_IS_LIVE,
    HAND_IS_NO_BLACKJACK,
    SPLIT_ACE_LACKS_ITS_CARD,
    TOTAL_IS_BELOW_21,
    Answer,
    Hand,
    PlayRule,
    against_drawing,
)
from controller.core.games.blackjack.hands import PlayedHand
from controller.core.games.blackjack.settling import bets_of_doubled_hand
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import hard_points
from controller.core.hand_rules import HandFigures, HandRules
from controller.core.house.rule import P
from controller.core.words import TableMs

_TWO: Final = 2
_NINE, _ELEVEN = 9, 11


class DoubleDown(FollowedAct, frozen=True):
    """A player doubles his stake for one more card. `others`: other players with bets on the hand who double theirs,
    too.
    """


DOUBLE_IS_OF_TWO_CARDS: Final = PlayRule("double_is_of_two_cards")
DOUBLE_AFTER_SPLIT_IS_ALLOWED: Final = PlayRule("double_after_split_is_allowed")
TOTAL_MAY_BE_DOUBLED: Final = PlayRule("total_may_be_doubled")


def may_double(hand: Hand, rules: HandRules) -> Answer:
    """Returns the rule that forbids doubling the hand; None if doubling is permitted (pt.bj.29a, pt.bj.31, mo.17,
    br.double, house.12).
    """
    figures = rules.figures
    if len(hand.cards) != _TWO or hand.is_doubled:
        return DOUBLE_IS_OF_TWO_CARDS
    rule = against_drawing(hand, figures)
    if rule is None and hand.is_split and not _doubles_after_split(figures):
        rule = DOUBLE_AFTER_SPLIT_IS_ALLOWED
    if rule is None and not _may_be_doubled(hand.cards, figures):
        rule = TOTAL_MAY_BE_DOUBLED
    return rule


def _doubles_after_split(figures: HandFigures) -> bool:
    return figures.double_after_split and figures.double_on is not c.DoubleOn.ELEVEN


def _may_be_doubled(cards: tuple[Card, ...], figures: HandFigures) -> bool:
    if figures.double_on is c.DoubleOn.ANY_TWO:
        return True
    least = _NINE if figures.double_on is c.DoubleOn.NINE_TO_ELEVEN else _ELEVEN
    return least <= hard_points(cards) <= _ELEVEN


def _double(state: BlackjackState, played: PlayedHand, act: DoubleDown) -> BlackjackState:
    rules = state.setup.hand_rules
    if rules is None:
        return state
    bets = bets_of_doubled_hand(played.bets, played.holder, act.others or (), rules)
    return with_hand(state, replace(played, is_doubled=True, bets=bets))


def double_down(state: BlackjackState, act: DoubleDown, at_ms: TableMs) -> BlackjackState:
    """Returns the state with the hand doubled and one card owed to the hand. A card set aside is dealt to the hand at
    once (pt.bj.18d).
    """
    state, hand = on_hand(_double)(state, act, at_ms), act.hand or 1
    if state.custody.set_aside is not None:
        return give_set_aside(state, act.seat, at_ms, hand)
    return with_round(state, requested=act.seat, requested_hand=hand)


OTHERS_HAVE_BETS_THERE = others_have_bets()
HAND_MAY_BE_DOUBLED = while_played(
    of_the_hand(lambda hand, rules, _state, _table: may_double(hand, rules)),
    HAND_IS_LIVE,
    GIVING_UP_STANDS,
    DOUBLE_IS_OF_TWO_CARDS,
    SPLIT_ACE_LACKS_ITS_CARD,
    HAND_IS_NO_BLACKJACK,
    TOTAL_IS_BELOW_21,
    DOUBLE_AFTER_SPLIT_IS_ALLOWED,
    TOTAL_MAY_BE_DOUBLED,
)


DOUBLING: Final = decision(
    "double-down",
    DoubleDown,
    of_the_round(double_down),
    A_CARD_IS_INSIDE,
    HAND_IS_SHOWN_TO_CLAIM,
    OTHERS_HAVE_BETS_THERE,
    *HAND_MAY_BE_DOUBLED,
    HAND_IS_IN_TURN,
    PLAYERS_ASK_BEFORE_THE_BANK,
    needs=P.DRAW,
)
