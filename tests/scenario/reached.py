"""The states and acts of the written scenarios, played once for all tests. It gives states of each shape, and allowed
acts.

A beginning that several scenarios share is played once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from controller.config.profile import CARD_PROFILES
from controller.core.custody.game import next_owed
from controller.core.engine.act import Act, Fact
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.setup import Setup
from controller.scenario.table import make_table
from tests.scenario.test_written_scenarios import FILES, played, scenarios

_Event = Fact | Act


@dataclass(frozen=True, slots=True)
class Moment:
    """A state, with the event and the state before it."""

    state: BlackjackState
    before: BlackjackState
    event: _Event

    @property
    def is_allowed(self) -> bool:
        """True unless the event is a refused act, which leaves the state unchanged."""
        return self.state is not self.before or not isinstance(self.event, Act)


@cache
def moments() -> tuple[Moment, ...]:
    """Every moment, in order of the scenarios."""
    return tuple(_moments())


def _moments() -> Iterator[Moment]:
    begun: dict[Setup, _Then] = {}
    written = ((path, one) for path in FILES for one in scenarios(path))
    for path, scenario in (one for one in written if one[1].profile in CARD_PROFILES):
        found = played(path, scenario.id)
        if not found.events:
            continue
        before = initial_state(make_table(scenario.profile, scenario.settings).setup)
        at = begun.setdefault(before.setup, _Then({}))
        for event, state in zip(found.events, found.states, strict=True):
            assert isinstance(state, BlackjackState)
            if event not in at.then:
                at.then[event] = _Then({})
                yield Moment(state, before, event)
            at, before = at.then[event], state


class _Then(NamedTuple):
    """A node in the tree of events: the events with which scenarios go on from it."""

    then: "dict[_Event, _Then]"


@cache
def states() -> tuple[BlackjackState, ...]:
    """One state of each shape: steps, holds and their phases, owed cards, correctable entries."""
    found: dict[tuple[object, ...], BlackjackState] = {}
    for one in moments():
        found.setdefault(_shape(one.state), one.state)
    return tuple(found.values())


def _shape(state: BlackjackState) -> tuple[object, ...]:
    house, custody, game = state.house, state.custody, state.game
    holds = tuple(sorted((hold.kind.value, hold.phase.value, hold.technician_called) for hold in house.holds))
    waiting = (custody.set_aside is None, custody.join.counted_ms is None, custody.book.pending > 0)
    people = tuple(sorted((one.role.value, one.operation.value) for one in house.present))
    steps = (house.session, game.phase, custody.packet_open)
    return (steps, holds, next_owed(state), game.requested, game.provisional, waiting, people)


@cache
def done() -> tuple[tuple[Moment, Act], ...]:
    """Each allowed act, with the moment of its request; one of each shape."""
    found: dict[object, tuple[Moment, Act]] = {}
    for one in moments():
        if isinstance(one.event, Act) and one.is_allowed:
            state = one.before
            at = (state.setup.profile, state.house.session, state.game.phase)
            found.setdefault((*at, one.event), (one, one.event))
    return tuple(found.values())
