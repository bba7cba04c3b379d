"""Makes the tables of the room's page, and of ended findings.

`shown`: the last status of each table. `held`: each hold with its begin and its end. `counted`: entries by hour and
kind, counted by the statement that inserts them, so that a report of a day reads hundreds of rows instead of millions.
`pool`: the amount of a jackpot's pool at the end of an hour. `ended_finding`: findings that a person has ended; the
same fault found again is a new finding.
"""

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    for name in ("ended_finding", "pool", "counted", "held", "shown"):
        op.drop_table(name)
