"""Linked pools: what tables add, hits in the order of their COMMIT, and what each pool is.

A contribution is a row of its own and locks no pool, so that a thousand tables do not wait for one another. A pool's
row is locked by a hit, for its place, and by `settle_pool`, which brings in all that waits.

The number of a pool's state is never below the milliseconds since 1970: it grows too where a backup was restored.
"""

from pathlib import Path

from alembic import op

revision = "0005"
down_revision = "0004"
SETTLES = "settle_pool"


def upgrade() -> None:
    op.get_bind().exec_driver_sql(Path(__file__).with_suffix(".sql").read_text().replace("%", "%%"))


def downgrade() -> None:
    op.execute(f"drop function {SETTLES}")
    for name in ("hit", "contribution", "linked_rules", "linked_pool"):
        op.drop_table(name)
