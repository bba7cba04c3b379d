"""Makes `told`: the amounts of hits in the tables' own entries, to compare with the floor's decisions.

Where a backup of the database was put back, a hit is decided again, and the table may have paid another amount. The new
`settle_pool` multiplies without a bound, so that no contribution of one table can end the sums of a pool.
"""

from pathlib import Path

from alembic import op

revision = "0007"
down_revision = "0006"
HERE = Path(__file__)


def upgrade() -> None:
    op.get_bind().exec_driver_sql(HERE.with_suffix(".sql").read_text().replace("%", "%%"))


def downgrade() -> None:
    op.drop_table("told")
