"""The errors of ports, the same for every kind of port, and a word for each cause."""

import errno
from enum import StrEnum
from typing import Final

SYSTEM_WITHOUT_NUMBER: Final = "system"


class PortFault(StrEnum):
    """The reason why a port cannot be used, if the system has no name for the reason."""

    HUNG_UP = "hung-up"  # the line, the serial server's connection, or the plugged-in device
    PSEUDO_TERMINAL = "pseudo-terminal"  # at a table that is not simulated
    NO_PORT_NAME = "no-port-name"
    NO_SUCH_HOST = "no-such-host"
    NO_CHIP = "no-chip"
    NO_READER = "no-reader"
    NO_LIBUSB = "no-libusb"
    NO_BULK_ENDPOINTS = "no-bulk-endpoints"
    NOT_ON_THE_BUS = "not-on-the-bus"
    OTHER_SERIAL = "other-serial"
    SERIAL_TWICE = "serial-twice"
    CRASHED = "crashed"  # while the port was opened; the log has the traceback


def system_word(error: BaseException | None) -> str:
    """The operating system's name of the error `error` or of its cause, such as `ENOENT`; `errno 524` for a number
    without a name.

    `no-such-host` for a host name that is unknown; `system` if the error has no number.
    """
    if isinstance(error, TimeoutError) and error.errno is None:
        return errno.errorcode[errno.ETIMEDOUT]
    while error is not None:
        number = error.args[0] if error.args else None
        if isinstance(number, int):
            # Errors in the names of hosts have their own numbers, below zero.
            return PortFault.NO_SUCH_HOST if number < 0 else errno.errorcode.get(number, f"errno {number}")
        error = error.__context__
    return SYSTEM_WITHOUT_NUMBER


class DriverError(Exception):
    """The base class of the errors of ports. A driver raises it for a wish that the device cannot fulfil."""


class PortError(DriverError):
    """A port cannot be opened or used. `path`: the port. `reason`: a PortFault, or the operating system's name of the
    error.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class PortMissing(PortError):  # noqa: N818 (the name says what became of the port)
    """The port does not exist. Plugging the device in may help."""


class OtherDevice(PortMissing):
    """The configured device is missing, but other devices of the same maker and product are plugged in.

    `found`: the serial numbers of these other devices.
    """

    def __init__(self, path: str, found: str) -> None:
        super().__init__(path, PortFault.OTHER_SERIAL)
        self.found = found


class PortBusy(PortError):  # noqa: N818 (the name says what became of the port)
    """Another process holds the port."""


class PortRefused(PortError):  # noqa: N818 (the name says what became of the port)
    """The port must not be used, or cannot be used. Waiting does not help."""


class PortLost(PortError):  # noqa: N818 (the name says what became of the port)
    """An open port has failed. The port must be closed before it is opened again."""
