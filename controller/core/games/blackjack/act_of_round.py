"""What every act of a round does besides its own effect."""

from collections.abc import Callable
from typing import TypeVar

from controller.core.custody.outage import played_on
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import TableMs

ActT = TypeVar("ActT", bound=Act)


def of_the_round(
    effect: Callable[[BlackjackState, ActT, TableMs], BlackjackState],
) -> Callable[[BlackjackState, ActT, TableMs], BlackjackState]:
    """An act of the round: the card dealt last stays where it lies, and what was doubted of an outage is past."""

    def done(state: BlackjackState, act: ActT, at_ms: TableMs) -> BlackjackState:
        state = replace(state, game=replace(state.game, provisional=False)) if state.game.provisional else state
        return played_on(effect(state, act, at_ms))

    return done
