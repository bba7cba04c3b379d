"""`sabot device watch PORT`: prints one line for each event of a device, as its driver decodes it. Sends no commands.

Acknowledges each printed event, so the device deletes it. A table that uses the device afterwards finds that events are
missing, and raises a hold.
"""

import asyncio
import re
import signal
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from controller.cli.device_direct import KINDS, DirectPort, add_line_options, check_bounds, driver_of
from controller.cli.talk import Talk
from controller.config import Protocol
from controller.core.words import Device
from controller.devices.device_lines import Line, line_of, lock_changed, rejected
from controller.machine.exits import CliFailure, ExitCode
from drivers.backoff import Backoff
from drivers.driver import DeviceDriver, MakeDriver
from drivers.events import CardsMayHavePassed, DeviceConnected, DeviceLost, DriverEvent, UnseenCause
from drivers.serial_io import SerialShell
from drivers.supervisor import DeviceSupervisor
from firmware_protocols.tdp.shoe import ShoeStatus

# Every protocol here ends a message on a control byte or, after 0x03, 0x06 and 0x15, on one of the next two bytes.
_PIECE: Final = re.compile(rb"(?<![\x03\x06\x15])(?<![\x03\x06\x15][^\x00-\x1f])[^\x00-\x1f]+|[\x00-\xff]")
_MAY_BELONG_TO_WHAT_CAME_BEFORE: Final = 2

_MOST_LINES: Final = 1_000_000_000
_SAYS_SO_AFTER_S: Final = 3.0
"""Seconds after which a device that has not identified itself is reported as silent."""


def pieces(data: bytes) -> Iterator[bytes]:
    """Yields the bytes `data` in pieces. Each piece completes at most one event or rejection."""
    for at in range(min(_MAY_BELONG_TO_WHAT_CAME_BEFORE, len(data))):
        yield data[at : at + 1]
    for found in _PIECE.finditer(data, _MAY_BELONG_TO_WHAT_CAME_BEFORE):
        yield found[0]


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("port", metavar="PORT", help=words("cli.option.device-port"))
    parser.add_argument("--kind", choices=list(KINDS), required=True, help=words("cli.option.device-kind"))
    parser.add_argument("--protocol", choices=list(Protocol), required=True, help=words("cli.option.protocol"))
    parser.add_argument("--count", type=int, metavar="N", help=words("cli.option.count"))
    parser.add_argument("--json", action="store_true", help=words("cli.option.json-lines"))
    add_line_options(parser, words)
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    device, protocol = KINDS[arguments.kind], Protocol(arguments.protocol)
    check_bounds("--count", arguments.count, 1, _MOST_LINES)
    make_driver = driver_of(arguments.port, device, protocol, talk.language, asks=False)
    port = DirectPort(arguments, protocol)
    printer = Printer(talk, arguments.count)
    asyncio.run(_watch(Watch(device, printer, make_driver, port), port))
    if printer.failure is not None:
        raise printer.failure
    return ExitCode.OK


class Printer:
    """Prints lines until it has printed `count` of them (None: no limit), or until the output fails.

    `failure`: the error of the output, which the command raises at its end; None without an error.
    """

    def __init__(self, talk: Talk, count: int | None) -> None:
        self._talk = talk
        self._left = count
        self.failure: BrokenPipeError | CliFailure | None = None

    @property
    def is_done(self) -> bool:
        return self._left == 0 or self.failure is not None

    def line(self, line: Line) -> None:
        if self.is_done:
            return
        message = line.get("message")
        shown = line if message is None else line | {"message": self._talk.words(str(message))}
        try:
            self._print(shown)
        except (BrokenPipeError, CliFailure) as error:  # the output has lost its reader: raised at the command's end
            self.failure = error
        if self._left is not None:
            self._left -= 1

    def aside(self, key: str, **values: str) -> None:
        self._talk.aside(self._talk.words(key, **values))

    def _print(self, line: Line) -> None:
        if self._talk.as_json:
            self._talk.line(line)
        else:
            values = (f"{name}={value}" for name, value in line.items() if name != "event")
            self._talk.told(" ".join((str(line["event"]), *values)))


