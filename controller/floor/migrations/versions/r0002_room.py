"""The tables of the room's page, and the end of a finding.

`shown`: what each table said last. `held`: each hold from when it was first heard of until it was not any more.
`counted`: entries by hour and kind, counted in the statement that brings them in, so that a report of a day reads
hundreds of rows and not millions. `pool`: what a jackpot's pool held at the end of an hour. `ended_finding`: findings
that a person has ended; a finding that is found again is one of its own.
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
