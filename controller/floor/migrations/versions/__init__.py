"""The steps of the migration, one module each (Alembic)."""
