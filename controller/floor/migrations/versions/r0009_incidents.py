"""Adds to `held` the number of the entry that ends an incident without a hold: 0 before its end, null for a hold."""

from alembic import op
from sqlalchemy import BigInteger, Column

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("held", Column("ended_seq", BigInteger))
