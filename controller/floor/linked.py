"""Linked pools in entries: read from the fields of their bodies, of every kind of entry. Pure."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct

from controller.protocol.linked import LARGEST_MICRO, Contribution, PoolHit

FIELD: Final = b'"linked'
"""Bytes of each entry that says anything of a pool: no other entry's body is read."""


class Linked(Struct, frozen=True, gc=False):
    """Of one entry. `is_read` False: it says something that is no contribution and no hit."""

    added: tuple[Contribution, ...] = ()
    hits: tuple[PoolHit, ...] = ()
    is_read: bool = True


class _Body(Struct, frozen=True, gc=False):
    linked: tuple[Contribution, ...] = ()
    linked_hits: tuple[PoolHit, ...] = ()


class LinkedRow(Struct, frozen=True, gc=False):
    """Entry `seq` adds `micro` to a pool, once however often the entry names it; None: the pool was hit."""

    seq: int
    pool: str
    currency: str
    micro: int | None
    wall_ms: int


_BODIES: Final = msgspec.json.Decoder(_Body)
UNREAD: Final = Linked(is_read=False)


def linked_in(payload: bytes, body: msgspec.Raw) -> Linked | None:
    """None where the entry says nothing of a pool."""
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
    """One row for each pool that the entry adds to, and for each that was hit."""
    added: Counter[tuple[str, str]] = Counter()
    for one in linked.added:
        added[one.pool, one.currency] = min(added[one.pool, one.currency] + one.micro, LARGEST_MICRO)
    yield from (LinkedRow(seq, pool, currency, micro, wall_ms) for (pool, currency), micro in added.items())
    hits = {(one.pool, one.currency) for one in linked.hits}
    yield from (LinkedRow(seq, pool, currency, None, wall_ms) for pool, currency in sorted(hits))
