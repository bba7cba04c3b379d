"""Makes the tables of the room's page, and of ended findings.

`shown`: the last status of each table. `held`: each hold with its begin and its end. `counted`: the numbers of entries
by hour and kind, counted by the statement that inserts them, so that a day's report reads hundreds of rows instead of
millions. `pool`: a jackpot pool's amount at the end of each hour. `ended_finding`: the findings that a person has
ended. If a fault is found again after its finding was ended, the finding is new.
"""

from pathlib import Path

from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
