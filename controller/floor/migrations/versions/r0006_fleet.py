"""Makes an index that finds each table's newest start, and `certificate`: the end of each table's last certificate.

The contents of a start stay in its entry, so that no copy can differ from the entry.
"""

from pathlib import Path

from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    op.drop_table("certificate")
    op.drop_index("entry_starts")
