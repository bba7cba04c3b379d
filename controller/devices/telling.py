"""Translates a driver's reports into facts.

Connections and losses are translated in the same way for all devices, other reports by functions of each kind.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeAlias, TypeVar, assert_never

from msgspec import Struct

from controller.core.engine.act import Fact, Source
from controller.core.house import facts
from controller.core.house.registry import Registry
from controller.core.house.state import State
from controller.core.words import Cents, Device, TableMs
from drivers import events as driver
from firmware_protocols.tdp import display, shoe, shuffler, slots
from firmware_protocols.tdp.value_display import Markers

StatusT = TypeVar("StatusT", bound=Struct)
EventT = TypeVar("EventT", bound=Struct)
Identified = TypeVar("Identified")
Identify: TypeAlias = Callable[[int], Identified]
"""Returns, for the byte of a card that passed a reader, the part of the card's identity that the core may know."""


class Telling(Struct, Generic[StatusT, EventT], frozen=True):
    """The functions that translate the reports of one kind of device in one protocol into facts.

    `event`: translates an event. `heard`: translates a status that comes without an event.
    """

    event: Callable[[Source, StatusT, EventT, Identify[Any]], Fact]
    heard: Callable[[StatusT], Fact | None] = lambda _status: None


Tellings: TypeAlias = Mapping[type[Struct], Telling[Any, Any]]
"""The translations, by the type of the report's status."""


def told(device: Device, event: driver.DriverEvent, tellings: Tellings, identify: Identify[Any]) -> Fact | None:
    """Returns the fact in a device's report. Returns None for a report that means nothing to the procedure. `tellings`:
    this table's translations, by the type of a status.
    """
    match event:
        case driver.Reported():  # first, since every card is such an event
            tell = tellings[type(event.status)].event
            return tell(Source(event.boot, event.number), event.status, event.event, identify)
        case driver.StatusHeard() | driver.CommandRefused():
            return tellings[type(event.status)].heard(event.status)
        case driver.DeviceConnected():
            return _connected(device, event)
        case driver.DeviceLost():
            return facts.DeviceLost(device, event.reason.value)
        case driver.DeviceRefused():
            return facts.DeviceRefused(device, event.what.value, event.expected, event.found)
        case driver.EventsMissed():
            return facts.EventsMissed(device, event.first, event.last)
        case driver.CommandUndone():
            return facts.CommandUndone(device, event.times)
        case driver.CardsMayHavePassed():
            return None  # translate.py handles it for tables with cards


def is_heard_again(table: Registry[Any], event: driver.DriverEvent, fact: Fact | None, state: State) -> bool:
    """True if `event` has only a status, and its fact would not change what the table knows of its devices."""
    if fact is None or not isinstance(event, driver.StatusHeard | driver.CommandRefused):
        return False
    after: State = table.by_fact[type(fact)].effect(state, fact, TableMs(0))
    return after.devices == state.devices


def _connected(device: Device, event: driver.DeviceConnected) -> facts.DeviceConnected:
    who, status = event.identity, event.status
    return facts.DeviceConnected(
        device=device,
        model=who.model,
        serial=who.serial,
        firmware=who.firmware,
        boot=who.boot,
        simulated=who.simulated,
        shuffler=figures(status) if isinstance(status, shuffler.ShufflerStatus) else None,
        passages=_passages(status) if isinstance(status, shoe.ShoeStatus) else None,
        keeps_events=not isinstance(status, driver.AngelEyeStatus),
        approved=event.approved,
        sign=on_sign(status) if isinstance(status, display.DisplayStatus) else None,
        values=on_markers(status) if isinstance(status, Markers) else None,
        slots=in_slots(status) if isinstance(status, slots.SlotsStatus) else None,
    )


def figures(status: shuffler.ShufflerStatus) -> facts.ShufflerStatus:
    """Returns the shuffler's figures that the core needs."""
    return facts.ShufflerStatus(
        cards_in=status.cards_in,
        cards_out=status.cards_out,
        inside=None if status.inside == shuffler.INSIDE_UNKNOWN else status.inside,
        jams=status.jams,
        recounts=status.recounts,
        counts_known=not status.counts_unknown,
        jammed=status.jammed,
        path_blocked=status.path_blocked,
        lid_open=status.lid_open,
        hopper_loaded=status.hopper_loaded,
    )


def _passages(status: shoe.ShoeStatus) -> int | None:
    return None if status.counts_unknown else status.passages


def on_sign(status: display.DisplayStatus) -> facts.SignStatus:
    """Returns the amount and the fault that a jackpot sign shows, in the core's form."""
    return facts.SignStatus(status.shown_cents, status.fault_shown, not isinstance(status, driver.WrittenStatus))


def on_markers(status: Markers) -> tuple[Cents, ...]:
    """Returns the values on a display of chip values in cents, one for each colour."""
    return tuple(Cents(value) for value in status.values)


def in_slots(status: slots.SlotsStatus) -> facts.SlotsStatus:
    """Returns the report of the jackpot slots in the core's form: seats with a chip, seats with a failed sensor,
    collections.
    """
    return facts.SlotsStatus(seats_of(status.chips), seats_of(status.broken), status.collections)


def seats_of(bits: int) -> tuple[int, ...]:
    """Returns the seats whose bits are set in `bits`. Bit 0 is seat 1."""
    return tuple(seat for seat in range(1, slots.SEATS_MAX + 1) if bits >> (seat - 1) & 1)


def bits_of(seats: Iterable[int]) -> int:
    """Returns a number in which the bits of `seats` are set. Bit 0 is seat 1."""
    return sum({1 << (seat - 1) for seat in seats})


def of_display(
    device: Device,
    source: Source,
    event: display.DisplayEvent,
    sign: facts.SignStatus | None = None,
    values: tuple[Cents, ...] | None = None,
) -> facts.DeviceStarted | facts.DisplayFaulted:
    """Returns the fact that a display has started or has a fault.

    `sign`: the content of a jackpot sign; `values`: the amounts of a display of chip values.
    """
    match event:
        case display.DisplayStarted():
            return facts.DeviceStarted(device, source, word(event.cause.name), sign, values)
        case display.DisplayFaulted():
            return facts.DisplayFaulted(source, event.code, sign, values)
        case _:
            assert_never(event)


def word(name: str) -> str:
    """Returns the name of an enumeration's member in the form that facts use: lower case, with hyphens."""
    return name.lower().replace("_", "-")
