"""The path of the controller's socket, for the controller and for its clients.

A socket in another user's directory could belong to any program, and people would send it their PINs. So a directory
below XDG_RUNTIME_DIR or the temporary directory must belong to the user of the process, and only this user may write to
it.
"""

import os
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

NAME: Final = "control.sock"
SERVICE_SOCKET: Final = Path("/run/sabot") / NAME


class SocketDirectoryRefused(Exception):  # noqa: N818 (the name says what became of it)
    """The socket's directory belongs to another user, or others may write to it."""

    def __init__(self, directory: Path) -> None:
        super().__init__(str(directory))
        self.directory = directory


def server_socket(environment: Mapping[str, str]) -> Path:
    """Returns the path at which a controller listens if its configuration does not name one."""
    return _own_candidates(environment)[0]


def client_socket(environment: Mapping[str, str]) -> Path:
    """Returns the path of the socket for a client whose configuration names none. Raises SocketDirectoryRefused.

    The path is SABOT_SOCKET if set, otherwise the first usual path that has a socket. Without any such path it is that
    of `server_socket`, or the service's path if the user of this process may not enter its directory.
    """
    told = environment.get("SABOT_SOCKET")
    if told:
        return Path(told)
    for candidate in (SERVICE_SOCKET, *_own_candidates(environment)):
        if _is_socket(candidate):
            if candidate != SERVICE_SOCKET:
                check_directory(candidate.parent)
            return candidate
    service = SERVICE_SOCKET.parent
    if service.is_dir() and not os.access(service, os.X_OK):
        return SERVICE_SOCKET
    return server_socket(environment)


def prepare_directory(socket: Path) -> None:
    """Makes the directory of a controller's own socket with mode 0700, or checks an existing one.

    Raises SocketDirectoryRefused, OSError.
    """
    socket.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    check_directory(socket.parent)


def check_directory(directory: Path) -> None:
    """Raises SocketDirectoryRefused if a user other than root and that of this process could write to `directory`."""
    found = directory.lstat()
    owned = found.st_uid in {os.geteuid(), 0}
    if not stat.S_ISDIR(found.st_mode) or not owned or found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise SocketDirectoryRefused(directory)


def _is_socket(path: Path) -> bool:
    try:
        return path.is_socket()
    except PermissionError:  # another user's controller in a directory closed to this user
        return False


def _own_candidates(environment: Mapping[str, str]) -> list[Path]:
    """Returns the possible paths of the socket of the process's user, the preferred one first."""
    candidates = []
    if environment.get("RUNTIME_DIRECTORY"):
        candidates.append(Path(environment["RUNTIME_DIRECTORY"].split(":")[0]) / NAME)
    if environment.get("XDG_RUNTIME_DIR"):
        candidates.append(Path(environment["XDG_RUNTIME_DIR"]) / "sabot" / NAME)
    candidates.append(Path(tempfile.gettempdir()) / f"sabot-{os.geteuid()}" / NAME)
    return candidates
