"""Pairs of worlds: every sort of face-down card stays secret in every profile that deals it, and a planted leak is
found.
"""

from collections.abc import Callable, Iterator
from typing import Final

import pytest

from controller.config.profile import CARD_PROFILES
from controller.config.profile_file import law
from controller.core.choices import Faces, Machine, RoundBurn
from controller.core.engine.replacing import replace
from controller.core.setup import Procedure
from simulators.world.fault_kinds import FaultKind
from simulators.world.pairs import Sort, check_secrecy, check_sort, sorts_of
from simulators.world.plan import WorldPlan
from tests.drawn import every
from tests.world.defects import court_card_costs_a_moment, face_down_card_in_one_log_line

BOUND: Final = 8
"""Seeds within which a leak must be found."""


DEALS_ONE_ASIDE: Final = 2
"""A seed in which a card that was not owed comes out and lies face down."""


def secretive(profile: str) -> Procedure:
    """The procedure of this profile with as many sorts of face-down cards as its law allows."""
    known = law(profile)
    procedure = known.procedure
    if known.parameter("player_cards").open.has("down"):
        procedure = replace(procedure, player_cards=Faces.DOWN)
    if known.parameter("burn_each_round").open.has("start-and-second"):
        procedure = replace(procedure, burn_each_round=RoundBurn.START_AND_SECOND)
    return procedure


CASES: Final = [(profile, sort) for profile in CARD_PROFILES for sort in sorts_of(secretive(profile))]


def plans(profile: str) -> Iterator[WorldPlan]:
    for seed in range(1, 1 + BOUND):
        yield WorldPlan(seed, 2, decks=1, profile=profile, procedure=secretive(profile))


def test_every_sort_of_face_down_card_has_its_profiles() -> None:
    """Clauses: pt.bj.17b, mo.5.2.1.1, mo.5.2.1.2, mo.4.2."""
    by_sort = {sort: {profile for profile, has in CASES if has is sort} for sort in Sort}
    assert by_sort[Sort.BURN] == set(CARD_PROFILES)
    assert by_sort[Sort.HOLE] == {"pt-csm", "pt-shoe", "house", "mo-box"}
    assert by_sort[Sort.PLAYERS] == {"mo-csm", "mo-shoe", "mo-box"}
    assert by_sort[Sort.ROUND_BURN] == {"mo-csm", "mo-shoe"}


@pytest.mark.drawn(2)
@pytest.mark.parametrize(("profile", "sort"), CASES)
def test_two_worlds_agree_until_the_card_is_turned(profile: str, sort: Sort) -> None:
    """Clauses: pt.bj.17b, mo.5.2.1.1, mo.5.2.1.2."""
    told, worlds = check_sort(next(plans(profile)), sort)
    assert told == []
    assert len(worlds) == 2
    assert worlds[0].outputs.kept


READ: Final = [(profile, sort) for profile, sort in CASES if law(profile).procedure.machine is not Machine.BOX]


@pytest.mark.drawn(3)
@pytest.mark.parametrize(("profile", "sort"), READ)
@pytest.mark.parametrize("leak", [face_down_card_in_one_log_line, court_card_costs_a_moment])
def test_a_leak_is_found(profile: str, sort: Sort, leak: Callable[[pytest.MonkeyPatch], None]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        leak(patch)
        assert any(check_sort(plan, sort)[0] for plan in plans(profile))


@pytest.mark.slow
def test_a_card_that_belongs_to_nobody_is_told_to_nobody() -> None:
    """DESIGN 3.8: a card that was not owed stays secret, too."""
    kinds = frozenset((FaultKind.DOUBLE_FEED_OUT,))
    seeds = {DEALS_ONE_ASIDE, *every(range(1, 1 + BOUND), 4)}
    told = [check_sort(WorldPlan(seed, 2, kinds, decks=1), Sort.ASIDE) for seed in seeds]
    assert [found for found, _worlds in told if found] == []
    assert any(len(worlds) == 2 for _found, worlds in told)


@pytest.mark.slow
def test_the_sorts_take_turns() -> None:
    plan = next(plans("mo-csm"))
    played = [check_secrecy(plan, turn)[1][0] for turn in range(3)]
    assert len({world.virtual_s for world in played}) == 3
