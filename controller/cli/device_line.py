"""The serial line of a device under test. The line's port may vanish for up to 30 s while the device restarts."""

import select
import time
from collections.abc import Callable
from typing import Final

from drivers.errors import PortError, PortLost
from drivers.ports import Port

_AWAY_AT_MOST_S: Final = 30.0
_LOOK_AGAIN_S: Final = 0.1


class PortLine:
    """The serial line over an opened port (satisfies `Line`). The constructor raises PortError; `hear` and `say` raise
    PortLost.
    """

    def __init__(self, open_port: Callable[[], Port]) -> None:
        self._open_port = open_port
        self._port: Port | None = open_port()
        self._may_be_away_until_s = 0.0

    def now_s(self) -> float:
        return time.monotonic()

    def let_go(self) -> None:
        """Permits the port to be missing for the next 30 s, in which a person switches the device off and on."""
        self._may_be_away_until_s = self.now_s() + _AWAY_AT_MOST_S

    def close(self) -> None:
        if self._port is not None:
            self._port.close()

    def say(self, data: bytes) -> None:
        """Writes the data, or drops them while the port is missing. Raises PortLost."""
        try:
            while data and self._port is not None:
                _wait(self._port, select.POLLOUT, None)
                data = data[self._port.write(data) :]
        except PortLost as error:
            self._lose(error)

    def hear(self, until_s: float) -> bytes:
        if self._port is None:
            return self._come_back(until_s)
        try:
            _wait(self._port, select.POLLIN, max(0.0, until_s - self.now_s()))
            return self._port.read()
        except PortLost as error:
            self._lose(error)
            return b""

    def _lose(self, error: PortLost) -> None:
        if self.now_s() > self._may_be_away_until_s:
            raise error
        self.close()
        self._port = None

    def _come_back(self, until_s: float) -> bytes:
        try:
            self._port = self._open_port()
        except PortError as error:
            if self.now_s() > self._may_be_away_until_s:
                raise PortLost(error.path, error.reason) from error
            time.sleep(max(0.0, min(_LOOK_AGAIN_S, until_s - self.now_s())))
        return b""


def _wait(port: Port, what: int, seconds: float | None) -> None:
    poller = select.poll()
    poller.register(port.fileno(), what)
    poller.poll(None if seconds is None else seconds * 1000)
