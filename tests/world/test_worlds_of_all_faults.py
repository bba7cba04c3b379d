"""Worlds of all faults that are in no profile's own worlds, or that once got stuck: the oracles find nothing."""

import pytest

from controller.config.profile_file import law
from controller.core.choices import Faces, RoundBurn
from controller.core.engine.replacing import replace
from simulators.world.card_game import GAME, run_world
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.plan import WorldPlan
from simulators.world.result import End

ROUNDS = 5


@pytest.mark.first
@pytest.mark.drawn(1)
@pytest.mark.parametrize("faces", Faces)
def test_worlds_of_macau_break_nothing(faces: Faces) -> None:
    """mo.5.2.1.1, mo.5.2.2.1: players' cards face down, shown and turned, or face up; burns in every round (mo.4.2)."""
    law_of_macau = law("mo-csm").procedure
    procedure = replace(
        law_of_macau, player_cards=faces, burn_each_deck=True, burn_each_round=RoundBurn.START_AND_SECOND
    )
    plans = [WorldPlan(seed, ROUNDS, GAME.kinds, decks=1, profile="mo-csm", procedure=procedure) for seed in range(3)]
    results = [run_world(plan) for plan in plans]
    assert {result.seed: result.violations for result in results if result.violations} == {}
    assert all(result.end is End.CLOSED for result in results if "bit-flip" not in result.faults)


@pytest.mark.slow
def test_a_burnt_card_that_is_forgotten_at_the_collecting_holds_no_table_for_ever() -> None:
    """Two wrong keys at the collection: four cards, and the burnt one, stay in their places (mo.4.2)."""
    result = run_world(WorldPlan(31101, 20, GAME.kinds, profile="mo-csm", only=(8, 9, 11)))
    assert (result.end, result.violations) == (End.CLOSED, ())


@pytest.mark.parametrize(("profile", "seed"), [("pt-csm", 180), ("mo-csm", 60)])
@pytest.mark.slow
def test_a_burn_whose_entries_are_damaged_goes_into_the_next_loading(profile: str, seed: int) -> None:
    """The book is back in the loading, and the burnt card lies elsewhere: people load all cards again."""
    result = run_world(WorldPlan(seed, 2, frozenset({K.DAMAGE_CLOSED}), decks=1, profile=profile))
    assert (result.end, result.violations) == (End.CLOSED, ())


@pytest.mark.slow
def test_a_recount_that_a_flood_took_back_is_asked_for_again() -> None:
    """A shuffler locked itself in a flood: it did not execute an accepted command, and did not report so."""
    lies = (K.NUMBERS_CHANGED, K.BOOT_NUMBER_AGAIN, K.FLOODED, K.PHANTOM_READ, K.OLD_FRAMES)
    result = run_world(WorldPlan(22, 1, frozenset(lies), only=(1, 2, 5, 6, 7, 8, 10), decks=1))
    assert (result.end, result.violations) == (End.CLOSED, ())
