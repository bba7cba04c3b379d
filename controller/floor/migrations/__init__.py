"""The steps that make the floor's tables in the database (Alembic)."""
