"""The devices of a profile's table (DESIGN 4), and its number of decks. No device is made here."""

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import Final

from msgspec.structs import replace

from controller.config.profile import Parameter, Profile, Value
from controller.config.profile_file import law
from controller.core.choices import Machine
from controller.core.hand_rules import HandFigures
from controller.core.setup import Procedure
from controller.core.words import Device
from simulators.device_kinds import KINDS

DECKS: Final[Mapping[Machine, int]] = {Machine.SHUFFLER: 6, Machine.SHOE: 6, Machine.BOX: 1, Machine.NONE: 0}
"""The number of decks of a usual table."""


def decks_of(profile: str) -> int:
    """The number of decks of a usual table of this profile. Raises KeyError for an unknown name."""
    return DECKS[procedure_of(profile).machine]


def devices_of(profile: str, *, has_slots: bool = False) -> tuple[Device, ...]:
    """The devices of a table of this profile, with jackpot slots or not. Raises KeyError for an unknown name."""
    machine = procedure_of(profile).machine
    here = (device for device, kind in KINDS.items() if machine in kind.stands_at)
    return tuple(device for device in here if has_slots or device is not Device.JACKPOT_SLOTS)


def drawn_procedure(profile: str, rng: Random) -> Procedure:
    """Returns this profile's procedure, with a random choice wherever the law leaves a choice. Raises KeyError."""
    return _drawn(profile, Procedure.__struct_fields__, rng).procedure


def drawn_figures(profile: str, rng: Random) -> HandFigures:
    """Returns this profile's figures for hands, with a random choice wherever the law leaves one. Raises KeyError."""
    return _drawn(profile, HandFigures.__struct_fields__, rng).hand_figures


def _drawn(profile: str, names: tuple[str, ...], rng: Random) -> Profile:
    known = law(profile)
    chosen = tuple(
        replace(one, value=rng.choice(few)) if one.name in names and (few := _few_of(one)) else one
        for one in known.parameters
    )
    return replace(known, parameters=chosen)


def _few_of(one: Parameter) -> tuple[Value, ...]:
    """Returns the choices to draw from for a parameter: listed values, or both figures of a range of two.

    Empty for any other parameter.
    """
    least, most = one.program_bounds.least, one.program_bounds.most
    if one.open.allowed or least is None or most != least + 1:
        return one.open.allowed
    return least, most


@cache
def procedure_of(profile: str) -> Procedure:
    """Returns this profile's procedure with the law's defaults. Raises KeyError for an unknown name."""
    return law(profile).procedure
