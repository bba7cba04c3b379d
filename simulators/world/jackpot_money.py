"""Checks the jackpot of a world: recounts the pool and the slots from the journal."""

from simulators.oracles.export_reader import Export
from simulators.oracles.jackpot import pool_of, slots_of
from simulators.world.record import Record
from simulators.world.world import World


def wrong_with_the_pool(world: World, record: Record) -> list[str]:
    """Returns findings if the table's jackpot pool differs from a recount of the journal. Returns no finding after a
    damage of the journal.
    """
    walk, export = record.walk, record.export
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


def _wrong_with_the_slots(world: World, export: Export) -> list[str]:
    """Returns the findings of the recount of the slots. In a world without faults, adds a finding if the number of bets
    differs from the number of chips in the box.
    """
    slots, wrong = slots_of(export)
    box = world.equipment.room.slots
    if box is None or world.scene.met or box.taken_in == slots.collected:
        return wrong
    return [*wrong, f"{slots.collected} bets were collected, {box.taken_in} chips fell into the box"]
