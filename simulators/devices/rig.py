"""Hands at a simulated device, by the words of the conformance checks (satisfies `Bench`)."""

from collections.abc import Callable
from typing import Any, Final

from firmware_protocols.tdp.conform.bench import Deed
from simulators.devices.cards import PhysicalCard, make_cards
from simulators.devices.display import SimulatedDisplay
from simulators.devices.faults import Spot
from simulators.devices.firmware import TdpFirmware
from simulators.devices.panel import SimulatedPanel
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_model import Stuck
from simulators.devices.slots import SimulatedSlots

OFF_S: Final = 0.2
LOADED: Final = 10
CHIPS: Final = (1, 3)

Act = Callable[[Any, float], object]


def _lid_twice(machine: SimulatedShuffler, now_s: float) -> None:
    machine.open_lid(now_s)
    machine.close_lid(now_s)


def _jam(machine: SimulatedShuffler, now_s: float) -> None:
    """A card sticks in the mouth, whatever the device is at."""
    if machine.machine.inside:
        machine.jam_now(Stuck(Spot.MOUTH, 1), now_s)


def _load(machine: SimulatedShuffler, now_s: float) -> None:
    machine.put_cards_in_hopper((*machine.take_from_tray(now_s), *make_cards(1)[:LOADED]), now_s)


def _load_shoe(shoe: SimulatedShoe, _now_s: float) -> None:
    shoe.put_cards(make_cards(1)[:LOADED])


def _card() -> PhysicalCard:
    return make_cards(1)[0]


def _chip(slots: SimulatedSlots, now_s: float) -> None:
    (slots.take_chip if slots.has_chip(1) else slots.lay_chip)(1, now_s)


def _chips(slots: SimulatedSlots, now_s: float) -> None:
    for seat in CHIPS:
        slots.lay_chip(seat, now_s)


_POWER: Final[dict[Deed, Act]] = {
    Deed.POWER: lambda device, now_s: device.reboot(now_s, off_s=OFF_S),
    Deed.FORGET: lambda device, now_s: device.reboot(now_s, off_s=OFF_S, forget_counts=True),
}
_PANEL: Final[dict[Deed, Act]] = {
    Deed.FAULT: lambda panel, now_s: panel.stick(now_s),
    Deed.MEND: lambda panel, now_s: panel.unstick(now_s),
    Deed.EVENT: lambda panel, now_s: panel.tell_fault(now_s),
}
_ACTS: Final[dict[type, dict[Deed, Act]]] = {
    SimulatedShuffler: {
        Deed.LOAD: _load,
        Deed.DRAW: lambda machine, now_s: machine.pull_cards(now_s),
        Deed.LID_OPEN: lambda machine, now_s: machine.open_lid(now_s),
        Deed.LID_CLOSE: lambda machine, now_s: machine.close_lid(now_s),
        Deed.JAM: _jam,
        Deed.CLEAR: lambda machine, now_s: machine.take_jammed(now_s),
        Deed.EVENT: _lid_twice,
    },
    SimulatedShoe: {
        Deed.LOAD: _load_shoe,
        Deed.DRAW: lambda shoe, now_s: shoe.draw_card(now_s),
        Deed.EVENT: lambda shoe, now_s: shoe.card_passes(_card(), now_s),
        Deed.FAULT: lambda shoe, now_s: shoe.raise_error(1, now_s),
        Deed.MEND: lambda shoe, now_s: shoe.clear_error(now_s),
    },
    SimulatedDisplay: _PANEL,
    SimulatedPanel: _PANEL,
    SimulatedSlots: {Deed.LOAD: _chips, Deed.EVENT: _chip},
}


class Rig:
    """Does each deed at once."""

    def __init__(self, device: TdpFirmware[Any, Any, Any], clock: Callable[[], float]) -> None:
        self._device = device
        self._clock = clock

    def do(self, deed: Deed, times: int, _meanwhile: Callable[[], None]) -> bool:
        if deed is Deed.PAIR:
            return self._device.switch_pairing_on(self._clock())
        act = _POWER.get(deed) or next(
            (acts[deed] for kind, acts in _ACTS.items() if isinstance(self._device, kind) and deed in acts), None
        )
        if act is None:
            return False
        for _ in range(times):
            act(self._device, self._clock())
        return True
