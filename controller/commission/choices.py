"""The choices that a page of the first start offers. A technician touches an answer and need not type it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from controller.catalogue import Language
from controller.commission.draft import Draft
from controller.commission.usual import USUAL, port_names
from controller.config import PartKind
from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.words import Device
from controller.devices.device_kinds import KINDS
from controller.protocol.commission import NO, Choice

MOST_PORTS: Final = 7
MINIMUM_BETS: Final = (5, 10, 15, 20, 25, 50, 100)
MULTIPLES: Final = (10, 20, 30, 50, 100)
"""Maximum bets, in minimum bets; a law may permit fewer of them."""

PINS: Final = {17: 11, 18: 12, 27: 13}
"""The pin of a Raspberry Pi for each usual line."""

OTHER_LINE: Final = "other"


class Words(Protocol):
    """Makes the catalogue's sentence in the page's language."""

    def __call__(self, key: str, **values: str) -> str: ...


def choices_of(key: str, usual: str, draft: Draft, words: Words) -> tuple[Choice, ...]:
    """Returns the choices that the page offers for `key`. Returns () if the person types the answer. A person who
    touches the choice "" types an answer instead.
    """
    section, _, name = key.rpartition(".")
    match name:
        case "language":
            return tuple(Choice(one.value, words(f"panel.language.{one.value}")) for one in Language)
        case "profile":
            return tuple(Choice(one, words(f"commission.profile.{one}")) for one in PROFILES)
        case "protocol":
            protocols = KINDS[Device(section.removeprefix("devices."))].protocols
            return tuple(Choice(one.value, words(f"commission.protocol.{one.value}")) for one in protocols)
        case "active_low":
            return tuple(Choice(value, words(f"panel.first.{value}")) for value in ("false", "true"))
        case "minimum_bet" | "maximum_bet":
            return (*(Choice(bet, bet) for bet in bets(name, draft)), Choice("", words("panel.first.other")))
        case "port":
            return (*_ports(key, usual, draft, words), Choice("", words("panel.first.other")))
        case _:
            return ()


def may_be_typed(choices: Sequence[Choice]) -> bool:
    return any(not one.value for one in choices)


def bets(name: str, draft: Draft) -> list[str]:
    """Returns common bets, in currency units: the minimum ones, or the maximum ones that the law permits above the
    minimum bet.
    """
    minimum = draft.get("table.minimum_bet")
    if name == "minimum_bet":
        return [str(bet) for bet in MINIMUM_BETS]
    if not isinstance(minimum, int):
        return []
    limit = law(str(draft.get("table.profile"))).limit("maximum_bet_multiple")
    most = limit.open.most if limit is not None else None
    return [str(minimum * one) for one in MULTIPLES if most is None or one <= most]


def lines_of(part: str, words: Words) -> tuple[Choice, ...]:
    """Returns the choices for a part on a line of the computer: its usual line, another one, and no such part.

    Returns () for any other part or device.
    """
    line = USUAL.get(f"devices.{part}.line")
    if not isinstance(line, int):
        return ()
    usual = words("panel.first.line", line=str(line), pin=str(PINS[line]))
    return (
        Choice(str(line), usual),
        Choice(OTHER_LINE, words("panel.first.other-line")),
        Choice(NO, words("panel.first.no")),
    )


# ---- ports


def _ports(key: str, usual: str, draft: Draft, words: Words) -> tuple[Choice, ...]:
    """Returns the ports of this computer. The usual one is left out if there is no such file; one that was answered
    stays, since its device may be plugged in.
    """
    is_there = usual and (usual == draft.get(key) or Path(usual).exists())
    names = dict.fromkeys([*([usual] if is_there else []), *sorted(port_names(), key=_by_id_last)])
    fitting = [name for name in names if name == usual or _fits(name, key)]
    return tuple(Choice(one, _port_label(one, usual, words)) for one in fitting[:MOST_PORTS])


def _fits(name: str, key: str) -> bool:
    """True unless the port is of another kind than the device or part of `key`: serial, a line, or a keyboard."""
    kinds = {f"devices.{part.value}.port": part for part in PartKind}
    part = kinds.get(key)
    last = Path(name).name
    if part is None:
        return not last.startswith(("gpio", "badge"))
    return last.startswith("gpio") if part.is_line else name.startswith("/dev/sabot/") and not last.startswith("gpio")


def _port_label(port: str, usual: str, words: Words) -> str:
    is_found = port == usual and port.startswith("/dev/serial/")
    return words("panel.first.found", port=port_label(port)) if is_found else port_label(port)


def _by_id_last(name: str) -> bool:
    """A sort key: the places of devices come before their serial numbers, so each device has one name on the page."""
    return name.startswith("/dev/serial/by-id/")


def port_label(name: str) -> str:
    """Returns the end of a port's name that tells it from others: where a device is plugged in, or its serial
    number.
    """
    place = Path(name).name
    _, found, behind = place.partition("-usb-")
    return f"usb {behind}" if found else place if name.startswith("/dev/") else name
