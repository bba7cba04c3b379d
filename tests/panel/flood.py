"""A script: `flood.py HOST PORT COUNT ADDRESS...` holds so many silent connections open from these addresses.

The script opens closed connections again. It prints "up" once each was tried, and "again" once more than AGAIN
accepted ones were closed. It runs until it is killed.
"""

import contextlib
import errno
import resource
import select
import socket
import sys
from itertools import cycle
from time import monotonic

AGAIN = 16
EVERY_S = 0.25
LET_IN_S = 5.0
"""Seconds after which a closed connection counts as having been accepted."""

BUSY = {0, errno.EINPROGRESS, errno.EAGAIN}


def opened(there: tuple[str, int], address: str) -> socket.socket:
    connection = socket.socket()
    connection.setblocking(False)
    connection.bind((address, 0))
    assert connection.connect_ex(there) in BUSY
    return connection


def main(there: tuple[str, int], count: int, addresses: list[str]) -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    ends, sources, let_in = select.poll(), cycle(addresses), 0
    held: dict[int, tuple[socket.socket, float]] = {}

    def hold() -> None:
        connection = opened(there, next(sources))
        held[connection.fileno()] = connection, monotonic()
        ends.register(connection, select.POLLIN | select.POLLHUP | select.POLLERR)

    for _ in range(count):
        hold()
    print("up", flush=True)
    while True:
        for number, _event in ends.poll():
            connection, since_s = held.pop(number)
            ends.unregister(number)
            connection.close()
            let_in += monotonic() - since_s > LET_IN_S
            if let_in == AGAIN:
                print("again", flush=True)
        for _ in range(count - len(held)):
            hold()
        select.select([], [], [], EVERY_S)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main((sys.argv[1], int(sys.argv[2])), int(sys.argv[3]), sys.argv[4:])
