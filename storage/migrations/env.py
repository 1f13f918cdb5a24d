"""What alembic runs: the revisions of this folder on the connection that storage/migrate.py hands over."""

from alembic import context

from storage.migrate import VERSION_TABLE

context.configure(connection=context.config.attributes["connection"], version_table=VERSION_TABLE)
with context.begin_transaction():
    context.run_migrations()
