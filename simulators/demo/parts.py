"""Lamp, buzzer, key switch and badge reader of a simulated table, each on a pseudo-terminal."""

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from simulators.devices.base import SimulatedDevice
from simulators.devices.parts import SimulatedBadgeReader, SimulatedKey, SimulatedLamp, SimulatedRelay
from simulators.pty_port import PtyHost

NAMES = ("lamp", "buzzer", "key_switch", "badge_reader")


class TableParts(Struct, frozen=True):
    """The four small parts of a table. Their devices may be touched only through `host`."""

    host: PtyHost
    lamp: SimulatedLamp
    buzzer: SimulatedRelay
    key: SimulatedKey
    reader: SimulatedBadgeReader

    @property
    def lamp_is_lit(self) -> bool:
        return self.host.call(self.lamp.is_lit)

    def alarms_s(self) -> list[float]:
        """Returns the length in seconds of each finished sound of the buzzer."""
        switched = self.host.look(lambda: list(self.buzzer.switched))
        pairs = pairwise(switched)
        return [off_s - on_s for (on_s, was_on), (off_s, is_on) in pairs if was_on and not is_on]

    def identify(self, badge: str) -> None:
        """Holds the badge with this number to the reader, and turns the key."""
        self.host.call(lambda _now_s: self.reader.show(badge))
        self.host.call(self.key.turn_and_take_back)


def plug_parts(host: PtyHost, links: Mapping[str, Path]) -> TableParts:
    """Makes the four small parts of a table, and plugs in each one that has a link in `links`."""
    parts = TableParts(host, SimulatedLamp(), SimulatedRelay(), SimulatedKey(host.clock()), SimulatedBadgeReader())
    devices: tuple[SimulatedDevice, ...] = (parts.lamp, parts.buzzer, parts.key, parts.reader)
    for name, device in zip(NAMES, devices, strict=True):
        if name in links:
            host.add(links[name], device)
    return parts


def part_links(directory: Path) -> dict[str, Path]:
    """Returns the paths of the links to a demo's four small parts, by the part's name."""
    return {name: directory / f"line-{name}" for name in NAMES}


def part_sections(directory: Path) -> list[str]:
    """Returns the lines of a configuration file that describe the four small parts."""
    lines = []
    for number, (name, link) in enumerate(part_links(directory).items()):
        lines += ["", f"[devices.{name}]", f'port = "{link}"']
        lines += [f"line = {number}"] if name != "badge_reader" else []
    return lines
