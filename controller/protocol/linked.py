"""The messages about a linked pool between tables and floor, which controller/floor/POOLS.md describes.

An entry of a table contains its contribution to a pool, or a hit of the pool. The floor answers with numbered
statements of the pool's value. Amounts are whole millionths of a currency unit.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Struct

LARGEST_MICRO: Final = 10**15
LARGEST_ADDED: Final = 10**12
"""The most that one entry adds to a pool: a million units. The sum of many entries still fits into eight bytes."""

LARGEST_LEVEL: Final = (1 << 63) - 1
WHOLE_PPM: Final = 1_000_000
MOST_HITS: Final = 16
"""The most hits that a statement contains; of more hits it contains the newest."""

LONGEST_STATEMENT: Final = 8192

PoolName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,31}\Z")]
Currency = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}\Z")]
Micro = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_MICRO)]
Added = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_ADDED)]
Level = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_LEVEL)]
Share = Annotated[int, msgspec.Meta(ge=0, le=WHOLE_PPM)]


class Contribution(Struct, frozen=True, gc=False):
    """A table's contribution to a pool, in an entry's body under `linked`. `micro`: in millionths of a currency
    unit.
    """

    pool: PoolName
    currency: Currency
    micro: Added


class PoolHit(Struct, frozen=True, gc=False):
    """A hit of a pool at a table, in an entry's body under `linked_hits`. The floor decides the amount of the hit."""

    pool: PoolName
    currency: Currency


class PoolRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules that a casino has chosen for a linked pool. Shares are in millionths (ppm)."""

    pool: PoolName
    currency: Currency
    seed: Micro  # the pool's first amount
    reset: Micro  # its amount after a hit
    rate_ppm: Share  # the share of a linked bet that a table contributes
    reserve_ppm: Share = 0  # the share of a contribution that is kept for the next reset
    # Contributions above this bound go to the overflow, which the next reset uses first. None: no bound.
    most: Micro | None = None


class DecidedHit(Struct, frozen=True, gc=False):
    """A hit whose amount the floor has decided. `table`, `epoch` and `seq` name the entry of the hit. `place`: the
    hit's number among the pool's hits, in the order of COMMIT in the floor's database. `wall_ms`: the table's clock at
    the hit.
    """

    place: int
    table: str
    epoch: int
    seq: int
    micro: Level
    wall_ms: int


class PoolStatement(Struct, frozen=True, gc=False):
    """The floor's statement of a pool's value. `number`: rises with each statement; `at_ms`: the time by the clock of
    the floor's database.
    """

    pool: PoolName
    currency: Currency
    number: int
    at_ms: int
    amount: Level
    reserve: Level
    overflow: Level
    rate_ppm: Share
    hits: tuple[DecidedHit, ...] = ()


class SignedPool(Struct, frozen=True, gc=False):
    """A pool statement with the floor's signature. `statement`: the signed text, byte for byte."""

    statement: Annotated[str, msgspec.Meta(max_length=LONGEST_STATEMENT)]
    signature: Annotated[str, msgspec.Meta(max_length=128)]


_ENCODE = msgspec.json.Encoder(order="sorted").encode
_STATEMENTS: Final = msgspec.json.Decoder(PoolStatement)


def pool_text(statement: PoolStatement) -> bytes:
    """Returns the statement as canonical JSON: keys sorted, no spaces."""
    return _ENCODE(statement)


def pool_in(signed: SignedPool) -> PoolStatement | None:
    """Returns the pool statement in the signed text of `signed`, or None if the text is no pool statement. Does not
    check the signature.
    """
    try:
        return _STATEMENTS.decode(signed.statement)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
