"""A linked pool as a table's configuration has it: the pool itself is the floor's (controller/floor/POOLS.md)."""

from enum import StrEnum, unique

from msgspec import Struct

from controller.core.jackpot_rules import Combination


@unique
class BetsWhenAway(StrEnum):
    """The casino's choice for chips that lie and are not collected when the floor is away."""

    GO_BACK = "go-back"
    PLAY_ON = "play-on"


@unique
class SignShows(StrEnum):
    """The casino's choice for the one sign of the table."""

    OWN = "own"
    LINKED = "linked"


class LinkedRules(Struct, frozen=True, gc=False):
    """Each jackpot chip plays for this pool, too. `away_ms`: without a statement for so long the floor is away."""

    pool: str
    currency: str
    combination: Combination
    away_ms: int
    bets_when_away: BetsWhenAway = BetsWhenAway.GO_BACK
    sign: SignShows = SignShows.OWN
