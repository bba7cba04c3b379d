"""The log for technicians. The log holds names and values, no sentences, and never a card's identity."""

from collections import deque
from enum import Enum, StrEnum, unique
from functools import cache
from typing import Final

from msgspec import Struct

from controller.core.house.state import State
from controller.core.words import Device
from controller.devices.event_answers import Answer, answer_to
from drivers.events import (
    CommandRefused,
    CommandUndone,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DriverEvent,
    EventsMissed,
    Reported,
    StatusHeard,
)
from firmware_protocols.tdp.display import DisplayFaulted
from firmware_protocols.tdp.shoe import CardPassed
from firmware_protocols.tdp.shuffler import CardIn, CardOut

UNTOLD: Final = (StatusHeard, CardIn, CardOut, CardPassed)
"""The events that come with every card; the log has no line for them."""

KEPT = 1000
"""The most log events kept for a shell that does not fetch them; the oldest are dropped."""


@unique
class Level(StrEnum):
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class LogEvent(Struct, frozen=True, gc=False):
    level: Level
    name: str
    values: tuple[tuple[str, str | int], ...] = ()


class LogEvents:
    """Collects log events until the shell fetches them. Keeps at most the newest KEPT."""

    def __init__(self) -> None:
        self.kept: deque[LogEvent] = deque(maxlen=KEPT)

    def drain(self) -> tuple[LogEvent, ...]:
        """Returns the collected log events and forgets them."""
        kept = tuple(self.kept)
        self.kept.clear()
        return kept

    def tell(self, level: Level, name: str, **values: str | int) -> None:
        self.kept.append(LogEvent(level, name, tuple(values.items())))

    def tell_device(self, device: Device, event: DriverEvent) -> None:
        """Logs a device's event that a technician may need: a connection or its loss, a refusal, missed events, an
        undone command, a display's fault, and each event whose answer is NOTE. Skips events that come with every card.
        """
        if isinstance(getattr(event, "event", event), UNTOLD):
            return
        match event:
            case Reported(event=DisplayFaulted(code=code)):
                self.tell(Level.ERROR, "display-faulted", device=device.value, code=code)
            case Reported():  # does what the last case does, but first, since such events come by thousands
                self._tell_note(device, event)
            case DeviceConnected(identity=who):
                self.tell(
                    Level.INFO,
                    "device-connected",
                    device=device.value,
                    model=who.model,
                    serial=who.serial,
                    firmware=who.firmware,
                    boot=who.boot,
                )
            case DeviceLost(reason=reason, detail=detail):
                self.tell(Level.WARNING, "device-lost", device=device.value, reason=reason.value, detail=detail)
            case DeviceRefused(what=what, expected=expected, found=found):
                self.tell(
                    Level.ERROR,
                    "device-refused",
                    device=device.value,
                    what=what.value,
                    expected=expected,
                    found=found,
                )
            case EventsMissed(first=first, last=last):
                self.tell(Level.ERROR, "events-missed", device=device.value, first=first, last=last)
            case CommandRefused(result=result):
                self.tell(Level.WARNING, "command-refused", device=device.value, result=result.name)
            case CommandUndone(times=times):
                self.tell(Level.WARNING, "command-undone", device=device.value, times=times)
            case _:
                self._tell_note(device, event)

    def _tell_note(self, device: Device, event: DriverEvent) -> None:
        row = answer_to(event)
        if row.answer is Answer.NOTE:
            self.kept.append(_note(device, row.event, row.variant))

    def tell_holds(self, before: State, after: State) -> None:
        """Logs each hold that began, came again, changed its phase or ended between the states `before` and `after`."""
        old = {hold.id: hold for hold in before.house.holds}
        for hold in after.house.holds:
            was = old.pop(hold.id, None)
            if was is None or (was.phase, was.times) != (hold.phase, hold.times):
                self.tell(
                    Level.WARNING,
                    "hold",
                    id=hold.id,
                    kind=hold.kind.value,
                    phase=hold.phase.value,
                    device=hold.device.value if hold.device else "",
                )
        for hold in old.values():
            self.tell(Level.INFO, "hold-ended", id=hold.id, kind=hold.kind.value)


@cache  # few different notes exist; equal notes become one line of the log
def _note(device: Device, event: type, variant: Enum | None) -> LogEvent:
    which = "" if variant is None else variant.name.lower()
    values = (("device", device.value), ("what", event.__name__), ("variant", which))
    return LogEvent(Level.INFO, "device-note", values)
