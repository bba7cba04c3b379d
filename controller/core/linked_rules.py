"""The configuration of a linked pool at one table; the floor keeps the pool itself (controller/floor/POOLS.md)."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.jackpot_rules import Combination


@unique
class BetsWhenAway(StrEnum):
    """The casino's choice for uncollected jackpot chips when the floor goes away: chips go back, or stay in play."""

    GO_BACK = "go-back"
    PLAY_ON = "play-on"


@unique
class SignShows(StrEnum):
    """The casino's choice of the pool whose amount the table's only sign shows."""

    OWN = "own"
    LINKED = "linked"


class LinkedRules(Struct, frozen=True, gc=False):
    """The configuration of a linked pool, for which each jackpot chip of the table plays, too. `away_ms`: the time
    without figures from the floor after which the floor counts as away.
    """

    pool: str
    currency: str
    combination: Combination
    away_ms: int
    bets_when_away: BetsWhenAway = BetsWhenAway.GO_BACK
    sign: SignShows = SignShows.OWN