class Watch(DeviceSupervisor):
    """A device supervisor that prints each event and rejection of the device in the order of arrival."""

    def __init__(self, device: Device, printer: Printer, make_driver: MakeDriver, port: DirectPort) -> None:
        super().__init__(device.value, make_driver, Backoff(), lambda: 0.0)
        self._printer = printer
        self._heard: DeviceDriver | None = None  # the driver whose rejections were printed
        self._rejected: Mapping[str, int] = {}
        self._unusable: set[str] = set()  # reasons told before any device has answered
        self._missed: Line = {}  # the number of missing events, for the next line
        self._is_first = True  # true in the first connection: events before it do not count as missing
        self._port = port
        self._is_simulated = port.is_simulated
        self._locked: bool | None = None
        self.is_done = asyncio.Event()

    def receive_data(self, data: bytes, now_s: float) -> None:
        for piece in pieces(data):
            super().receive_data(piece, now_s)
            self.look()

    def look(self) -> None:
        """Prints the events and rejections since the last call."""
        for event in self.events():
            self._tell(event)
        self._tell_rejected()
        self._tell_lock()
        if self._printer.is_done:
            self.is_done.set()

    def _tell_rejected(self) -> None:
        """Prints the new rejections of the present connection. To read the sum over all connections takes ten times
        longer.
        """
        if self._driver is not None and self._driver is not self._heard:
            self._heard, self._rejected = self._driver, {}
        if self._heard is None or (counts := self._heard.stats.rejected) == self._rejected:
            return
        for reason, count in counts.items():
            for _ in range(count - self._rejected.get(reason, 0)):
                self._tell_rejection(reason)
        self._rejected = counts

    def _tell_rejection(self, reason: str) -> None:
        """Prints a rejection. Until the device has identified itself, prints each reason only once, on stderr."""
        if self.identity is not None:
            self._line(rejected(reason))
        elif reason not in self._unusable:
            self._unusable.add(reason)
            self._printer.aside("cli.device.unusable", reason=reason)

    def _tell(self, event: DriverEvent) -> None:
        if isinstance(event, CardsMayHavePassed):
            self._note_missed(event)
        elif (line := line_of(event)) is not None:
            if isinstance(event, DeviceConnected):
                self._is_simulated = event.identity.simulated or self._port.is_simulated
            missed, self._missed = self._missed, {}
            self._line(line | missed)
        self._is_first = self._is_first and not isinstance(event, DeviceLost)
        self._acknowledge(event)

    def _note_missed(self, event: CardsMayHavePassed) -> None:
        """Prints that events are missing, and stores their number (None: unknown) for the next line. Ignores events
        before the first connection.
        """
        if event.cause is UnseenCause.NOBODY_LISTENED and self._is_first:
            return
        self._printer.aside(f"cli.device.unseen.{event.cause.value}", missed=str(event.missed or ""))
        if event.cause in (UnseenCause.GAP, UnseenCause.NOBODY_LISTENED):
            self._missed = {"missed_before": event.missed}

    def say_if_silent(self) -> None:
        """Prints that the device is silent. Does nothing if the device has identified itself."""
        if self.identity is None:
            self._printer.aside("cli.device.silent")

    def _acknowledge(self, event: DriverEvent) -> None:
        boot, number = getattr(event, "boot", None), getattr(event, "number", None)
        if boot is not None and number is not None:
            self.acknowledge(boot, number)

    def _tell_lock(self) -> None:
        """Prints a change of the shoe's lock. Some shoes report the lock only in their status, not in an event."""
        if not isinstance(self.status, ShoeStatus) or self._locked == self.status.locked:
            return
        before, self._locked = self._locked, self.status.locked
        if before is not None:
            self._line(lock_changed(locked=self.status.locked))

    def _line(self, line: Line) -> None:
        self._printer.line(line | {"simulated": self._is_simulated})


async def _watch(watch: Watch, port: DirectPort) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, watch.is_done.set)
    shell = SerialShell(loop, watch, port, watch.look)
    shell.start()
    silence = loop.call_later(_SAYS_SO_AFTER_S, watch.say_if_silent)
    await watch.is_done.wait()
    silence.cancel()
    await shell.stop()
