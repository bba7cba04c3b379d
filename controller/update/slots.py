"""The state of a card's two root file systems (slots), stored in files that tell both Linux and the boot loader which
slot starts next.

Only Linux writes `slots` and its copy. Only the boot loader writes `tried`, before it starts a slot on trial. So a slot
that does not start is tried once, and then the good slot starts. Both files are blocks of GRUB's environment, which
U-Boot reads as text. A block that a loss of power has torn counts as absent.
"""

from enum import StrEnum, unique
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

HEAD: Final = b"# GRUB Environment Block\n"
BLOCK: Final = 1024
"""The size of a block in bytes; its content fits into the first sector, which a card writes whole or not at all."""

COPIES: Final = ("slots", "slots.2")
TRIED: Final = "tried"


@unique
class Slot(StrEnum):
    A = "a"
    B = "b"

    @property
    def other(self) -> "Slot":
        return Slot.B if self is Slot.A else Slot.A


class SlotRefused(Exception):  # noqa: N818 (it is the request that is refused, no fault)
    """A requested change would leave the card without a root file system that starts."""


class Slots(Struct, frozen=True):
    """The state of both slots. `good`: the slot that starts normally. `trial`: the slot that starts once, as trial
    number `number`; None without a trial.

    `back`: True if a return is possible, since the slot that is not `good` was good before.
    """

    good: Slot = Slot.A
    trial: Slot | None = None
    number: int = 0
    back: bool = False

    # ---- requests of `rauc`

    def marked_bad(self, slot: Slot) -> "Slots":
        """Returns the state in which this slot may be overwritten: no trial waits, and no return is possible.

        Raises SlotRefused for the good slot.
        """
        if slot is self.good:
            raise SlotRefused(slot.value)
        return replace(self, trial=None, back=False)

    def on_trial(self, slot: Slot) -> "Slots":
        """Returns the state in which the next start tries this slot, which must be completely written.

        Raises SlotRefused for the good slot.
        """
        if slot is self.good:
            raise SlotRefused(slot.value)
        return replace(self, trial=slot, number=self.number + 1)

    def marked_good(self, slot: Slot) -> "Slots":
        """Returns the state after a successful trial of `slot`: `slot` starts from now on, and a return to the previous
        slot is possible. Returns the state unchanged if `slot` is already the good one.
        """
        return self if slot is self.good else Slots(slot, None, self.number, back=True)

    def gone_back(self) -> "Slots":
        """Returns the state in which the previous slot starts from now on.

        Raises SlotRefused without a previous slot.
        """
        if not self.back:
            raise SlotRefused(self.good.other.value)
        return Slots(self.good.other, None, self.number, back=True)


def next_start(slots: Slots, tried: int | None) -> tuple[Slot, bool]:
    """Returns the slot that the boot loader starts next, and True if this start is a trial. `tried`: the number of the
    last started trial; None if the block with this number is torn.
    """
    if slots.trial is not None and tried is not None and tried != slots.number:
        return slots.trial, True
    return slots.good, False


def changes(before: Slots, after: Slots, tried: int | None) -> list[tuple[str, bytes]]:
    """Returns the blocks to write, each with its file's name. The caller must make each durable before it writes the
    next.

    A torn block with the number of the last trial is written first, unless a trial waits.
    """
    mended = [(TRIED, written_tried(before.number))] if tried is None and before.trial is None else []
    return [*mended, *((name, written(after)) for name in COPIES)]


def written(slots: Slots) -> bytes:
    """Encodes a state as a block. The last line repeats the number of the trial, by which a torn block is detected."""
    trial, back = slots.trial or "", int(slots.back)
    lines = (f"good={slots.good.value}", f"trial={trial}", f"back={back}", f"number={slots.number}")
    return _block((*lines, f"whole={slots.number}"))


def written_tried(number: int) -> bytes:
    return _block((f"tried={number}",))


def read_slots(*blocks: bytes) -> Slots:
    """Returns the state in the first of `blocks` that is not torn. If all are torn, slot A is good."""
    return next((found for found in map(_slots, blocks) if found is not None), Slots())


def read_tried(block: bytes) -> int | None:
    number = _lines(block).get("tried", "")
    return int(number) if number.isdecimal() else None


def _slots(block: bytes) -> Slots | None:
    lines = _lines(block)
    good, trial, number = lines.get("good", ""), lines.get("trial", ""), lines.get("number", "")
    if good not in set(Slot) or trial not in {*Slot, ""} or not number.isdecimal() or lines.get("whole") != number:
        return None
    return Slots(Slot(good), Slot(trial) if trial else None, int(number), back=lines.get("back") == "1")


def _lines(block: bytes) -> dict[str, str]:
    text = block.decode("ascii", "replace")
    pairs = (line.partition("=") for line in text.split("\n") if not line.startswith("#"))
    return {name: value for name, between, value in pairs if between}


def _block(lines: tuple[str, ...]) -> bytes:
    text = "".join(f"{line}\n" for line in lines)
    return (HEAD + text.encode()).ljust(BLOCK, b"#")
