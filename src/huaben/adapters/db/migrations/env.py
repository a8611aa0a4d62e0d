"""What the migration tool runs first: it gets the connection and the transaction that the store has
opened, and nothing from any file."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from huaben.adapters.db.memory_schema import metadata

connection = context.config.attributes["connection"]
if not isinstance(connection, Connection):
    raise TypeError("migrations run on the connection of an opening store")
# Batch mode, because SQLite can change a table only by making it anew.
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
context.run_migrations()
