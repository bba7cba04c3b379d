"""Gives an identity to devices that do not identify themselves. The program assumes that such a device is the
configured one.

An Angel Eye shoe, an Alpha sign and a Slingshot wheel have no identity that could be checked. Each gets an identity
without a serial number, so that the rest of the program treats it like any other device.
"""

from typing import Final

from firmware_protocols.tdp.link import Identity
from firmware_protocols.tdp.schema import DeviceKind

UNKNOWN_SERIAL: Final = ""


def unproven_identity(kind: DeviceKind | None, model: str, *, boot: int, simulated: bool) -> Identity:
    """Returns an identity for a device that does not identify itself. `kind`: None for a kind that TDP does not have.

    `boot`: the boot number for the device's events, since the device sends none.
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
    """True if the device does not identify itself. The identity of such a device has the major version 0, unlike in
    TDP.
    """
    return identity.major == 0
