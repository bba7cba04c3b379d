"""Two roots and a power cut at each write: a whole root starts in any case, and a trial starts only once."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from controller.update.slots import (
    BLOCK,
    COPIES,
    TRIED,
    Slot,
    SlotRefused,
    Slots,
    changes,
    next_start,
    read_slots,
    read_tried,
    written,
    written_tried,
)


class PowerCut(BaseException):
    pass


@dataclass
class FakeCard:
    """The medium: three blocks and two roots. Power is cut at write number `cut`, which is left undone or `torn`."""

    cut: int = -1
    torn: bool = False
    writes: int = 0
    blocks: dict[str, bytes] = field(
        default_factory=lambda: {**dict.fromkeys(COPIES, written(Slots())), TRIED: written_tried(0)}
    )
    roots: dict[Slot, str] = field(default_factory=lambda: {Slot.A: "old", Slot.B: "empty"})
    data: list[str] = field(default_factory=list)
    started: list[tuple[str, bool]] = field(default_factory=list)

    def _write(self, put: Callable[[bool], None]) -> None:
        self.writes += 1
        if self.writes - 1 == self.cut:
            if self.torn:
                put(True)
            raise PowerCut
        put(False)

    def block(self, name: str, data: bytes) -> None:
        def put(torn: bool) -> None:
            self.blocks[name] = bytes(BLOCK // 2) + data[BLOCK // 2 :] if torn else data

        self._write(put)

    def root(self, slot: Slot, name: str) -> None:
        def put(torn: bool) -> None:
            self.roots[slot] = "torn" if torn else name

        self._write(put)

    # ---- Linux

    @property
    def slots(self) -> Slots:
        return read_slots(*(self.blocks[name] for name in COPIES))

    def change(self, after: Slots) -> None:
        for name, data in changes(self.slots, after, read_tried(self.blocks[TRIED])):
            self.block(name, data)

    def install(self, name: str) -> None:
        """Installs in the engine's order: marks the other root bad, writes it, and puts it on trial."""
        other = self.slots.good.other
        self.change(self.slots.marked_bad(other))
        self.root(other, f"half {name}")
        self.root(other, name)
        self.change(self.slots.on_trial(other))

    # ---- a start

    def start(self, *, comes_up: bool = True) -> None:
        """Simulates a start: a good root writes data; a trial is judged, and the computer starts again."""
        slot, is_trial = next_start(self.slots, read_tried(self.blocks[TRIED]))
        if is_trial:
            self.block(TRIED, written_tried(self.slots.number))
        self.started.append((self.roots[slot], is_trial))
        if not is_trial:
            self.data.append(self.roots[slot])
            return
        if comes_up:
            self.change(self.slots.marked_good(slot))
        self.start()


def update(card: FakeCard, *, comes_up: bool) -> None:
    card.install("new")
    card.start(comes_up=comes_up)


def cuts(*, comes_up: bool) -> list[tuple[int, bool, bool]]:
    """Each power cut in an update: the number of the write, True for a torn write, and `comes_up`."""
    whole = FakeCard()
    update(whole, comes_up=comes_up)
    assert whole.started == [("new", True), ("new" if comes_up else "old", False)]
    return [(cut, torn, comes_up) for cut in range(whole.writes) for torn in (False, True)]


@pytest.mark.parametrize(("cut", "torn", "comes_up"), [*cuts(comes_up=True), *cuts(comes_up=False)])
def test_wherever_the_power_goes_a_whole_root_starts_and_a_trial_once(cut: int, torn: bool, comes_up: bool) -> None:
    card = FakeCard(cut, torn)
    with pytest.raises(PowerCut):
        update(card, comes_up=comes_up)
    for _ in range(3):
        card.start(comes_up=comes_up)
    assert {name for name, _ in card.started} <= {"old", "new"}
    assert card.started.count(("new", True)) <= 1
    assert comes_up or "new" not in card.data
    assert card.data[-1] == card.started[-1][0]


@pytest.mark.parametrize(("cut", "torn", "comes_up"), cuts(comes_up=True))
def test_after_each_cut_the_same_update_succeeds(cut: int, torn: bool, comes_up: bool) -> None:
    card = FakeCard(cut, torn)
    with pytest.raises(PowerCut):
        update(card, comes_up=comes_up)
    card.start()
    update(card, comes_up=True)
    assert card.data[-1] == "new"


def test_a_root_that_does_not_come_up_has_started_once() -> None:
    card = FakeCard()
    update(card, comes_up=False)
    card.start()
    assert card.started == [("new", True), ("old", False), ("old", False)]


def test_the_way_back_starts_the_root_before_and_may_be_gone_again() -> None:
    card = FakeCard()
    update(card, comes_up=True)
    for name in ("old", "new"):
        card.change(card.slots.gone_back())
        card.start()
        assert card.started[-1] == (name, False)


def test_no_way_leads_to_a_root_that_was_never_good_or_is_half_written() -> None:
    with pytest.raises(SlotRefused):
        Slots().gone_back()
    with pytest.raises(SlotRefused):
        Slots(Slot.B, None, 1, back=True).marked_bad(Slot.A).gone_back()


def test_the_root_that_starts_is_neither_written_over_nor_tried() -> None:
    for refused in (Slots.marked_bad, Slots.on_trial):
        with pytest.raises(SlotRefused):
            refused(Slots(), Slot.A)


def test_a_block_has_the_form_of_grub_and_one_sector_has_all_that_counts() -> None:
    state = Slots(Slot.B, Slot.A, 4_000_000_000, back=True)
    block = written(state)
    assert (len(block), block[:25]) == (1024, b"# GRUB Environment Block\n")
    assert set(block[512:]) == set(b"#")
    assert read_slots(block) == state
    assert read_slots(block[:512]) == state


@pytest.mark.parametrize("size", range(25, 140, 5))
def test_a_block_cut_short_is_none(size: int) -> None:
    block = written(Slots(Slot.B, Slot.A, 12345, back=True))
    cut = block[:size] + bytes(BLOCK - size)
    assert read_slots(cut, written(Slots(Slot.B))) in (Slots(Slot.B), read_slots(block))
    assert read_slots(cut) in (Slots(), read_slots(block))
