"""Every event that a driver can report has its row in the translation. None is invented, and none is lost."""

from typing import Any, get_args

import pytest
from msgspec.structs import replace

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
from controller.core.custody.reader import CardRead, ReaderErrorCleared, ReaderErrorRaised, ReaderStatusHeard
from controller.core.custody.state import Card, Identity
from controller.core.engine.act import Fact, Source
from controller.core.house.facts import (
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DeviceStarted,
    DisplayFaulted,
    DisplayStatusHeard,
    EventsMissed,
    ShufflerStatus,
    SignStatus,
)
from controller.core.words import Device, JamPlace
from controller.devices.translate import RECOUNT_FAILED, figures, translate
from drivers import events as driver
from drivers.events import LostReason, Mismatch
from firmware_protocols.tdp import display, shoe, shuffler
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.link import Identity as TdpIdentity
from firmware_protocols.tdp.schema import DeviceKind

STATUS = shuffler.ShufflerStatus(cards_in=7, cards_out=5, inside=2, release_until=5, jams=1, recounts=3)
FIGURES = ShufflerStatus(7, 5, 2, 1, 3, True, False, False, False)
SOURCE = Source(4, 9)
IDENTITY = TdpIdentity(4, 1, 0, DeviceKind.SHUFFLER, True, "M", "S", "F", 1, 10)


def identify(byte: int) -> Identity:
    return Identity(Card(f"face {byte}"), None)


def of_shuffler(event: shuffler.ShufflerEvent) -> Fact | None:
    return translate(Device.SHUFFLER, driver.Reported(4, 9, event, STATUS), identify)


SHUFFLER_ROWS: list[tuple[shuffler.ShufflerEvent, Fact]] = [
    (shuffler.ShufflerStarted(StartCause.POWER_ON), ShufflerStarted(SOURCE, FIGURES, "power-on")),
    (shuffler.CardIn(), CardCountedIn(SOURCE, FIGURES)),
    (shuffler.CardOut(), CardCountedOut(SOURCE, FIGURES)),
    (
        shuffler.Jammed(shuffler.Place.MOUTH, 1),
        ShufflerJammed(SOURCE, FIGURES, JamPlace.MOUTH, 1),
    ),
    (
        shuffler.Jammed(shuffler.Place.FEED, shuffler.JAM_CARDS_UNKNOWN),
        ShufflerJammed(SOURCE, FIGURES, JamPlace.FEED, 0),
    ),
    (shuffler.PathCleared(), JamPathCleared(SOURCE, FIGURES)),
    (shuffler.JamEnded(), JamReleased(SOURCE, FIGURES)),
    (
        shuffler.CardRetried(shuffler.Place.CAROUSEL, 2),
        CardRetried(SOURCE, FIGURES, JamPlace.CAROUSEL, 2),
    ),
    (shuffler.LidOpened(), LidOpened(SOURCE, FIGURES)),
    (shuffler.LidClosed(), LidClosed(SOURCE, FIGURES)),
    (shuffler.Recounted(3, 311), ShufflerRecounted(SOURCE, FIGURES, 3, 311)),
    (
        shuffler.Recounted(3, shuffler.INSIDE_UNKNOWN),
        ShufflerRecounted(SOURCE, FIGURES, 3, RECOUNT_FAILED),
    ),
]


@pytest.mark.parametrize(("event", "fact"), SHUFFLER_ROWS)
def test_what_a_shuffler_reports(event: shuffler.ShufflerEvent, fact: Fact) -> None:
    assert of_shuffler(event) == fact


def test_every_event_of_a_shuffler_has_its_row() -> None:
    assert {type(event) for event, _ in SHUFFLER_ROWS} == set(get_args(shuffler.ShufflerEvent))


READER_ROWS: list[tuple[shoe.ShoeEvent, Fact]] = [
    (shoe.ShoeStarted(StartCause.WATCHDOG), DeviceStarted(Device.SHOE, SOURCE, "watchdog")),
    (shoe.CardPassed(3, 0x18), CardRead(SOURCE, 3, Card("face 24"), None)),
    (shoe.ReaderErrorRaised(2), ReaderErrorRaised(SOURCE, 2)),
    (shoe.ReaderErrorCleared(2), ReaderErrorCleared(SOURCE, 2)),
]


@pytest.mark.parametrize(("event", "fact"), READER_ROWS)
def test_what_a_reader_reports(event: shoe.ShoeEvent, fact: Fact) -> None:
    reported = driver.Reported(4, 9, event, shoe.ShoeStatus(passages=3))
    assert translate(Device.SHOE, reported, identify) == fact


