"""Makes a link at the usual path of the controller's socket, so that a plain `sabot status` finds the demo's table."""

import os
import socket
from pathlib import Path

from controller.machine.socket_path import SocketDirectoryRefused, prepare_directory, server_socket


class UsualSocket:
    """Links the usual path of the socket to this table while the context is open. Makes no link if a controller runs at
    the usual path, or if the path cannot be used.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._link: Path | None = None

    @property
    def is_placed(self) -> bool:
        """True if the link was made, so that commands without `--socket` reach this table."""
        return self._link is not None

    def __enter__(self) -> "UsualSocket":
        link = server_socket(os.environ)
        try:
            prepare_directory(link)
            if link.is_symlink() or not link.exists() or link.is_socket():
                self._place(link)
        except (OSError, SocketDirectoryRefused):
            self._link = None
        return self

    def __exit__(self, *_: object) -> None:
        if self._link is not None and self._link.is_symlink() and self._link.readlink() == self._target:
            self._link.unlink()

    def _place(self, link: Path) -> None:
        if _is_live(link):
            return
        link.unlink(missing_ok=True)
        link.symlink_to(self._target)
        self._link = link


def _is_live(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        return True
