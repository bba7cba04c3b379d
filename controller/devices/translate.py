"""What a driver reports, in the core's words: one row for each kind of device and wire, and nothing decided.

None: the event says nothing that the procedure knows (a reader's status, say; it stands in the table's status
and in the log). `identify` turns the byte of a card that passed a reader into what the core may know of it: its
face, a commitment to it, or neither (DESIGN 3.8).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar, assert_never

from msgspec import Struct

from controller.core.games.blackjack import all_facts as core
from controller.core.words import Device, JamPlace
from controller.devices.translate_angel_eye import Identify, of_angel_eye
from drivers import events as driver
from firmware_protocols.tdp import display, shoe, shuffler

RECOUNT_FAILED = -1
"""`ShufflerRecounted.inside` when the device could not count: equal to no count of the book."""

PLACES: dict[shuffler.Place, JamPlace] = {
    shuffler.Place.FEED: JamPlace.FEED,
    shuffler.Place.CAROUSEL: JamPlace.CAROUSEL,
    shuffler.Place.MOUTH: JamPlace.MOUTH,
}

PLAIN: dict[type[shuffler.ShufflerEvent], Callable[[core.Source, core.ShufflerStatus], core.Fact]] = {
    shuffler.CardIn: core.CardCountedIn,
    shuffler.CardOut: core.CardCountedOut,
    shuffler.PathCleared: core.JamPathCleared,
    shuffler.JamEnded: core.JamReleased,
    shuffler.LidOpened: core.LidOpened,
    shuffler.LidClosed: core.LidClosed,
}
"""The shuffler's events that say nothing beyond their status."""


StatusT = TypeVar("StatusT", bound=Struct)
EventT = TypeVar("EventT", bound=Struct)


@dataclass(frozen=True, slots=True)
class Telling(Generic[StatusT, EventT]):
    """What one kind of device tells over one wire, as facts: its events, and figures that come without one."""

    event: Callable[[core.Source, StatusT, EventT, Identify], core.Fact]
    heard: Callable[[StatusT], core.Fact | None] = lambda _status: None


def translate(device: Device, event: driver.DriverEvent, identify: Identify) -> core.Fact | None:
    """The fact that `event` of `device` is for the table, if it is one."""
    match event:
        case driver.Reported():  # what comes with every card stands first
            tell = TELLINGS[type(event.status)].event
            return tell(core.Source(event.boot, event.number), event.status, event.event, identify)
        case driver.StatusHeard() | driver.CommandRefused():
            return TELLINGS[type(event.status)].heard(event.status)
        case driver.DeviceConnected():
            return _connected(device, event)
        case driver.DeviceLost():
            return core.DeviceLost(device, event.reason.value)
        case driver.DeviceRefused():
            return core.DeviceRefused(device, event.what.value, event.expected, event.found)
        case driver.EventsMissed():
            return core.EventsMissed(device, event.first, event.last)
        case driver.CardsMayHavePassed():
            return core.CardsMayHavePassed(device, event.cause.value, event.missed)
        case _:
            assert_never(event)


def figures(status: shuffler.ShufflerStatus) -> core.ShufflerStatus:
    """The shuffler's own figures, without what only its driver needs."""
    return core.ShufflerStatus(
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


def _connected(device: Device, event: driver.DeviceConnected) -> core.DeviceConnected:
    who, status = event.identity, event.status
    return core.DeviceConnected(
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
        sign=_on_sign(status) if isinstance(status, display.DisplayStatus) else None,
    )


def _passages(status: shoe.ShoeStatus) -> int | None:
    return None if status.counts_unknown else status.passages


def _of_shuffler(
    source: core.Source, told: shuffler.ShufflerStatus, event: shuffler.ShufflerEvent, _identify: Identify
) -> core.Fact:
    status = figures(told)
    match event:
        case shuffler.ShufflerStarted():
            return core.ShufflerStarted(source, status, _word(event.cause.name))
        case shuffler.Jammed():
            return core.ShufflerJammed(source, status, PLACES[event.place], _caught(event.cards))
        case shuffler.CardRetried():
            return core.CardRetried(source, status, PLACES[event.place], event.tries)
        case shuffler.Recounted():
            return core.ShufflerRecounted(source, status, event.request, _counted(event.inside))
        case _:
            return PLAIN[type(event)](source, status)


def _of_shoe(source: core.Source, _status: shoe.ShoeStatus, event: shoe.ShoeEvent, identify: Identify) -> core.Fact:
    match event:
        case shoe.CardPassed():
            seen = identify(event.card)
            return core.CardRead(source, event.passage, seen.card, seen.commitment)
        case shoe.ShoeStarted():
            return core.DeviceStarted(Device.SHOE, source, _word(event.cause.name))
        case shoe.ReaderErrorRaised():
            return core.ReaderErrorRaised(source, event.code)
        case shoe.ReaderErrorCleared():
            return core.ReaderErrorCleared(source, event.code)
        case _:
            assert_never(event)


def _of_display(
    source: core.Source, status: display.DisplayStatus, event: display.DisplayEvent, _identify: Identify
) -> core.Fact:
    match event:
        case display.DisplayStarted():
            return core.DeviceStarted(Device.JACKPOT_DISPLAY, source, _word(event.cause.name), _on_sign(status))
        case display.DisplayFaulted():
            return core.DisplayFaulted(source, event.code, _on_sign(status))
        case _:
            assert_never(event)


def _heard_of_display(status: display.DisplayStatus) -> core.Fact:
    return core.DisplayStatusHeard(_on_sign(status))


def _on_sign(status: display.DisplayStatus) -> core.SignStatus:
    return core.SignStatus(status.shown_cents, status.fault_shown, not isinstance(status, driver.WrittenStatus))


def _word(name: str) -> str:
    return name.lower().replace("_", "-")


def _caught(cards: int) -> int:
    """Cards in a jam; where the device does not know, none is booked and people state what they find."""
    return 0 if cards == shuffler.JAM_CARDS_UNKNOWN else cards


def _counted(inside: int) -> int:
    return RECOUNT_FAILED if inside == shuffler.INSIDE_UNKNOWN else inside


TELLINGS: Final[Mapping[type[Struct], Telling[Any, Any]]] = {
    shuffler.ShufflerStatus: Telling(_of_shuffler, lambda status: core.ShufflerStatusHeard(figures(status))),
    shoe.ShoeStatus: Telling(_of_shoe, lambda status: core.ReaderStatusHeard(status.passages)),
    driver.AngelEyeStatus: Telling(of_angel_eye),
    display.DisplayStatus: Telling(_of_display, _heard_of_display),
    driver.WrittenStatus: Telling(_of_display, _heard_of_display),
}
"""By the status that comes with every report."""
