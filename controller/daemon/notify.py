"""Sends systemd the messages ready, alive and stopping. Does nothing if the process does not run under systemd."""

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Final

STARTING_STEP_S: Final = 10.0
STARTING_STEPS: Final = 60


class Notifier:
    """Sends messages to the socket of systemd that NOTIFY_SOCKET names (a name that begins with `@` is abstract)."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address.startswith("@") else address
        microseconds = environment.get("WATCHDOG_USEC", "")
        self.watchdog_s = int(microseconds) / 1e6 if microseconds.isdecimal() and int(microseconds) else None
        """The longest time between two signs of life for systemd; None if systemd expects none."""

    @contextlib.contextmanager
    def starting(self, step_s: float = STARTING_STEP_S) -> Iterator[None]:
        """A context that asks systemd for more time to start: once every `step_s` seconds, at most STARTING_STEPS
        times.
        """
        over = threading.Event()

        def ask() -> None:
            for _ in range(STARTING_STEPS):
                self._tell(f"EXTEND_TIMEOUT_USEC={int(3 * step_s * 1_000_000)}")
                if over.wait(step_s):
                    return

        thread = threading.Thread(target=ask, name="starting", daemon=True)
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()

    def ready(self) -> None:
        self._tell("READY=1")

    def alive(self) -> None:
        self._tell("WATCHDOG=1")

    def stopping(self) -> None:
        self._tell("STOPPING=1")

    def _tell(self, message: str) -> None:
        if not self._address:
            return
        # A fault of systemd must not stop a table: systemd itself notices missing messages.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
            line.settimeout(0)
            line.sendto(message.encode(), self._address)