def test_every_event_of_a_reader_has_its_row() -> None:
    assert {type(event) for event, _ in READER_ROWS} == set(get_args(shoe.ShoeEvent))


DISPLAY_ROWS: list[tuple[display.DisplayEvent, Fact]] = [
    (
        display.DisplayStarted(StartCause.UNKNOWN),
        DeviceStarted(Device.JACKPOT_DISPLAY, SOURCE, "unknown", SignStatus(7, fault_shown=True)),
    ),
    (display.DisplayFaulted(3), DisplayFaulted(SOURCE, 3, SignStatus(7, fault_shown=True))),
]


@pytest.mark.parametrize(("event", "fact"), DISPLAY_ROWS)
def test_what_a_display_reports(event: display.DisplayEvent, fact: Fact) -> None:
    reported = driver.Reported(4, 9, event, display.DisplayStatus(shown_cents=7, fault_shown=True))
    assert translate(Device.JACKPOT_DISPLAY, reported, identify) == fact


def test_every_event_of_a_display_has_its_row() -> None:
    assert {type(event) for event, _ in DISPLAY_ROWS} == set(get_args(display.DisplayEvent))


LINK_ROWS: list[tuple[Any, Fact | None]] = [
    (
        driver.DeviceConnected(IDENTITY, STATUS),
        DeviceConnected(Device.SHUFFLER, "M", "S", "F", 4, True, FIGURES, None),
    ),
    (driver.DeviceLost(LostReason.SILENT, "why", True), DeviceLost(Device.SHUFFLER, "silent")),
    (
        driver.DeviceRefused(Mismatch.SERIAL, "A", "B"),
        DeviceRefused(Device.SHUFFLER, "serial", "A", "B"),
    ),
    (driver.EventsMissed(3, 5), EventsMissed(Device.SHUFFLER, 3, 5)),
    (driver.StatusHeard(STATUS, 9), ShufflerStatusHeard(FIGURES)),
    (
        driver.CommandRefused(shuffler.ShufflerApply(5), shuffler.ShufflerResult.REFUSED_JAMMED, STATUS),
        ShufflerStatusHeard(FIGURES),
    ),
]


@pytest.mark.parametrize(("event", "fact"), LINK_ROWS)
def test_what_a_driver_reports_of_any_device(event: driver.DriverEvent, fact: Fact | None) -> None:
    assert translate(Device.SHUFFLER, event, identify) == fact


def test_the_status_of_a_reader_tells_its_passages_and_that_of_a_display_its_amount() -> None:
    heard = driver.StatusHeard(shoe.ShoeStatus(passages=3), 0)
    assert translate(Device.SHOE, heard, identify) == ReaderStatusHeard(3)
    heard = driver.StatusHeard(display.DisplayStatus(shown_cents=5, fault_shown=True), 0)
    assert translate(Device.JACKPOT_DISPLAY, heard, identify) == DisplayStatusHeard(SignStatus(5, fault_shown=True))
    heard = driver.StatusHeard(driver.WrittenStatus(shown_cents=5), 0)
    assert translate(Device.JACKPOT_DISPLAY, heard, identify) == DisplayStatusHeard(
        SignStatus(5, fault_shown=False, reads_back=False)
    )


@pytest.mark.parametrize(("counts_unknown", "passages"), [(False, 12), (True, None)])
def test_a_reader_connects_with_its_passages_if_it_knows_them(*, counts_unknown: bool, passages: int | None) -> None:
    status = shoe.ShoeStatus(passages=12, counts_unknown=counts_unknown)
    fact = translate(Device.SHOE, driver.DeviceConnected(IDENTITY, status), identify)
    assert isinstance(fact, DeviceConnected)
    assert (fact.passages, fact.shuffler) == (passages, None)


@pytest.mark.parametrize(
    ("wire", "figure", "value"),
    [
        ({"inside": shuffler.INSIDE_UNKNOWN}, "inside", None),
        ({"counts_unknown": True}, "counts_known", False),
        ({"jammed": True}, "jammed", True),
        ({"path_blocked": True}, "path_blocked", True),
        ({"lid_open": True}, "lid_open", True),
    ],
)
def test_each_flag_of_the_wire_is_its_figure(wire: dict[str, Any], figure: str, *, value: bool | None) -> None:
    changed = figures(replace(STATUS, **wire))
    assert getattr(changed, figure) == value
    others = [name for name in changed.__struct_fields__ if name != figure]
    assert all(getattr(changed, name) == getattr(FIGURES, name) for name in others)
