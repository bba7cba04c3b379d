"""Makes the table of cards, faults and retries of each device, by day and deck set, which shows worsening devices."""

from pathlib import Path

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.execute(Path(__file__).with_suffix(".sql").read_text())


def downgrade() -> None:
    op.drop_table("wear")
