"""Checks that the table has the device that a step needs; otherwise the scenario stops there."""

from typing import Final

from controller.core.words import Device
from controller.scenario.player import Player
from controller.scenario.table_player import Stopped

_OF_THE_SHUFFLER: Final = (
    *("feed", "card-in", "count-out", "jam", "path-clear", "path-blocked"),
    *("hopper-loaded", "hopper-empty", "keeps-jammed", "keeps-its-count", "lid-open", "lid-closed", "end-jam"),
)
_OF_THE_READER: Final = ("read", "draw-unread")
_OF_THE_SLOTS: Final = ("slot-chip", "slot-empty", "slot-fails", "slot-works")
_OF_THE_NAMED: Final = ("lost", "back", "spare", "undone")


def need_device(player: Player, word: str, rest: tuple[str, ...]) -> None:
    """Raises Stopped if the table does not have the device of this step."""
    setup = player.state.setup
    if word == "warning-card" and (setup.has_shuffler or not setup.has_reader):
        raise Stopped("no-warning-card")
    device = _device(word, rest)
    here = {
        Device.SHUFFLER: setup.has_shuffler,
        Device.SHOE: setup.has_reader,
        Device.JACKPOT_DISPLAY: setup.has_display,
        Device.ROULETTE_WHEEL: False,  # the wheel has steps of its own
        Device.VALUE_DISPLAY: False,
        Device.JACKPOT_SLOTS: setup.has_slots,
    }
    if device is not None and not here[device]:
        raise Stopped("no-such-device", device=device.value)


def _device(word: str, rest: tuple[str, ...]) -> Device | None:
    if word in _OF_THE_SHUFFLER:
        return Device.SHUFFLER
    if word in _OF_THE_READER:
        return Device.SHOE
    if word in _OF_THE_SLOTS:
        return Device.JACKPOT_SLOTS
    return Device(rest[0].replace("-", "_")) if word in _OF_THE_NAMED else None
