"""The newest mark of each table that this floor has signed as a witness, and the tree over the entries up to there.

By the key of the witness: under a new one each log begins anew. The tree is kept as the heads of its full subtrees, so
that the next mark needs no entry that an earlier one was worked out from.
"""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    op.drop_table("witnessed")
