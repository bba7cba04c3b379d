"""The values that the questions of a commissioning offer, and the devices that the computer finds by itself.

A value is sure if no technician could know a better one. A screen then takes it without a question.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.commission.draft import Answer, Draft
from controller.config import PartKind
from controller.config.profile_file import law
from controller.core.choices import Machine
from controller.core.words import Device
from controller.devices.device_kinds import KINDS, Protocol
from controller.doctor.host import Host
from controller.doctor.plugged import port_of
from drivers.port_list import found_ports

SURE_PATHS: Final = ("journal.path", "journal.second_copy", "staff.path")
"""No second copy is usual: its medium needs a mount and a right of the unit, which no answer on a screen gives."""

USUAL: Final[dict[str, Answer]] = {
    "table.seats": 7,
    "table.currency": "EUR",
    "table.language": "pt",
    "journal.path": "/var/lib/sabot/journal",
    "journal.second_copy": "",
    "staff.path": "/var/lib/sabot/staff.toml",
    **{f"devices.{device.value}.port": f"/dev/sabot/{device.value.replace('_', '-')}" for device in Device},
    **{f"devices.{part.value}.port": "/dev/sabot/gpio" for part in PartKind if part.is_line},
    "devices.badge_reader.port": "/dev/sabot/badge-reader",
    **{f"devices.{device.value}.protocol": "tdp" for device in Device},
    **{f"devices.{part.value}.active_low": False for part in PartKind if part.is_line},
    "devices.lamp.line": 17,
    "devices.buzzer.line": 18,
    "devices.key_switch.line": 27,
}
"""The values that a question offers; "" for an answer that may be left out."""

DECKS: Final = {Machine.SHUFFLER: 6, Machine.SHOE: 6, Machine.BOX: 1, Machine.NONE: 0}
CURRENCIES: Final[Mapping[str, str]] = {"br": "BRL", "mo": "MOP"}
"""The usual currency by the first part of a profile's name, where it is not the euro."""

_STABLE: Final = Path("/dev/sabot")
"""The directory where udev's rules put stable port names."""

_NO_DEVICE: Final = (f"{_STABLE}/gpio", f"{_STABLE}/badge-reader")

_DEVICES: Final = {f"devices.{device.value}": device for device in Device}


def port_names() -> list[str]:
    """Returns the stable names of this computer's ports; those that udev's rules give come first."""
    named = [name for port in found_ports() for name in (port.by_path, port.by_id) if name]
    return [*map(str, sorted(_STABLE.glob("*"))), *named]


@dataclass
class Usual:
    """The usual values of a draft.

    `_found`: the port at which each device has answered that was looked for, or None for a silent device. `_by_hand`:
    the sections whose port a person has taken back.
    """

    draft: Draft
    host: Host
    _found: dict[Device, str | None] = field(default_factory=dict)
    _by_hand: set[str] = field(default_factory=set)

    def machine(self) -> Machine:
        return law(str(self.draft.get("table.profile"))).procedure.machine

    def value(self, key: str) -> Answer | None:
        """Returns the value that the question for `key` offers, or None if it offers no value."""
        section, _, name = key.rpartition(".")
        if key in ("journal.path", "staff.path"):
            return str(self.host.path(str(USUAL[key])))
        if key == "table.decks":
            return DECKS[self.machine()]
        if key == "table.currency":
            country = str(self.draft.get("table.profile")).partition("-")[0]
            return CURRENCIES.get(country, str(USUAL[key]))
        if name == "port" and section in _DEVICES:
            return self._port_of(_DEVICES[section], anew=True) or USUAL[key]
        if name == "protocol" and section in _DEVICES:
            return KINDS[_DEVICES[section]].protocols[0].value
        return USUAL.get(key)

    def is_sure(self, key: str) -> bool:
        """True if the usual value of `key` needs no person: a place of this computer, or a device that has answered."""
        section, _, name = key.rpartition(".")
        if key in SURE_PATHS:
            return True
        if key == "table.decks":
            return self.machine() is Machine.NONE
        if section in _DEVICES:
            return name in ("port", "protocol") and self.finds(section)
        return name == "port" and Path(str(USUAL[key])).exists()

    def finds(self, section: str) -> bool:
        """True if the computer itself finds the device or part of the configuration section `section`. False once a
        person has taken back that section's port.
        """
        if section in self._by_hand:
            return False
        if section in _DEVICES:
            return self._port_of(_DEVICES[section]) is not None
        return section == f"devices.{PartKind.BADGE_READER.value}" and self.is_sure(f"{section}.port")

    def takes_back(self, section: str) -> None:
        """Notes that a person has taken back the port of `section`. A question asks people for it from now on."""
        self._by_hand.add(section)

    def _port_of(self, device: Device, *, anew: bool = False) -> str | None:
        """Returns the free port at which the device answers, None if it answers at none.

        A device that did not answer is looked for again only if `anew` is true: a silent port takes seconds.
        """
        if Protocol.TDP not in KINDS[device].protocols:
            return None
        free = [name for name in self._names(device) if name not in self._used(device)]
        known = self._found.get(device)
        if device not in self._found or (known is None and anew) or (known is not None and known not in free):
            simulated = self.draft.get("table.simulated") is True
            deals = self.machine() is not Machine.SHUFFLER
            self._found[device] = port_of(device, free, simulated=simulated, deals=deals)
        return self._found[device]

    def _names(self, device: Device) -> list[str]:
        usual = str(USUAL[f"devices.{device.value}.port"])
        others = [name for name in port_names() if not name.startswith(_NO_DEVICE)]
        return [usual, *others] if Path(usual).exists() else others

    def _used(self, device: Device) -> set[object]:
        sections = [f"devices.{one.value}" for one in (*Device, *PartKind) if one is not device]
        return {self.draft.get(f"{section}.port") for section in sections}
