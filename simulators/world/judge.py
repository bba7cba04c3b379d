"""What the oracles say of a world: they get plain data, made here from what is left of it."""

from controller.journal.recovery import Walk
from simulators.devices.cards import make_cards
from simulators.oracles.cards import Checkpoint
from simulators.oracles.export_reader import Export, read_export
from simulators.oracles.figures import figures_bound_by
from simulators.oracles.procedure import check_export
from simulators.oracles.progress import not_finished
from simulators.world.fault_kinds import FaultKind
from simulators.world.jackpot import wrong_with_the_pool
from simulators.world.lasting import durable, without
from simulators.world.looks import Looks, listing, wrong_with_the_cards
from simulators.world.play import held_by_damage, was_flipped
from simulators.world.result import End
from simulators.world.second_copy import judged
from simulators.world.stored import exported
from simulators.world.world import World

K = FaultKind


def judge(world: World, end: End, looks: Looks) -> list[str]:
    """Every violation, in words."""
    disk = world.host.disk.storage
    text, walk = exported(disk)
    export = read_export(text)
    found = list(world.told)
    found += durable(world.durable_watch, world.scene, walk, {entry.seq: entry.chain for entry in export.entries})
    found += _damage(world, end)
    found += [] if world.host.second is None or was_flipped(world.scene) else judged(disk, world.host.second.storage)
    found += _cards(world, end, looks)
    found += wrong_with_the_pool(world, walk, export)
    if export.entries:
        found += _procedure(world, walk, export, end)
    return found


def _procedure(world: World, walk: Walk, export: Export, end: End) -> list[str]:
    figures = figures_bound_by(export.entries[0])
    sightings = list(without(world.witness.seen, walk.sealed).values())
    violations = check_export(export, figures, sightings)
    if end is End.STUCK:
        violations += not_finished(export.entries, sightings[-1])
    return [str(violation) for violation in violations]


def _cards(world: World, end: End, looks: Looks) -> list[str]:
    found = looks.found + wrong_with_the_cards(world, Checkpoint("at the end", listing(world)))
    state = world.host.run.runtime.ledger.durable if world.host.run is not None else None
    if end is End.CLOSED and state is not None and state.house.last_closing.value == "regular":
        found += _regular(world)
    return found


def _regular(world: World) -> list[str]:
    """A closing that is called regular: the whole deck set lies outside the machine, and nothing else."""
    places = world.equipment.room.cards_by_place()
    lying = [card for place in ("outside", "packet", "tray", "rack", "burnt") for card in places.get(place, ())]
    faces = sorted(card.face for card in lying)
    whole = sorted(card.face for card in make_cards(world.crew.plan.choices.cards // 52))
    foreign = [card.number for card in lying if card in world.mischief.scene.brought_in]
    if faces == whole and not foreign:
        return []
    return [
        f"a closing was called regular with {len(lying)} cards outside, {len(whole)} in the deck set, foreign {foreign}"
    ]


def _damage(world: World, end: End) -> list[str]:
    """A damaged journal: only a flipped bit damages one; the entries are named, nothing is permitted or unlocked."""
    return held_by_damage(world) if end is End.HELD_DAMAGED else []
