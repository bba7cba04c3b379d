"""Each table's program: an index of starts finds the newest one; `certificate`: the end of the last one.

What a start says stays in its entry, so that nothing here can tell of another program than the entry does.
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
