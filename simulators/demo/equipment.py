"""The devices of a simulated table on their pseudo-terminals, and the room that they stand in."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from types import MappingProxyType, TracebackType
from typing import Final, Self

from controller.core.words import Device
from simulators.books.physical import PhysicalBook
from simulators.demo.house import DECKS, House
from simulators.demo.incidents import Incidents, Prank
from simulators.demo.parts import TableParts, plug_parts
from simulators.devices.alpha_sign import SimulatedAlphaSign
from simulators.devices.angel_eye import SimulatedAngelEye
from simulators.devices.base import SimulatedDevice
from simulators.devices.cards import PhysicalCard, make_cards
from simulators.devices.display import SimulatedDisplay
from simulators.devices.firmware import Power
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import ShufflerPace
from simulators.people.choices import Choices
from simulators.people.hands import HandAct
from simulators.people.room import Room
from simulators.people.sight import Sight
from simulators.pty_port import DEFAULT_BAUD_RATE, PtyHost, PtyPort

FIRST_SPARE: Final = 1001
POWER_OFF_S: Final = 0.4


@dataclass(slots=True)
class Equipment:
    """Use as a context manager: the ports are served inside it, and gone after it."""

    host: PtyHost
    shuffler: SimulatedShuffler
    shoe: SimulatedShoe | SimulatedAngelEye
    display: SimulatedDisplay | SimulatedAlphaSign
    ports: dict[Device, PtyPort]
    room: Room
    unplugged: Counter[str]
    passed: list[str]  # the faces that went by the reader
    parts: TableParts

    def __enter__(self) -> Self:
        self.host.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.host.close()

    @property
    def is_served(self) -> bool:
        """False once a simulated device has failed: that is a mistake of the simulator."""
        return self.host.is_alive

    def look(self) -> Sight:
        """What people see now."""
        return self.host.call(lambda _now_s: self.room.look())

    def do(self, hand: HandAct) -> None:
        """Hands do something."""
        self.host.call(lambda now_s: self.room.do(hand, now_s))

    def play_prank(self, prank: Prank) -> None:
        """A cable is pulled, or a device loses power for a moment."""
        if prank.pulls_cable:
            self.unplugged[prank.device.value] += 1
            self.ports[prank.device].unplug()
            return
        device = self.shuffler if prank.device is Device.SHUFFLER else self.shoe
        self.host.call(lambda now_s: device.reboot(now_s, off_s=POWER_OFF_S))

    def book(self) -> PhysicalBook:
        """The physical book as it is now."""
        return self.host.call(lambda _now_s: self._book())

    def _book(self) -> PhysicalBook:
        room = self.room
        cards = {place: tuple(card.number for card in cards) for place, cards in room.cards_by_place().items()}
        brought_in = [card.number for card in (*make_cards(DECKS), *make_cards(1, first_number=FIRST_SPARE))]
        return PhysicalBook(
            cards=cards,
            all_numbers=frozenset(brought_in),
            drawn=len(room.drawn),
            passed=tuple(self.passed),
            order=sha256(repr((room.drawn, cards)).encode()).hexdigest()[:16],
            burned=room.burned,
            faults_met=Counter(self.shuffler.faults_met) + Counter(self.shoe.faults_met),
            boots={"shuffler": self.shuffler.boot, "shoe": self.shoe.boot} | self._boots_of_display(),
            unplugged=Counter(self.unplugged),
            lid_openings=room.lid_openings,
        )

    def _boots_of_display(self) -> dict[str, int]:
        """An Alpha sign tells nobody that it has started."""
        return {} if isinstance(self.display, SimulatedAlphaSign) else {"jackpot_display": self.display.boot}


BAUD_RATES: Final = {"alpha": 9600, "angel-eye": 4800}
"""Of the lines that are slower than the usual one."""


def set_up(
    house: House,
    choices: Choices,
    incidents: Incidents,
    pace: ShufflerPace,
    protocols: Mapping[Device, str] = MappingProxyType({}),
) -> Equipment:
    """Devices plugged in at the house's links, all cards outside; one not in `protocols` speaks TDP.

    Raises LinkInUseError.
    """
    host = PtyHost()
    now_s = host.clock()
    make_shoe = SimulatedAngelEye if protocols.get(Device.SHOE) == "angel-eye" else SimulatedShoe
    shoe = make_shoe(now_s=now_s, faults=incidents.shoe)
    passed: list[str] = []

    def goes_by(card: PhysicalCard, at_s: float) -> None:
        if shoe.power is Power.ON:  # a reader without power sees nothing and counts nothing
            passed.append(card.face)
        shoe.card_passes(card, at_s)

    shuffler = SimulatedShuffler(
        rng=Random(f"{choices.seed}:shuffler"),
        now_s=now_s,
        faults=incidents.shuffler,
        pace=pace,
        on_card_passed=goes_by,
    )
    display = (
        SimulatedAlphaSign() if protocols.get(Device.JACKPOT_DISPLAY) == "alpha" else SimulatedDisplay(now_s=now_s)
    )
    devices: dict[Device, SimulatedDevice] = {
        Device.SHUFFLER: shuffler,
        Device.SHOE: shoe,
        Device.JACKPOT_DISPLAY: display,
    }
    try:
        rates = {kind: BAUD_RATES.get(protocol, DEFAULT_BAUD_RATE) for kind, protocol in protocols.items()}
        ports = {
            kind: host.add(house.link(kind), device, baud_rate=rates.get(kind, DEFAULT_BAUD_RATE))
            for kind, device in devices.items()
        }
        parts = plug_parts(host, house.directory)
    except BaseException:
        host.close()
        raise
    cards = list(make_cards(DECKS))
    Random(f"{choices.seed}:mixing").shuffle(cards)
    room = Room(shuffler, ports, choices, outside=cards, spare=list(make_cards(1, first_number=FIRST_SPARE)))
    return Equipment(host, shuffler, shoe, display, ports, room, Counter(), passed, parts)
