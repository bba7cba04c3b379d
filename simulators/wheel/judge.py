"""Turns a finished roulette world into plain data and returns the findings of the oracles."""

from itertools import pairwise
from typing import Final

from simulators.devices.faults import SpinGoesWrong
from simulators.devices.wheel import Played
from simulators.oracles.export_entries import Entry
from simulators.oracles.spins import check_spins
from simulators.wheel.faults import WHEEL_FAULTS
from simulators.wheel.world import WheelWorld, house_of, make_wheel_world
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.games import Verdict, WorldGame
from simulators.world.plan import START_S
from simulators.world.play import was_flipped
from simulators.world.record import record_of
from simulators.world.result import End

_SEEN_BY_PEOPLE: Final = (None, SpinGoesWrong.MISREAD)
"""Spins that need no hold: regular spins, and those with a misread number, which people detect."""

AROUND_S: Final = 5.0
"""Seconds before a launch and after a spin's end without disturbance, so that the whole spin is heard."""


def judge(world: WheelWorld, end: End) -> list[str]:
    """Returns every violation in the world, in words. After a flipped bit on the disk, returns only violations found in
    the journal itself.
    """
    record = record_of(world, end)
    export, found = record.export, record.found
    if was_flipped(world.scene):
        return found
    found += [str(fault) for fault in export.faults]
    found += [str(one) for one in check_spins(export.entries, world.witness.seen, _order(world))]
    return found + _lost_or_doubled(world, export.entries)


def _order(world: WheelWorld) -> tuple[int, ...]:
    (order,) = (one.value for one in house_of(world.plan).parameters if one.name == "number_order")
    return tuple(map(int, str(order).split("-")))


def _lost_or_doubled(world: WheelWorld, entries: list[Entry]) -> list[str]:
    """Returns findings about the spins that the controller could hear in full. Returns [] after a fault of UNTIMED,
    since entries' times are then wrong.

    Each spin needs exactly one entry `spin-ended` with its number. An irregular spin also needs a hold. A regular spin
    must not be recorded as irregular.
    """
    offset_s = world.host.wall.offset_s
    timed = [(entry.wall_ms / 1000 - offset_s, entry) for entry in entries]
    if world.scene.kinds_met & UNTIMED:
        return []
    found = []
    before: Played | None = None
    for spin, behind in pairwise((*world.room.wheel.spins, None)):
        last, before = before, spin
        if spin is None or not _was_heard(world, spin):
            continue
        until_s = (spin.ended_s or 0.0) + AROUND_S
        if behind is not None and behind.begun_s <= until_s:
            continue  # launched again at once: the times cannot separate the two spins
        told = [entry for at_s, entry in timed if entry.kind == "spin-ended" and spin.begun_s <= at_s <= until_s]
        if len(told) != 1 or told[0].body.get("number") != spin.number:
            numbers = [entry.body.get("number") for entry in told]
            found.append(f"a spin of {spin.begun_s - START_S:.1f} s with number {spin.number} was told as {numbers}")
        elif spin.wrong not in _SEEN_BY_PEOPLE and not _was_held(world, timed, spin.begun_s, until_s):
            found.append(f"a spin of {spin.begun_s - START_S:.1f} s, {spin.wrong}, held nothing")
        elif (
            spin.wrong is None
            and _is_told_wrong(told[0])
            and last
            and _was_heard(world, last)
            and _alternates(last, spin)
        ):
            found.append(f"a regular spin of {spin.begun_s - START_S:.1f} s was told with {told[0].body['troubles']}")
    return found


def _was_held(world: WheelWorld, timed: list[tuple[float, Entry]], from_s: float, until_s: float) -> bool:
    seqs = [entry.seq for at_s, entry in timed if from_s <= at_s <= until_s]
    return any(sight.irregular or sight.round == "null-spin" for sight in world.witness.seen if sight.seq in seqs)


def _is_told_wrong(entry: Entry) -> bool:
    return bool(entry.body.get("troubles")) or entry.body.get("number") is None


def _alternates(one: Played, other: Played) -> bool:
    return one.clockwise is not other.clockwise and other.number is not None


UNTIMED: Final = frozenset(
    (K.WALL_CLOCK_JUMPED, K.DISK_SLOW, K.DISK_FULL, K.SYNC_FAILED, K.SYNC_LOST_DATA, K.TORN_WRITE)
)
"""The faults after which an entry's time differs from the time of its event."""


def _was_heard(world: WheelWorld, spin: Played) -> bool:
    if spin.ended_s is None:
        return False
    from_s, until_s = spin.begun_s - AROUND_S, spin.ended_s + AROUND_S
    silences = ((begin_s, end_s + AROUND_S) for begin_s, end_s in world.room.wheel.silences)
    is_silent = any(begin_s <= until_s and from_s <= end_s for begin_s, end_s in silences)
    return not is_silent and not world.injector.deafness.is_within(from_s, until_s)


GAME: Final = WorldGame(
    WHEEL_FAULTS,
    make_wheel_world,
    lambda world: lambda end: Verdict(judge(world, end)),
    lambda _plan: frozenset(row.kind for row in WHEEL_FAULTS),
)
