"""The device side of a table whose game has no devices: nothing is told, nothing is wanted, every lock stays shut."""

from typing import Final

from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Basis, Desired, DisplayDesired, ShoeDesired, ShufflerDesired
from controller.core.house.state import State
from controller.core.words import Device
from controller.journal.seals import SealStore
from controller.runtime.game import Prepared
from drivers.events import DriverEvent

_NOBODY: Final = Basis("", 0)
_SHUT: Final = Desired(
    ShufflerDesired(
        _NOBODY, release_after=None, feed_open=False, unload=False, lamp=False, jams_ended=0, recount_request=0
    ),
    ShoeDesired(_NOBODY, locked=True),
    DisplayDesired(_NOBODY, amount_cents=0, fault=False),
)


class NoDevices:
    """Takes no seal store's seal, since it has no card."""

    def __init__(self, _seals: SealStore) -> None: ...

    def betrays(self, _event: DriverEvent) -> bool:
        return False

    def fact(self, _device: Device, _event: DriverEvent, _latest: State, _durable: State) -> Fact | None:
        return None

    def take_seal(self) -> bytes:
        return b""

    def prepared(self, act: Act, _latest: State) -> Prepared:
        return Prepared(act)

    def desired(self, _state: State) -> Desired:
        return _SHUT

    def safest(self, _permitted: Desired, latest: Desired) -> Desired:
        return latest
