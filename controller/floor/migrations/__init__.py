"""The floor's tables, step by step (Alembic)."""
