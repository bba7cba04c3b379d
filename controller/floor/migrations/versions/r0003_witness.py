"""Makes the table of marks: for each table the newest mark that this floor has signed as a witness, with its tree.

The tree is over the entries up to the mark, stored as the heads of its full subtrees, so that the next mark needs only
the entries since the last one. A row belongs to one key of the witness: under a new key each log begins anew.
"""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    op.drop_table("witnessed")
