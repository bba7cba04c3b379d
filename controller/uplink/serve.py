"""Sends entries to the floor until a signal ends the process. After a trouble it tries again."""

import signal
import sys
import time
from collections.abc import Callable
from threading import Event as Flag
from types import FrameType
from typing import Final

import msgspec

from controller.protocol.carried import Finding
from controller.uplink.carry import Carrier
from controller.uplink.errors import Event, FloorRefuses, Trouble
from controller.uplink.floor import FloorEnd
from controller.uplink.segment import SegmentReader
from controller.uplink.settings import UplinkSettings
from controller.uplink.table import TableEnd
from controller.uplink.witnesses import begin_asking

LOOK_EVERY_S: Final = 0.2
"""The interval in seconds between two questions to the controller: the floor's page shows a hold within a second."""

SOONEST_S: Final = 1.0
LATEST_S: Final = 60.0


class Log:
    """The uplink's log: one JSON object a line on standard error. A lasting trouble is logged once."""

    def __init__(self) -> None:
        self._trouble = ("", "")
        self._findings: list[Finding] = []
        self._unwitnessed = ""

    def connected(self) -> None:
        self._trouble = ("", "")
        self._say({"event": Event.CONNECTED})

    def signed(self, witness: str) -> None:
        """Logs that a witness has signed: the first time, and the first time after a trouble."""
        if self._trouble != (Event.SIGNED, witness):
            self._trouble = (Event.SIGNED, witness)
            self._say({"event": Event.SIGNED, "detail": witness})

    def trouble(self, trouble: Trouble) -> None:
        said = (trouble.event, trouble.detail)
        if said != self._trouble:
            self._trouble = said
            self._say({"event": trouble.event, "detail": trouble.detail})
        if isinstance(trouble, FloorRefuses):
            self.found(trouble.findings)

    def found(self, findings: list[Finding]) -> None:
        """Logs the new findings of the floor about this table, such as a fork."""
        for finding in findings:
            if finding not in self._findings:
                self._say({"event": Event.FOUND, "finding": finding})
        self._findings = findings

    def unwitnessed(self, why: str) -> None:
        """Logs the reason why the floor's signature of the mark is missing, unless it was logged last. `why`: "" if the
        controller keeps the signature or the floor has no witness.
        """
        if why and why != self._unwitnessed:
            self._say({"event": Event.NOT_WITNESSED, "detail": why})
        self._unwitnessed = why

    def _say(self, line: dict[str, object]) -> None:
        sys.stderr.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stderr.flush()


def serve(settings: UplinkSettings, tell: Callable[[], None]) -> None:
    """Runs the uplink until SIGINT or SIGTERM; calls `tell` once it handles these signals."""
    ending = Flag()

    def end(_number: int, _frame: FrameType | None) -> None:
        ending.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    tell()
    begin_asking(settings, ending, Log)
    carry(settings, ending, Log())


def carry(settings: UplinkSettings, ending: Flag, log: Log) -> None:
    """Opens connections to the floor one after another until `ending` is set. The wait before the next connection
    grows.
    """
    wait_s, reader = SOONEST_S, SegmentReader()
    while not ending.is_set():
        began_s = time.monotonic()
        try:
            _connected(settings, ending, log, reader)
        except Trouble as trouble:
            log.trouble(trouble)
        lasted = time.monotonic() - began_s > LATEST_S
        wait_s = SOONEST_S if lasted else min(2 * wait_s, LATEST_S)
        ending.wait(wait_s)


def _connected(settings: UplinkSettings, ending: Flag, log: Log, reader: SegmentReader) -> None:
    with TableEnd(settings.socket) as table, FloorEnd(settings) as floor:
        carrier = Carrier(table, floor, reader)
        carrier.begin()
        log.connected()
        while not ending.is_set():
            more = carrier.step(time.monotonic())
            log.found(carrier.findings)
            log.unwitnessed(carrier.unwitnessed)
            if not more:
                ending.wait(LOOK_EVERY_S)
