"""Secrecy by paired worlds: two of the same seed that differ in the face of one card that lies face down.

The first one is played until its card is turned, and tells which card that was, how long it lay face down, and which
card of another face was in the machine all the time. In the second world these two have changed faces. For so long the
two worlds must agree in everything that leaves the table, and in its times.
"""

from dataclasses import dataclass, replace

from simulators.devices.cards import PhysicalCard, Place
from simulators.oracles.secrecy import first_difference
from simulators.world.fault_kinds import FaultKind
from simulators.world.hidden import FaceDown, Sort, sorts_of
from simulators.world.plan import WorldPlan
from simulators.world.play import run_to_end
from simulators.world.world import World, make_world

_SKIPPED = {Sort.PLAYERS: 4, Sort.HOLE: 2}
"""How many cards of a sort may be passed over before the one that is looked at: two rounds have so many."""


def check_secrecy(plan: WorldPlan, turn: int) -> tuple[list[str], tuple[World, ...]]:
    """What of a face-down card got out in the world of `plan` before it was turned; and the worlds played for it.

    `turn` chooses, round by round, among the sorts of face-down cards that such a table has.
    """
    sorts = _sorts(make_world(plan))
    return check_sort(plan, sorts[turn % len(sorts)], skip=turn // len(sorts))


def _sorts(world: World) -> tuple[Sort, ...]:
    comes_aside = any(fault.kind is FaultKind.DOUBLE_FEED_OUT for fault in world.mischief.scene.planned)
    return sorts_of(world.crew.plan.procedure) + ((Sort.ASIDE,) if comes_aside else ())


def check_sort(plan: WorldPlan, sort: Sort, *, skip: int = 0) -> tuple[list[str], tuple[World, ...]]:
    """The same for a card of this sort, after `skip` others of it, modulo what two rounds have."""
    pair = played_pair(plan, sort, skip=skip)
    if pair.other is None:
        return [], (pair.one,)
    difference = first_difference(pair.one.outputs.kept, pair.other.outputs.kept, pair.turned_s)
    return [] if difference is None else [f"secrecy of {sort}: {difference}"], (pair.one, pair.other)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two worlds that differ in one card's face until `turned_s` (None: to their end). `other` None: there is none."""

    one: World
    other: World | None = None
    turned_s: float | None = None


def played_pair(plan: WorldPlan, sort: Sort, *, skip: int = 0) -> Pair:
    """Plays both, with everything kept that left the table."""
    hidden = FaceDown(sort, skip % _SKIPPED.get(sort, 1))
    one = make_world(replace(plan, keep_outputs=True))
    hidden.watch(one)
    run_to_end(one, lambda: hidden.is_turned)
    if hidden.card is None or (other_card := _unseen(one, hidden, hidden.card)) is None:
        return Pair(one)
    other = make_world(replace(plan, keep_outputs=True, swapped=(hidden.card.number, other_card.number)))
    run_to_end(other, lambda: hidden.turned_s is not None and other.clock.now_s >= hidden.turned_s)
    return Pair(one, other, hidden.turned_s)


def _unseen(world: World, hidden: FaceDown, card: PhysicalCard) -> PhysicalCard | None:
    """A card of another face that was inside the machine all the time, and is there now."""
    places = world.equipment.room.cards_by_place()
    inside = (one for place in (Place.SLOTS.value, "magazine") for one in places.get(place, ()))
    decks = (one for one in sorted(inside, key=lambda one: one.number) if 0 < one.number <= world.deck_size)
    return next((one for one in decks if one.number not in hidden.seen and one.face != card.face), None)
