"""The simulated devices of each kind: one row for each kind, with a maker for each wire format.

The kinds are those of controller/devices/device_kinds.py, which imports no simulator.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from random import Random
from typing import Final, TypeVar

from msgspec import Struct, field

from controller.core.choices import Machine
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
    """The firmware of a simulated shuffler, and of the reader at its mouth."""

    PYTHON = "python"
    C = "c"


SHUFFLERS: Final[Mapping[Firmware, type[SimulatedShuffler]]] = {
    Firmware.PYTHON: SimulatedShuffler,
    Firmware.C: CShuffler,
}
READERS: Final[Mapping[Firmware, type[SimulatedShoe]]] = {Firmware.PYTHON: SimulatedShoe, Firmware.C: CShoe}


class Stand(Struct, frozen=True):
    """The values from which devices are made; `at_mouth` is called with each card that leaves a shuffler."""

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
    """One kind of device: its maker for each wire format, and the machines at whose tables it stands.

    `opens_after_s`: the delay of its port in worlds, so that no two heartbeats coincide.
    """

    wires: Mapping[str, Callable[[Stand], SimulatedDevice]]
    stands_at: tuple[Machine, ...]
    opens_after_s: float


def _shuffler(at: Stand) -> SimulatedDevice:
    kind = SHUFFLERS[at.firmware]
    return (pairable(kind) if at.pairable else kind)(
        rng=at.rng, now_s=at.now_s, boot=at.boot, faults=at.faults, pace=at.pace, on_card_passed=at.at_mouth
    )


def _alone(kind: Callable[..., SimulatedDevice]) -> Callable[[Stand], SimulatedDevice]:
    """The maker of a device that is coupled to no other device."""
    return lambda at: kind(now_s=at.now_s, boot=at.boot, faults=at.faults)


def alone_on_tdp(kind: type[FirmwareT]) -> Callable[[Stand], SimulatedDevice]:
    """The maker of a device with TDP firmware that is coupled to no other device."""
    return lambda at: _alone(pairable(kind) if at.pairable else kind)(at)


def _wheel(at: Stand) -> SimulatedDevice:
    return SimulatedWheel(rng=at.rng, now_s=at.now_s, faults=at.faults, waits_for_hands=at.has_dealer)


KINDS: Final[Mapping[Device, SimulatedKind]] = {
    Device.SHUFFLER: SimulatedKind({"tdp": _shuffler}, (Machine.SHUFFLER,), 0.004),
    Device.SHOE: SimulatedKind(
        {"tdp": alone_on_tdp(SimulatedShoe), "angel-eye": _alone(SimulatedAngelEye)},
        (Machine.SHUFFLER, Machine.SHOE),  # beside a shuffler the reader is at the shuffler's mouth
        0.11,
    ),
    Device.JACKPOT_DISPLAY: SimulatedKind(
        {"tdp": alone_on_tdp(SimulatedDisplay), "alpha": lambda _at: SimulatedAlphaSign()},
        (Machine.SHUFFLER, Machine.SHOE),
        0.23,
    ),
    Device.ROULETTE_WHEEL: SimulatedKind({"cammegh": _wheel}, (Machine.NONE,), 0.31),
    Device.VALUE_DISPLAY: SimulatedKind({"tdp": alone_on_tdp(SimulatedValueDisplay)}, (Machine.NONE,), 0.41),
    Device.JACKPOT_SLOTS: SimulatedKind({"tdp": alone_on_tdp(SimulatedSlots)}, (Machine.SHUFFLER, Machine.SHOE), 0.37),
}
BAUD_RATES: Final = {"alpha": 9600, "angel-eye": 4800, "cammegh": 9600}
"""The baud rates of wire formats that are slower than the default."""

DeviceT = TypeVar("DeviceT")


def the_one(kind: type[DeviceT], devices: Iterable[object]) -> DeviceT | None:
    """The device of this class, the first if there are several; None where there is none."""
    return next((device for device in devices if isinstance(device, kind)), None)
