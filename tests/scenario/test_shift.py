"""A shift is handed over at any table and step, under any hold. The handover ends first requests, and changes nothing
else.
"""

import pytest
from msgspec import UNSET

from controller.config.profile import PROFILES
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.people import roles_in
from controller.core.house.shift_acts import HandOverShift, TakeOverShift, open_matters, shift_of
from controller.core.house.state import State, with_house
from controller.core.words import HoldKind, Person, Role, RoundPhase, SessionPhase, TableMs
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from tests.drawn import every
from tests.scenario.reached import moments

FIRST, SECOND = Person(21), Person(22)


@pytest.mark.slow
def test_at_every_state_that_a_scenario_reaches_two_supervisors_sign() -> None:
    kinds, steps = set(), set()
    waiting = (one.state for one in every(moments(), 5))
    for begun in (one for one in waiting if one.game.phase is not RoundPhase.COLLECTED):  # any event goes on from there
        state, at = begun, TableMs(0)
        for act in (HandOverShift(FIRST, Role.CHIEF_SUPERVISOR), TakeOverShift(SECOND, Role.ROOM_MANAGER)):
            decision = decide_by(TABLE, state, act, at)
            assert decision.refusal is None, (act, state.house)
            assert _but_for_the_shift(decision.state) == _but_for_the_shift(state)
            state = decision.state
        assert shift_of(state).number == shift_of(begun).number + 1
        kinds |= {hold.kind for hold in state.house.holds}
        steps.add(state.house.session)
    assert {HoldKind.JAM, HoldKind.COMPLAINT, HoldKind.DEVICE_LOST} <= kinds
    assert {SessionPhase.CLOSED, SessionPhase.LOADING, SessionPhase.UNLOADING} <= steps


def _but_for_the_shift(state: State) -> tuple[object, ...]:
    """The state without the shift, the requests and presence that a signature ends or confirms, and the round's log."""
    house = with_house(state, shift=UNSET, present=(), waiting=(), lapsed=()).house
    return house, state.devices, state.custody, state.game


@pytest.mark.parametrize("profile", PROFILES)
def test_at_each_profile_supervisors_of_its_posts_sign(profile: str) -> None:
    table = Player(make_table(profile, ()).setup)
    table.start()
    vocabulary_of(profile).steps["in-play"].do(table, ())
    who = "chief" if Role.TABLE_INSPECTOR not in roles_in(table.state.setup, (Role.CHIEF_SUPERVISOR,)) else "inspector"
    for first, second in ((who, "manager"), ("manager", "second-chief")):
        table.act(first, "hand-over-shift", {})
        assert table.refusal is None
        assert shift_of(table.state).matters == open_matters(table.state) == ("S1",)
        table.act(second, "take-over-shift", {})
        assert table.refusal is None
    assert shift_of(table.state).number == 2
