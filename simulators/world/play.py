"""A world played to its end: closed and reported, held for damage, or stuck for too long."""

from typing import Final

from controller.runtime.health import Journaling
from simulators.world.ends import End
from simulators.world.world import START_S, World

CALM_S: Final = 3600.0
CALM_ROUND_S: Final = 150.0
"""After the last fault people have so long, and so long for each round, to finish the session."""

HELD_S: Final = 60.0
"""A table whose journal is damaged is looked at for so long: it stays held."""


def run_to_end(world: World) -> tuple[End, list[str]]:
    """Runs until the table is closed, is held for damage, or has found no way on for too long."""
    clock, scene = world.clock, world.mischief.scene
    patience_s = CALM_S + CALM_ROUND_S * world.plan.rounds
    world.begin()
    damaged_s: float | None = None
    while world.over_s is None:
        clock.step()
        if _is_damaged(world):
            damaged_s = clock.now_s if damaged_s is None else damaged_s
            if clock.now_s - damaged_s > HELD_S:
                return End.HELD_DAMAGED, []
        if clock.now_s - max(START_S, scene.last_end_s) > patience_s:
            return End.STUCK, [_what_holds(world)]
    return End.CLOSED, []


def _is_damaged(world: World) -> bool:
    run = world.host.run
    return run is not None and run.runtime.health.condition is Journaling.DAMAGED


def _what_holds(world: World) -> str:
    shown = world.host.look()
    if shown is None:
        return "progress: the controller is down for ever"
    holds = ", ".join(f"{hold.id} {hold.kind} {hold.phase}" for hold in shown.holds) or "no hold"
    return f"progress: nobody has found a way on: {shown.session} {shown.round} {shown.round_number}, {holds}"
