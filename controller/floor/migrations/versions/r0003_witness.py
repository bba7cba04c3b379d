"""The newest mark of each table that this floor has signed as a witness, with the tree over the entries up to it.

The rows belong to a key of the witness: under a new key each log begins anew. The tree is kept as the heads of its full
subtrees, so that the next mark needs only the entries since the last one.
"""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    op.drop_table("witnessed")
