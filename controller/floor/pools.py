"""The linked pools of the floor: adds waiting contributions and hits, and signs the state of each pool.

Who may rule a pool a person at the floor's own computer whose account may read its configuration, by name who else must
agree no one at the floor; a table takes part in a pool only if its own configuration names the pool what undoes it
another ruling; contributions and payments stay what grows a row for each ruling, each contribution and each hit
"""

from dataclasses import dataclass, field
from typing import Final

import msgspec

from controller.floor.database import Database, statement
from controller.floor.findings import Ending
from controller.journal.linked import signed_pool
from controller.journal.signing import Signer
from controller.protocol.linked import MOST_HITS, DecidedHit, PoolRules, PoolStatement, SignedPool

HIT: Final = b'"linked_hits"'
"""The bytes by which a payload with a hit of a pool is found without decoding it."""

_SETTLE: Final = statement("settle")
_COMPARE: Final = statement("compare")
_FRESHEN: Final = statement("freshen_pools")
_WAITING: Final = statement("waiting")
_POOLS: Final = statement("linked_pools")
_DURABLE_POOLS: Final = statement("durable_pools").format(pools=_POOLS)
_RULE: Final = statement("rule_pool")


def rule_pool(database: Database, rules: PoolRules, ruling: Ending) -> bool:
    """Begins a pool, or changes its rules, durable on return. Returns False if the pool already has another currency.
    `ruling`: the person who rules, with the evidence. Raises the errors of `Database.write`.
    """
    of_ruling: dict[str, object] = {"by": ruling.by, "account": ruling.account, "evidence": ruling.evidence}
    return bool(database.write(_RULE, msgspec.structs.asdict(rules) | of_ruling))


def pools_now(database: Database) -> list[PoolStatement]:
    """The state of each pool with its newest decided hits, sorted by name. Raises DatabaseAway, DatabaseBusy."""
    return [_statement(*row) for row in database.looked_up(_POOLS, {"most": MOST_HITS})]


def _durable_pools(database: Database) -> list[PoolStatement]:
    """Returns the result of `pools_now` once it is durable: even a replica that takes over then has it."""
    return [_statement(*row) for row in database.write(_DURABLE_POOLS, {"most": MOST_HITS})]


def _statement(
    pool: str, currency: str, number: int, at_ms: int, amount: int, reserve: int, overflow: int, rate: int, hits: object
) -> PoolStatement:
    decided = msgspec.convert(hits, tuple[DecidedHit, ...])
    return PoolStatement(pool, currency, number, at_ms, amount, reserve, overflow, rate, decided)


@dataclass(frozen=True, slots=True)
class Pools:
    """The linked pools as one process of the floor knows them. Every method may block and must be called in a thread. A
    method that uses the database raises the errors of `Database`.
    """

    database: Database
    signer: Signer
    _newest: dict[str, tuple[int, SignedPool]] = field(default_factory=dict)

    def look(self) -> None:
        """Adds waiting contributions and hits to their pools, and signs the state of each pool that has changed or is 5
        seconds old.

        Records a finding for a hit if the table's recorded amount differs from the floor's.
        """
        for (pool,) in self.database.looked_up(_WAITING, {}):
            self.database.write(_SETTLE, {"pool": pool})
        self.database.write(_COMPARE, {})
        self.database.write(_FRESHEN, {})
        if any(self._is_newer(one) for one in pools_now(self.database)):
            for one in filter(self._is_newer, _durable_pools(self.database)):
                self._newest[one.pool] = one.number, signed_pool(one, self.signer)

    def _is_newer(self, than_said: PoolStatement) -> bool:
        return than_said.number > self._newest.get(than_said.pool, (0, None))[0]

    def newer(self, than: dict[str, int]) -> list[SignedPool]:
        """Returns the newest signed state of each pool in `than`, if the table's state is older. `than`: the number of
        the table's state of each pool.
        """
        found = ((self._newest.get(name), number) for name, number in than.items())
        return [newest[1] for newest, number in found if newest is not None and newest[0] > number]
