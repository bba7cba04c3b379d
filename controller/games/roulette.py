"""Roulette outside the core: the wheel's reports become facts. No card is dealt, so nothing is sealed."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from controller.core.engine.act import Act, Fact
from controller.core.games.roulette import wheel
from controller.core.games.roulette.markers import ValuesShown
from controller.core.games.roulette.state import RouletteState
from controller.core.games.roulette.table import ROULETTE
from controller.core.house.state import State, link_of
from controller.core.words import Device, TableMs
from controller.devices.device_kinds import HOUSE_TELLINGS
from controller.devices.telling import Telling, Tellings, is_heard_again, of_display, on_markers, told
from controller.journal.seals import SealStore
from controller.record.game_record import GameRecord
from controller.runtime.game import Game, Prepared
from controller.screen.game_screen import GameScreen
from drivers.driver import ConnectionEnd
from drivers.events import DeviceLost, DeviceRefused, DriverEvent, EventsMissed, Reported
from firmware_protocols.cammegh import spins
from firmware_protocols.tdp.value_display import MarkersStatus

_FACTS: Final[Mapping[type[Struct], Callable[[Any], Fact | None]]] = {
    spins.BallLaunched: lambda told: wheel.BallLaunched(told.game, told.clockwise),
    spins.BetsClosed: lambda told: wheel.WheelClosedBets(told.game),
    spins.SpinEnded: lambda told: wheel.SpinEnded(told.game, told.number, tuple(one.value for one in told.troubles)),
    spins.SpinsUnseen: lambda told: wheel.SpinsUnseen(told.games, told.number),
    spins.NumberChanged: lambda told: wheel.NumberChanged(told.was, told.number),
    spins.SpinOverdue: lambda _told: wheel.SpinOverdue(),
    spins.WarningsChanged: lambda _told: None,  # a spin's warnings come as its troubles
    spins.LineSilent: lambda _told: wheel.WheelLost("silent"),
    spins.LineHeard: lambda _told: wheel.WheelHeard(),
}
"""The core's fact for each message of the wheel's line."""


TELLINGS: Final[Tellings] = {
    **HOUSE_TELLINGS,
    MarkersStatus: Telling(
        lambda source, status, event, _: of_display(Device.VALUE_DISPLAY, source, event, values=on_markers(status)),
        lambda status: ValuesShown(on_markers(status)),
    ),
}
"""The translations of reports at a roulette table: those of the display of chip values, and those that are the same at
every table.
"""


class WheelSide:
    """Turns reports of a roulette table's devices into facts: the wheel, and the display of chip values."""

    def __init__(self, _seals: SealStore) -> None: ...

    def reveals_hidden_card(self, _event: DriverEvent) -> bool:
        return False

    def fact(self, device: Device, event: DriverEvent, latest: State, _durable: State, _at_ms: TableMs) -> Fact | None:
        if device is not Device.ROULETTE_WHEEL:
            return _of_device(device, event, latest)
        match event:
            case Reported():
                return _FACTS[type(event.event)](event.event)
            case DeviceLost() | DeviceRefused() if isinstance(latest, RouletteState) and latest.wheel.is_heard:
                return wheel.WheelLost(_reason(event))
            case _:
                return None  # an open port is no message yet

    def take_seal(self) -> bytes:
        return b""

    def prepared(self, act: Act, _latest: State) -> Prepared:
        return Prepared(act)


def _of_device(device: Device, event: DriverEvent, latest: State) -> Fact | None:
    """Returns the fact in the report of a device other than the wheel. None for a report that is already recorded or
    means nothing.

    Ignores missing events, since no event of a display changes the game.
    """
    link = link_of(latest, device)
    is_taken = isinstance(event, Reported) and event.boot == link.boot and event.number <= link.taken
    if is_taken or isinstance(event, EventsMissed):
        return None
    fact = told(device, event, TELLINGS, lambda _byte: None)
    return None if is_heard_again(ROULETTE, event, fact, latest) else fact


def _reason(end: ConnectionEnd) -> str:
    return end.reason.value if isinstance(end, DeviceLost) else end.what.value


def make_game() -> Game[RouletteState]:
    return Game(ROULETTE, WheelSide, _screen, _record)


def _screen() -> GameScreen[RouletteState]:
    from controller.games.roulette_screen import SCREEN

    return SCREEN


def _record() -> GameRecord[RouletteState]:
    return GameRecord()
