"""Virtual time: order, alarms, cancelled calls, a world that never rests."""

import pytest

from simulators.world.clock import Alarm, NeverRestsError, ShiftedClock, VirtualClock, chance, on_tick


def run(clock: VirtualClock, steps: int) -> None:
    for _ in range(steps):
        clock.step()


def test_calls_come_in_order_of_time_and_then_of_asking() -> None:
    clock, said = VirtualClock(0.0), []
    clock.at(2.0, lambda: said.append("later"))
    clock.at(1.0, lambda: said.append("first"))
    clock.at(1.0, lambda: said.append("second"))
    clock.at(-5.0, lambda: said.append("at once"))
    run(clock, 4)
    assert said == ["at once", "first", "second", "later"]
    assert clock.now_s == 2.0


def test_a_moment_is_never_before_the_time_that_was_asked_for() -> None:
    for time_s in (0.1, 1 / 3, 1000.0001, 7.25):
        assert 0 <= on_tick(time_s) - time_s < 1e-6
    assert on_tick(0.5) == 0.5


def test_an_alarm_that_is_put_off_rings_once_and_not_before() -> None:
    clock, rang = VirtualClock(0.0), []
    alarm = Alarm(clock, lambda: rang.append(clock.now_s))
    alarm.set(1.0)
    alarm.set(3.0)
    clock.at(2.0, lambda: alarm.set(2.5))
    clock.at(9.0, lambda: None)
    while clock.now_s < 9.0:
        clock.step()
    assert rang == [2.5]


def test_an_alarm_that_is_taken_back_does_not_ring() -> None:
    clock, rang = VirtualClock(0.0), []
    alarm = Alarm(clock, lambda: rang.append(clock.now_s))
    alarm.set(1.0)
    alarm.set(None)
    clock.at(2.0, lambda: None)
    clock.step()
    assert (clock.now_s, rang) == (2.0, [])


def test_a_machine_s_own_seconds_begin_when_it_is_switched_on() -> None:
    world, said = VirtualClock(1000.0), []
    machine = ShiftedClock(world, 1000.0)
    machine.at(1.5, lambda: said.append((machine.now_s, world.now_s)))
    world.step()
    assert said == [(1.5, 1001.5)]


def test_what_never_rests_is_an_error() -> None:
    clock = VirtualClock(0.0)

    def again() -> None:
        clock.after(0.0, again)

    again()
    with pytest.raises(NeverRestsError):
        run(clock, 20_000)


def test_chance_is_split_by_name() -> None:
    assert chance(1, "cards").random() == chance(1, "cards").random()
    assert len({chance(1, "cards").random(), chance(1, "disk").random(), chance(2, "cards").random()}) == 3
