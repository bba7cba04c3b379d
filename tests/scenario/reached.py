"""What the written scenarios go through, played once for all who ask: states of each shape, and acts that were allowed.

Scenarios that begin alike are decided once as far as they go together.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from controller.config.profile import CARD_PROFILES
from controller.core.custody.game import next_owed
from controller.core.engine.act import Act, Fact
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.setup import Setup
from controller.core.words import TableMs
from controller.scenario.table import make_table
from tests.scenario.test_written_scenarios import FILES, played, scenarios

_Event = Fact | Act


@dataclass(frozen=True, slots=True)
class Moment:
    """A state, and by which event it was reached from which other."""

    state: BlackjackState
    before: BlackjackState
    event: _Event | None = None
    is_allowed: bool = True
    then: dict[_Event, "Moment"] = field(default_factory=dict)


@cache
def moments() -> tuple[Moment, ...]:
    """Every one, in order of the scenarios."""
    return tuple(_moments())


def _moments() -> Iterator[Moment]:
    begun: dict[Setup, Moment] = {}
    written = ((path, one) for path in FILES for one in scenarios(path))
    for path, scenario in (one for one in written if one[1].profile in CARD_PROFILES):
        events = played(path, scenario.id).events
        if not events:
            continue
        state = initial_state(make_table(scenario.profile, scenario.settings).setup)
        at = begun.setdefault(state.setup, Moment(state, state))
        for event in events:
            known = at.then.get(event)
            if known is None:
                decision = decide_by(TABLE, at.state, event, TableMs(0))
                known = at.then[event] = Moment(decision.state, at.state, event, decision.refusal is None)
                yield known
            at = known


@cache
def states() -> tuple[BlackjackState, ...]:
    """One state of each shape: steps, holds and their phases, what is owed, what may be corrected."""
    found: dict[tuple[object, ...], BlackjackState] = {}
    for one in moments():
        found.setdefault(_shape(one.state), one.state)
    return tuple(found.values())


def _shape(state: BlackjackState) -> tuple[object, ...]:
    house, custody, game = state.house, state.custody, state.game
    holds = tuple(sorted((hold.kind.value, hold.phase.value) for hold in house.holds))
    waiting = (custody.set_aside is None, custody.join.counted_ms is None, custody.book.pending > 0)
    people = tuple(sorted((one.role.value, one.operation.value) for one in house.present))
    steps = (house.session, game.phase, custody.packet_open)
    return (steps, holds, next_owed(state), game.requested, game.provisional, waiting, people)


@cache
def done() -> tuple[tuple[BlackjackState, Act], ...]:
    """Each act that was allowed, with the state in which it was asked for; one of each shape."""
    found: dict[object, tuple[BlackjackState, Act]] = {}
    for one in moments():
        if isinstance(one.event, Act) and one.is_allowed:
            state = one.before
            at = (state.setup.profile, state.house.session, state.game.phase)
            found.setdefault((*at, one.event), (state, one.event))
    return tuple(found.values())
