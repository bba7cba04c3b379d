"""Lines, entries and findings.

A line is one table's history in one epoch; `parent_epoch` is the line that it goes on from, behind entry
`first_seq` - 1. `last_seq` and `head` are compared and moved in the very statement that brings the entries in, so that
no lock is held over a round trip.

Nothing has a serial number: commits come in another order than numbers are given, and who asked for "more than the last
one" would miss entries. Read by table, epoch and number.

The month of an entry is that of its own clock, where that can be: the same entry is in the same partition each time.
"""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    for name in ("finding", "entry", "line", "floor"):
        op.drop_table(name)
