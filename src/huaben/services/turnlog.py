"""The durable log of a running turn, and the one beat on which all streams are flushed.

Streamed pieces wait for the beat (the first piece of a call goes at once), and all turns flush on
the same beat, so that the store can write them in one transaction. Everything else is durable when
`commit` returns.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from dataclasses import replace

from huaben.agent.log import Superseded
from huaben.domain.events import DraftChange, TextPiece, ThinkingPiece, TurnEvent
from huaben.domain.turnview import TurnView, replay
from huaben.ports import Clock, Commit, Committed, Fence, Row, Stale, Store


class Beat:
    """Wakes everybody who waits at the same moment, every `interval_s` seconds while somebody
    waits."""

    def __init__(self, clock: Clock, interval_s: float) -> None:
        self._clock = clock
        self._interval_s = interval_s
        self._waiting: asyncio.Event | None = None
        self._ticking: asyncio.Task[None] | None = None

    async def wait(self) -> None:
        if self._waiting is None:
            self._waiting = asyncio.Event()
            self._ticking = asyncio.create_task(self._tick(self._waiting))
        await self._waiting.wait()

    async def _tick(self, event: asyncio.Event) -> None:
        await self._clock.sleep(self._interval_s)
        self._waiting = None
        event.set()


class DurableLog:
    """The log of one run of one turn (`agent.log.TurnLog`), fenced by its epoch."""

    def __init__(self, store: Store, beat: Beat, turn_id: str, epoch: int, view: TurnView) -> None:
        self._store = store
        self._beat = beat
        self._turn_id = turn_id
        self._fence = Fence(turn_id, epoch)
        self._view = view
        self._pending: list[TurnEvent] = []
        self._flushing: asyncio.Task[None] | None = None
        self._streaming: tuple[type, int] | None = None
        self._writing = asyncio.Lock()
        self._failure: Exception | None = None

    @property
    def view(self) -> TurnView:
        return self._view

    def stream(self, piece: TurnEvent) -> None:
        """Raises what an earlier flush raised: a log that cannot be written must not grow."""
        if self._failure is not None:
            raise self._failure
        if self._pending and (joined := _joined(self._pending[-1], piece)):
            self._pending[-1] = joined
        else:
            self._pending.append(piece)
        kind = (type(piece), getattr(piece, "call", -1))
        at_once, self._streaming = kind != self._streaming, kind
        if self._flushing is None or self._flushing.done():
            self._flushing = asyncio.create_task(self._flush(at_once=at_once))

    async def commit(self, events: Iterable[TurnEvent] = (), rows: tuple[Row, ...] = ()) -> None:
        await self._write(tuple(events), rows)

    async def close(self) -> None:
        """Flush what is left and stop; the log takes nothing more."""
        await self._write((), ())
        if self._flushing is not None:
            self._flushing.cancel()

    async def _flush(self, *, at_once: bool) -> None:
        if not at_once:
            await self._beat.wait()
        try:
            await self._write((), ())
        except Exception as failure:  # noqa: BLE001 - handed to the next who writes
            self._failure = failure

    async def _write(self, events: tuple[TurnEvent, ...], rows: tuple[Row, ...]) -> None:
        async with self._writing:
            batch = (*self._pending, *events)
            self._pending = []
            if not batch and not rows:
                return
            commit = Commit(
                fence=self._fence,
                rows=rows,
                events=tuple((self._turn_id, event) for event in batch),
            )
            self._take(await to_its_end(self._store.commit(commit)), batch)

    def _take(self, done: Committed | Stale, batch: tuple[TurnEvent, ...]) -> None:
        if isinstance(done, Stale):
            raise Superseded(f"turn {self._turn_id}: {done.kind} moved on")
        self._view = replay(batch, self._view)


async def to_its_end(commit: Coroutine[None, None, Committed | Stale]) -> Committed | Stale:
    """A commit that has begun is waited for even by whoever is cancelled meanwhile: Stop cancels at
    any moment, and what was written must be seen by whoever writes the end."""
    work = asyncio.ensure_future(commit)
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        await work
        raise


def _joined(last: TurnEvent, piece: TurnEvent) -> TurnEvent | None:
    """Two pieces of one stream as one, when the second continues the first."""
    match last, piece:
        case (TextPiece(), TextPiece()) | (ThinkingPiece(), ThinkingPiece()):
            same = last.call == piece.call
        case DraftChange(preview=True), DraftChange(preview=True):
            same = last.op == piece.op and last.base == piece.base and last.call == piece.call
        case _:
            return None
    if not same or piece.offset == 0:
        return None
    return replace(last, text=last.text + piece.text)
