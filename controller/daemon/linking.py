"""Checks the floor's signed statements on the linked pool. The uplink that delivers them is not trusted."""

import asyncio
from collections.abc import Callable
from typing import Final

from controller.config.model import Config, LinkedConfig
from controller.core.house.linked_acts import DecidedHere, LinkedPoolHeard, linked_of
from controller.core.house.linked_pool import Linked
from controller.core.house.state import State
from controller.core.words import TableMs
from controller.journal.linked import is_of_the_floor
from controller.protocol.linked import PoolStatement, SignedPool, pool_in, pool_text
from controller.runtime.kernel import Runtime

NO_POOL: Final = "no-linked-pool"
NOT_SIGNED: Final = "pool-not-signed"
NOT_READ: Final = "pool-not-read"
OTHER_POOL: Final = "not-this-pool"
OTHER_CURRENCY: Final = "not-this-currency"
NOT_NEWER: Final = "pool-not-newer"
TOO_SOON: Final = "pool-too-soon"

_OF_THE_BOUND: Final = 4
"""The table accepts a statement without news once the last one is older than `away_ms` divided by this."""


class Linking:
    """Checks the floor's statements on linked pools for one table. `hear`: passes an accepted statement to the core."""

    def __init__(
        self,
        config: LinkedConfig | None,
        table: str,
        latest: Callable[[], State],
        table_ms: Callable[[], TableMs],
        hear: Callable[[LinkedPoolHeard], None],
    ) -> None:
        self._config = config
        self._table = table
        self._latest = latest
        self._table_ms = table_ms
        self._hear = hear

    def numbers(self) -> dict[str, int]:
        """Returns the number of the newest accepted statement, by the name of its pool. Returns {} without a linked
        pool.
        """
        linked = linked_of(self._latest())
        return {} if linked is None or self._config is None else {linked.pool: linked.number}

    def take(self, signed: SignedPool | None) -> int | str:
        """Checks a pool statement, passes it to the core and returns its number. Returns a catalogue word if the
        statement is refused. `signed`: None for an unreadable statement, which is always refused.
        """
        config, linked = self._config, linked_of(self._latest())
        if config is None or linked is None:
            return NO_POOL
        found = NOT_READ if signed is None else _read(signed, config, linked)
        if isinstance(found, str):
            return found
        here = tuple(DecidedHere(one.epoch, one.seq, one.micro) for one in found.hits if one.table == self._table)
        if not self._is_news(linked, here, config):
            return TOO_SOON
        self._hear(_heard(found, here))
        return found.number

    def _is_news(self, linked: Linked, here: tuple[DecidedHere, ...], config: LinkedConfig) -> bool:
        """True if the statement is the first one, if it decides a further hit of this table, or if the last accepted
        statement is old.
        """
        open_hits = {(hit.epoch, hit.seq): hit.micro for hit in linked.hits}
        known = {place for place, micro in open_hits.items() if micro is not None} | {*linked.over}
        is_decided = any((one.epoch, one.seq) not in known for one in here)
        is_due = self._table_ms() >= linked.since_ms + config.rules.away_ms // _OF_THE_BOUND
        return is_decided or not linked.is_heard or is_due


def _read(signed: SignedPool, config: LinkedConfig, linked: Linked) -> PoolStatement | str:
    """Returns the statement if it is about the configured pool, the floor has signed it, and it is newer than the last
    one. Otherwise returns the reason as a catalogue word.
    """
    if not is_of_the_floor(signed, config.floor.public_key):
        return NOT_SIGNED
    found = pool_in(signed)
    if found is None or pool_text(found) != signed.statement.encode():
        return NOT_READ
    if found.pool != linked.pool:
        return OTHER_POOL
    if found.currency != config.rules.currency:
        return OTHER_CURRENCY
    return found if found.number > linked.number else NOT_NEWER


def _heard(found: PoolStatement, here: tuple[DecidedHere, ...]) -> LinkedPoolHeard:
    return LinkedPoolHeard(found.pool, found.number, found.amount, found.rate_ppm, here)


def linking_of(config: Config, runtime: Runtime, loop: asyncio.AbstractEventLoop) -> Linking:
    """Returns the checker of statements for the configured table."""
    return Linking(
        config.linked,
        config.table.id,
        lambda: runtime.ledger.latest,
        lambda: runtime.table_ms(loop.time()),
        lambda heard: runtime.linked_pool_heard(heard, loop.time()),
    )
