"""The steps of a round of cards: bets, announcement, deal, further cards, settling, rack, putting back.

The clauses are pt.bj.13, 17, 48 and 58 to 60.
"""

from collections.abc import Callable
from enum import StrEnum, unique
from typing import TypeVar

from controller.core.choices import BetsClose, Leftovers, PutBack
from controller.core.custody.outage import played_on
from controller.core.custody.state import CardState, CardStateT, Join, with_round
from controller.core.engine.act import Act
from controller.core.engine.machine import ProcedureMachine, Row
from controller.core.house.rule import Guard
from controller.core.words import RoundPhase as R
from controller.core.words import TableMs


@unique
class RoundTrigger(StrEnum):
    BETS_TAKEN = "bets_taken"
    BETS_CANCELLED = "bets_cancelled"
    ANNOUNCED = "announced"
    DEAL_COMPLETED = "deal_completed"
    SETTLED = "settled"
    COLLECTED = "collected"
    PUTTING_BACK_BEGUN = "putting_back_begun"
    PUTTING_BACK_ENDED = "putting_back_ended"
    LEFT_IN_RACK = "left_in_rack"
    DEAL_RESUMED = "deal_resumed"  # a card of the deal was taken back: it is owed again
    CANCELLED = "cancelled"  # by a ruling: no card of the round counts


T = RoundTrigger

ROUND = ProcedureMachine(
    "round",
    [
        Row(T.BETS_TAKEN, R.IDLE, R.BETTING),
        Row(T.BETS_TAKEN, R.BETTING, R.BETTING),
        Row(T.BETS_TAKEN, R.DEALING, R.DEALING, only=("bets_close", BetsClose.OWN_FIRST_CARD)),  # house.4
        Row(T.BETS_CANCELLED, R.BETTING, R.IDLE),
        Row(T.ANNOUNCED, R.BETTING, R.DEALING),
        Row(T.DEAL_COMPLETED, R.DEALING, R.PLAYING),
        Row(T.DEAL_RESUMED, R.PLAYING, R.DEALING),  # pt.bj.17c
        Row(T.SETTLED, R.PLAYING, R.SETTLED),
        Row(T.CANCELLED, R.DEALING, R.SETTLED),  # mo.5.1.2b
        Row(T.CANCELLED, R.PLAYING, R.SETTLED),
        Row(T.COLLECTED, R.SETTLED, R.COLLECTED),
        Row(T.PUTTING_BACK_BEGUN, R.COLLECTED, R.PUTTING_BACK),
        Row(T.PUTTING_BACK_BEGUN, R.IDLE, R.PUTTING_BACK, only=("leftovers", Leftovers.HOLD_NEXT_ROUND)),  # mo.2.2.4
        Row(T.PUTTING_BACK_ENDED, R.PUTTING_BACK, R.IDLE),
        # ended with the last card already: the dealer's act changes nothing
        Row(T.PUTTING_BACK_ENDED, R.IDLE, R.IDLE, only=("put_back", PutBack.AFTER_EACH_ROUND)),
        Row(T.LEFT_IN_RACK, R.COLLECTED, R.IDLE),
        Row(T.LEFT_IN_RACK, R.PUTTING_BACK, R.IDLE),  # pt.bj.60a: cards that the shuffler no longer accepts
    ],
    initial=R.IDLE,
)

ActT = TypeVar("ActT", bound=Act)


def of_the_round(
    effect: Callable[[CardStateT, ActT, TableMs], CardStateT],
) -> Callable[[CardStateT, ActT, TableMs], CardStateT]:
    """Returns `effect`, wrapped for an act of the round. The act ends two things: the correction of earlier cards, and
    a doubt after an outage if the counts agree.
    """

    def done(state: CardStateT, act: ActT, at_ms: TableMs) -> CardStateT:
        state = with_round(state, provisional=False) if state.game.provisional else state
        return played_on(effect(state, act, at_ms))

    return done


NO_CARD_IS_OWED = Guard[CardState](
    "no_card_is_owed",
    lambda state: (
        state.game.requested is None and state.custody.join.counted_ms is None and state.custody.join.read is None
    ),
)
NO_CARD_IS_COMING = Guard[CardState]("no_card_is_coming", lambda state: state.custody.join == Join())
"""False from the first word of a device about a card until it lies in its place: people see it, the table does not."""
