"""G7: the greatest rate of durable events: each event is acknowledged on the wire only after its sync.

A device of ours sends at most eight events ahead of an acknowledgement; here frames are put on the line as fast as the
host may take them (64 unacknowledged). The peer is the typical stack with one commit for each event, and as many events
on the line. A device has a budget of journaled events: the bench fills the budget first, and then measures within it.
"""

import os
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from controller.runtime.devices import EVENTS_AT_ONCE, EVENTS_PER_S
from firmware_protocols.framing import FrameDecoder
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link import FrameKind, Header, build, parse
from firmware_protocols.tdp.shuffler import SHUFFLER, CardRetried, Place
from tests.bench.card_event import COMMAND_BYTES, EVENT_BYTES, process_at_line
from tests.bench.lines import Line
from tests.bench.real_table import RealTable
from tests.bench.rows import Goal, Plan, Row, interleave, ratios, spread

EVENTS = EVENTS_AT_ONCE - 20  # the budget also covers its other frames
FILLED_AFTER_S = EVENTS_AT_ONCE / EVENTS_PER_S + 0.5
AHEAD = 48  # events on their way, below the 64 that the host accepts before one is durable


class Flood:
    """Retried cards from the shuffler of a table in play, one frame after the other."""

    def __init__(self, table: RealTable) -> None:
        self._table = table
        link = table.shuffler.link
        self._opening, self._boot, self._sent = link._opening or 0, link._boot, table.shuffler.posted
        self._acknowledged = self._sent
        self._frames = FrameDecoder()
        self._event = SHUFFLER.encode_event(CardRetried(Place.FEED, 1), table.shuffler.status)

    def rate(self, events: int) -> float:
        """Events a second, including the last one's acknowledgement."""
        line, last = self._table.lines["shuffler"], self._sent + events
        began = monotonic()
        while self._acknowledged < last:
            while self._sent < min(last, self._acknowledged + AHEAD):
                os.write(line.fd, self._next())
            self._read(line.read())
        return events / (monotonic() - began)

    def _next(self) -> bytes:
        self._sent += 1
        head = rows.EVENT_LAYOUT.encode(rows.EventBody(self._acknowledged + 1))
        return build(Header(FrameKind.EVENT, self._opening, self._boot, self._sent), head + self._event)

    def _read(self, data: bytes) -> None:
        for body in self._frames.feed(data):
            if isinstance(body, bytes):
                header, _ = parse(body, from_device=False)
                if header.kind == FrameKind.ACK:
                    self._acknowledged = header.number


def run(plan: Plan) -> list[Row]:
    events = plan.count(EVENTS)
    with TemporaryDirectory() as name, ExitStack() as open_:
        directory = Path(name)
        table = open_.enter_context(RealTable(directory))
        table.open_session()
        line, _ = open_.enter_context(
            process_at_line(directory, "typical", EVENT_BYTES, COMMAND_BYTES, directory / "sqlite", wait=table.serve)
        )
        flood = Flood(table)
        rates = interleave(
            {
                "sabot": lambda: _rested(table, flood, events),
                "typical": lambda: _typical(line, events),
            },
            plan.repetitions,
        )
    beside = {name: spread(values) for name, values in rates.items()}
    what = "durable events a second in a flood that its budget takes, over the typical stack"
    return [Row("G7", what, ratios(rates["sabot"], rates["typical"]), beside, "events/s", Goal(4.0, at_most=False))]


def _rested(table: RealTable, flood: Flood, events: int) -> float:
    """Waits while the budget fills and the other devices send their heartbeats; then the flood's rate."""
    table.rest(FILLED_AFTER_S)
    return flood.rate(events)


def _typical(line: Line, events: int) -> float:
    sent, answered, began = 0, 0, monotonic()
    while answered < events * COMMAND_BYTES:
        while sent < min(events, answered // COMMAND_BYTES + AHEAD):
            os.write(line.fd, bytes(EVENT_BYTES))
            sent += 1
        answered += len(line.read())
    return events / (monotonic() - began)
