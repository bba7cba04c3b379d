"""The wishes for devices. Each names the device for which the core decided it, and permits nothing to another device.

A lock has no count: the driver sends it with the device's own newest count. A release names the count at which it is
valid, so a device with any other count stays locked.
"""

from typing import TypeAlias

from msgspec import Struct


class ShufflerWish(Struct, frozen=True, gc=False):
    """The wished state of a shuffler.

    `release_after`: the value of the shuffler's count `cards_out` at which one card may leave; None if no card may
    leave. `jams_ended`: the number of the latest jam that may end. `recount_request`: the number of the latest recount
    that people have asked for.
    """

    release_after: int | None = None
    feed_open: bool = False
    unload: bool = False
    lamp: bool = False
    jams_ended: int = 0
    recount_request: int = 0


Desired: TypeAlias = Struct
"""The wished state of a device of any kind: a class of this file, or a command of its protocol that names a state."""


class Basis(Struct, frozen=True, gc=False):
    """The device for which a wish was decided: the device's serial number, its boot, and its connection (counted from
    1).
    """

    serial: str
    boot: int
    connection: int
