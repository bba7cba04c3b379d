"""The technician's log on standard error: the runtime's log events, and once a minute the bad frames of each line.
Unlike the journal, the log may be lost. No line of the log has a card, a PIN or a value of an act, even after a crash.
"""

import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Final, TextIO, TypeAlias, cast

import structlog

from controller.core.words import Device
from controller.daemon.line_queue import LineQueue
from controller.machine.crash import told_of
from controller.runtime.log_events import Level, LogEvent
from drivers.supervisor import DeviceSupervisor

NOISE_EVERY_S: Final = 60.0

AGAIN_EVERY_S: Final = 1.0
"""The seconds for which repetitions of an event are not logged. The event's next line says how many there were."""

LineOf: TypeAlias = Callable[[str], Mapping[str, object]]
"""Returns the figures of the quality of the line to the device of this name, by the figure's name."""

_LEVELS: Final = {Level.INFO: logging.INFO, Level.WARNING: logging.WARNING, Level.ERROR: logging.ERROR}


def configure(stream: TextIO = sys.stderr) -> LineQueue:
    """Sets up the log: one JSON object a line, or coloured text on a terminal. Returns the queue, which the caller
    closes.

    Silences the logs of libraries, since they quote their arguments.
    """
    logging.disable(logging.CRITICAL)
    lines = LineQueue(stream)
    is_terminal = stream.isatty()
    renderer = structlog.dev.ConsoleRenderer() if is_terminal else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            renderer,
        ],
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", lines)),
        cache_logger_on_first_use=True,
    )
    return lines


class Log:
    """The log of one table. `place`: returns the numbers of entry, session and round, which every line has."""

    def __init__(self, table: str) -> None:
        self._log = structlog.get_logger().bind(table=table)
        self._rejected: dict[Device, int] = {}
        self.place: Callable[[], Mapping[str, int]] = dict
        self._last: LogEvent | None = None
        self._again_s = 0.0  # when the last event may be logged again
        self._untold = 0  # repetitions of the last event that are not logged yet

    def tell(self, log_events: Sequence[LogEvent], now_s: float, line_of: LineOf | None = None) -> None:
        """Logs the events, equal events in a row as one line. Repetitions of the last event are logged at most every
        AGAIN_EVERY_S seconds.

        `line_of`: returns the quality of a device's line, which is logged after a fault of the device.
        """
        for log_event, repeated in groupby(log_events):
            times = len(list(repeated))
            if log_event == self._last and now_s < self._again_s:
                self._untold += times
                continue
            if log_event != self._last:
                self.tell_rest()
            values = self._write(log_event, times + self._untold)
            self._last, self._again_s, self._untold = log_event, now_s + AGAIN_EVERY_S, 0
            device = values.get("device")
            is_fault = log_event.level is not Level.INFO and values.get("phase", "raised") == "raised"
            if line_of is not None and is_fault and isinstance(device, str):
                self.line(device, line_of(device))

    def tell_rest(self) -> None:
        """Logs the number of repetitions of the last event since its last line."""
        if self._last is not None and self._untold:
            self._write(self._last, self._untold)
            self._untold = 0

    def _write(self, log_event: LogEvent, times: int) -> dict[str, str | int]:
        values = {name: value for name, value in log_event.values if value != ""}
        if times > 1:
            values["times"] = times
        self._put(_LEVELS[log_event.level], log_event.name, values)
        return values

    def _put(self, level: int, name: str, values: Mapping[str, object]) -> None:
        self._log.log(level, name, **{**self.place(), **values})

    def line(self, device: str, values: Mapping[str, object]) -> None:
        """Logs the quality of a device's line. Logs nothing if `values` is empty."""
        if values:
            self._put(logging.INFO, "link", {"device": device, **values})

    def noise(self, supervisors: Mapping[Device, DeviceSupervisor]) -> None:
        """Logs the number of bad frames of each device that had new ones since the last call."""
        self.tell_rest()
        for device, supervisor in supervisors.items():
            rejected = supervisor.stats.rejected
            total = sum(rejected.values())
            new = total - self._rejected.get(device, 0)
            self._rejected[device] = total
            if new:
                figures = {"device": device.value, "count": new, "total": dict(rejected)}
                self._put(logging.WARNING, "frames-rejected", figures)

    def say(self, name: str, **values: str | int) -> None:
        self.tell_rest()
        self._put(logging.INFO, name, values)

    def crashed(self, error: BaseException) -> None:
        """Logs an error of the program. An error in the loop or the journal's thread also ends the process."""
        self.tell_rest()
        self._put(logging.CRITICAL, "crashed", {"errors": told_of(error)})
