"""Two hours of a wheel's line with every fault on it: each spin ends once, and each bad one is reported."""

from collections import Counter
from random import Random

import pytest

from firmware_protocols.cammegh.lines import LineDecoder
from firmware_protocols.cammegh.spins import (
    SILENT_AFTER_S,
    LineHeard,
    LineSilent,
    SpinEnded,
    SpinEvent,
    SpinOverdue,
    SpinsUnseen,
    SpinTracker,
    Trouble,
)
from firmware_protocols.errors import RejectReason
from simulators.devices.base import seeded
from simulators.devices.faults import BadSpin, Damage, DamagedLine, Fault, FaultPlan, SpinGoesWrong, WheelSilent
from simulators.devices.wheel import Played, SimulatedWheel
from simulators.devices.wire import PacedWire
from tests.night import examples

TWO_HOURS_S = 7200.0
BAUD = 9600
SPINS, LINES = 140, 14_000  # about so many occur in two hours

TOLD_AS = {
    SpinGoesWrong.NO_BALL: {Trouble.BALL_REMOVED, Trouble.LAUNCH_FAILED, Trouble.NO_NUMBER},
    SpinGoesWrong.BALL_STUCK: {Trouble.OVERDUE},
    SpinGoesWrong.LAUNCHED_AGAIN: {Trouble.NO_NUMBER},
    SpinGoesWrong.SAME_DIRECTION: {Trouble.SAME_DIRECTION},
    SpinGoesWrong.BALL_WITH_ROTOR: {Trouble.BALL_DIRECTION},
    SpinGoesWrong.NOT_LAUNCHED: {Trouble.NOT_LAUNCHED},
    SpinGoesWrong.MISREAD: set(),  # all see it, and the line has no sign of it
    SpinGoesWrong.SENSOR_BROKEN: {Trouble.SENSOR_BROKEN, Trouble.STOPPED},
}


