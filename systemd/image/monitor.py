"""Controls an emulator by its monitor (QMP). Gives the emulated machine the serial lines of a table as USB adapters
that can be plugged in and out.
"""

import json
import socket
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Final

STARTS_WITHIN_S: Final = 20.0
ANSWERS_WITHIN_S: Final = 20.0


class MonitorLostError(Exception):
    """The emulator has ended, or does not answer."""


class Monitor:
    """One connection to the monitor of a running emulator."""

    def __init__(self, path: Path) -> None:
        """Waits up to STARTS_WITHIN_S seconds for the monitor. Raises MonitorLostError."""
        self._socket = _connected(path)
        self._lines = self._socket.makefile("r", encoding="utf-8")
        try:
            self.do("qmp_capabilities")
        except MonitorLostError:
            self.close()
            raise

    def do(self, command: str, **arguments: object) -> bool:
        """Executes a command; returns False if the emulator refuses it. Raises MonitorLostError."""
        try:
            self._socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
            for line in self._lines:
                answer = json.loads(line)
                if "return" in answer or "error" in answer:
                    return "return" in answer
        except OSError as error:
            raise MonitorLostError(str(error)) from error
        raise MonitorLostError("the emulator has ended")

    def close(self) -> None:
        self._lines.close()
        self._socket.close()


def _connected(path: Path) -> socket.socket:
    until_s = time.monotonic() + STARTS_WITHIN_S
    while True:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(ANSWERS_WITHIN_S)
        try:
            connection.connect(str(path))
        except OSError as error:
            connection.close()
            if time.monotonic() > until_s:
                raise MonitorLostError(str(error)) from error
            time.sleep(0.05)
        else:
            return connection


def place(name: str) -> str:
    """Returns the path of the serial line `name` inside the emulated machine."""
    return f"/dev/serial/by-id/usb-QEMU_QEMU_USB_SERIAL_{name}-if00-port0"


class Cables:
    """Gives the emulated machine a USB serial adapter for each line of a simulated device.

    An adapter is plugged in as long as the symbolic link of its line exists on this computer.
    """

    def __init__(self, monitor: Monitor, links: Mapping[str, Path]) -> None:
        self._monitor = monitor
        self._links = links
        self._plugged: dict[str, tuple[Path, str]] = {}  # the pseudo-terminal, and the adapter's number
        self._old: list[str] = []  # lines of adapters that the machine has not given back yet
        self._made = 0

    def look(self) -> None:
        """Plugs in and unplugs the adapters whose lines have changed since the last call. Raises MonitorLostError."""
        self._old = [line for line in self._old if not self._monitor.do("chardev-remove", id=line)]
        for name, link in self._links.items():
            there = link.readlink() if link.is_symlink() else None
            if name in self._plugged and self._plugged[name][0] != there:
                self._pull_out(name)
            if there is not None and name not in self._plugged:
                self._plug_in(name, there)

    def _plug_in(self, name: str, line: Path) -> None:
        self._made += 1
        number = f"{name}-{self._made}"
        backend = {"type": "serial", "data": {"device": str(line)}}
        if not self._monitor.do("chardev-add", id=f"line-{number}", backend=backend):
            return
        self._plugged[name] = (line, number)
        self._monitor.do("device_add", driver="usb-serial", chardev=f"line-{number}", id=number, serial=name)

    def _pull_out(self, name: str) -> None:
        _line, number = self._plugged.pop(name)
        self._monitor.do("device_del", id=number)
        self._old.append(f"line-{number}")
