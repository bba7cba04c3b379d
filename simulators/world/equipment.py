"""The devices of a table on their lines, each woken when its mechanism or its link has something due."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from controller.core.setup import Procedure
from controller.core.words import Device
from simulators.device_kinds import KINDS, Stand, the_one
from simulators.devices.cards import PhysicalCard, deck_set, spare_deck
from simulators.devices.faults import FaultPlan
from simulators.devices.firmware import Power, TdpFirmware
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.kit import devices_of
from simulators.people.choices import Choices
from simulators.people.pack import pack_for
from simulators.people.room import Room
from simulators.world.clock import Alarm, VirtualClock, chance
from simulators.world.wires import Line

Simulated: TypeAlias = TdpFirmware[Any, Any, Any]


class DeviceEnd:
    """One device at the end of its line."""

    def __init__(self, clock: VirtualClock, line: Line, device: Simulated) -> None:
        self._clock = clock
        self._line = line
        self.device = device
        self.alarm = Alarm(clock, self._time_has_come)
        self.on_said: Callable[[bytes], None] = lambda _: None
        self.on_change: Callable[[], None] = lambda: None  # its display, lamp or mouth look different
        self.what_shows: Callable[[], object] = lambda: device.shown
        self.is_another = False  # another device stands in its place for a while
        self.is_resting = False  # nobody knows when the link's time comes (quiet.py)
        self._shown: object = None
        line.down.deliver = self._received

    def pump(self) -> None:
        """Lets out what the device has to say, and sees to it that it is woken."""
        if data := self.device.data_to_send():
            self._line.wake()
            self.on_said(data)
            self._line.send_up(data)
        self.set_alarm()
        if (shows := self.what_shows()) is not self._shown:
            self._shown = shows
            self.on_change()

    def set_alarm(self) -> None:
        """Sees to it that it is woken; at rest by its mechanism alone."""
        device = self.device
        self.alarm.set(device.next_motion_s() if self.is_resting else device.next_time_s())

    def _received(self, data: bytes) -> None:
        if self.device.power is not Power.ON:
            return  # it hears nothing
        self.device.receive_data(data, self._clock.now_s)
        self.pump()

    def _time_has_come(self) -> None:
        self.device.on_time(self._clock.now_s)
        self.pump()


@dataclass(slots=True)
class Equipment:
    """Devices, lines and the room that they stand in; None: there is no such device at this table."""

    lines: Mapping[Device, Line]
    ends: Mapping[Device, DeviceEnd]
    shuffler: SimulatedShuffler | None
    shoe: SimulatedShoe | None
    room: Room

    @property
    def devices(self) -> tuple[Simulated, ...]:
        """Every device of the table."""
        return tuple(end.device for end in self.ends.values())

    @property
    def machine(self) -> Device | None:
        """The device that the cards are dealt from."""
        return next((device for device in (Device.SHUFFLER, Device.SHOE) if device in self.ends), None)

    def pump_touched(self) -> None:
        """After hands: whatever the machine has to say now; the reader at its mouth speaks when a card passes."""
        if self.machine is not None:
            self.ends[self.machine].pump()

    def pump(self) -> None:
        """Whatever the devices have to say now."""
        for end in self.ends.values():
            end.pump()


def equip(
    clock: VirtualClock,
    seed: int,
    profile: str,
    procedure: Procedure,
    choices: Choices,
    plans: Mapping[Device, FaultPlan],
    swapped: tuple[int, int] | None = None,
) -> Equipment:
    """The equipment of one table; `plans`: what goes wrong in each device by itself; `swapped`: see pairs.py."""
    devices, ends = _devices(clock, seed, profile, plans)
    lines = {device: Line(clock) for device in devices}
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
    )
    return Equipment(lines, ends, shuffler, shoe, room)


def _devices(
    clock: VirtualClock, seed: int, profile: str, plans: Mapping[Device, FaultPlan]
) -> tuple[dict[Device, Simulated], dict[Device, DeviceEnd]]:
    """The devices of the profile, and their ends, still to be filled in: a card that passes is told at the reader's."""
    ends: dict[Device, DeviceEnd] = {}
    reader = SimulatedShoe(now_s=clock.now_s, faults=plans[Device.SHOE])

    def card_passed(card: PhysicalCard, now_s: float) -> None:
        reader.card_passes(card, now_s)
        ends[Device.SHOE].pump()

    def made(device: Device) -> Simulated:
        stand = Stand(clock.now_s, faults=plans[device], rng=chance(seed, "cards"), at_mouth=card_passed)
        simulated = KINDS[device].wires["tdp"](stand)
        if not isinstance(simulated, TdpFirmware):
            raise TypeError(simulated)
        return simulated

    return {one: reader if one is Device.SHOE else made(one) for one in devices_of(profile)}, ends


def _mixed(seed: int, decks: int, backs: int) -> list[PhysicalCard]:
    """The decks, mixed by the dealer (pt.bj.53b)."""
    mixed = list(deck_set(decks, backs))
    chance(seed, "mixing").shuffle(mixed)
    return mixed


def _swapped(cards: list[PhysicalCard], one: int, other: int) -> list[PhysicalCard]:
    """The same pieces in the same order, two of them with each other's face."""
    faces = {card.number: card.face for card in cards}
    faces[one], faces[other] = faces[other], faces[one]
    return [PhysicalCard(card.number, faces[card.number], card.back) for card in cards]