def plan(rng: Random, *, silences: bool) -> FaultPlan:
    """Random faults in a fifth of the spins and a thirtieth of the lines; with `silences` some longer than a spin."""
    kinds, ways = list(SpinGoesWrong), list(Damage)
    spins: list[Fault] = [BadSpin(at, rng.choice(kinds)) for at in sorted(rng.sample(range(1, SPINS), SPINS // 5))]
    lines = [DamagedLine(at, rng.choice(ways)) for at in sorted(rng.sample(range(1, LINES), LINES // 30))]
    dead = [WheelSilent(at, rng.uniform(1.0, 150.0)) for at in rng.sample(range(1, SPINS), 8)] if silences else []
    return FaultPlan((*spins, *lines, *sorted(dead, key=lambda one: one.at)))  # type: ignore[arg-type]


def listen(wheel: SimulatedWheel, rng: Random) -> tuple[list[tuple[float, SpinEvent]], Counter[RejectReason]]:
    """A tracker's events and the numbers of rejected lines in two hours; the line's bytes come in clumps."""
    wire, decoder, tracker = PacedWire(BAUD), LineDecoder(), SpinTracker(0.0)
    events: list[tuple[float, SpinEvent]] = []
    rejected: Counter[RejectReason] = Counter()
    now_s = 0.0
    while now_s < TWO_HOURS_S:
        now_s += rng.choice((0.1, 0.2, 0.6))
        while (due_s := wheel.next_time_s()) is not None and due_s <= now_s:
            wheel.on_time(due_s)
            wire.push(wheel.data_to_send(), due_s)
        events += [(now_s, event) for event in tracker.on_time(now_s)]
        for found in decoder.feed(wire.pop(now_s)):
            if isinstance(found, RejectReason):
                rejected[found] += 1
            else:
                events += [(now_s, event) for event in tracker.take(found, now_s)]
    return events, rejected


def over(wheel: SimulatedWheel) -> list[Played]:
    """The spins that ended before the last part of the two hours."""
    return [one for one in wheel.spins if one.ended_s is not None and one.ended_s < TWO_HOURS_S - 10.0]


def expected(spins: list[Played]) -> list[SpinEnded]:
    """The expected event of each, troubles sorted. The direction is compared with the last launch, seen or not."""
    told: list[SpinEnded] = []
    last: bool | None = None
    for one in spins:
        troubles = set(TOLD_AS[one.wrong]) if one.wrong and one.wrong is not SpinGoesWrong.SAME_DIRECTION else set()
        if one.wrong is not SpinGoesWrong.NOT_LAUNCHED:
            troubles |= {Trouble.SAME_DIRECTION} if one.clockwise == last else set()
        last = one.clockwise
        told.append(SpinEnded(one.game, one.number, tuple(sorted(troubles))))
    return told


def sorted_troubles(event: SpinEnded) -> SpinEnded:
    return SpinEnded(event.game, event.number, tuple(sorted(event.troubles)))


@pytest.mark.parametrize("seed", range(examples(1)))
def test_no_spin_is_lost_or_told_twice_and_each_bad_one_is_told(seed: int) -> None:
    rng = seeded(seed)
    wheel = SimulatedWheel(rng=rng, game=200, faults=plan(rng, silences=False))
    events, rejected = listen(wheel, rng)
    spins, end_s = expected(over(wheel)), (over(wheel)[-1].ended_s or 0.0) + 4.0
    told = [sorted_troubles(event) for at, event in events if isinstance(event, SpinEnded) and at < end_s]
    assert told == spins
    assert len(spins) > SPINS / 2
    assert wheel.faults_met["BadSpin"] > 10
    assert wheel.faults_met["DamagedLine"] > 300
    assert {RejectReason.NOISE, RejectReason.CUT_SHORT, RejectReason.OUT_OF_BOUNDS} <= rejected.keys()
    assert not [event for _at, event in events if isinstance(event, SpinsUnseen)]
    overdue = [event for _at, event in events if isinstance(event, SpinOverdue)]
    assert len(overdue) == sum(Trouble.OVERDUE in event.troubles for event in told)


@pytest.mark.parametrize("seed", range(examples(1)))
def test_silences_hide_spins_and_it_is_said_how_many(seed: int) -> None:
    rng = seeded(100 + seed)
    wheel = SimulatedWheel(rng=rng, game=250, faults=plan(rng, silences=True))
    events, _rejected = listen(wheel, rng)
    truth = over(wheel)
    end_s = (truth[-1].ended_s or 0.0) + 4.0
    told = [sorted_troubles(event) for at, event in events if isinstance(event, SpinEnded) and at < end_s]
    numbers = {(one.game, one.number) for one in truth}
    assert {(event.game, event.number) for event in told if event.number is not None} <= numbers, "none is made up"
    named = Counter(event.game for event in told if event.number is not None)
    assert set(named.values()) == {1}, "none is told twice"
    unseen = sum(event.games or 0 for at, event in events if isinstance(event, SpinsUnseen) and at < end_s)
    assert unseen > 0
    games = {one.game for one in truth}
    assert len({event.game for event in told}) + unseen >= len(games), "none is lost"
    assert_silences_are_told(wheel, events)
    assert_spins_apart_from_silences_are_told(wheel, truth, told)


def assert_silences_are_told(wheel: SimulatedWheel, events: list[tuple[float, SpinEvent]]) -> None:
    for begin_s, end_s in joined(wheel.silences):
        if end_s - begin_s > SILENT_AFTER_S + 1.0 and end_s < TWO_HOURS_S - 5.0:
            around = [event for at, event in events if begin_s <= at <= end_s + 2.0]
            assert LineSilent() in around
            assert LineHeard() in around


def joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The spans, with overlapping or nearly adjacent ones (less than two statuses between) joined."""
    found: list[tuple[float, float]] = []
    for begin_s, end_s in sorted(spans):
        if found and begin_s <= found[-1][1] + 2.0:
            found[-1] = (found[-1][0], max(found[-1][1], end_s))
        else:
            found.append((begin_s, end_s))
    return found


def assert_spins_apart_from_silences_are_told(
    wheel: SimulatedWheel, truth: list[Played], told: list[SpinEnded]
) -> None:
    """Checks the spins apart from the direction, since the launch before may be unheard."""
    apart = [
        without_direction(event)
        for one, event in zip(truth, expected(truth), strict=True)
        if not any(a - 3.0 < (one.ended_s or 0.0) and one.begun_s < b + 3.0 for a, b in wheel.silences)
    ]
    assert len(apart) > SPINS / 3
    assert Counter(apart) <= Counter(map(without_direction, told))


def without_direction(event: SpinEnded) -> SpinEnded:
    troubles = (trouble for trouble in event.troubles if trouble is not Trouble.SAME_DIRECTION)
    return SpinEnded(event.game, event.number, tuple(troubles))
