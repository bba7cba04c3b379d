"""The file that Alembic runs: takes every step in one transaction, over the given connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
