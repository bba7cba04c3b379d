"""Does deeds at a simulated device for the conformance checks (satisfies `Bench`)."""

from collections.abc import Callable
from typing import Any

from firmware_protocols.tdp.conform.bench import Deed
from simulators.devices.firmware import TdpFirmware


class Rig:
    """Does each deed at a simulated device, at once."""

    is_quick = True

    def __init__(self, device: TdpFirmware[Any, Any, Any], clock: Callable[[], float]) -> None:
        self._device = device
        self._clock = clock

    def do(self, deed: Deed, times: int, _meanwhile: Callable[[], None]) -> bool:
        if deed is Deed.PAIR:
            return self._device.switch_pairing_on(self._clock())
        act = self._device.deeds().get(deed)
        if act is None:
            return False
        for _ in range(times):
            act(self._clock())
        return True
