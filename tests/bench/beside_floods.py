"""G23, G24: the time from a card at the reader to the permission for the next, during a flood and at a quiet table.

There are two floods: clients that ask without end, and a display that sends event after event. The controller ends the
display's link, so that its later bytes belong to no session. Each flood is a process of its own, as fast as the socket
or the line allows. On two processors it also takes time from the controller's.
"""

import os
import select
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.display import DISPLAY, DisplayFaulted
from firmware_protocols.tdp.link import FrameKind, Header, build
from tests.bench.card_event import FACE_UP, deals
from tests.bench.real_table import RealTable
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread

EVENTS = 150  # in one repetition
CLIENTS = 20
QUESTION = b'{"do":"status"}\n' * 10
SETTLES_S = 0.5  # until the budgets are spent


def run(plan: Plan) -> list[Row]:
    events = -(-plan.count(EVENTS) // len(FACE_UP)) * len(FACE_UP)
    with TemporaryDirectory() as name, RealTable(Path(name)) as table:
        table.open_session()
        display = partial(_tell_without_end, table.lines["display"].fd, _events_of(table))
        times = interleave(
            {
                "quiet": lambda: p50(table, events),
                "clients": lambda: _flooded(table, events, partial(_ask_without_end, table.socket)),
                "display": lambda: _flooded(table, events, display),
            },
            plan.repetitions,
        )
    beside = {name: spread(values) for name, values in times.items()}
    what = "card event to the next permitting command while {} flood, over a quiet table"
    return [
        Row(name, what.format(who), ratios(times[of], times["quiet"]), beside, "us", Goal(2.0))
        for name, who, of in (("G23", "20 clients", "clients"), ("G24", "a display's events", "display"))
    ]


def p50(table: RealTable, events: int) -> float:
    return median(deals(table, events)[0])


def _flooded(table: RealTable, events: int, work: Callable[[], None]) -> float:
    with beside(work):
        table.rest(SETTLES_S)
        return p50(table, events)


@contextmanager
def beside(work: Callable[[], None]) -> Iterator[None]:
    """Runs the work in a process of its own, ended on leaving."""
    child = os.fork()
    if not child:
        with suppress(BaseException):
            work()
        os._exit(0)
    try:
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _ask_without_end(path: Path) -> None:
    clients = [socket.socket(socket.AF_UNIX) for _ in range(CLIENTS)]
    for client in clients:
        client.connect(str(path))
        client.setblocking(False)
    while True:
        readable, writable, _ = select.select(clients, clients, [])
        for client in readable:
            client.recv(1 << 20)
        for client in writable:
            with suppress(BlockingIOError):
                client.send(QUESTION)


def _events_of(table: RealTable) -> Iterator[bytes]:
    """Numbered events of the device's session, each naming itself as the oldest."""
    link, number = table.display.link, table.display.posted
    event = DISPLAY.encode_event(DisplayFaulted(7), table.display.status)
    while True:
        number += 1
        head = rows.EVENT_LAYOUT.encode(rows.EventBody(number))
        yield build(Header(FrameKind.EVENT, link._opening or 0, link._boot, number), head + event)


def _tell_without_end(line: int, events: Iterator[bytes]) -> None:
    for event in events:
        os.write(line, event)
