"""Makes the tables of lines, entries and findings.

A line is one table's history in one epoch. `parent_epoch`: the epoch of the line that it continues, after entry
`first_seq` - 1. The statement that inserts entries also compares and moves the line's end (`last_seq`, `head`), so that
no lock is held between two statements.

No row has a serial number: transactions commit in another order than their numbers, so a reader of "all after the last
number" would miss entries. Entries are read by table, epoch and number. An entry's month is by its own clock if the
time is plausible, so that the same entry is always in the same partition.
"""

from pathlib import Path

from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
