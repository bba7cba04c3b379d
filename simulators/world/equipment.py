"""The devices of a simulated card table on their lines, and the room with all cards outside the devices."""

from collections.abc import Mapping, Sequence

from msgspec import Struct

from controller.core.setup import Procedure
from controller.core.words import Device
from simulators.device_kinds import KINDS, READERS, Firmware, Stand, the_one
from simulators.devices.cards import PhysicalCard, deck_set, spare_deck
from simulators.devices.faults import FaultPlan
from simulators.devices.firmware import TdpFirmware, pairable
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.slots import SimulatedSlots
from simulators.people.choices import Choices
from simulators.people.pack import pack_for
from simulators.people.room import Room
from simulators.world.clock import VirtualClock, chance
from simulators.world.device_end import DeviceEnd, Simulated
from simulators.world.paired import Eavesdropper, pair
from simulators.world.wires import Line


class Equipment(Struct):
    """The devices of a simulated card table with their lines, and the room with all other cards.

    `shuffler` and `shoe`: None if the table has none.
    """

    lines: Mapping[Device, Line]
    ends: Mapping[Device, DeviceEnd]
    shuffler: SimulatedShuffler | None
    shoe: SimulatedShoe | None
    room: Room

    @property
    def devices(self) -> tuple[Simulated, ...]:
        """All devices of the table."""
        return tuple(end.device for end in self.ends.values())

    @property
    def machine(self) -> Device | None:
        """The device that delivers the cards, a shuffler or a shoe; None at a table that deals from a box."""
        return next((device for device in (Device.SHUFFLER, Device.SHOE) if device in self.ends), None)

    def pump_touched(self) -> None:
        """Sends the output of the card machine and of the jackpot slots, which hands may have touched. The reader's
        output is sent when a card passes.
        """
        for device in (self.machine, Device.JACKPOT_SLOTS):
            if device is not None and device in self.ends:
                self.ends[device].pump()

    def restart(self, clock: VirtualClock, off_s: float) -> None:
        """Cuts the power of all devices for `off_s` seconds."""
        for end in self.ends.values():
            end.device.reboot(clock.now_s, off_s=off_s)
            end.pump()

    def pump(self) -> None:
        """Sends the output of every device."""
        for end in self.ends.values():
            end.pump()


def equip(
    clock: VirtualClock,
    seed: int,
    kinds: Sequence[Device],
    procedure: Procedure,
    choices: Choices,
    plans: Mapping[Device, FaultPlan],
    swapped: tuple[int, int] | None = None,
    firmware: Firmware = Firmware.PYTHON,
    *,
    paired: bool = False,
) -> Equipment:
    """Makes the equipment of one table with the devices `kinds`. `plans`: the devices' own faults; `swapped`: the
    numbers of two cards that exchange their faces; `paired`: the devices are paired with the table.
    """
    devices, ends = _devices(clock, seed, kinds, plans, firmware, paired=paired)
    lines = {device: Line(clock) for device in devices}
    if paired:
        for device, simulated in devices.items():
            pair(seed, device, simulated)
        Eavesdropper(seed, lines)
    ends |= {device: DeviceEnd(clock, lines[device], simulated) for device, simulated in devices.items()}
    shuffler, shoe = the_one(SimulatedShuffler, devices.values()), the_one(SimulatedShoe, devices.values())
    cards = _mixed(seed, choices.cards // 52, procedure.back_colours)
    if swapped is not None:
        cards = _swapped(cards, *swapped)
    room = Room(
        shuffler,
        lines,
        choices,
        cards,
        list(spare_deck(procedure.back_colours)),
        pack=pack_for(procedure.machine, shoe, seed),
        procedure=procedure,
        slots=the_one(SimulatedSlots, devices.values()),
    )
    return Equipment(lines, ends, shuffler, shoe, room)


def _devices(
    clock: VirtualClock,
    seed: int,
    kinds: Sequence[Device],
    plans: Mapping[Device, FaultPlan],
    firmware: Firmware,
    *,
    paired: bool,
) -> tuple[dict[Device, Simulated], dict[Device, DeviceEnd]]:
    """Returns the devices of `kinds`, and an empty dict of line ends, which the caller must fill.

    The reader uses its line end in this dict to report each card that passes.
    """
    ends: dict[Device, DeviceEnd] = {}
    kind = READERS[firmware]
    reader = (pairable(kind) if paired else kind)(now_s=clock.now_s, faults=plans[Device.SHOE])

    def card_passed(card: PhysicalCard, now_s: float) -> None:
        reader.card_passes(card, now_s)
        ends[Device.SHOE].pump()

    def made(device: Device) -> Simulated:
        rng = chance(seed, "cards")
        stand = Stand(
            clock.now_s, faults=plans[device], rng=rng, at_mouth=card_passed, firmware=firmware, pairable=paired
        )
        simulated = KINDS[device].wires["tdp"](stand)
        if not isinstance(simulated, TdpFirmware):
            raise TypeError(simulated)
        return simulated

    return {one: reader if one is Device.SHOE else made(one) for one in kinds}, ends


def _mixed(seed: int, decks: int, backs: int) -> list[PhysicalCard]:
    """Returns the cards of the decks in the random order in which the dealer has mixed them (pt.bj.53b)."""
    mixed = list(deck_set(decks, backs))
    chance(seed, "mixing").shuffle(mixed)
    return mixed


def _swapped(cards: list[PhysicalCard], one: int, other: int) -> list[PhysicalCard]:
    """Returns the cards in the same order; those with the numbers `one` and `other` have exchanged their faces."""
    faces = {card.number: card.face for card in cards}
    faces[one], faces[other] = faces[other], faces[one]
    return [PhysicalCard(card.number, faces[card.number], card.back) for card in cards]
