"""The further objects of a card table's faults: devices, people and cards."""

from dataclasses import dataclass, field

from simulators.devices.cards import PhysicalCard
from simulators.world.card_host import CardHost
from simulators.world.crew import Crew
from simulators.world.equipment import Equipment
from simulators.world.scene import Scene


@dataclass(slots=True, kw_only=True)
class CardScene(Scene):
    """A table of cards, and what goes wrong at it."""

    host: CardHost
    equipment: Equipment
    crew: Crew
    pocket: list[PhysicalCard] = field(default_factory=list)  # cards that somebody has who should not
    brought_in: list[PhysicalCard] = field(default_factory=list)  # foreign cards that were slipped in
