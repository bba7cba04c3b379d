"""The draw from a seed of what goes wrong in one world, as a list.

Each kind has a generator of its own, so that the others stay as they are when one is added or left out.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final, Protocol

from controller.core.setup import Procedure
from controller.core.words import Device
from simulators.kit import procedure_of
from simulators.world.clock import chance
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import FAULTS, FaultRow, Moment, PlannedFault


class Lasting(Protocol):
    """How long a world is about to be: what there is for faults to fall on."""

    @property
    def rounds(self) -> int: ...

    def draw(self, moment: Moment, rng: Random) -> int:
        """A moment of this world."""


@dataclass(frozen=True, slots=True)
class Length:
    """Of a world of cards."""

    rounds: int
    cards: int

    ROUND_CARDS = 8
    ROUND_S = 37.0  # busy
    ROUND_ENTRIES = 35

    def draw(self, moment: Moment, rng: Random) -> int:
        """A moment of this world: two in three fall into play, however long loading and unloading are."""
        before, play, after = self._phases(moment)
        in_play = rng.random() < 2 / 3
        at = before + rng.random() * play if in_play else rng.random() * (before + play + after)
        return max(1, int(at))

    def _phases(self, moment: Moment) -> tuple[float, float, float]:
        match moment:
            case Moment.SECOND:
                return 52.0 + self.cards / 12, self.rounds * self.ROUND_S, 15.0 + self.cards / 6
            case Moment.FED:
                return self.cards, self.rounds * self.ROUND_CARDS, 0
            case Moment.DEALT:
                return 1, self.rounds * self.ROUND_CARDS, self.cards
            case Moment.MOVED:
                return self.cards, 2 * self.rounds * self.ROUND_CARDS, self.cards
            case Moment.APPLIED:
                return 2, 1, 1
            case Moment.ENTRY:
                return 15 + self.cards, self.rounds * self.ROUND_ENTRIES, 2 * self.cards
            case Moment.WATCHED:
                return 1, 7, 4
            case Moment.CHANCE:
                return 1, 2, 0
            case Moment.LAUNCHED | Moment.LINE:
                raise ValueError(moment)


WORLD_OF_ALL: Final = 0.07
"""How often a kind comes up in a world of all kinds, for each ten rounds and once besides."""


def plan_faults(
    seed: int,
    length: Lasting,
    kinds: Collection[FaultKind],
    devices: Collection[Device] = tuple(Device),
    procedure: Procedure | None = None,
    rows: Sequence[FaultRow] = FAULTS,
) -> tuple[PlannedFault, ...]:
    """What goes wrong in the world of `seed` at a table with these devices and this procedure (None: Portugal's).

    A world of few kinds has each of them at least once; a kind that has no subject here is not planned.
    """
    procedure = procedure or procedure_of("pt-csm")
    drawn: list[PlannedFault] = []
    share = WORLD_OF_ALL * (1 + length.rounds / 10) if len(kinds) > 5 else 1.0
    for row in rows:
        if row.kind in kinds and row.finds_a_subject(devices, procedure):
            rng = chance(seed, "fault", row.kind.value)
            count = _count(rng, share * row.often if len(kinds) > 5 else share)
            drawn += [_drawn(row, length, rng, devices) for _ in range(count)]
    return numbered(drawn)


def numbered(faults: Sequence[PlannedFault]) -> tuple[PlannedFault, ...]:
    """With their places in the plan as numbers."""
    return tuple(replace(fault, number=number) for number, fault in enumerate(faults, 1))


def _count(rng: Random, share: float) -> int:
    """How often: at least once for a share of 1, and now and then once more."""
    count = 0
    while rng.random() < share and count < 3:
        count += 1
        share = min(share, 1.0) / 3
    return count


def _drawn(row: FaultRow, length: Lasting, rng: Random, devices: Collection[Device]) -> PlannedFault:
    here = [device for device in row.devices if device in devices]
    return PlannedFault(
        number=0,
        kind=row.kind,
        at=length.draw(row.moment, rng),
        salt=rng.getrandbits(32),
        device=rng.choice(here) if here else None,
        for_s=rng.uniform(*row.for_s),
        share=rng.uniform(*row.share),
        amount=rng.randint(*row.amount),
    )
