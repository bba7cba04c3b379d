"""A badge reader's port, which passes the reader's input events on as bytes. While the port is open, no other program,
console or browser gets the keys.
"""

import errno
import fcntl
import os
from typing import Final

from drivers.badge import EVENT
from drivers.errors import PortBusy, PortError, PortFault, PortLost, PortMissing, PortRefused, system_word

EVIOCGRAB: Final = 0x40044590  # _IOW('E', 0x90, int)
EVENTS_AT_ONCE: Final = 64

_MISSING: Final = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO, errno.ENOTDIR})


class BadgePort:
    """The port of an open badge reader (satisfies `Port`). `close` returns the keyboard to the system."""

    def __init__(self, path: str, descriptor: int) -> None:
        self._path = path
        self._descriptor = descriptor

    def fileno(self) -> int:
        return self._descriptor

    def read(self) -> bytes:
        try:
            data = os.read(self._descriptor, EVENTS_AT_ONCE * EVENT.size)
        except (BlockingIOError, InterruptedError):
            return b""
        except OSError as error:
            raise PortLost(self._path, system_word(error)) from error
        if not data:
            raise PortLost(self._path, PortFault.HUNG_UP)
        return data

    def write(self, data: bytes) -> int:
        """Writes nothing: a reader has no input. Returns the length of `data`."""
        return len(data)

    def close(self) -> None:
        if self._descriptor >= 0:
            descriptor, self._descriptor = self._descriptor, -1
            os.close(descriptor)


def open_badge_reader(path: str) -> BadgePort:
    """Opens a badge reader for this program alone. Raises PortMissing, PortBusy (it is in use), PortRefused."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise _as_port_error(path, error) from error
    try:
        fcntl.ioctl(descriptor, EVIOCGRAB, 1)
    except OSError as error:
        os.close(descriptor)
        raise _as_port_error(path, error) from error
    return BadgePort(path, descriptor)


def _as_port_error(path: str, error: OSError) -> PortError:
    if error.errno in _MISSING:
        return PortMissing(path, system_word(error))
    if error.errno == errno.EBUSY:
        return PortBusy(path, system_word(error))
    return PortRefused(path, PortFault.NO_READER if error.errno == errno.ENOTTY else system_word(error))
