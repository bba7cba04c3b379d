"""Whether what was durable once is in the journal at the end."""

from collections.abc import Mapping, Sequence
from typing import TypeVar

from controller.journal.recovery import SealedDamage, Walk
from simulators.world.play import was_flipped
from simulators.world.scene import Scene
from simulators.world.watches import DurableWatch


def durable(watch: DurableWatch, scene: Scene, walk: Walk, chains: Mapping[int, str]) -> list[str]:
    """What was durable is there; where a bit was flipped, everything before it.

    A start begins at the last checkpoint: a flip before that keeps nobody from playing, and whoever verifies finds it.
    """
    heads = without(watch.heads, walk.sealed)
    if walk.damage is None:
        return DurableWatch(heads).lost(chains)
    if not was_flipped(scene):
        return [f"entry {walk.damage.first_bad_seq} does not verify ({walk.damage.reason}) and no bit was flipped"]
    before = {seq: head for seq, head in heads.items() if seq < walk.damage.first_bad_seq}
    return DurableWatch(before).lost(chains)


V = TypeVar("V")


def without(by_seq: Mapping[int, V], closed: Sequence[SealedDamage]) -> dict[int, V]:
    """Without what stood in a damage that people have closed, or behind it in the same segments."""
    if not closed:
        return dict(by_seq)
    gone = [range(one.damage.first_bad_seq, one.next_seq) for one in closed]
    return {seq: value for seq, value in by_seq.items() if not any(seq in part for part in gone)}
