"""What a driver reports: typed, nothing but data, the same words for every protocol."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from firmware_protocols.tdp.display import DisplayApply, DisplayEvent, DisplayResult, DisplayStatus
from firmware_protocols.tdp.link import Identity
from firmware_protocols.tdp.shoe import ShoeApply, ShoeEvent, ShoeResult, ShoeStatus
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerEvent, ShufflerResult, ShufflerStatus

DeviceStatus: TypeAlias = ShufflerStatus | ShoeStatus | DisplayStatus
Desired: TypeAlias = ShufflerApply | ShoeApply | DisplayApply
RefusalResult: TypeAlias = ShufflerResult | ShoeResult | DisplayResult


class LostReason(StrEnum):
    """Why a connection ended."""

    PORT_LOST = "port-lost"  # the port vanished: cable, adapter or device pulled
    SILENT = "silent"  # the port is there and nothing valid comes
    REBOOTED = "rebooted"  # the device says that it has started anew
    SESSION_LOST = "session-lost"  # the same boot, but another session: somebody else spoke to it
    COMMAND_UNANSWERED = "command-unanswered"  # alive, but a command got no answer in all its tries
    PROTOCOL_BROKEN = "protocol-broken"  # a whole frame says what the protocol does not allow


class Mismatch(StrEnum):
    """In what a device is not the one that the configuration names."""

    KIND = "kind"
    MODEL = "model"
    SERIAL = "serial"
    VERSION = "version"  # of the protocol
    SIMULATED = "simulated"
    BOOT_NUMBER = "boot-number"  # used again: its event numbers cannot be told from those of the earlier boot


@dataclass(frozen=True, slots=True)
class DeviceConnected:
    """The expected device identified itself; its events from now on follow. Once for each connection."""

    identity: Identity
    status: DeviceStatus


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A connected device is gone. `command_unknown`: an effect was sent and may or may not have been done."""

    reason: LostReason
    detail: str
    command_unknown: bool


@dataclass(frozen=True, slots=True)
class DeviceRefused:
    """Another device than the expected one answers. Reported once until something changes."""

    what: Mismatch
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class EventsMissed:
    """Events of this boot that the device no longer has and that never came: numbers first to last."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ShufflerReported:
    """Event `number` of this boot, never twice in one process; `status` as it was after the event."""

    boot: int
    number: int
    event: ShufflerEvent
    status: ShufflerStatus


@dataclass(frozen=True, slots=True)
class ShoeReported:
    """Event `number` of this boot, never twice in one process; `status` as it was after the event."""

    boot: int
    number: int
    event: ShoeEvent
    status: ShoeStatus


@dataclass(frozen=True, slots=True)
class DisplayReported:
    """Event `number` of this boot, never twice in one process; `status` as it was after the event."""

    boot: int
    number: int
    event: DisplayEvent
    status: DisplayStatus


@dataclass(frozen=True, slots=True)
class StatusHeard:
    """The device's status now, where it differs from the last one told in any event; of a reader, each one.

    It is the status after event `newest_event`; events up to that number may still be on their way.
    """

    status: DeviceStatus
    newest_event: int = 0


@dataclass(frozen=True, slots=True)
class CommandRefused:
    """The device refused to become as desired. It is asked again once its status has changed."""

    desired: Desired
    result: RefusalResult
    status: DeviceStatus


Reported: TypeAlias = ShufflerReported | ShoeReported | DisplayReported
ConnectionEvent: TypeAlias = DeviceConnected | EventsMissed | Reported | StatusHeard | CommandRefused
DriverEvent: TypeAlias = ConnectionEvent | DeviceLost | DeviceRefused
