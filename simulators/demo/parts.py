"""Lamp, buzzer, key switch and badge reader of a simulated table, on ptys like everything else there."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from simulators.devices.base import SimulatedDevice
from simulators.devices.parts import SimulatedBadgeReader, SimulatedKey, SimulatedLamp, SimulatedRelay
from simulators.pty_port import PtyHost

NAMES = ("lamp", "buzzer", "key_switch", "badge_reader")


@dataclass(frozen=True, slots=True)
class TableParts:
    """What people see, hear and hold. Touched through the host alone."""

    host: PtyHost
    lamp: SimulatedLamp
    buzzer: SimulatedRelay
    key: SimulatedKey
    reader: SimulatedBadgeReader

    @property
    def lamp_is_lit(self) -> bool:
        return self.host.call(self.lamp.is_lit)

    def alarms_s(self) -> list[float]:
        """How long the buzzer has sounded each time, in seconds."""
        switched = self.host.call(lambda _now_s: list(self.buzzer.switched))
        pairs = pairwise(switched)
        return [off_s - on_s for (on_s, was_on), (off_s, is_on) in pairs if was_on and not is_on]

    def identify(self, badge: str) -> None:
        """Somebody holds a badge to the reader and turns the key."""
        self.host.call(lambda _now_s: self.reader.show(badge))
        self.host.call(self.key.turn_and_take_back)


def plug_parts(host: PtyHost, directory: Path) -> TableParts:
    """All four, at the links that the configuration names."""
    parts = TableParts(host, SimulatedLamp(), SimulatedRelay(), SimulatedKey(host.clock()), SimulatedBadgeReader())
    devices: tuple[SimulatedDevice, ...] = (parts.lamp, parts.buzzer, parts.key, parts.reader)
    for name, device in zip(NAMES, devices, strict=True):
        host.add(part_link(directory, name), device)
    return parts


def part_link(directory: Path, name: str) -> Path:
    """Where a part's pseudo-terminal is linked."""
    return directory / f"line-{name}"


def part_sections(directory: Path) -> list[str]:
    """The parts in a configuration."""
    lines = []
    for number, name in enumerate(NAMES):
        lines += ["", f"[devices.{name}]", f'port = "{part_link(directory, name)}"']
        lines += [f"line = {number}"] if name != "badge_reader" else []
    return lines
