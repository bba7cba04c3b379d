"""The plan of a world: its seed, its length, its faults and its table."""

from typing import Final

from msgspec import Struct

from controller.config.model import Tracks
from controller.config.profile import GameName
from controller.core.setup import Procedure
from simulators.device_kinds import Firmware
from simulators.world.fault_kinds import FaultKind

START_S: Final = 1000.0
"""The time of every world's clock at its start."""

USUAL_TRACKS: Final = {GameName.BLACKJACK: Tracks.CARDS, GameName.ROULETTE: Tracks.BETS}
"""The default of a simulated table's tracks: cards at blackjack, bets at roulette."""


class WorldPlan(Struct, frozen=True):
    """Everything that a world is made from."""

    seed: int
    rounds: int
    kinds: frozenset[FaultKind] = frozenset()
    only: tuple[int, ...] | None = None  # numbers of the planned faults that are kept; None: all
    keep_outputs: bool = False
    decks: int | None = None  # None: drawn from the seed
    swapped: tuple[int, int] | None = None  # two cards, by number, whose faces have changed places (pairs.py)
    profile: str = "pt-csm"
    procedure: Procedure | None = None  # None: what the law leaves open is drawn from the seed
    tracks: Tracks = Tracks.CARDS
    firmware: Firmware = Firmware.PYTHON  # of the shuffler
    paired: bool = False  # every device is paired, and an attacker is on the cables (paired.py)
