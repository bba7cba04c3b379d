"""Reads the parts of entries that are about linked pools. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Final

import msgspec
from msgspec import Struct

from controller.protocol.carried import Epoch, Seq
from controller.protocol.linked import LARGEST_ADDED, MOST_HITS, Contribution, Level, PoolHit, PoolName

FIELDS: Final = (b'"linked', b"\\u")
"""Every entry on a pool has one of these byte strings (the second if JSON escapes a name).

An entry with neither is not decoded.
"""


TOLD: Final = "linked-pool-heard"
"""The kind of the entries in which a table records the statements of the floor that it has accepted."""


class ToldHit(Struct, frozen=True, gc=False):
    """The decided amount of a hit, as the table has recorded it. `epoch`, `seq`: the entry with the hit."""

    epoch: Epoch
    seq: Seq
    micro: Level


class Told(Struct, frozen=True, gc=False):
    """The decided amounts of hits that a table has recorded from one message of the floor."""

    pool: PoolName
    hits: Annotated[tuple[ToldHit, ...], msgspec.Meta(max_length=MOST_HITS)] = ()


class Linked(Struct, frozen=True, gc=False):
    """The contributions, hits and decided amounts in one entry. `is_read`: False if the entry's fields cannot be
    understood.
    """

    added: tuple[Contribution, ...] = ()
    hits: tuple[PoolHit, ...] = ()
    told: Told | None = None
    is_read: bool = True


class _Body(Struct, frozen=True, gc=False):
    linked: tuple[Contribution, ...] = ()
    linked_hits: tuple[PoolHit, ...] = ()


class LinkedRow(Struct, frozen=True, gc=False):
    """A contribution to a pool or a hit of the pool, in the entry `seq`.

    `micro`: the contribution in millionths of a currency unit; None for a hit.
    """

    seq: int
    pool: str
    currency: str
    micro: int | None
    wall_ms: int


_BODIES: Final = msgspec.json.Decoder(_Body)
_TOLD: Final = msgspec.json.Decoder(Told)
UNREAD: Final = Linked(is_read=False)
_NOTHING: Final = Linked()


def linked_in(kind: str, payload: bytes, body: msgspec.Raw) -> Linked | None:
    """Returns the contribution to linked pools in an entry, or the hit. Returns None if the entry has neither.

    Returns UNREAD if the fields cannot be understood.
    """
    if not any(one in payload for one in FIELDS):
        return None
    try:
        found = _BODIES.decode(body)
        told = _TOLD.decode(body) if kind == TOLD else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return UNREAD
    if any(micro > LARGEST_ADDED for micro in _sums(found.linked).values()):
        return UNREAD
    linked = Linked(found.linked, found.linked_hits, told if told is not None and told.hits else None)
    return None if linked == _NOTHING else linked


def _sums(added: Iterable[Contribution]) -> Counter[tuple[str, str]]:
    """Returns the sum of the contributions to each pool in each currency, in millionths of a currency unit."""
    sums: Counter[tuple[str, str]] = Counter()
    for one in added:
        sums[one.pool, one.currency] += one.micro
    return sums


def rows_of(seq: int, wall_ms: int, linked: Linked) -> Iterable[LinkedRow]:
    """Yields the rows of entry `seq`: one for each pool and currency of a contribution, and one for each pool that is
    hit.
    """
    added = _sums(linked.added).items()
    yield from (LinkedRow(seq, pool, currency, micro, wall_ms) for (pool, currency), micro in added)
    hits = {(one.pool, one.currency) for one in linked.hits}
    yield from (LinkedRow(seq, pool, currency, None, wall_ms) for pool, currency in sorted(hits))
