"""Runs the migrations; apart because the migration tool is slow to import and rarely needed."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection


def upgrade(connection: Connection, to: str = "head") -> None:
    """Bring the database to the newest schema, or to an older one, within the transaction that is
    open."""
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, to)


def is_known(version: str) -> bool:
    """Whether a stored version is one that this program has ever written."""
    try:
        ScriptDirectory.from_config(_config()).get_revision(version)
    except CommandError:
        return False
    return True


def newest() -> str | None:
    """The head of the history."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", "huaben.adapters.db:migrations")
    config.set_main_option("path_separator", "os")
    return config
