"""Splitting: a pair becomes two hands (pt.bj.26, pt.bj.27, mo.16, br.pairs, house.10a)."""

from typing import Final

from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import (
    HAND_IS_IN_TURN,
    HAND_IS_SHOWN_TO_CLAIM,
    PLAYERS_ASK_BEFORE_THE_BANK,
    FollowedAct,
    HandAct,
    decision,
    hand_meant,
    on_hand,
    others_have_bets,
    while_played,
)
from controller.core.games.blackjack.hand import (
    ACES_MAY_BE_SPLIT_AGAIN,
    CARDS_ARE_A_PAIR,
    GIVING_UP_STANDS,
    HAND_IS_LIVE,
    HANDS_ARE_FEW_ENOUGH,
    PAIR_MAY_BE_SPLIT_AGAIN,
    PAIR_WAS_NOT_DECLINED,
    Answer,
    may_split,
)
from controller.core.games.blackjack.hands import HandId, PlayedHand, changed_hand
from controller.core.games.blackjack.settling import bets_of_new_hand
from controller.core.games.blackjack.state import BlackjackState, with_game
from controller.core.games.blackjack.worth import Table


class SplitPair(FollowedAct, frozen=True):
    """A player splits a pair into two hands. `others`: other players with bets on the hand who lay a second bet too."""


def _split(state: BlackjackState, played: PlayedHand, act: SplitPair) -> BlackjackState:
    """Returns the state with the pair's second card as a new hand, which plays after the first."""
    rules, table = state.setup.hand_rules, state.table
    if rules is None or table is None:
        return state
    index = max(one.id.index for one in table.at(act.seat)) + 1
    bets = bets_of_new_hand(played.bets, played.holder, act.others or (), rules)
    first, waits = replace(played, is_split=True), played.waits
    second = PlayedHand(HandId(act.seat, index), bets, played.holder, is_split=True, waits=waits)
    stakes = changed_hand(state.game.stakes, first, second)
    at = [n for n, one in enumerate(state.game.dealt) if (one.seat, one.hand) == (act.seat, played.id.index)][1]
    dealt = tuple(replace(one, hand=index) if n == at else one for n, one in enumerate(state.game.dealt))
    return with_game(state, stakes=stakes, dealt=dealt)


def _may_split(_state: BlackjackState, table: Table, act: HandAct) -> Answer:
    meant = hand_meant(table, act)
    return None if meant is None else may_split(meant[1], len(table.at(act.seat)), table.rules)


OTHERS_HAVE_BETS_AT_THE_SPLIT = others_have_bets("others_have_bets_at_the_split")
PAIR_MAY_BE_SPLIT = while_played(
    _may_split,
    HAND_IS_LIVE,
    GIVING_UP_STANDS,
    CARDS_ARE_A_PAIR,
    PAIR_MAY_BE_SPLIT_AGAIN,
    ACES_MAY_BE_SPLIT_AGAIN,
    PAIR_WAS_NOT_DECLINED,
    HANDS_ARE_FEW_ENOUGH,
)


SPLITTING: Final = decision(
    "split-pair",
    SplitPair,
    on_hand(_split),
    HAND_IS_SHOWN_TO_CLAIM,
    OTHERS_HAVE_BETS_AT_THE_SPLIT,
    *PAIR_MAY_BE_SPLIT,
    HAND_IS_IN_TURN,
    PLAYERS_ASK_BEFORE_THE_BANK,
)
