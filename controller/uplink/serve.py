"""Carries until a signal ends it. Whatever goes wrong at either end is told once and tried again."""

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
"""How often the controller is asked for something new: a hold is on the floor's page within a second."""

SOONEST_S: Final = 1.0
LATEST_S: Final = 60.0


class Log:
    """One JSON object a line, for the system's log; a trouble that stays is said once."""

    def __init__(self) -> None:
        self._trouble = ("", "")
        self._findings: list[Finding] = []
        self._unwitnessed = ""

    def connected(self) -> None:
        self._trouble = ("", "")
        self._say({"event": Event.CONNECTED})

    def signed(self, witness: str) -> None:
        """Said where something was wrong before, or nothing was signed yet; then not each minute."""
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
        """Findings of the floor about this table: a twin, a fork."""
        for finding in findings:
            if finding not in self._findings:
                self._say({"event": Event.FOUND, "finding": finding})
        self._findings = findings

    def unwitnessed(self, why: str) -> None:
        """Why the floor's signature of the table's mark is not beside the journal; empty where it is."""
        if why and why != self._unwitnessed:
            self._say({"event": Event.NOT_WITNESSED, "detail": why})
        self._unwitnessed = why

    def _say(self, line: dict[str, object]) -> None:
        sys.stderr.buffer.write(msgspec.json.encode(line) + b"\n")
        sys.stderr.flush()


def serve(settings: UplinkSettings, tell: Callable[[], None]) -> None:
    """Carries until SIGINT or SIGTERM; `tell` is called once that can end it."""
    ending = Flag()

    def end(_number: int, _frame: FrameType | None) -> None:
        ending.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
    tell()
    begin_asking(settings, ending, Log)
    carry(settings, ending, Log())


def carry(settings: UplinkSettings, ending: Flag, log: Log) -> None:
    """Connection after connection, until `ending` is set."""
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
