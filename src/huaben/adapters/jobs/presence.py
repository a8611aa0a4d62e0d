"""Which processes of a shared journal are alive, told by locks that their server lets go when they
die; apart from the engine, whose own records only say who began a job, not whether it still lives.
"""

from __future__ import annotations

import hashlib
from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from huaben.errors import Conflict

_SETTINGS = (
    "lock_timeout = '5s'",
    # A machine that lost its power says nothing: within a minute it counts as gone.
    "tcp_keepalives_idle = 30",
    "tcp_keepalives_interval = 10",
    "tcp_keepalives_count = 3",
)
_LOCK_NOT_AVAILABLE = "55P03"


class Presence:
    """Held for as long as a process runs jobs, on a connection of its own. All verbs block.

    `place` tells journals of one database apart. Raises `Conflict` if another process that calls
    itself the same is there, after five seconds."""

    def __init__(self, engine: Engine, place: str, version: str, executor: str) -> None:
        self._engine = engine
        self._place = place
        self._version = version
        self._executor = executor
        self._connection = self._held()

    @contextmanager
    def turn(self) -> Generator[None]:
        """One process at a time: what was read about records stays true until they are changed."""
        self._keep()
        self._call("pg_advisory_lock", "turn")
        try:
            yield
        finally:
            self._call("pg_advisory_unlock", "turn")

    @contextmanager
    def gone(self, executor: str) -> Generator[bool]:
        """Whether that process is dead, or this one itself. If so it cannot come back meanwhile."""
        with self._free(f"executor {executor}") as free:
            yield free

    def runs(self, version: str) -> bool:
        """Whether another process that reads this version's records is alive."""
        with self._free(f"version {version}") as free:
            return not free

    def close(self) -> None:
        self._connection.close()

    def _held(self) -> Connection:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        connection.detach()  # closed rather than reused, so that the locks go with it
        try:
            for setting in _SETTINGS:
                connection.execute(text(f"SET {setting}"))
            self._lock_on(connection, "pg_advisory_lock_shared", f"version {self._version}")
            self._lock_on(connection, "pg_advisory_lock", f"executor {self._executor}")
        except DBAPIError as fault:
            connection.close()
            if getattr(fault.orig, "sqlstate", "") == _LOCK_NOT_AVAILABLE:
                raise Conflict(
                    "jobs_run_twice",
                    "Another process of the same name runs background jobs on this server.",
                    "Give its machine another name, or this one another data folder.",
                ) from fault
            raise
        return connection

    def _keep(self) -> None:
        """The locks went if the server was started anew; then they are taken again."""
        try:
            self._connection.execute(text("SELECT 1"))
        except SQLAlchemyError:
            self._connection.close()
            self._connection = self._held()

    @contextmanager
    def _free(self, name: str) -> Generator[bool]:
        free = self._call("pg_try_advisory_lock", name)
        try:
            yield free
        finally:
            if free:
                self._call("pg_advisory_unlock", name)

    def _call(self, verb: str, name: str) -> bool:
        return self._lock_on(self._connection, verb, name)

    def _lock_on(self, connection: Connection, verb: str, name: str) -> bool:
        named = f"huaben jobs\0{self._place}\0{name}".encode()
        digest = hashlib.blake2b(named, digest_size=8).digest()
        key = int.from_bytes(digest, signed=True)
        given = connection.execute(text(f"SELECT {verb}(:key)"), {"key": key})
        return given.scalar() is True


class Alone:
    """Of a journal that belongs to one process: whatever else began something is gone."""

    @contextmanager
    def turn(self) -> Generator[None]:
        yield

    @contextmanager
    def gone(self, executor: str) -> Generator[bool]:
        del executor
        yield True

    def runs(self, version: str) -> bool:
        del version
        return False

    def close(self) -> None:
        return
