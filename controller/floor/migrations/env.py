"""The file that Alembic runs. All steps of a migration are done in one transaction, over the caller's connection."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
with context.begin_transaction():
    context.run_migrations()
