"""Makes the tables of linked pools: contributions, hits in the order of their COMMIT, and the state of each pool.

A contribution is a row of its own and locks no pool, so that a thousand tables do not wait for one another. A hit locks
the pool's row to get its place in the order. `settle_pool` locks the row to add the waiting contributions.

The number of a pool's state is at least the milliseconds since 1970, so that it also grows after a backup was restored.
"""

from pathlib import Path

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.get_bind().exec_driver_sql(Path(__file__).with_suffix(".sql").read_text().replace("%", "%%"))
