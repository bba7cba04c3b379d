"""The equipment of a simulated table: its devices on pseudo-terminals, and the room with all cards
outside the devices.
"""

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from controller.core.words import Device
from simulators.demo.incidents import ByPeople, Dispute, Incidents
from simulators.demo.parts import TableParts, plug_parts
from simulators.demo.physical import PhysicalBook
from simulators.device_kinds import BAUD_RATES, KINDS, Firmware, Stand, the_one
from simulators.devices.alpha_sign import SimulatedAlphaSign
from simulators.devices.angel_eye import SimulatedAngelEye
from simulators.devices.base import SimulatedDevice
from simulators.devices.cards import make_cards, spare_deck
from simulators.devices.display import SimulatedDisplay
from simulators.devices.firmware import TdpFirmware
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import ShufflerPace
from simulators.devices.slots import SimulatedSlots
from simulators.kit import procedure_of
from simulators.oracles.cards import Listing
from simulators.people.choices import Choices
from simulators.people.hands import AboutDealingError, HandAct
from simulators.people.pack import pack_for
from simulators.people.room import Room
from simulators.people.sight import Sight
from simulators.people.stack import Stack
from simulators.pty_port import DEFAULT_BAUD_RATE, PtyHost, PtyPort

Machine: TypeAlias = TdpFirmware[Any, Any, Any] | SimulatedAngelEye

POWER_OFF_S: Final = 0.4


class Equipment(Struct):
    """The devices of a simulated table on their ports, and the room with all cards outside the devices.

    While the context is open, a thread serves the ports. `unplugged`: the number of times that each device's cable was
    pulled.
    """

    host: PtyHost
    ports: dict[Device, PtyPort]
    room: Room
    unplugged: Counter[str]
    parts: TableParts

    def __enter__(self) -> Self:
        self.host.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.host.close()

    @property
    def is_served(self) -> bool:
        """True while the thread that serves the ports runs.

        The thread runs from `__enter__` to `__exit__`, unless a simulated device raises an error, which is a bug of the
        simulator.
        """
        return self.host.is_alive

    def look(self) -> Sight:
        """Returns what people at the table see now."""
        return self.host.look(self.room.look)

    def do(self, hand: HandAct) -> None:
        """Does the deed `hand` at the table."""
        self.host.call(lambda now_s: self.room.do(hand, now_s))

    def deal_by(self, stack: Stack) -> None:
        """Arranges the first cards of every round from now on as `stack` says."""
        self.room.stack = stack

    def play_prank(self, prank: ByPeople) -> None:
        """Pulls a cable, cuts a device's power for a moment, or lets a player dispute the cards, as `prank` says."""
        if isinstance(prank, Dispute):
            self.do(AboutDealingError.DISPUTE)
        elif prank.pulls_cable:
            self.unplugged[prank.device.value] += 1
            self.ports[prank.device].unplug()
        else:
            self.restart(prank.device, POWER_OFF_S)

    def restart(self, device: Device, off_s: float = 0.5) -> None:
        """Cuts the device's power for `off_s` seconds. Does nothing for an Alpha sign."""
        if (machine := self._machines.get(device)) is not None:
            self.host.call(lambda now_s: machine.reboot(now_s, off_s=off_s))

    @property
    def shown_cents(self) -> int:
        """The amount on the jackpot display in cents; 0 if there is no display or it shows no amount."""
        every = [port.device for port in self.ports.values()]
        display = the_one(SimulatedDisplay, every) or the_one(SimulatedAlphaSign, every)
        return 0 if display is None else display.shown_cents or 0

    def book(self) -> PhysicalBook:
        """Returns the physical book as it is now: the real places of the cards, and the faults that have affected
        devices.
        """
        return self.host.look(self._book)

    def _book(self) -> PhysicalBook:
        room = self.room
        cards = {place: tuple(card.number for card in cards) for place, cards in room.cards_by_place().items()}
        return PhysicalBook(
            listing=self.listing(),
            drawn=len(room.drawn),
            order=sha256(repr((room.drawn, cards)).encode()).hexdigest()[:16],
            burned=room.burned,
            faults_met=sum((Counter(device.faults_met) for device in self._machines.values()), Counter()),
            boots={device.value: machine.boot for device, machine in self._machines.items()},
            unplugged=Counter(self.unplugged),
        )

    def listing(self) -> Listing:
        """Returns the number and face of every card, grouped by place."""
        places = self.host.look(self.room.cards_by_place)
        return {place: [(card.number, card.face) for card in cards] for place, cards in places.items()}

    @property
    def deck(self) -> dict[int, str]:
        """The face of every card of the table, spare cards included, by the card's number."""
        return {card.number: card.face for card in (*make_cards(self.room.choices.cards // 52), *spare_deck(1))}

    @property
    def _machines(self) -> dict[Device, Machine]:
        """The devices that can be restarted and that count their boots: all but an Alpha sign."""
        found = ((device, port.device) for device, port in self.ports.items())
        return {device: machine for device, machine in found if isinstance(machine, TdpFirmware | SimulatedAngelEye)}


Wires: TypeAlias = Mapping[Device, tuple[str, Path]]
"""For each device of the table its wire format, and the path of the link to its pseudo-terminal."""


def set_up(
    profile: str,
    wires: Wires,
    part_links: Mapping[str, Path],
    choices: Choices,
    incidents: Incidents,
    pace: ShufflerPace,
    firmware: Firmware = Firmware.PYTHON,
) -> Equipment:
    """Builds a table for `profile`, with its devices and the parts in `part_links` plugged in and all cards shuffled
    outside the devices. `wires`: the wire format and the link of each device. Raises LinkInUseError, CompilerMissing.
    """
    host = PtyHost()
    try:
        devices = _devices(host.clock(), choices, incidents, pace, wires, firmware)
        ports = {
            kind: host.add(wires[kind][1], device, baud_rate=BAUD_RATES.get(wires[kind][0], DEFAULT_BAUD_RATE))
            for kind, device in devices.items()
        }
        parts = plug_parts(host, part_links)
    except BaseException:
        host.close()
        raise
    every, procedure = devices.values(), procedure_of(profile)
    shoe = the_one(SimulatedShoe, every) or the_one(SimulatedAngelEye, every)
    cards = list(make_cards(choices.cards // 52))
    Random(f"{choices.seed}:mixing").shuffle(cards)
    room = Room(
        the_one(SimulatedShuffler, every),
        ports,
        choices,
        outside=cards,
        spare=list(spare_deck(1)),
        pack=pack_for(procedure.machine, shoe, choices.seed),
        procedure=procedure,
        slots=the_one(SimulatedSlots, every),
    )
    return Equipment(host, ports, room, Counter(), parts)


def _devices(
    now_s: float,
    choices: Choices,
    incidents: Incidents,
    pace: ShufflerPace,
    wires: Wires,
    firmware: Firmware,
) -> dict[Device, SimulatedDevice]:
    """Returns the table's devices by kind, each made for the wire format that `wires` names."""
    make_reader = SimulatedAngelEye if wires.get(Device.SHOE, ("", None))[0] == "angel-eye" else SimulatedShoe
    reader = make_reader(now_s=now_s, faults=incidents.shoe)
    rng = Random(f"{choices.seed}:shuffler")
    stand = Stand(now_s, rng=rng, pace=pace, at_mouth=reader.card_passes, firmware=firmware)
    stands = {Device.SHUFFLER: replace(stand, faults=incidents.shuffler)}
    return {
        device: reader if device is Device.SHOE else KINDS[device].wires[wire](stands.get(device, stand))
        for device, (wire, _link) in wires.items()
    }
