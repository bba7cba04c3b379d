"""A linked pool in a table's configuration; the pool itself is the floor's (controller/floor/POOLS.md)."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.jackpot_rules import Combination


@unique
class BetsWhenAway(StrEnum):
    """The casino's choice for uncollected chips while the floor is away."""

    GO_BACK = "go-back"
    PLAY_ON = "play-on"


@unique
class SignShows(StrEnum):
    """The casino's choice of the pool on the table's only sign."""

    OWN = "own"
    LINKED = "linked"


class LinkedRules(Struct, frozen=True, gc=False):
    """A pool for which each jackpot chip plays as well. `away_ms`: the longest time without a floor's statement."""

    pool: str
    currency: str
    combination: Combination
    away_ms: int
    bets_when_away: BetsWhenAway = BetsWhenAway.GO_BACK
    sign: SignShows = SignShows.OWN
