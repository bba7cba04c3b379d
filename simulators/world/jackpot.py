"""The jackpot of a world: which table has one, and whether its journal makes the pool that it has."""

from typing import TYPE_CHECKING, Final

from controller.config.model import Tracks
from controller.config.profile_file import law
from controller.core.jackpot_rules import Combination, JackpotRules, Marking, Prize, Suits
from controller.core.words import Cents, Device
from controller.journal.recovery import Walk
from simulators.kit import devices_of
from simulators.oracles.export_reader import Export
from simulators.oracles.pools import pool_of
from simulators.oracles.slots import slots_of
from simulators.world.clock import chance
from simulators.world.plan import WorldPlan

if TYPE_CHECKING:
    from simulators.world.world import World

_X: Final = "X"
_HAVE_SLOTS: Final = 0.8
PRIZES: Final = (
    Prize(1, Combination((_X, _X), Suits.SUITED), Cents(2_000)),
    Prize(2, Combination((_X, _X), same=True), part_ppm=100_000),
    Prize(3, Combination((_X, _X, _X), Suits.SUITED)),
)
"""Combinations that come often: of these players a third wins, and the pool begins anew every few rounds."""


def jackpot_at(plan: WorldPlan) -> JackpotRules | None:
    """Every other table that follows hands has one, where its law knows it."""
    is_known = law(plan.profile).parameter("jackpot_allowed").value
    if plan.tracks is not Tracks.HANDS or not is_known or plan.seed % 2 == 0:
        return None
    rng = chance(plan.seed, "jackpot")
    return JackpotRules(
        marking=rng.choice(tuple(Marking)),
        bet=Cents(100),
        rate_ppm=rng.choice((800_000, 333_333)),
        start=Cents(1_000_000),
        reset=Cents(1_200_000),
        prizes=PRIZES,
        reserve_ppm=rng.choice((0, 50_000)),
        limit=Cents(rng.choice((0, 1_200_150))),
        by_hand_from=Cents(rng.choice((0, 50_000))),
    )


def devices_at(plan: WorldPlan) -> tuple[Device, ...]:
    """Most tables with automatic marking have slots that tell which chips lie."""
    jackpot = jackpot_at(plan)
    is_automatic = jackpot is not None and jackpot.marking is Marking.AUTOMATIC
    return devices_of(plan.profile, has_slots=is_automatic and chance(plan.seed, "slots").random() < _HAVE_SLOTS)


def wrong_with_the_pool(world: "World", walk: Walk, export: Export) -> list[str]:
    """The pool, worked out again from the entries alone, is the table's own to the millionth; where none are gone."""
    if walk.damage is not None or walk.sealed:
        return []
    recount, run = pool_of(export), world.host.run
    wrong = [f"jackpot: {what}" for what in (*recount.wrong, *_wrong_with_the_slots(world, export))]
    pool = None if run is None else run.runtime.ledger.durable.house.pool
    if pool is None:
        return wrong
    ours = (pool.millionths, pool.reserve, pool.overflow, pool.meters.paid, pool.meters.contributions)
    levels, meters = recount.levels, recount.meters
    theirs = (levels["pool"], levels["reserve"], levels["overflow"], meters["paid"], meters["contributions"])
    return wrong if ours == theirs else [*wrong, f"jackpot: the table has {ours}, its journal makes {theirs}"]


def _wrong_with_the_slots(world: "World", export: Export) -> list[str]:
    """Where nothing has gone wrong, each bet that was collected is one chip in the box."""
    slots, wrong = slots_of(export)
    box = world.equipment.room.slots
    if box is None or world.scene.met or box.taken_in == slots.collected:
        return wrong
    return [*wrong, f"{slots.collected} bets were collected, {box.taken_in} chips fell into the box"]
