"""Worlds of paired devices, with an attacker on every cable who records, replays, delays and changes."""

from collections import Counter

import pytest

from controller.core.words import Device
from firmware_protocols.tdp.pairable_link import PairableLink
from simulators.world.card_game import GAME, make_world, run_world
from simulators.world.fault_kinds import FaultKind
from simulators.world.paired import ATTACKS, Eavesdropper
from simulators.world.plan import START_S, WorldPlan
from simulators.world.result import End
from tests.night import examples

PROFILES = ("pt-csm", "mo-csm", "house")  # those with a shuffler
SEEDS = range(1, 1 + examples(4))


@pytest.mark.first
@pytest.mark.drawn(1)
@pytest.mark.parametrize("profile", PROFILES)
def test_paired_worlds_break_nothing(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """No event is accepted that the paired device did not send: the oracles compare the events with its output."""
    done: Counter[str] = Counter()
    made: list[Eavesdropper] = []
    begin = Eavesdropper.__init__
    monkeypatch.setattr(Eavesdropper, "__init__", lambda self, *given: (begin(self, *given), made.append(self))[0])
    results = [run_world(WorldPlan(seed, 5, GAME.kinds, decks=1, profile=profile, paired=True)) for seed in SEEDS]
    assert {result.seed: result.violations for result in results if result.violations} == {}
    assert all(result.end is End.CLOSED for result in results if "bit-flip" not in result.faults)
    for one in made:
        done.update(one.done)
    assert done["replayed"] > 0
    assert done["kept back"] > 0
    assert all(sum(one.done.values()) <= ATTACKS for one in made)


def test_each_device_of_a_paired_world_has_proven_itself() -> None:
    world = make_world(WorldPlan(3, 2, frozenset(), decks=1, paired=True))
    world.host.start()
    while world.clock.now_s < START_S + 5.0:
        world.clock.step()
    assert world.host.run is not None
    found = {device: one.identity for device, one in world.host.run.runtime.devices.supervisors.items()}
    assert Device.SHUFFLER in found
    assert all(who is not None and who.is_proven for who in found.values())
    assert all(isinstance(end.device._link, PairableLink) for end in world.host.ends.values())


@pytest.mark.slow
def test_another_device_in_its_place_holds_the_table_until_the_right_one_is_back() -> None:
    kinds = frozenset({FaultKind.OTHER_SERIAL})
    for seed in range(1, 4):
        result = run_world(WorldPlan(seed, 3, kinds, decks=1, paired=True))
        assert (result.end, result.violations) == (End.CLOSED, ())
        assert "other-serial" in result.faults


@pytest.mark.slow
def test_the_same_seed_is_the_same_paired_world() -> None:
    first, second = (run_world(WorldPlan(7, 2, GAME.kinds, decks=1, paired=True)).digests for _ in range(2))
    assert first == second
