"""Makes `told`: the amounts of hits that the tables have recorded, to be compared with the floor's decisions.

After the database was restored from a backup, a hit may be decided again although the table has already paid another
amount. The new `settle_pool` multiplies without a bound, so that no contribution of one table can make a pool's sums
fail.
"""

from pathlib import Path

from alembic import op

revision = "0007"
down_revision = "0006"
HERE = Path(__file__)


def upgrade() -> None:
    op.get_bind().exec_driver_sql(HERE.with_suffix(".sql").read_text().replace("%", "%%"))
