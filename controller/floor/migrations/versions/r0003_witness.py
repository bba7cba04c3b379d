"""Makes the table of marks: the newest mark of each log that this floor has signed as a witness, and its tree.

The tree over the entries up to the mark is stored as the hashes of its full subtrees. So the next mark needs only the
entries since then. A row belongs to one key of the witness: under a new key each log begins anew.
"""

from pathlib import Path

from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
