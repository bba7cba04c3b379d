"""The pack of cards at a table whose machine is filled by hand: mixing, cutting, warning card, filling, gathering.

The order of the cards depends only on the seed and the number of mixings. Only the simulator knows it.
"""

from collections.abc import Mapping
from enum import StrEnum, unique
from random import Random
from typing import Final, NamedTuple, assert_never

import msgspec
from msgspec import Struct

from controller.core.choices import Machine
from simulators.devices.cards import WARNING_CARD, PhysicalCard
from simulators.devices.magazine import Box, Magazine
from simulators.people import hands as h

NEAR: Final = 2
"""The largest error of a person who counts cards from the end of a pack by eye."""

_BLANK: Final = PhysicalCard(0, WARNING_CARD, "blank")


def pack_for(machine: Machine, shoe: Magazine | None, seed: int) -> "Pack | None":
    """Returns the pack of a table whose shoe or box is filled by hand.

    Returns None if the machine is a shuffler, if there are no cards, or if the shoe is missing.
    """
    match machine:
        case Machine.SHUFFLER | Machine.NONE:
            return None
        case Machine.SHOE:
            return None if shoe is None else Pack(shoe, seed)
        case Machine.BOX:
            return Pack(Box(), seed)


@unique
class WarningCardIs(StrEnum):
    """The place of the warning card as people know it."""

    AWAY = "away"
    IN_PACK = "in-pack"
    IN_MACHINE = "in-machine"
    OUT = "out"


class PackLook(msgspec.Struct, frozen=True):
    """The visible state of the pack, as any person at the table sees it."""

    is_mixed: bool = False
    is_cut: bool = False
    is_in_machine: bool = False
    inside: int = 0  # cards in the machine, which people know only by counting
    warning_card: WarningCardIs = WarningCardIs.AWAY
    is_untold: bool = False  # the dealer forgets to announce the last round


class Left(NamedTuple):
    """The number of cards that people have forgotten outside and in the rack."""

    outside: int = 0
    rack: int = 0


_NONE_LEFT: Final = Left()


class Pack(Struct):
    """The state of the pack since its cards were gathered. The cards themselves lie in the room or in the machine."""

    machine: Magazine
    seed: int
    mixings: int = 0
    is_mixed: bool = False
    is_cut: bool = False
    behind: int | None = None  # cards behind the warning card, in the pack
    is_out: bool = False  # the warning card has come out of the machine
    is_overlooked: bool = False  # the warning card is out, unnoticed
    is_untold: bool = False
    left: Left = _NONE_LEFT

    def look(self) -> PackLook:
        """Returns what any person at the table can see of the pack."""
        inside = self.machine.cards()
        card = self._warning_card(inside)
        cards = len(inside) - inside.count(_BLANK)
        return PackLook(self.is_mixed, self.is_cut, bool(inside), cards, card, self.is_untold)

    def _warning_card(self, inside: tuple[PhysicalCard, ...]) -> WarningCardIs:
        if self.behind is not None:
            return WarningCardIs.IN_PACK
        if self.is_out and not self.is_overlooked:
            return WarningCardIs.OUT
        return WarningCardIs.IN_MACHINE if _BLANK in inside or self.is_out else WarningCardIs.AWAY

    def cards(self) -> tuple[PhysicalCard, ...]:
        """Returns the cards in the machine, without the warning card."""
        return tuple(card for card in self.machine.cards() if card is not _BLANK)

    def draw(self, now_s: float) -> PhysicalCard | None:
        """Draws the next card and returns it. Returns None if no card comes, and if the warning card comes, which is
        then laid aside.
        """
        card = self.machine.draw_card(now_s)
        if card is not _BLANK:
            return card
        self.is_out = True
        return None

    def do(self, hand: h.WithPack, pack: list[PhysicalCard]) -> None:
        """Carries out the deed `hand` with `pack`, the cards outside the machine."""
        match hand:
            case h.AtPack.MIX_CARDS:
                self._drawn("mixing").shuffle(pack)
                self.is_mixed = True
            case h.AtPack.CUT_CARDS:
                at = self._drawn("cut").randint(len(pack) // 4, len(pack) * 3 // 4)
                pack[:] = pack[at:] + pack[:at]
                self.is_cut = True
            case h.LayWarningCard(behind=behind):
                self.behind = max(1, min(len(pack) - 1, behind + self._drawn("near").randint(-NEAR, NEAR)))
            case h.FillMachine(left=left):
                self._fill(pack, left)
            case _:
                assert_never(hand)

    def _fill(self, pack: list[PhysicalCard], left: int) -> None:
        filled = pack[left:]
        at = max(0, len(filled) - (self.behind or 0))
        blank = [] if self.behind is None else [_BLANK]
        self.machine.put_cards([*filled[:at], *blank, *filled[at:]])
        del pack[left:]
        self.behind, self.left = None, Left(outside=left)

    def exchange(self, new: Mapping[int, PhysicalCard]) -> None:
        """Replaces each card in the machine whose number is in `new` by the card in `new`."""
        self.machine.put_cards([new.get(card.number, card) for card in self.machine.take_all_cards()])

    def take_all(self) -> list[PhysicalCard]:
        """Empties the machine for the next mixing, and returns the machine's cards without the warning card. The last
        mixing and cut no longer count.
        """
        taken = [card for card in self.machine.take_all_cards() if card is not _BLANK]
        self.mixings += 1
        self.is_mixed = self.is_cut = self.is_out = self.is_overlooked = self.is_untold = False
        self.behind = None
        return taken

    def _drawn(self, what: str) -> Random:
        return Random(f"{self.seed}:{what}:{self.mixings}")
