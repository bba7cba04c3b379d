"""A linked pool in the messages of tables and floor; controller/floor/POOLS.md describes these messages.

A table's entry contains its contribution to a pool, or a hit of the pool. The floor answers with statements of the
pool's value, numbered in ascending order. Amounts are whole millionths of a currency unit.
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
    """A contribution to a pool, in an entry's body under `linked`."""

    pool: PoolName
    currency: Currency
    micro: Added


class PoolHit(Struct, frozen=True, gc=False):
    """A hit of a pool, in an entry's body under `linked_hits`; the floor decides its amount."""

    pool: PoolName
    currency: Currency


class PoolRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a pool, chosen by the casino. `seed`: its first amount; `reset`: its amount after a hit.

    `rate_ppm`: the share of a linked bet that a table contributes; `reserve_ppm`: the share of a contribution that goes
    to the reserve for the next reset. `most`: above it contributions go to the overflow, which the next reset uses
    first; None: no bound.
    """

    pool: PoolName
    currency: Currency
    seed: Micro
    reset: Micro
    rate_ppm: Share
    reserve_ppm: Share = 0
    most: Micro | None = None


class DecidedHit(Struct, frozen=True, gc=False):
    """A hit whose amount the floor has decided: the entry `seq` of `table` in `epoch`.

    `place`: its number among all hits of this pool, in the order of their COMMIT at the floor. `wall_ms`: the table's
    clock at the hit.
    """

    place: int
    table: str
    epoch: int
    seq: int
    micro: Level
    wall_ms: int


class PoolStatement(Struct, frozen=True, gc=False):
    """The floor's statement of a pool's value. `number`: greater than that of every earlier statement; `at_ms`: the
    clock of the floor's database.
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
    """The floor's signed statement of a linked pool. `statement`: the signed text, byte for byte."""

    statement: Annotated[str, msgspec.Meta(max_length=LONGEST_STATEMENT)]
    signature: Annotated[str, msgspec.Meta(max_length=128)]


_ENCODE = msgspec.json.Encoder(order="sorted").encode
_STATEMENTS: Final = msgspec.json.Decoder(PoolStatement)


def pool_text(statement: PoolStatement) -> bytes:
    """Returns the statement as canonical JSON: keys sorted, no spaces."""
    return _ENCODE(statement)


def pool_in(signed: SignedPool) -> PoolStatement | None:
    """The statement on a pool in a signed text, whose signature is not checked; None for any other text."""
    try:
        return _STATEMENTS.decode(signed.statement)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
