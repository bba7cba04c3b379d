"""The table of broken firmwares: for each the number that it breaks, and the kind of device."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, TypeVar

from firmware_protocols.tdp import device_link
from firmware_protocols.tdp.conform.bench import kind_name
from firmware_protocols.tdp.device_link import DeviceLink
from simulators.device_kinds import KINDS as SIMULATED
from simulators.device_kinds import Stand
from simulators.devices.cards import make_cards
from simulators.devices.firmware import TdpFirmware
from simulators.devices.shuffler import SimulatedShuffler

NOW_S = 100.0
CARDS = 45

Device = TdpFirmware[Any, Any, Any]
STANDING = [kind.wires["tdp"](Stand(NOW_S)) for kind in SIMULATED.values() if "tdp" in kind.wires]
KINDS: dict[str, type[Device]] = {
    kind_name(one.identity.kind): type(one) for one in STANDING if isinstance(one, TdpFirmware)
}
C = TypeVar("C", bound=type)


@dataclass(frozen=True)
class Broken:
    """A broken firmware. `made`: its link, or the class put before the whole firmware."""

    number: str
    kind: str
    made: type

    @property
    def name(self) -> str:
        return f"{self.number}-{self.made.__name__}"

    def device(self) -> Device:
        if issubclass(self.made, DeviceLink):
            return device_of(self.kind, type(self.made.__name__, (KINDS[self.kind],), {"link_type": self.made}))
        return device_of(self.kind, type(self.made.__name__, (self.made, KINDS[self.kind]), {}))

    def constants(self) -> dict[str, object]:
        """The constants of the link's module."""
        found: dict[str, object] = getattr(self.made, "constants", {})
        assert set(found) <= set(vars(device_link))
        return found


def device_of(kind: str, made: type[Any]) -> Device:
    """A device of this kind; a shuffler has cards inside, and its first event still waits."""
    if kind != "shuffler":
        device: Device = made(now_s=NOW_S)
        return device
    machine: SimulatedShuffler = made(rng=Random(1), now_s=NOW_S)  # noqa: S311
    machine.push_in(make_cards(1)[:CARDS], NOW_S)
    return machine


TABLE: list[Broken] = []


def breaks(number: str, kind: str = "slots") -> Callable[[C], C]:
    """Registers this class as breaking the number."""

    def listed(made: C) -> C:
        TABLE.append(Broken(number, kind, made))
        return made

    return listed
