"""The devices, number of decks and procedure of a usual table of each profile (DESIGN 4). Makes no device."""

from collections.abc import Collection, Mapping
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
from controller.devices.device_kinds import KINDS

DECKS: Final[Mapping[Machine, int]] = {Machine.SHUFFLER: 6, Machine.SHOE: 6, Machine.BOX: 1, Machine.NONE: 0}
"""The number of decks of a usual table."""

ASKED_FOR: Final = frozenset({Device.JACKPOT_SLOTS})
"""The kinds of device that a usual table does not have."""


def decks_of(profile: str) -> int:
    """Returns the number of decks of a usual table of this profile. Raises KeyError for an unknown name."""
    return DECKS[procedure_of(profile).machine]


def devices_of(profile: str, asked_for: Collection[Device] = ()) -> tuple[Device, ...]:
    """Returns the kinds of device at a table of this profile; none if the table deals from a box. Raises KeyError for
    an unknown name. `asked_for`: the kinds of ASKED_FOR to include.
    """
    machine = procedure_of(profile).machine
    here = (one for one, row in KINDS.items() if machine in row.stands_at and machine is not Machine.BOX)
    return tuple(device for device in here if device in asked_for or device not in ASKED_FOR)


def drawn_procedure(profile: str, rng: Random) -> Procedure:
    """Returns this profile's procedure, with a random value wherever the law leaves a choice. Raises KeyError for an
    unknown name.
    """
    return _drawn(profile, Procedure.__struct_fields__, rng).procedure


def drawn_figures(profile: str, rng: Random) -> HandFigures:
    """Returns this profile's figures for hands of cards, with a random value wherever the law leaves a choice. Raises
    KeyError for an unknown name.
    """
    return _drawn(profile, HandFigures.__struct_fields__, rng).hand_figures


def _drawn(profile: str, names: tuple[str, ...], rng: Random) -> Profile:
    known = law(profile)
    chosen = tuple(
        replace(one, value=rng.choice(few)) if one.name in names and (few := _few_of(one)) else one
        for one in known.parameters
    )
    return replace(known, parameters=chosen)


def _few_of(one: Parameter) -> tuple[Value, ...]:
    """Returns the values from which to draw a parameter: its listed values, or both numbers of a range of two. Returns
    () for any other parameter.
    """
    least, most = one.program_bounds.least, one.program_bounds.most
    if one.open.allowed or least is None or most != least + 1:
        return one.open.allowed
    return least, most


@cache
def procedure_of(profile: str) -> Procedure:
    """Returns this profile's procedure with the law's defaults. Raises KeyError for an unknown name."""
    return law(profile).procedure
