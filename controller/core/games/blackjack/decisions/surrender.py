"""Surrender: the player gives the hand up and loses half of the stake, for good (pt.bj.36, mo.18, house.16)."""

from typing import Final

from controller.core import choices as c
from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.state import Card
from controller.core.games.blackjack.decisions.one_hand import (
    BANKS_CARD_IS_KNOWN,
    HandAct,
    decision,
    ended_by,
    hand_id,
    is_left_to_the_bank,
    somebody_has_drawn,
    while_played,
)
from controller.core.games.blackjack.hand import ACE, GIVING_UP_STANDS, Answer, HandEnd, PlayRule
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import card_value
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.rule import DELIBERATE_MS


class Surrender(HandAct, frozen=True):
    """A player gives up a hand for half of its stake."""


SURRENDER_IS_OFFERED: Final = PlayRule("surrender_is_offered")
HAND_IS_AS_DEALT: Final = PlayRule("hand_is_as_dealt")
NOBODY_HAS_DRAWN: Final = PlayRule("nobody_has_drawn")


def may_surrender_unseen(
    up: Card, rules: HandRules, *, is_as_dealt: bool, somebody_has_drawn: bool, is_given_up: bool = False
) -> Answer:
    """Returns the rule that forbids a surrender; None if the surrender is permitted. `up`: the bank's open card. The
    player's own cards do not matter, and may be face down (mo.18).
    """
    figures = rules.figures
    if figures.surrender is c.Surrender.NEVER or card_value(up) == ACE:
        return SURRENDER_IS_OFFERED
    if not is_as_dealt:
        return GIVING_UP_STANDS if is_given_up else HAND_IS_AS_DEALT
    if figures.surrender is c.Surrender.BEFORE_ANY_CARD and somebody_has_drawn:
        return NOBODY_HAS_DRAWN
    return None


def _may_surrender(state: BlackjackState, table: Table, act: HandAct) -> Answer:
    played, up, drawn = table.of(hand_id(act)), table.up, somebody_has_drawn(state)
    if played is None or up is None:
        return None
    is_as_dealt = table.is_as_dealt(played) and not is_left_to_the_bank(table, played)
    is_given_up = played.end is HandEnd.SURRENDERED
    return may_surrender_unseen(
        up, table.rules, is_as_dealt=is_as_dealt, somebody_has_drawn=drawn, is_given_up=is_given_up
    )


HAND_MAY_BE_SURRENDERED = while_played(
    _may_surrender, SURRENDER_IS_OFFERED, GIVING_UP_STANDS, HAND_IS_AS_DEALT, NOBODY_HAS_DRAWN
)


SURRENDERING: Final = decision(
    "surrender",
    Surrender,
    ended_by(HandEnd.SURRENDERED),
    DIFFERENCES_ARE_SETTLED,
    BANKS_CARD_IS_KNOWN,
    *HAND_MAY_BE_SURRENDERED,
    CORRECTIONS_ARE_AGREED,
    hold_ms=DELIBERATE_MS,
)
