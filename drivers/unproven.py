"""Devices whose wire proves nothing: who they are is what was plugged into that port, and it is said so.

Angel Eye, Alpha, lines of the Pi, a keyboard that types badges: none of them says who it is in a way that could be
checked. They get an identity without serial number, so that the rest of the house needs no second path.
"""

from typing import Final

from firmware_protocols.tdp.link import Identity
from firmware_protocols.tdp.schema import DeviceKind

UNKNOWN_SERIAL: Final = ""


def unproven_identity(kind: DeviceKind | None, model: str, *, boot: int, simulated: bool) -> Identity:
    """Of what answers at the port; `boot` numbers the opening, so that no earlier event is taken for a later one."""
    return Identity(
        boot=boot,
        major=0,
        minor=0,
        kind=kind,
        simulated=simulated,
        model=model,
        serial=UNKNOWN_SERIAL,
        firmware="",
        oldest_event=1,
        next_event=1,
    )


def is_unauthenticated(identity: Identity) -> bool:
    """True where the device could not even name itself: no protocol that has an identity is of version 0."""
    return identity.major == 0
