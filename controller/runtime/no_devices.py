"""The `DeviceSide` of a game that uses no device's events."""

from controller.core.engine.act import Act, Fact
from controller.core.house.state import State
from controller.core.words import Device, TableMs
from controller.journal.seals import SealStore
from controller.runtime.game import Prepared
from drivers.events import DriverEvent


class NoDevices:
    """The base class of the device side of a game without cards: no event is a fact, and no act or fact has a seal."""

    def __init__(self, _seals: SealStore) -> None: ...

    def reveals_hidden_card(self, _event: DriverEvent) -> bool:
        return False

    def fact(
        self, _device: Device, _event: DriverEvent, _latest: State, _durable: State, _at_ms: TableMs
    ) -> Fact | None:
        return None

    def take_seal(self) -> bytes:
        return b""

    def prepared(self, act: Act, _latest: State) -> Prepared:
        return Prepared(act)
