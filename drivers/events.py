"""The events that a driver reports: typed data, the same for every protocol."""

from enum import IntEnum, StrEnum
from typing import TypeAlias

from msgspec import Struct

from drivers.wishes import Desired
from firmware_protocols.tdp.display import DisplayStatus
from firmware_protocols.tdp.link import Identity

DeviceEvent: TypeAlias = Struct
"""An event of a device, one of the classes in its protocol's tables."""
DeviceStatus: TypeAlias = Struct
"""The status of a device, of the class in its protocol's tables."""


class AngelEyeStatus(Struct, frozen=True, gc=False):
    """The known state of an Angel Eye shoe. `locked`: None while unknown. `error`: the code of the error that keeps the
    shoe in error mode, or None.
    """

    locked: bool | None
    error: int | None


class WrittenStatus(DisplayStatus, frozen=True, gc=False):
    """The status of a sign that cannot be read: the contents that the driver wrote last. The sign may show other
    contents.
    """


class LostReason(StrEnum):
    """The reason why a connection ended."""

    PORT_LOST = "port-lost"  # the port vanished: cable, adapter or device pulled
    SILENT = "silent"  # the port is there, but no valid byte comes
    REBOOTED = "rebooted"  # the device reports that it has started anew
    SESSION_LOST = "session-lost"  # the same boot, but another session: another host spoke to it
    COMMAND_UNANSWERED = "command-unanswered"  # the device lives, but it answered none of a command's tries
    PROTOCOL_BROKEN = "protocol-broken"  # a whole frame has contents that the protocol forbids
    UNPROVEN = "unproven"  # a frame of a paired device's session came without its tag: another device is on the line
    FLOOD = "flood"  # the device reports more events than the host takes from it


class Mismatch(StrEnum):
    """The property in which the device at the port differs from the expected device."""

    KIND = "kind"
    MODEL = "model"
    SERIAL = "serial"
    VERSION = "version"  # the version of the protocol
    SIMULATED = "simulated"
    PROOF = "proof"  # the device shares no key with this table, or shares a key with another table
    BOOT_NUMBER = "boot-number"  # used again: the driver cannot tell its event numbers from those of the earlier boot


class DeviceConnected(Struct, frozen=True, gc=False):
    """The expected device has identified itself. Reported once a connection, before all its other events."""

    identity: Identity
    status: DeviceStatus
    approved: bool = False  # the configuration names its firmware


class DeviceLost(Struct, frozen=True, gc=False):
    """The connection to a device has ended. Reported as an event if the device had identified itself.

    `command_unknown`: True if the device may or may not have executed the last command.
    """

    reason: LostReason
    detail: str
    command_unknown: bool


class DeviceRefused(Struct, frozen=True, gc=False):
    """The device that answers is not the expected one. Reported once, and again after the port has failed or the
    difference has changed.
    """

    what: Mismatch
    expected: str
    found: str


class EventsMissed(Struct, frozen=True, gc=False):
    """The driver never received the events `first` to `last` of the device's present boot. The device no longer has
    them.
    """

    first: int
    last: int


class UnseenCause(StrEnum):
    """The reason why cards may have passed without a report, at a device that waits for no acknowledgement."""

    NOBODY_LISTENED = "nobody-listened"  # before this connection: our restart, or time without the port
    GAP = "gap-in-numbering"
    NOT_UNDERSTOOD = "not-understood"  # a whole telegram had invalid content
    DAMAGED = "damaged"  # no copy of the telegram came whole


class CardsMayHavePassed(Struct, frozen=True, gc=False):
    """Cards may have passed without a report. `missed`: the least number of lost or unreadable telegrams; None if
    unknown.
    """

    cause: UnseenCause
    missed: int | None


class Reported(Struct, frozen=True, gc=False):
    """Event `number` of the device's boot `boot`, reported once in a process. `status`: the device's status after the
    event. If the protocol does not number events, the driver does. The driver's numbers grow over connections and
    restarts, sometimes by more than one.
    """

    boot: int
    number: int
    event: DeviceEvent
    status: DeviceStatus


class StatusHeard(Struct, frozen=True, gc=False):
    """The device's status after event `newest_event`. Events up to this number may still arrive. `newest_event`: 0
    before the first event, or if the protocol does not number events.

    A TDP device's status is reported if it has changed by more than the driver's commands ask for, or if it counts an
    event that has not arrived. A card reader's status is reported at each heartbeat.
    """

    status: DeviceStatus
    newest_event: int = 0


class CommandRefused(Struct, frozen=True, gc=False):
    """The device refused a command. The driver sends the command again once the device's status or the wish has
    changed.
    """

    desired: Desired
    result: IntEnum
    status: DeviceStatus


class CommandUndone(Struct, frozen=True, gc=False):
    """The device accepted a command and did not execute it in time. `times`: the number of times so far; 0 reports that
    the device has executed the command at last.
    """

    times: int
    status: DeviceStatus


ConnectionEvent: TypeAlias = (
    DeviceConnected | EventsMissed | CardsMayHavePassed | Reported | StatusHeard | CommandRefused | CommandUndone
)
DriverEvent: TypeAlias = ConnectionEvent | DeviceLost | DeviceRefused
