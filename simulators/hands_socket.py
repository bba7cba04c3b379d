"""A Unix socket by which another process acts on a simulated device as a person's hands do.

The socket is beside the link of the device's port and takes one deed per connection. `sabot-sim hands PATH DEED TIMES`
is the client, for `sabot device conform --hands "sabot-sim hands PATH"`.
"""

import argparse
import contextlib
import socket
import threading
from pathlib import Path
from typing import Any, Final, Self

from firmware_protocols.tdp.conform.bench import Deed
from simulators.devices.firmware import TdpFirmware
from simulators.devices.rig import Rig
from simulators.pty_port import PtyHost
from simulators.spoken import said

_DONE: Final = b"done\n"
_LINE_BYTES: Final = 64


def socket_of(link: Path) -> Path:
    """Returns the path of the socket that receives deeds for the device at this link."""
    return link.with_name(f".{link.name}.hands")


class HandsSocket:
    """The server of the socket for deeds at one device; serves while the context is open."""

    def __init__(self, host: PtyHost, device: TdpFirmware[Any, Any, Any], link: Path) -> None:
        self._host, self._path = host, socket_of(link)
        self._rig = Rig(device, host.clock)
        self._path.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(self._path))
        self._server.listen()
        self._thread = threading.Thread(target=self._serve, name="hands")

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._server.close()
        self._path.unlink(missing_ok=True)

    def _serve(self) -> None:
        while True:
            try:
                one, _address = self._server.accept()
            except OSError:  # the socket was shut down
                return
            with one, contextlib.suppress(OSError):
                one.sendall(_DONE if self._does(one.recv(_LINE_BYTES).decode("ascii", "replace")) else b"no\n")

    def _does(self, line: str) -> bool:
        word, _space, times = line.strip().partition(" ")
        if word not in set(Deed) or not times.isdecimal():
            return False
        return self._host.call(lambda _now_s: self._rig.do(Deed(word), int(times), lambda: None))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim hands`, and `run` as the function of the subcommand."""
    parser.add_argument("link", type=Path, metavar="PATH", help=said("help.hands-link"))
    parser.add_argument("deed", choices=list(Deed), metavar="DEED", help=", ".join(Deed))
    parser.add_argument("times", type=int, nargs="?", default=1, metavar="N", help=said("help.hands-times"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Has the hands of a device do one deed `times` times. Returns 0 if the deed was done, 1 if the device does not
    support it, 2 if no device is at the link.
    """
    with socket.socket(socket.AF_UNIX) as hands:
        try:
            hands.connect(str(socket_of(arguments.link)))
        except OSError:
            return 2
        hands.sendall(f"{arguments.deed} {arguments.times}\n".encode())
        return 0 if hands.recv(_LINE_BYTES) == _DONE else 1
