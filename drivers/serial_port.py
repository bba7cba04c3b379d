"""Serial ports through pyserial. This is the only file that knows the errors of pyserial and of the tty layer.

pyserial opens and configures the port. Reading and writing use its descriptor directly, for two reasons: `Serial.read`
and `Serial.write` wait, and on a dead port they raise four families of errors: SerialException, bare OSError,
termios.error (which is no OSError) and, once closed, TypeError or ValueError.
"""

import contextlib
import fcntl
import os
import stat
import sys
import termios
import time
from enum import StrEnum
from pathlib import Path
from typing import Final

import serial

from drivers.errors import PortBusy, PortError, PortFault, PortLost, PortMissing, PortRefused, system_word
from drivers.ports import READ_AT_MOST_BYTES

_PORT_FAILURES = (OSError, termios.error, TypeError, ValueError)  # SerialException is an OSError

_MISSING = frozenset({"ENOENT", "ENODEV", "ENXIO", "EIO", "ENOTDIR"})
_BUSY = frozenset({"EBUSY", "EAGAIN"})  # EAGAIN: another process holds the advisory lock

_PSEUDO_TERMINAL_MAJORS = range(136, 144)  # Linux: Unix98 pty slaves

LAST_BYTES_WITHIN_S = 0.25  # at 4800 baud a hundred bytes; Linux itself would wait 30 s

_CONTROL_FLAGS = 2  # places in the list that termios.tcgetattr gives
_CONTROL_CHARACTERS = 6


class Framing(StrEnum):
    """The number of data bits, the parity and the stop bits of a line."""

    EIGHT_NONE_ONE = "8N1"
    SEVEN_EVEN_ONE = "7E1"


_BITS_AND_PARITY: Final = {
    Framing.EIGHT_NONE_ONE: (serial.EIGHTBITS, serial.PARITY_NONE),
    Framing.SEVEN_EVEN_ONE: (serial.SEVENBITS, serial.PARITY_EVEN),
}


class SerialPort:
    """An open serial port (satisfies `Port`)."""

    def __init__(self, path: str, connection: serial.Serial) -> None:
        self._path = path
        self._connection = connection
        self._descriptor: int = connection.fileno()

    def fileno(self) -> int:
        return self._descriptor

    def read(self) -> bytes:
        try:
            data = os.read(self._descriptor, READ_AT_MOST_BYTES)
        except (BlockingIOError, InterruptedError):
            return b""
        except _PORT_FAILURES as error:
            raise PortLost(self._path, system_word(error)) from error
        if not data:  # VMIN is 1, so an empty read is a hang-up and never "nothing yet"
            raise PortLost(self._path, PortFault.HUNG_UP)
        return data

    def write(self, data: bytes) -> int:
        if not data:
            return 0
        try:
            return os.write(self._descriptor, data)
        except (BlockingIOError, InterruptedError):
            return 0
        except _PORT_FAILURES as error:
            raise PortLost(self._path, system_word(error)) from error

    def close(self) -> None:
        if self._descriptor < 0:
            return
        descriptor, self._descriptor = self._descriptor, -1
        with contextlib.suppress(*_PORT_FAILURES):  # a port that is gone refuses, which is no news
            _let_out(descriptor)
        with contextlib.suppress(*_PORT_FAILURES):
            self._connection.close()


def open_serial(
    path: str,
    *,
    baud_rate: int = 115200,
    framing: Framing = Framing.EIGHT_NONE_ONE,
    refuse_pseudo_terminal: bool = False,
) -> SerialPort:
    """Opens `path` for this process alone, and discards input that waited at the port. May block.
    `refuse_pseudo_terminal`: if True, refuses a pseudo-terminal. The test is made on the open port, so no name or link
    can hide a pseudo-terminal. Raises PortMissing, PortBusy, PortRefused.
    """
    try:
        # A pty has no bits and no parity, and refuses a second process that sets them.
        bits, parity = _BITS_AND_PARITY[Framing.EIGHT_NONE_ONE if is_pseudo_terminal(path) else framing]
        connection = serial.Serial(path, baud_rate, bits, parity, timeout=0, write_timeout=0, exclusive=True)
    except _PORT_FAILURES as error:
        raise _as_port_error(path, error) from error
    try:
        if refuse_pseudo_terminal and _is_pseudo_terminal(os.fstat(connection.fileno())):
            raise PortRefused(path, PortFault.PSEUDO_TERMINAL)
        _tune(connection.fileno())
        _ask_for_low_latency(connection)
    except PortError:
        connection.close()
        raise
    except _PORT_FAILURES as error:
        connection.close()
        raise _as_port_error(path, error) from error
    return SerialPort(path, connection)


def is_pseudo_terminal(path: str) -> bool:
    """True if `path`, after following links, is a pseudo-terminal; False for a missing path."""
    try:
        return _is_pseudo_terminal(Path(path).stat())
    except (OSError, ValueError):
        return False


def _is_pseudo_terminal(found: os.stat_result) -> bool:
    return stat.S_ISCHR(found.st_mode) and os.major(found.st_rdev) in _PSEUDO_TERMINAL_MAJORS


def _tune(descriptor: int) -> None:
    """Makes the settings that pyserial omits: a read tells silence from a hang-up, DTR stays on when the port is
    closed, and no other process may open the port.
    """
    attributes = termios.tcgetattr(descriptor)
    attributes[_CONTROL_CHARACTERS][termios.VMIN] = 1
    attributes[_CONTROL_CHARACTERS][termios.VTIME] = 0
    attributes[_CONTROL_FLAGS] &= ~termios.HUPCL  # a falling DTR resets many boards: a reconnect must not reset them
    termios.tcsetattr(descriptor, termios.TCSANOW, attributes)
    # pyserial's lock is advisory. The kernel enforces TIOCEXCL, which ends with the last close. A pty's last close is
    # that of its simulator: there the mark would outlive a killed controller and shut out the next one.
    if not _is_pseudo_terminal(os.fstat(descriptor)):
        fcntl.ioctl(descriptor, termios.TIOCEXCL)


def _ask_for_low_latency(connection: serial.Serial) -> None:
    """Asks the adapter for low latency: an FTDI adapter then passes a frame on after 1 ms instead of 16. Ignores a
    refusal.
    """
    # pyserial refuses with this error; `sabot doctor` names the port that stays slow
    with contextlib.suppress(ValueError):
        connection.set_low_latency_mode(True)


def _let_out(descriptor: int) -> None:
    """Waits until all written bytes have left the port, at most LAST_BYTES_WITHIN_S, and drops the others, so that
    close() does not wait for them.
    """
    deadline_s = time.monotonic() + LAST_BYTES_WITHIN_S
    while _waiting_to_leave(descriptor):
        if time.monotonic() >= deadline_s:
            termios.tcflush(descriptor, termios.TCOFLUSH)
            return
        time.sleep(0.01)


def _waiting_to_leave(descriptor: int) -> int:
    count = fcntl.ioctl(descriptor, termios.TIOCOUTQ, bytes(4))
    return int.from_bytes(count, sys.byteorder)


def _as_port_error(path: str, error: Exception) -> PortError:
    word = system_word(error)  # the word of the error behind it, too: pyserial puts some errors into words
    if word in _MISSING:
        return PortMissing(path, word)
    return PortBusy(path, word) if word in _BUSY else PortRefused(path, word)
