"""The jackpot's pool that the entries of an export make, and what is wrong with them."""

from simulators.oracles.export_reader import Export
from simulators.oracles.pool import Pool, movement


def pool_of(export: Export) -> Pool:
    """Every movement taken in the journal's order."""
    pool = Pool()
    for moved in (one for entry in export.entries for one in entry.moved):
        found = movement({"kind": moved["kind"], "body": moved})
        if found is not None:
            pool.take(found)
    return pool
