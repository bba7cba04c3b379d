"""The table of simulated devices: for each kind of device a maker for each of its wire formats. The kinds are those of
controller/devices/device_kinds.py, which imports no simulator.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from random import Random
from typing import Final, TypeVar

from msgspec import Struct, field

from controller.core.words import Device
from simulators.devices.alpha_sign import SimulatedAlphaSign
from simulators.devices.angel_eye import SimulatedAngelEye
from simulators.devices.base import SimulatedDevice
from simulators.devices.c_others import CShoe
from simulators.devices.c_shuffler import CShuffler
from simulators.devices.cards import PhysicalCard
from simulators.devices.display import SimulatedDisplay
from simulators.devices.faults import NO_FAULTS, FaultPlan
from simulators.devices.firmware import FirmwareT, pairable
from simulators.devices.shoe import SimulatedShoe
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import REAL_PACE, ShufflerPace
from simulators.devices.slots import SimulatedSlots
from simulators.devices.value_display import SimulatedValueDisplay
from simulators.devices.wheel import SimulatedWheel


class Firmware(StrEnum):
    """The programming language of the firmware of a simulated shuffler and card reader."""

    PYTHON = "python"
    C = "c"


SHUFFLERS: Final[Mapping[Firmware, type[SimulatedShuffler]]] = {
    Firmware.PYTHON: SimulatedShuffler,
    Firmware.C: CShuffler,
}
READERS: Final[Mapping[Firmware, type[SimulatedShoe]]] = {Firmware.PYTHON: SimulatedShoe, Firmware.C: CShoe}


class Stand(Struct, frozen=True):
    """The parameters of a simulated device to be made. `at_mouth`: a function that is called with each card that leaves
    a shuffler, and with the time.
    """

    now_s: float
    boot: int = 1
    faults: FaultPlan = NO_FAULTS
    rng: Random = field(default_factory=Random)
    pace: ShufflerPace = REAL_PACE
    at_mouth: Callable[[PhysicalCard, float], None] = lambda _card, _now_s: None
    firmware: Firmware = Firmware.PYTHON
    has_dealer: bool = False  # hands launch a wheel's ball
    pairable: bool = False  # the device speaks TDP 1.1


class SimulatedKind(Struct, frozen=True):
    """One kind of device, with a maker for each of its wire formats. `opens_after_s`: the seconds after which a world
    opens the device's port; another number for each kind, so that no two heartbeats coincide.
    """

    wires: Mapping[str, Callable[[Stand], SimulatedDevice]]
    opens_after_s: float


def _shuffler(at: Stand) -> SimulatedDevice:
    kind = SHUFFLERS[at.firmware]
    return (pairable(kind) if at.pairable else kind)(
        rng=at.rng, now_s=at.now_s, boot=at.boot, faults=at.faults, pace=at.pace, on_card_passed=at.at_mouth
    )


def _alone(kind: Callable[..., SimulatedDevice]) -> Callable[[Stand], SimulatedDevice]:
    """Returns a maker for devices of class `kind` that are connected to no other device."""
    return lambda at: kind(now_s=at.now_s, boot=at.boot, faults=at.faults)


def alone_on_tdp(kind: type[FirmwareT]) -> Callable[[Stand], SimulatedDevice]:
    """Returns a maker for devices of TDP firmware `kind` that are connected to no other device."""
    return lambda at: _alone(pairable(kind) if at.pairable else kind)(at)


def _wheel(at: Stand) -> SimulatedDevice:
    return SimulatedWheel(rng=at.rng, now_s=at.now_s, faults=at.faults, waits_for_hands=at.has_dealer)


KINDS: Final[Mapping[Device, SimulatedKind]] = {
    Device.SHUFFLER: SimulatedKind({"tdp": _shuffler}, 0.004),
    Device.SHOE: SimulatedKind({"tdp": alone_on_tdp(SimulatedShoe), "angel-eye": _alone(SimulatedAngelEye)}, 0.11),
    Device.JACKPOT_DISPLAY: SimulatedKind(
        {"tdp": alone_on_tdp(SimulatedDisplay), "alpha": lambda _at: SimulatedAlphaSign()}, 0.23
    ),
    Device.ROULETTE_WHEEL: SimulatedKind({"cammegh": _wheel}, 0.31),
    Device.VALUE_DISPLAY: SimulatedKind({"tdp": alone_on_tdp(SimulatedValueDisplay)}, 0.41),
    Device.JACKPOT_SLOTS: SimulatedKind({"tdp": alone_on_tdp(SimulatedSlots)}, 0.37),
}
BAUD_RATES: Final = {"alpha": 9600, "angel-eye": 4800, "cammegh": 9600}
"""The baud rates of wire formats that are slower than the default."""

DeviceT = TypeVar("DeviceT")


def the_one(kind: type[DeviceT], devices: Iterable[object]) -> DeviceT | None:
    """Returns the first device of class `kind`; None if there is none."""
    return next((device for device in devices if isinstance(device, kind)), None)
