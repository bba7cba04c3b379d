"""Brings the floor's tables to this version, or says that they are not."""

from pathlib import Path
from typing import Final

import psycopg
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, text

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 5_401_727_004
"""Of the database: of two that migrate at once one waits."""


def migrate(conninfo: str) -> None:
    """Raises psycopg.Error, sqlalchemy.exc.SQLAlchemyError."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo))
    with engine.begin() as connection:
        connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    engine.dispose()


def is_current(conninfo: str) -> bool:
    """True where the tables are of this version. Raises psycopg.Error, sqlalchemy.exc.SQLAlchemyError."""
    engine = create_engine("postgresql+psycopg://", creator=lambda: psycopg.connect(conninfo))
    with engine.connect() as connection:
        found = _version_of(connection)
    engine.dispose()
    return found == ScriptDirectory.from_config(_config()).get_current_head()


def _version_of(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config
