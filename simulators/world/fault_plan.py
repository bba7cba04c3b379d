"""Draws the planned faults of one world from its seed.

Each kind has its own random generator: an additional kind changes only the numbers of the other faults
(`PlannedFault.number`). In a plan of more than FEW kinds each kind has fewer faults.
"""

from collections.abc import Callable, Collection, Sequence
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from controller.core.setup import Procedure
from controller.core.words import Device
from simulators.world.clock import chance
from simulators.world.faults import FAULTS, FaultRow, Moment, PlannedFault
from simulators.world.plan import WorldPlan

Draw: TypeAlias = Callable[[Moment, Random], int]
"""Draws `PlannedFault.at` for a world of known length, in the unit of the moment."""


class Length(Struct, frozen=True):
    """The expected length of a card world, in each unit that a fault's moment can have."""

    rounds: int
    cards: int

    ROUND_CARDS = 8
    ROUND_S = 37.0  # busy seconds
    ROUND_ENTRIES = 35

    def draw(self, moment: Moment, rng: Random) -> int:
        """Returns a random moment, 1 or later, in the unit of `moment`.

        Two in three moments are during the rounds, however long loading and unloading take; the others are anywhere in
        the world.
        """
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


FEW: Final = 5
WORLD_OF_ALL: Final = 0.07
"""In a plan of more than FEW kinds the chance of a kind is this, times the row's `often`, times one plus a tenth of the
rounds.
"""


def plan_faults(
    plan: WorldPlan,
    draw: Draw,
    devices: Collection[Device],
    procedure: Procedure,
    rows: Sequence[FaultRow] = FAULTS,
) -> tuple[PlannedFault, ...]:
    """Draws the faults of the world of `plan`, for a table with these devices and this procedure.

    A plan of at most FEW kinds has at least one fault of each kind. A kind that can affect nothing at the table is left
    out.
    """
    drawn: list[PlannedFault] = []
    is_of_few = len(plan.kinds) <= FEW
    for row in rows:
        if row.kind in plan.kinds and row.finds_a_subject(devices, procedure):
            rng = chance(plan.seed, "fault", row.kind.value)
            count = _count(rng, 1.0 if is_of_few else WORLD_OF_ALL * (1 + plan.rounds / 10) * row.often)
            drawn += [_drawn(row, draw, rng, devices) for _ in range(count)]
    return tuple(fault for fault in numbered(drawn) if plan.only is None or fault.number in plan.only)


def numbered(faults: Sequence[PlannedFault]) -> tuple[PlannedFault, ...]:
    """Returns the faults with numbers from 1, in this order."""
    return tuple(replace(fault, number=number) for number, fault in enumerate(faults, 1))


def _count(rng: Random, share: float) -> int:
    """Returns a random number of faults from 0 to 3; at least 1 if `share` is 1 or more."""
    count = 0
    while rng.random() < share and count < 3:
        count += 1
        share = min(share, 1.0) / 3
    return count


def _drawn(row: FaultRow, draw: Draw, rng: Random, devices: Collection[Device]) -> PlannedFault:
    here = [device for device in row.devices if device in devices]
    return PlannedFault(
        number=0,
        kind=row.kind,
        at=draw(row.moment, rng),
        salt=rng.getrandbits(32),
        device=rng.choice(here) if here else None,
        for_s=rng.uniform(*row.for_s),
        share=rng.uniform(*row.share),
        amount=rng.randint(*row.amount),
    )
