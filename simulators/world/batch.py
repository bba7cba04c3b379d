"""A batch of worlds: its seeds, its kind of table, its kinds of fault, and the command that repeats one
of the worlds.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import Struct

from controller.config.model import Tracks
from controller.config.profile import GAME_OF, USUAL_PROFILE
from simulators.device_kinds import Firmware
from simulators.world.fault_kinds import FaultKind
from simulators.world.games import WorldGame, world_game
from simulators.world.plan import USUAL_TRACKS, WorldPlan

HOUSES: Final = 200
"""The number of seeds that is enough for every choice that the law leaves open to occur."""


def usual_tracks(profile: str) -> Tracks:
    """Returns the default of `--tracks` for this profile: cards at blackjack, bets at roulette."""
    return USUAL_TRACKS[GAME_OF[profile]]


class Batch(Struct, frozen=True):
    """The worlds to run and their common options. `keep`: the numbers of the planned faults to keep; None for all."""

    seeds: range
    rounds: int
    name: str  # the value of `--faults`, as given
    kinds: frozenset[FaultKind]
    keep: tuple[int, ...] | None
    profile: str
    tracks: Tracks
    firmware: Firmware = Firmware.PYTHON
    is_paired: bool = False

    @property
    def game(self) -> WorldGame[Any]:
        return world_game(self.profile)

    def plan(self, seed: int, only: tuple[int, ...] | None = None) -> WorldPlan:
        kept = self.keep if only is None else only
        return WorldPlan(
            seed,
            self.rounds,
            self.kinds,
            kept,
            profile=self.profile,
            tracks=self.tracks,
            firmware=self.firmware,
            paired=self.is_paired,
        )

    def kinds_with_a_subject(self) -> frozenset[FaultKind]:
        """Returns the kinds of fault that the batch names. For `--faults all` returns only those that can occur at the
        batch's tables.
        """
        if self.name != "all":
            return self.kinds
        here = (self.game.subjects(self.plan(seed)) for seed in self.seeds[:HOUSES])
        return self.kinds & frozenset().union(*here)

    def kinds_without_subject(self) -> list[str]:
        """Returns the sorted names of the kinds of fault that cannot occur at the batch's tables. The report leaves
        these kinds out.
        """
        return sorted(self.kinds - self.kinds_with_a_subject())

    def command(self, seed: int, keep: Sequence[int] | None = None) -> str:
        """Returns the command that repeats the world of this seed.

        `keep`: the numbers of the planned faults to keep; None for the batch's own.
        """
        keep = self.keep if keep is None else keep
        words = f"sabot-sim world --seeds {seed}:{seed + 1} --rounds {self.rounds} --faults {self.name}"
        words += "" if self.profile == USUAL_PROFILE else f" --profile {self.profile}"
        words += "" if self.tracks is usual_tracks(self.profile) else f" --tracks {self.tracks}"
        words += "" if self.firmware is Firmware.PYTHON else f" --shuffler {self.firmware}"
        words += " --paired" if self.is_paired else ""
        return words if keep is None else f"{words} --keep {','.join(map(str, keep)) or 'none'}"
