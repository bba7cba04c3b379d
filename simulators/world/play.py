"""A world played to its end: closed and reported, held for damage, or stuck for too long."""

from collections.abc import Callable
from typing import Final

from controller.runtime.health import Journaling
from simulators.world.ends import End
from simulators.world.faults import FaultKind
from simulators.world.judge import held_by_damage
from simulators.world.world import START_S, World

CALM_S: Final = 2 * 3600.0
CALM_ROUND_S: Final = 300.0
"""After the last fault people have so long, and so long for each round, to finish the session (pace.py)."""

ENTRIES: Final = 1000
ENTRIES_A_CARD: Final = 20
ENTRIES_A_ROUND: Final = 200
"""A journal that has grown by several times more than any session needs: people go round in circles."""

LOOKS_EVERY_S: Final = 900.0

SWITCHED_OFF_S: Final = 10.0

TECHNICIAN: Final = 41
CHIEF: Final = 21
"""Who close a damage (world.PEOPLE)."""

HELD_S: Final = 60.0
"""A table whose journal is damaged is looked at for so long: it stays held."""


def run_to_end(world: World, is_enough: Callable[[], bool] | None = None) -> tuple[End, list[str]]:
    """Runs until the table is closed, is held for damage, has found no way on for too long, or it is enough."""
    limits = _Limits(world)
    world.begin()
    step = world.clock.step
    while world.over_s is None and limits.end is None and (is_enough is None or not is_enough()):
        step()
    return (End.CLOSED, []) if limits.end is None else (limits.end, limits.found)


class _Limits:
    """What ends a world that does not close: called by its clock, so that time goes on when nobody stirs."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._patience_s = CALM_S + CALM_ROUND_S * world.plan.rounds
        self._entries = ENTRIES + ENTRIES_A_CARD * world.deck_size + ENTRIES_A_ROUND * world.plan.rounds
        self.end: End | None = None
        self.found: list[str] = []
        world.clock.after(LOOKS_EVERY_S, self._look_for_progress)
        world.host.on_damaged = lambda: world.clock.after(HELD_S, self._look_for_damage)

    def _look_for_progress(self) -> None:
        last_s = max(START_S, self._world.mischief.scene.last_end_s)
        is_late = self._world.clock.now_s - last_s > self._patience_s
        if is_late or self._world.witness.entries > self._entries:
            self.end = End.STUCK
            self.found.append(_what_holds(self._world))
        else:
            self._world.clock.after(LOOKS_EVERY_S, self._look_for_progress)

    def _look_for_damage(self) -> None:
        if not _is_damaged(self._world):
            return
        if not _names_an_entry(self._world):
            _switch_off_and_on(self._world)
        elif is_to_be_closed(self._world):
            self.found += held_by_damage(self._world)
            _close_damage(self._world)
        else:
            self.end = End.HELD_DAMAGED


def is_to_be_closed(world: World) -> bool:
    """Whether this world is about people who close a damage."""
    scene = world.mischief.scene
    return any(fault.kind is FaultKind.DAMAGE_CLOSED and fault.number in scene.met for fault in scene.planned)


def _close_damage(world: World) -> None:
    world.host.kill()
    world.host.approve(technician=TECHNICIAN, chief=CHIEF)
    world.clock.after(SWITCHED_OFF_S, world.host.start)


def _is_damaged(world: World) -> bool:
    run = world.host.run
    return run is not None and run.runtime.health.condition is Journaling.DAMAGED


def _names_an_entry(world: World) -> bool:
    """Bytes do not verify; otherwise the medium itself failed as the controller started."""
    return world.host.run is not None and "#" in world.host.run.runtime.health.reason


def _switch_off_and_on(world: World) -> None:
    """What the technician does with a machine whose medium failed at its start: only so it forgets what it believes."""
    world.host.cut_power(lambda _size: 0)
    world.clock.after(SWITCHED_OFF_S, world.host.start)


def _what_holds(world: World) -> str:
    shown = world.host.look()
    if shown is None:
        return "progress: the controller is down for ever"
    holds = ", ".join(f"{hold.id} {hold.kind} {hold.phase}" for hold in shown.holds) or "no hold"
    return f"progress: nobody has found a way on: {shown.session} {shown.round} {shown.round_number}, {holds}"
