"""The reason why a device is not connected: a word for status and log, and the technical detail."""

from enum import StrEnum

from msgspec import Struct

from drivers.errors import OtherDevice, PortBusy, PortError, PortLost, PortMissing
from drivers.events import DeviceLost, DeviceRefused, LostReason, Mismatch


class TroubleCode(StrEnum):
    PORT_MISSING = "port-missing"
    PORT_BUSY = "port-busy"
    PORT_REFUSED = "port-refused"
    WRONG_DEVICE = "wrong-device"
    # each LostReason is a reason under its own word
    PORT_LOST = LostReason.PORT_LOST.value
    SILENT = LostReason.SILENT.value
    REBOOTED = LostReason.REBOOTED.value
    SESSION_LOST = LostReason.SESSION_LOST.value
    COMMAND_UNANSWERED = LostReason.COMMAND_UNANSWERED.value
    PROTOCOL_BROKEN = LostReason.PROTOCOL_BROKEN.value
    UNPROVEN = LostReason.UNPROVEN.value
    FLOOD = LostReason.FLOOD.value


class Trouble(Struct, frozen=True, gc=False):
    """The reason why a device is not connected. For a wrong device, `what` is the property in which it differs from the
    expected device, and `expected` and `found` are the two values.
    """

    code: TroubleCode
    detail: str
    what: Mismatch | None = None
    expected: str = ""
    found: str = ""


_CODE_OF_PORT_ERROR: tuple[tuple[type[PortError], TroubleCode], ...] = (
    (PortMissing, TroubleCode.PORT_MISSING),
    (PortBusy, TroubleCode.PORT_BUSY),
    (PortLost, TroubleCode.PORT_LOST),
    (PortError, TroubleCode.PORT_REFUSED),
)


def trouble_with_port(error: PortError) -> Trouble:
    """Returns the trouble of a port that could not be opened, or that failed while open."""
    if isinstance(error, OtherDevice):
        return Trouble(TroubleCode.WRONG_DEVICE, f"{error} {error.found}", Mismatch.SERIAL, error.path, error.found)
    code = next(code for kind, code in _CODE_OF_PORT_ERROR if isinstance(error, kind))
    return Trouble(code, str(error))


def trouble_with_device(end: DeviceLost | DeviceRefused) -> Trouble:
    """Returns the trouble of a connection that has ended."""
    if isinstance(end, DeviceLost):
        return Trouble(TroubleCode(end.reason.value), end.detail)
    detail = f"{end.what}: expected {end.expected}, found {end.found}"
    return Trouble(TroubleCode.WRONG_DEVICE, detail, end.what, end.expected, end.found)
