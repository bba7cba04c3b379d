"""Makes the table of each device's cards, faults and retries by day and deck set, to show devices that get worse."""

from pathlib import Path

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())
