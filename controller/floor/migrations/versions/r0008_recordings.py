"""Adds to each hold the number of days for which its recordings are kept and the quality of the clock.

Makes the table `kept_recording`. A row of this table belongs to the holds that were raised at the table time
`incident_ms`. The row counts once all these holds have ended.
"""

from pathlib import Path

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
