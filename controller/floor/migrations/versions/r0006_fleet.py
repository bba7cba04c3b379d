"""Makes an index that finds each table's newest start, and `certificate`: the time at which each table's last
certificate ends.

A start's contents are only in its entry, so that no copy can differ from it.
"""

from pathlib import Path

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
