"""A linked pool, as tables and floor speak of it: controller/floor/POOLS.md is the text to this code.

An entry of a table says what it adds to a pool, and that a pool was hit. What the pool is comes down as a statement
with a number that only grows. Amounts are whole millionths of a currency unit.
"""

from typing import Annotated, Final

import msgspec
from msgspec import Struct

LARGEST_MICRO: Final = 10**15
WHOLE_PPM: Final = 1_000_000
MOST_HITS: Final = 16
"""Of the newest, in a statement."""

LONGEST_STATEMENT: Final = 8192

PoolName = Annotated[str, msgspec.Meta(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
Currency = Annotated[str, msgspec.Meta(pattern=r"^[A-Z]{3}$")]
Micro = Annotated[int, msgspec.Meta(ge=0, le=LARGEST_MICRO)]
Share = Annotated[int, msgspec.Meta(ge=0, le=WHOLE_PPM)]


class Contribution(Struct, frozen=True, gc=False):
    """In an entry's body under `linked`: so much goes to this pool."""

    pool: PoolName
    currency: Currency
    micro: Micro


class PoolHit(Struct, frozen=True, gc=False):
    """In an entry's body under `linked_hits`: this pool was hit here; its amount is the floor's word."""

    pool: PoolName
    currency: Currency


class PoolRules(Struct, frozen=True, forbid_unknown_fields=True):
    """By the casino's choice. `seed`: what it begins with; `reset`: with what it goes on behind a hit.

    `rate_ppm`: of a linked bet, what a table contributes; `reserve_ppm`: of a contribution, what is put aside for the
    next reset. `most`: beyond it contributions go to the overflow, which the next reset takes first; None: no bound.
    """

    pool: PoolName
    currency: Currency
    seed: Micro
    reset: Micro
    rate_ppm: Share
    reserve_ppm: Share = 0
    most: Micro | None = None


class DecidedHit(Struct, frozen=True, gc=False):
    """`place`: of all hits of this pool, by the order of their COMMIT at the floor; `wall_ms`: the table's clock."""

    place: int
    table: str
    epoch: int
    seq: int
    micro: Micro
    wall_ms: int


class PoolStatement(Struct, frozen=True, gc=False):
    """The value of a pool. `number` only grows; `at_ms`: the clock of the floor's database."""

    pool: PoolName
    currency: Currency
    number: int
    at_ms: int
    amount: Micro
    reserve: Micro
    overflow: Micro
    rate_ppm: Share
    hits: tuple[DecidedHit, ...] = ()


class SignedPool(Struct, frozen=True, gc=False):
    """`statement`: the text that is signed, byte for byte."""

    statement: Annotated[str, msgspec.Meta(max_length=LONGEST_STATEMENT)]
    signature: Annotated[str, msgspec.Meta(max_length=128)]


_ENCODE = msgspec.json.Encoder(order="sorted").encode
_STATEMENTS: Final = msgspec.json.Decoder(PoolStatement)


def pool_text(statement: PoolStatement) -> bytes:
    """Its canonical JSON: sorted, without spaces."""
    return _ENCODE(statement)


def pool_in(signed: SignedPool) -> PoolStatement | None:
    """The statement in a signed text; None where it is no statement of a pool."""
    try:
        return _STATEMENTS.decode(signed.statement)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
