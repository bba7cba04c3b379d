"""The rounds of a second copy in virtual time: rounds without work are left out, and change no other one."""

from controller.journal.recovery import Tip
from controller.journal.second_copy import ROUND_S
from simulators.disk import MemoryStorage
from simulators.world.clock import VirtualClock, chance, on_tick
from simulators.world.second_copy import CopyShell, Medium

HANGS_AT_S = 10.05


def test_a_copy_in_step_is_looked_at_again_at_the_round_that_would_have_come() -> None:
    clock, medium, waited_s = VirtualClock(0.0), Medium(chance(1)), list[float]()
    medium.on_wait = lambda: waited_s.append(clock.now_s)
    CopyShell(clock, MemoryStorage(), medium, Tip(), lambda _reason: None)

    def hang() -> None:
        medium.hangs = True
        medium.on_hanging()

    clock.at(HANGS_AT_S, hang)
    while not waited_s:
        clock.step()
    round_s = on_tick(Medium(chance(1)).takes_s(0.002, 0.006))
    while round_s <= HANGS_AT_S:
        round_s = on_tick(round_s + ROUND_S)
    assert waited_s == [round_s]
    assert clock.calls == 5  # the first round and its copy, one without work, the fault, the round after it
