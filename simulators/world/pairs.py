"""Secrecy by paired worlds: two of the same seed that differ in the face of one card that lies face down.

The first one is played and tells which card was burnt, or was the bank's hole card of the first round, how long it
lay face down, and which card of another face nobody has seen by then. In the second world these two have changed
faces. For so long the two worlds must agree in everything that leaves the table, and in its times.
"""

from dataclasses import dataclass, field, replace
from functools import partial

from controller.core.words import Purpose
from simulators.devices.cards import PhysicalCard
from simulators.oracles.secrecy import Output as Told
from simulators.oracles.secrecy import first_difference
from simulators.people import hands as h
from simulators.people.doing import Ask, Touch
from simulators.world.installation import Person
from simulators.world.outputs import Outputs
from simulators.world.play import run_to_end
from simulators.world.world import World, WorldPlan, make_world

CHANNELS_MASKED = frozenset(("seals",))


@dataclass(slots=True)
class FaceDown:
    """What the first world shows of its first card for `purpose`: the burn, or the bank's hole card."""

    purpose: Purpose
    card: PhysicalCard | None = None
    turned_s: float | None = None
    seen: set[int] = field(default_factory=set)  # numbers of the cards that were out of the machine by then

    def watch(self, world: World) -> None:
        """Follows the hands of this world until the card is turned."""
        world.crew.on_deed = partial(self._deed, world)
        world.crew.on_touched = partial(self._touched, world)

    def _deed(self, world: World, _person: Person, deed: Ask | Touch) -> None:
        if self.card is not None and self.turned_s is None and _turns(deed):
            self.turned_s = world.clock.now_s

    def _touched(self, world: World, hand: h.HandAct) -> None:
        room = world.equipment.room
        if self.turned_s is None:
            self.seen |= {laid.card.number for laid in room.table}
            self.seen |= {card.number for card in (*room.rack, *room.aside)}
        if self.card is None and isinstance(hand, h.PullCard) and hand.purpose is self.purpose:
            down = [laid.card for laid in room.table if laid.face_down]
            lies = room.rack[-1:] if self.purpose is Purpose.BURN else down
            self.card = lies[0] if lies else None


def _turns(deed: Ask | Touch) -> bool:
    """Hands turn the card over, or somebody says that it was turned (it may have been taken away)."""
    if isinstance(deed, Ask):
        return deed.act == "turn-hole-card"
    return isinstance(deed.hand, h.TurnHoleCard | h.CollectTable)


def check_secrecy(plan: WorldPlan) -> tuple[list[str], tuple[World, ...]]:
    """What of a face-down card got out in the world of `plan` before it was turned; and the worlds played for it."""
    hidden = FaceDown(Purpose.BURN if plan.seed % 2 else Purpose.HOLE)
    one = _played(plan, hidden)
    if hidden.card is None:
        return [], (one,)
    other_card = _unseen(one, hidden, hidden.card)
    if other_card is None:
        return [], (one,)
    other = _played(replace(plan, swapped=(hidden.card.number, other_card.number)), None)
    difference = first_difference(_told(one.outputs), _told(other.outputs), hidden.turned_s, CHANNELS_MASKED)
    return [] if difference is None else [f"secrecy: {difference}"], (one, other)


def _played(plan: WorldPlan, hidden: FaceDown | None) -> World:
    world = make_world(replace(plan, keep_outputs=True))
    if hidden is not None:
        hidden.watch(world)
    run_to_end(world)
    return world


def _unseen(world: World, hidden: FaceDown, card: PhysicalCard) -> PhysicalCard | None:
    """A card of another face that was inside the machine all the time."""
    whole = {one.number: one for cards in world.equipment.room.cards_by_place().values() for one in cards}
    candidates = (
        one for number, one in sorted(whole.items()) if number not in hidden.seen and number <= world.deck_size
    )
    return next((one for one in candidates if one.face != card.face), None)


def _told(outputs: Outputs) -> list[Told]:
    return [Told(output.at_s, output.stream, output.data) for output in outputs.kept]
