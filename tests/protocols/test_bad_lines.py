"""Both ends of a link over lines that lose, repeat, damage, delay and reorder, with restarts of either."""

from random import Random

import pytest
from faulty_world import PERFECT, Fate, FaultyWorld, seeded_fate
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from firmware_protocols.tdp.link import EVENTS_KEPT
from tests.night import examples


@pytest.mark.parametrize("badness", [0.05, 0.2, 0.5])
@pytest.mark.parametrize("seed", range(12))
def test_no_event_and_no_command_is_lost_or_doubled(seed: int, badness: float) -> None:
    rng = Random(seed)  # noqa: S311 (the same faults in each run)
    world = FaultyWorld(lambda: seeded_fate(rng, badness), lambda: rng.choice([0.0, 0.01, 0.3, 2.5]))
    for _ in range(150):
        match rng.randrange(20):
            case 0:
                world.reboot_device()
            case 1:
                world.crash_host()
            case turn if turn < 10:
                for _ in range(rng.randrange(1, 6)):
                    world.post_event()
            case _:
                world.send_command()
        world.run_until(world.now_s + rng.choice([0.0, 0.01, 0.2, 1.0, 3.0]))
    world.heal()
    world.check_all_events_came()
    assert world.book.answered, "the run showed nothing"


def test_the_same_seed_is_the_same_run() -> None:
    def run() -> tuple[object, ...]:
        rng = Random(3)  # noqa: S311 (the same faults in each run)
        world = FaultyWorld(lambda: seeded_fate(rng, 0.3), lambda: 0.01)
        for _ in range(30):
            world.post_event()
            world.run_until(world.now_s + 0.2)
        return world.host.stats, world.device.stats, dict(world.book.committed)

    assert run() == run()


def test_a_device_with_no_room_left_says_which_events_are_gone() -> None:
    world = FaultyWorld(lambda: PERFECT, lambda: 0.0)
    world.run_until(world.now_s + 1)
    world.fate = lambda: Fate(copies=0)
    for _ in range(EVENTS_KEPT + 10):
        world.post_event()
    assert world.device.waiting_events == EVENTS_KEPT
    world.run_until(world.now_s + 10)
    world.heal()
    world.check_all_events_came()
    [(boot, missed)] = world.book.missed
    assert (boot, missed.first, missed.last) == (1, 1, 10)


FATES = st.builds(
    Fate,
    copies=st.sampled_from([1, 1, 1, 0, 2]),
    delay_s=st.sampled_from([0.0, 0.001, 0.15, 1.0, 1.9]),
    later_s=st.sampled_from([0.0, 0.1, 0.5, 1.9]),
    flipped_bit=st.one_of(st.none(), st.none(), st.integers(0, 1000)),
    cut_at=st.one_of(st.none(), st.none(), st.integers(0, 100)),
    noise=st.one_of(st.just(b""), st.binary(max_size=20)),
)


class BadLine(RuleBasedStateMachine):
    """Hypothesis chooses the faults of the line and of both ends; the world's own record shows any error."""

    @initialize()
    def begin(self) -> None:
        self.fates: list[Fate] = []
        self.world = FaultyWorld(lambda: self.fates.pop() if self.fates else PERFECT, lambda: 0.05)

    @rule(fates=st.lists(FATES, max_size=6))
    def the_line_turns_bad(self, fates: list[Fate]) -> None:
        self.fates = fates

    @rule(seconds=st.sampled_from([0.0, 0.03, 0.25, 0.6, 2.1, 5.1]))
    def time_passes(self, seconds: float) -> None:
        self.world.run_until(self.world.now_s + seconds)

    @rule(count=st.integers(1, 12))
    def the_device_tells(self, count: int) -> None:
        for _ in range(count):
            self.world.post_event()

    @rule()
    def the_host_commands(self) -> None:
        self.world.send_command()

    @rule()
    def the_device_reboots(self) -> None:
        self.world.reboot_device()

    @rule()
    def the_host_crashes(self) -> None:
        self.world.crash_host()

    @invariant()
    def what_waits_is_bounded(self) -> None:
        assert self.world.device.waiting_events <= EVENTS_KEPT

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.world.heal()
            self.world.check_all_events_came()


TestBadLine = pytest.mark.slow(BadLine.TestCase)
TestBadLine.settings = settings(
    max_examples=examples(60),
    stateful_step_count=30,
    suppress_health_check=[HealthCheck.too_slow],
)
