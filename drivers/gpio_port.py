"""One GPIO line of the computer as a port. No other file knows gpiod and its errors."""

import errno
from pathlib import Path
from typing import Final

import gpiod
from gpiod.line import Bias, Direction, Edge, Value

from drivers.errors import PortBusy, PortError, PortFault, PortLost, PortMissing, PortRefused, system_word
from drivers.parts import POWER, RELEASE

CONSUMER: Final = "sabot"
EVENTS_AT_ONCE: Final = 64

_MISSING: Final = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO})


class GpioPort:
    """An open GPIO line (satisfies `Port`). "1" and "0" are the levels of the line: written to an output, read from an
    input.
    """

    def __init__(self, path: str, line: int, request: gpiod.LineRequest, *, is_output: bool) -> None:
        self._path = path
        self._line = line
        self._request = request
        self._is_output = is_output
        self._told: Value | None = None

    def fileno(self) -> int:
        return self._request.fd

    def read(self) -> bytes:
        """Returns the level of an input if the level has changed since the last read, otherwise b"". Misses a short
        pulse between two reads.
        """
        if self._is_output:
            return b""
        try:
            while self._request.wait_edge_events(0):
                self._request.read_edge_events(EVENTS_AT_ONCE)
            level = self._request.get_value(self._line)
        except OSError as error:
            raise PortLost(_name(self._path, self._line), system_word(error)) from error
        if level is self._told:
            return b""
        self._told = level
        return POWER if level is Value.ACTIVE else RELEASE

    def write(self, data: bytes) -> int:
        """Sets an output to the last level in `data`, and returns the length of `data`. An input ignores `data`."""
        if data and self._is_output:
            level = Value.ACTIVE if data.endswith(POWER) else Value.INACTIVE
            try:
                self._request.set_value(self._line, level)
            except OSError as error:
                raise PortLost(_name(self._path, self._line), system_word(error)) from error
        return len(data)

    def close(self) -> None:
        """Releases the line. First takes the power from the relay of an output."""
        if not self._request:
            return
        try:
            if self._is_output:
                self._request.set_value(self._line, Value.INACTIVE)
        except OSError:
            pass  # the chip is gone, and with it the relay's power
        finally:
            self._request.release()


def open_gpio(path: str, line: int, *, is_output: bool, active_low: bool = False) -> GpioPort:
    """Opens one GPIO line for this process alone. An output begins at its inactive level; an input has a bias to its
    inactive level.
    """
    if Path(path).exists() and not gpiod.is_gpiochip_device(path):
        raise PortRefused(path, PortFault.NO_CHIP)
    settings = gpiod.LineSettings(
        direction=Direction.OUTPUT if is_output else Direction.INPUT,
        output_value=Value.INACTIVE,
        edge_detection=Edge.NONE if is_output else Edge.BOTH,
        bias=Bias.AS_IS if is_output else Bias.PULL_UP if active_low else Bias.PULL_DOWN,
        active_low=active_low,
    )
    try:
        request = gpiod.request_lines(path, {line: settings}, consumer=CONSUMER)
    except (OSError, ValueError) as error:
        raise _as_port_error(path, line, error) from error
    return GpioPort(path, line, request, is_output=is_output)


def _as_port_error(path: str, line: int, error: Exception) -> PortError:
    number = error.errno if isinstance(error, OSError) else None
    name, word = _name(path, line), system_word(error)
    if number in _MISSING:
        return PortMissing(name, word)
    return PortBusy(name, word) if number == errno.EBUSY else PortRefused(name, word)


def _name(path: str, line: int) -> str:
    return f"{path} {line}"
