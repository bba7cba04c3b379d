"""Connects to a socket whose queue may be full for a moment, as while another process connects to it without end.

The system then refuses a connection that may not block. A place in the queue is free again within milliseconds.
"""

import asyncio
import socket
import time
from pathlib import Path
from typing import Final

_AGAIN_S: Final = 0.005
WITHIN_S: Final = 2.0


def connect(line: socket.socket, path: Path) -> None:
    """Connects a socket that has a time limit.

    Raises OSError; BlockingIOError if the queue is full for that time, or for WITHIN_S.
    """
    until_s = time.monotonic() + min(WITHIN_S, line.gettimeout() or WITHIN_S)
    while True:
        try:
            return line.connect(str(path))
        except BlockingIOError:
            if time.monotonic() >= until_s:
                raise
        time.sleep(_AGAIN_S)


async def connected(path: Path) -> socket.socket:
    """Returns a connected socket that does not block. Raises OSError. Tries until it is cancelled while the queue is
    full.
    """
    line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    is_connected = False
    try:
        line.settimeout(0)
        while not _is_taken(line, path):
            await asyncio.sleep(_AGAIN_S)
        is_connected = True
        return line
    finally:
        if not is_connected:
            line.close()


def _is_taken(line: socket.socket, path: Path) -> bool:
    try:
        line.connect(str(path))
    except BlockingIOError:
        return False
    return True
