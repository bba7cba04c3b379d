"""A card kept for the next round (mo.6.1b) that is moved away before it: that round waits for agreement."""

import pytest

from controller.core.custody.agreement import corrected_before, discards, moved_between_rounds
from controller.core.custody.counting import StateCardsMoved, state_cards_moved
from controller.core.custody.state import Corrector
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.plain_session import OpenSession
from controller.core.words import Person, Place, Role, RoundPhase, SessionPhase, TableMs
from controller.scenario.table import make_table
from tests.core.parts import changed
from tests.core.states_by_hand import D, after, dealt, in_play, present, waiting
from tests.core.table import CHIEF

CHIEFS = Corrector(CHIEF, Role.CHIEF_SUPERVISOR)
OTHERS = Corrector(Person(22), Role.CHIEF_SUPERVISOR)
BETS = make_table("pt-csm", [("tracks", "hands")]).setup.hand_rules


def between_rounds(
    *, outlives: bool = True, follows: bool = True, phase: RoundPhase = RoundPhase.IDLE
) -> BlackjackState:
    state = waiting(dealt(phase=phase), pending=2, outlives=outlives)
    return changed(state, setup=replace(state.setup, hand_rules=BETS if follows else None))


def moved(state: BlackjackState, by: Corrector = CHIEFS, place: Place = Place.PENDING) -> BlackjackState:
    act = StateCardsMoved(by.person, by.role, place, Place.RACK, 1)
    return discards(state_cards_moved)(state, act, TableMs(5))


def test_each_person_who_has_moved_it_waits_for_agreement_once_and_in_the_next_round_alone() -> None:
    state = moved(moved(between_rounds()))
    assert (moved_between_rounds(state), state.game.corrected_by) == ((CHIEFS,), ())
    assert moved_between_rounds(moved(moved(between_rounds()), OTHERS)) == (CHIEFS, OTHERS)
    begun = corrected_before(state)
    assert (moved_between_rounds(begun), begun.game.corrected_by) == ((), (CHIEFS,))
    assert corrected_before(begun) is begun


@pytest.mark.parametrize(
    "state",
    [between_rounds(outlives=False), between_rounds(follows=False), changed(between_rounds(), set_aside=None)],
    ids=["not-kept", "no-bets", "nothing-aside"],
)
def test_nobody_waits_for_another_card(state: BlackjackState) -> None:
    assert moved_between_rounds(moved(state)) == ()
    assert moved(state).game.corrected_by == ()


def test_a_card_that_comes_from_the_rack_is_not_the_kept_one() -> None:
    assert moved_between_rounds(moved(between_rounds(), place=Place.INSIDE)) == ()


def test_within_a_round_it_is_that_round_that_waits() -> None:
    state = moved(between_rounds(phase=RoundPhase.PLAYING))
    assert (moved_between_rounds(state), state.game.corrected_by) == ((), (CHIEFS,))


def test_the_cards_of_another_session_are_others() -> None:
    closed = changed(present(in_play()), session=SessionPhase.CLOSED, kept_moved_by=(CHIEFS,))
    assert moved_between_rounds(closed) == (CHIEFS,)
    assert moved_between_rounds(after(closed, OpenSession(*D))) == ()
