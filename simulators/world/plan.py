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
    """All parameters from which a world is made."""

    seed: int
    rounds: int
    kinds: frozenset[FaultKind] = frozenset()
    only: tuple[int, ...] | None = None  # the numbers of the planned faults to keep; None: all
    keep_outputs: bool = False
    decks: int | None = None  # None: drawn from the seed
    swapped: tuple[int, int] | None = None  # the numbers of two cards that exchange faces (pairs.py)
    profile: str = "pt-csm"
    procedure: Procedure | None = None  # None: choices that the law leaves open are drawn from the seed
    tracks: Tracks = Tracks.CARDS
    firmware: Firmware = Firmware.PYTHON  # the shuffler's firmware
    paired: bool = False  # every device is paired, and an attacker is on the cables (paired.py)
