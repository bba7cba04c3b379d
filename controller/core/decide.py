"""The core's one door at a table of blackjack: an event with its time in, a decision out."""

from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Refusal
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house import deciding
from controller.core.house.deciding import Decision as Decision
from controller.core.table import TABLE
from controller.core.words import TableMs


def decide(state: BlackjackState, event: Fact | Act, at_ms: TableMs) -> Decision[BlackjackState]:
    """Decides one event at table time `at_ms`. Pure: the same events give the same states."""
    return deciding.decide_by(TABLE, state, event, at_ms)


def refused(state: BlackjackState, act: Act) -> Refusal | None:
    """The first reason why this act is not allowed; None where it is."""
    return deciding.refused(TABLE, state, act)
