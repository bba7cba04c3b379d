"""Plays a world until the table is closed with its duties reported, is held for a damaged journal, or is stuck."""

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.runtime.health import Journaling
from simulators.world.fault_kinds import FaultKind
from simulators.world.plan import START_S
from simulators.world.playable import Playable
from simulators.world.result import End
from simulators.world.scene import Scene

CALM_S: Final = 2 * 3600.0
CALM_ROUND_S: Final = 300.0
"""After the last fault people have CALM_S, and CALM_ROUND_S for each round, to finish the session (pace.py)."""

LOOKS_EVERY_S: Final = 900.0

SWITCHED_OFF_S: Final = 10.0

TECHNICIAN: Final = 41
CHIEF: Final = 21
"""The numbers of the two people who close a damage (installation.py)."""

HELD_S: Final = 60.0
"""A table with a damaged journal is watched for this time, in which it must stay held."""


def ended(world: Playable) -> tuple[End, list[str]]:
    """Plays the world as `run_to_end` does, but turns an exception into the end CRASHED with a finding."""
    try:
        return run_to_end(world)
    except Exception as error:  # noqa: BLE001
        return End.CRASHED, [f"crash: {type(error).__name__}: {error} ({_place(error)})"]


def _place(error: BaseException) -> str:
    """Returns the names of the innermost functions in the error's traceback.

    Line numbers are left out, since they change with every edit.
    """
    frames = traceback.extract_tb(error.__traceback__)
    return " < ".join(f"{Path(frame.filename).name}:{frame.name}" for frame in reversed(frames[-4:]))


def run_to_end(world: Playable, is_enough: Callable[[], bool] | None = None) -> tuple[End, list[str]]:
    """Plays the world until the table is closed, held for damage or stuck, or until `is_enough` returns True.

    Returns the kind of end and its findings; an early stop counts as CLOSED.
    """
    limits = _Limits(world)
    world.begin()
    step = world.clock.step
    while world.over_s is None and limits.end is None and (is_enough is None or not is_enough()):
        step()
    return (End.CLOSED, []) if limits.end is None else (limits.end, limits.found)


class _Limits:
    """Ends a world that gets stuck or is held for damage. Checks by scheduled calls, so that it also ends a world
    without deeds.
    """

    def __init__(self, world: Playable) -> None:
        self._world = world
        self._patience_s = CALM_S + CALM_ROUND_S * world.plan.rounds
        self.end: End | None = None
        self.found: list[str] = []
        world.clock.after(LOOKS_EVERY_S, self._look_for_progress)
        world.host.on_damaged = lambda: world.clock.after(HELD_S, self._look_for_damage)

    def _look_for_progress(self) -> None:
        last_s = max(START_S, self._world.scene.last_end_s)
        is_late = self._world.clock.now_s - last_s > self._patience_s
        if is_late or self._world.entries > self._world.most_entries:
            self.end = End.STUCK
            self.found.append(_what_holds(self._world))
        else:
            self._world.clock.after(LOOKS_EVERY_S, self._look_for_progress)

    def _look_for_damage(self) -> None:
        if not _is_damaged(self._world):
            return
        if not _names_an_entry(self._world):
            _switch_off_and_on(self._world)
        elif FaultKind.DAMAGE_CLOSED in self._world.scene.kinds_met:  # people will close the damage
            self.found += violations_at_damage(self._world)
            _close_damage(self._world)
        else:
            self.end = End.HELD_DAMAGED


def _close_damage(world: Playable) -> None:
    world.host.kill()
    world.host.approve(technician=TECHNICIAN, chief=CHIEF)
    world.clock.after(SWITCHED_OFF_S, world.host.start)


def _is_damaged(world: Playable) -> bool:
    run = world.host.run
    return run is not None and run.runtime.health.condition is Journaling.DAMAGED


def _names_an_entry(world: Playable) -> bool:
    """True if the controller is held because an entry does not verify; False if it is held because the medium failed at
    its start.
    """
    return world.host.run is not None and "#" in world.host.run.runtime.health.reason


def _switch_off_and_on(world: Playable) -> None:
    """Cuts the computer's power and starts it again, as the technician does after the medium failed at a start."""
    world.host.cut_power(lambda _size: 0)
    world.clock.after(SWITCHED_OFF_S, world.host.start)


def _what_holds(world: Playable) -> str:
    if world.host.run is None:
        return "progress: the controller is down for ever"
    state = world.host.run.runtime.ledger.latest
    house, game = state.house, state.game
    holds = ", ".join(f"H{hold.id} {hold.kind} {hold.phase}" for hold in house.holds) or "no hold"
    return f"progress: nobody has found a way on: {house.session} {game.phase} {game.number}, {holds}"


def violations_at_damage(world: Playable) -> list[str]:
    """Returns the violations at a table that is held for a damaged journal; [] while the controller is down. A
    violation is a damage without a flipped bit, a reason that names no entry, a permitted act, or a device that is not
    locked.
    """
    run, found = world.host.run, list[str]()
    if run is None:
        return []
    if not was_flipped(world.scene):
        found.append(f"the journal is damaged ({run.runtime.health.reason}) and no bit was flipped")
    if "#" not in run.runtime.health.reason:
        found.append(f"damage: {run.runtime.health.reason!r} names no entry")
    if run.permits:
        found.append("damage: acts are taken")
    if world.is_unlocked:
        found.append("damage: a device is not locked")
    return found


def was_flipped(scene: Scene) -> bool:
    """True if a fault has flipped a stored bit."""
    return not scene.kinds_met.isdisjoint((FaultKind.BIT_FLIP, FaultKind.DAMAGE_CLOSED))
