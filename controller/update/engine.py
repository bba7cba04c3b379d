"""Answers the requests that `rauc` sends to a custom boot loader, such as `get-primary` or `set-state b bad`."""

from controller.update.blocks import Blocks
from controller.update.slots import Slot, Slots, next_start


def answered(words: list[str], blocks: Blocks) -> str:
    """Carries out the request in `words` and returns the answer. The answer to a change is "".

    Raises ValueError for an unknown request, SlotRefused, OSError.
    """
    match words:
        case ["get-primary"]:
            return next_start(*blocks.read())[0].value
        case ["get-state", slot]:
            return "good" if _is_good(Slot(slot), blocks.read()[0]) else "bad"
        case ["set-primary", slot]:
            blocks.change(lambda slots: slots.on_trial(Slot(slot)))
        case ["set-state", slot, "good"]:
            blocks.change(lambda slots: slots.marked_good(Slot(slot)))
        case ["set-state", slot, "bad"]:
            blocks.change(lambda slots: slots.marked_bad(Slot(slot)))
        case _:
            raise ValueError(words)
    return ""


def _is_good(slot: Slot, slots: Slots) -> bool:
    return slot is slots.good or slot is slots.trial or slots.back
