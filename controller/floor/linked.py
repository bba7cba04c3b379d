"""The fields on linked pools in the bodies of entries of any kind. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from controller.protocol.linked import LARGEST_MICRO, Contribution, PoolHit

FIELD: Final = b'"linked'
"""Bytes that every entry on a pool has: the bodies of other entries are not decoded."""


class Linked(Struct, frozen=True, gc=False):
    """The contributions and hits in one entry. `is_read` False: the entry's fields cannot be understood."""

    added: tuple[Contribution, ...] = ()
    hits: tuple[PoolHit, ...] = ()
    is_read: bool = True


class _Body(Struct, frozen=True, gc=False):
    linked: tuple[Contribution, ...] = ()
    linked_hits: tuple[PoolHit, ...] = ()


class LinkedRow(Struct, frozen=True, gc=False):
    """Entry `seq` adds `micro` (millionths) to a pool, as one sum; None: the pool was hit."""

    seq: int
    pool: str
    currency: str
    micro: int | None
    wall_ms: int


_BODIES: Final = msgspec.json.Decoder(_Body)
UNREAD: Final = Linked(is_read=False)


def linked_in(payload: bytes, body: msgspec.Raw) -> Linked | None:
    """The contributions and hits in an entry; None for an entry without any."""
    if FIELD not in payload:
        return None
    try:
        found = _BODIES.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return UNREAD
    if not found.linked and not found.linked_hits:
        return None
    return Linked(found.linked, found.linked_hits)


def rows_of(seq: int, wall_ms: int, linked: Linked) -> Iterable[LinkedRow]:
    """One row for each pool to which the entry adds, and one for each pool that it hits."""
    added: Counter[tuple[str, str]] = Counter()
    for one in linked.added:
        added[one.pool, one.currency] = min(added[one.pool, one.currency] + one.micro, LARGEST_MICRO)
    yield from (LinkedRow(seq, pool, currency, micro, wall_ms) for (pool, currency), micro in added.items())
    hits = {(one.pool, one.currency) for one in linked.hits}
    yield from (LinkedRow(seq, pool, currency, None, wall_ms) for pool, currency in sorted(hits))
