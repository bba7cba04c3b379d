"""Translates the reports of devices at a table with cards into facts, one row for each type of status.

The translation makes no decisions. Its result is None for a report that means nothing to the procedure, such as a
reader's status.

`identify` turns the byte of a card that passed a reader into the part of its identity that the core may know: the
card's face, a commitment to the face, or neither (DESIGN 3.8).
"""

from collections.abc import Callable
from typing import Final, assert_never

from controller.core.custody.devices import (
    CardCountedIn,
    CardCountedOut,
    CardRetried,
    JamPathCleared,
    JamReleased,
    LidClosed,
    LidOpened,
    ShufflerJammed,
    ShufflerRecounted,
    ShufflerStarted,
    ShufflerStatusHeard,
)
from controller.core.custody.reader import (
    CardRead,
    CardsMayHavePassed,
    ReaderErrorCleared,
    ReaderErrorRaised,
    ReaderStatusHeard,
)
from controller.core.engine.act import Fact, Source
from controller.core.house.facts import DeviceStarted, ShufflerStatus
from controller.core.words import Device, JamPlace
from controller.devices.device_kinds import HOUSE_TELLINGS
from controller.devices.telling import Telling, Tellings, figures, told, word
from controller.devices.translate_angel_eye import Identify, of_angel_eye
from drivers import events as driver
from firmware_protocols.tdp import shoe, shuffler

RECOUNT_FAILED = -1
"""The value of `ShufflerRecounted.inside` if the device could not count; it differs from every count that the book
can have.
"""

PLACES: dict[shuffler.Place, JamPlace] = {
    shuffler.Place.FEED: JamPlace.FEED,
    shuffler.Place.CAROUSEL: JamPlace.CAROUSEL,
    shuffler.Place.MOUTH: JamPlace.MOUTH,
}

PLAIN: dict[type[shuffler.ShufflerEvent], Callable[[Source, ShufflerStatus], Fact]] = {
    shuffler.CardIn: CardCountedIn,
    shuffler.CardOut: CardCountedOut,
    shuffler.PathCleared: JamPathCleared,
    shuffler.JamEnded: JamReleased,
    shuffler.LidOpened: LidOpened,
    shuffler.LidClosed: LidClosed,
}
"""The fact for each event of the shuffler that has only a status and no further data."""


def translate(device: Device, event: driver.DriverEvent, identify: Identify) -> Fact | None:
    """Returns the fact in a device's report at a table with cards. Returns None for a report that means nothing to the
    procedure.
    """
    if isinstance(event, driver.CardsMayHavePassed):
        return CardsMayHavePassed(device, event.cause.value, event.missed)
    return told(device, event, TELLINGS, identify)


def _of_shuffler(
    source: Source, told: shuffler.ShufflerStatus, event: shuffler.ShufflerEvent, _identify: Identify
) -> Fact:
    status = figures(told)
    match event:
        case shuffler.ShufflerStarted():
            return ShufflerStarted(source, status, word(event.cause.name))
        case shuffler.Jammed():
            return ShufflerJammed(source, status, PLACES[event.place], _caught(event.cards))
        case shuffler.CardRetried():
            return CardRetried(source, status, PLACES[event.place], event.tries)
        case shuffler.Recounted():
            return ShufflerRecounted(source, status, event.request, _counted(event.inside))
        case _:
            return PLAIN[type(event)](source, status)


def _of_shoe(source: Source, _status: shoe.ShoeStatus, event: shoe.ShoeEvent, identify: Identify) -> Fact:
    match event:
        case shoe.CardPassed():
            seen = identify(event.card)
            return CardRead(source, event.passage, seen.card, seen.commitment)
        case shoe.ShoeStarted():
            return DeviceStarted(Device.SHOE, source, word(event.cause.name))
        case shoe.ReaderErrorRaised():
            return ReaderErrorRaised(source, event.code)
        case shoe.ReaderErrorCleared():
            return ReaderErrorCleared(source, event.code)
        case _:
            assert_never(event)


def _caught(cards: int) -> int:
    """Returns the number of cards in a jam. Returns 0 if the device does not know the number; people then state it."""
    return 0 if cards == shuffler.JAM_CARDS_UNKNOWN else cards


def _counted(inside: int) -> int:
    return RECOUNT_FAILED if inside == shuffler.INSIDE_UNKNOWN else inside


TELLINGS: Final[Tellings] = {
    **HOUSE_TELLINGS,
    shuffler.ShufflerStatus: Telling(_of_shuffler, lambda status: ShufflerStatusHeard(figures(status))),
    shoe.ShoeStatus: Telling(_of_shoe, lambda status: ReaderStatusHeard(status.passages)),
    driver.AngelEyeStatus: Telling(of_angel_eye),
}
"""The translations, by the type of the report's status."""
