"""The devices that the table of a scenario has. A step that needs a missing device ends the scenario."""

from typing import Any

from controller.core.house.state import link_of
from controller.core.setup import Setup
from controller.core.words import Device
from controller.scenario.shorthand import AnyPlayer, Step, Words
from controller.scenario.slots import Kind, Slot
from controller.scenario.table_player import Stopped


def devices_of(setup: Setup) -> dict[Device, bool]:
    """Returns the devices whose presence a setup determines, each with True if the table has the device."""
    is_wheel = setup.wheel_rules is not None
    return {
        Device.SHUFFLER: setup.has_shuffler,
        Device.SHOE: setup.has_reader,
        Device.JACKPOT_DISPLAY: setup.has_display,
        Device.ROULETTE_WHEEL: is_wheel and setup.has_wheel,
        Device.VALUE_DISPLAY: is_wheel and setup.has_value_display,
        Device.JACKPOT_SLOTS: setup.has_slots,
    }


def need_device(player: AnyPlayer, word: str, step: Step[Any], rest: Words) -> None:
    """Raises Stopped if the table lacks the device that the step uses or names. If the setup does not tell, the device
    counts as present once it has connected.
    """
    device = device_named(rest[0]) if step.slots[:1] == (Slot(Kind.DEVICE),) else step.of
    if device is None:
        return
    has_connected = bool(link_of(player.state, device).serial)
    if not devices_of(player.state.setup).get(device, has_connected or word == "back"):
        raise Stopped("no-such-device", device=device.value)


def device_named(word: str) -> Device:
    return Device(word.replace("-", "_"))
