"""What systemd is told: ready, alive, stopping. Nothing where no systemd listens."""

import contextlib
import socket
from collections.abc import Mapping


class Notifier:
    """Speaks to the socket that NOTIFY_SOCKET names (`@` begins an abstract name)."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        microseconds = environment.get("WATCHDOG_USEC", "")
        self.watchdog_s = int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None
        """How often, at the latest, systemd wants a sign of life; None: it does not."""

    def ready(self) -> None:
        self._tell("READY=1")

    def alive(self) -> None:
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def _tell(self, message: str) -> None:
        if not self._address:
            return
        # A systemd that does not listen must not stop a table: it will notice by itself.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.settimeout(0)
            line.sendto(message.encode(), self._address)
