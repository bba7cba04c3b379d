"""Reads the journal on a table's disk at the end of a world, and checks that it still has every durable entry."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from controller.journal.export import text_of
from controller.journal.recovery import SealedDamage, Walk
from simulators.oracles.export_reader import Export, read_export
from simulators.world.installation import SIGNER
from simulators.world.play import violations_at_damage, was_flipped
from simulators.world.playable import Playable
from simulators.world.result import End
from simulators.world.second_copy import judged


class Record(Struct, frozen=True):
    """The export of the journal up to the last verified entry, the walk over its segments, and the findings."""

    export: Export
    walk: Walk
    found: list[str]


def record_of(world: Playable, end: End) -> Record:
    """Returns the record of the world's disk after `end`, with findings about durable entries, a hold for damage, and
    the second copy.
    """
    storage, second = world.host.disk.storage, world.host.second
    walk = Walk(storage)
    export = read_export(text_of(walk, storage, SIGNER))
    found = _durable(world, walk, {entry.seq: entry.chain for entry in export.entries})
    found += violations_at_damage(world) if end is End.HELD_DAMAGED else []
    found += [] if second is None or was_flipped(world.scene) else judged(storage, second.storage)
    return Record(export, walk, found)


def _durable(world: Playable, walk: Walk, chains: Mapping[int, str]) -> list[str]:
    """Returns a finding if durable entries are missing. After a flipped bit, only the entries before the damage count.

    Returns another finding for a damage of the journal without a flipped bit.
    """
    heads = without(world.heads, walk.sealed)
    if walk.damage is not None:
        first_bad = walk.damage.first_bad_seq
        if not was_flipped(world.scene):
            return [f"entry {first_bad} does not verify ({walk.damage.reason}) and no bit was flipped"]
        heads = {seq: head for seq, head in heads.items() if seq < first_bad}
    gone = [seq for seq, head in heads.items() if chains.get(seq) != head]
    return [f"durable entry {gone[0]} is not in the journal any more ({len(gone)} heads)"] if gone else []


V = TypeVar("V")


def without(by_seq: Mapping[int, V], closed: Sequence[SealedDamage]) -> dict[int, V]:
    """Returns `by_seq` without the entries that a closed damage has lost, from the first bad entry to the last lost
    one.
    """
    gone = [range(one.damage.first_bad_seq, one.next_seq) for one in closed]
    return {seq: value for seq, value in by_seq.items() if not any(seq in part for part in gone)}
