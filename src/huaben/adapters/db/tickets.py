"""A place in the writer's queue: work, and whoever waits for its answer in an event loop; apart
from the writer because half of its life is in another thread."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Generic, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from huaben.adapters.db.committing import attempt
from huaben.adapters.db.numbering import Written
from huaben.errors import StorageFailed
from huaben.ports import Commit, Committed

T = TypeVar("T")


class Entry(ABC):
    """A ticket for an answer of any type, as the writer's thread sees it."""

    loop: asyncio.AbstractEventLoop

    @abstractmethod
    def attempt(self, connection: Connection, now: str) -> None:
        """Do the work in a savepoint and keep the answer or the fault. Raises DBAPIError when the
        transaction that is shared with others may be spoilt."""

    @abstractmethod
    def fail(self, fault: Exception) -> None: ...

    @abstractmethod
    def tops(self) -> Mapping[str, int]:
        """The logs that have grown, up to which number."""

    @abstractmethod
    def settle(self) -> None:
        """Tell who waits; in its loop."""


class Ticket(Entry, Generic[T]):
    """Made in the loop of whoever waits for `future`."""

    def __init__(self, run: Callable[[Connection, str], T]) -> None:
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[T] = self.loop.create_future()
        self.outcome: T | Exception = StorageFailed("storage_failed", "it was not carried out")
        self._run = run

    def attempt(self, connection: Connection, now: str) -> None:
        try:
            self.outcome = self._run(connection, now)
        except DBAPIError:
            raise
        except Exception as fault:  # noqa: BLE001 - the worker's boundary: who waits must be told
            self.outcome = fault

    def fail(self, fault: Exception) -> None:
        self.outcome = fault

    def tops(self) -> Mapping[str, int]:
        return {}

    def settle(self) -> None:
        if self.future.done():  # whoever waited was cancelled
            return
        if isinstance(self.outcome, Exception):
            self.future.set_exception(self.outcome)
        else:
            self.future.set_result(self.outcome)


class Aside(Ticket[T]):
    """Work on connections of its own, alone and between two transactions."""

    def __init__(self, work: Callable[[], T]) -> None:
        super().__init__(lambda connection, now: work())
        self._work = work

    def carry_out(self) -> None:
        """Do the work and keep the answer or the fault."""
        try:
            self.outcome = self._work()
        except Exception as fault:  # noqa: BLE001 - the worker's boundary: who waits must be told
            self.outcome = fault


class CommitTicket(Ticket[Written]):
    """A commit that waits."""

    def __init__(self, commit: Commit) -> None:
        super().__init__(lambda connection, now: attempt(connection, commit, now))
        self.commit = commit

    def tops(self) -> Mapping[str, int]:
        return self.outcome.tops if isinstance(self.outcome, Written) else {}

    def done(self) -> Committed | None:
        """The answer, once it is durable and was not a refusal."""
        answer = self.outcome.answer if isinstance(self.outcome, Written) else None
        return answer if isinstance(answer, Committed) else None
