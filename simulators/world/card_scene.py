"""The parts of a card table that faults affect in addition to the controller's computer: devices, people and cards."""

from msgspec import field

from simulators.devices.cards import PhysicalCard
from simulators.world.card_host import CardHost
from simulators.world.crew import Crew
from simulators.world.equipment import Equipment
from simulators.world.scene import Scene


class CardScene(Scene, kw_only=True):
    """The parts of one card table that faults affect, and the cards that faults have taken away or slipped in."""

    host: CardHost
    equipment: Equipment
    crew: Crew
    pocket: list[PhysicalCard] = field(default_factory=list)  # cards that were taken away from the table
    brought_in: list[PhysicalCard] = field(default_factory=list)  # foreign cards that were slipped in
