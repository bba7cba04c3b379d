"""Migrates the floor's database tables to this program's version, or checks the version that they have.

Only a migration imports Alembic.
"""

from pathlib import Path
from typing import Final

import psycopg
from psycopg.errors import UndefinedTable

from controller.floor.database import statement

VERSION: Final = "0009"
"""The number of the newest migration."""

OLDEST: Final = 15
"""The oldest version of PostgreSQL that was tested."""

MIGRATIONS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 5_401_727_004
"""The number of a lock in the database, which makes a second migration wait for the first."""


def migrate(conninfo: str) -> None:
    """Migrates the database's tables to VERSION. Raises psycopg.Error, sqlalchemy.exc.SQLAlchemyError."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy import create_engine, text

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo))
    with engine.begin() as connection:
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config.attributes["connection"] = connection
        command.upgrade(config, VERSION)
    engine.dispose()


def is_too_old(conninfo: str) -> bool:
    """True if the PostgreSQL server is older than OLDEST, the oldest tested version. Raises psycopg.Error."""
    with psycopg.connect(conninfo) as connection:
        return connection.info.server_version // 10_000 < OLDEST


def is_current(conninfo: str) -> bool:
    """True if the database's tables have the version VERSION. False without tables. Raises psycopg.Error."""
    with psycopg.connect(conninfo) as connection:
        try:
            found = connection.execute(statement("version").encode()).fetchall()
        except UndefinedTable:
            return False
    return found == [(VERSION,)]
