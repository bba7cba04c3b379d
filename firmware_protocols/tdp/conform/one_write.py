"""Sends several frames in one write, as a busy computer does. The frames then arrive together."""

from collections.abc import Iterator
from contextlib import contextmanager

from firmware_protocols.tdp.conform.line import Heard, Host
from firmware_protocols.tdp.conform.wire import Line
from firmware_protocols.tdp.link import FrameKind


class Held:
    """A line that keeps all frames back until they are sent together (satisfies `Line`)."""

    def __init__(self, line: Line) -> None:
        self.line, self.data = line, b""
        self.now_s, self.hear = line.now_s, line.hear

    def say(self, data: bytes) -> None:
        self.data += data


@contextmanager
def in_one_write(host: Host) -> Iterator[Held]:
    """A context that keeps the host's frames back and sends them together at its end."""
    held = host.line = Held(host.line)
    try:
        yield held
    finally:
        host.line = held.line
        host.line.say(held.data)


def both(host: Host, kind: FrameKind, count: int = 2) -> list[Heard]:
    """Returns the frames of kind `kind` that answer `count` frames sent in one write. Waits for each, however slow the
    device is.
    """
    came: list[Heard] = []
    for _ in range(count):
        heard = host.listen(host.answers_within_s, until=lambda one: one.header.kind == kind)
        came += [one for one in heard if one.header.kind == kind]
    return came
