"""The figures in the report on speed, and the sampler, which shows the use of time and changes nothing."""

import signal

import pytest

from simulators.world.card_game import run_world
from simulators.world.plan import WorldPlan
from simulators.world.speed import PARTS, PRODUCTION, Played, Speed, report, sampled

PLAN = WorldPlan(1, 2, decks=1)


@pytest.mark.slow
def test_sampling_disturbs_no_world_and_finds_its_parts() -> None:
    plain = run_world(PLAN)
    handler = signal.getsignal(signal.SIGPROF)
    with sampled() as samples:
        looked_at = run_world(PLAN)
    assert looked_at.digests == plain.digests
    assert (signal.getsignal(signal.SIGPROF), signal.getitimer(signal.ITIMER_PROF)) == (handler, (0.0, 0.0))
    shares = samples.shares()
    assert set(shares) == set(PARTS)
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.01)
    assert shares[PRODUCTION] > 0.1


def test_the_figures_are_those_of_the_worlds() -> None:
    played = run_world(PLAN).played
    assert played.rounds == PLAN.rounds
    assert played.entries > 52 * 3
    assert 0.3 < played.hours < 1.5


def test_speed_can_be_read_either_way() -> None:
    played = Played(7200.0, 4.0, 100, 5000) + Played(0.0, 1.0, 20, 0)
    assert (played.hours, played.of_cpu(played.hours), played.rounds_an_hour) == (2.0, 0.4, 60.0)
    told = "\n".join(report(Speed(played, 3.0, {PRODUCTION: 0.5})))
    for words in ("2.0 table-hours, 0.40 for each", "60.0 an hour", "24.0 rounds and 1000 journal entries", "50.0%"):
        assert words in told
    assert Played().of_cpu(1.0) == Played().rounds_an_hour == 0.0
