"""The side of the durable log that a performance writes on; apart so that the loop knows no store."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from huaben.domain.events import TurnEvent
from huaben.domain.turnview import TurnView
from huaben.ports import Row


class TurnLog(Protocol):
    """One run's log of one turn."""

    @property
    def view(self) -> TurnView:
        """The turn as the durable part of the log tells it."""
        ...

    async def commit(self, events: Iterable[TurnEvent] = (), rows: tuple[Row, ...] = ()) -> None:
        """Make events and rows durable together, after all pieces streamed before them. Raises
        `Superseded` when a newer run of the turn has begun."""
        ...

    def stream(self, piece: TurnEvent) -> None:
        """Take a streamed piece; it is durable within the flushing interval, or with the next
        commit."""
        ...


class Superseded(Exception):
    """Another run owns the turn now; this one must stop without writing anything."""
