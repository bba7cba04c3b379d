"""Devices whose wire proves no identity: each counts as the device that the configuration has at that port.

Angel Eye, Alpha, GPIO lines and badge readers that type: none of them has an identity that could be checked. Each gets
an identity without serial number, so that the rest of the program needs no second path.
"""

from typing import Final

from firmware_protocols.tdp.link import Identity
from firmware_protocols.tdp.schema import DeviceKind

UNKNOWN_SERIAL: Final = ""


def unproven_identity(kind: DeviceKind | None, model: str, *, boot: int, simulated: bool) -> Identity:
    """Returns the identity of an unproven device.

    `boot`: a number of this opening, so that events are not taken for old ones.
    """
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
    """True where the device has no identity of its own: major version 0, which no protocol with an identity uses."""
    return identity.major == 0
