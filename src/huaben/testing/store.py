"""A store in memory with the behaviour of the real one: the same contract suite runs on both."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Literal, TypeVar

from huaben.domain.connection import StoredConnection
from huaben.domain.events import End, Status
from huaben.domain.folding import fold
from huaben.domain.libraryitem import StoredItem
from huaben.domain.messages import Usage, WireRequest
from huaben.domain.project import (
    RECORD,
    Guidance,
    Project,
    ProjectKind,
    StoredBook,
    StoredCard,
)
from huaben.domain.saves import Save
from huaben.domain.soundness import log_faults, tree_faults
from huaben.domain.story import Node, Told, Turn, node_of, told_of
from huaben.domain.times import stamp
from huaben.errors import HuabenError, StorageFailed
from huaben.ports import (
    CallOpened,
    CallRecord,
    Clock,
    Commit,
    Committed,
    DueJob,
    Effect,
    Head,
    LoggedEvent,
    LoggedProjectEvent,
    NodeState,
    Page,
    Spent,
    Stale,
    StateKind,
    Thing,
    TrashKind,
)
from huaben.testing import saves, spending
from huaben.testing.checkpoints import CheckpointShelf
from huaben.testing.clock import ManualClock
from huaben.testing.faces import FaceShelf
from huaben.testing.items import ItemShelf
from huaben.testing.paging import page_of
from huaben.testing.planning import PlanShelf
from huaben.testing.remembering import MemoryShelf
from huaben.testing.state import Refused, State, apply

T = TypeVar("T")
Shelved = TypeVar("Shelved", StoredCard, StoredBook, Project)


class MemoryStore(FaceShelf, ItemShelf, CheckpointShelf, PlanShelf, MemoryShelf):
    """Implements `Store`. `break_with` makes every commit raise, until it is called with None."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or ManualClock()
        self._state = State()
        self._grown = asyncio.Event()
        self._broken: HuabenError | None = None
        self._closed = False

    def break_with(self, fault: HuabenError | None) -> None:
        """Make commits raise `fault` (nothing is then written), or stop doing so."""
        self._broken = fault

    # ---- writing -------------------------------------------------------------------------------

    async def commit(self, commit: Commit) -> Committed | Stale:
        await asyncio.sleep(0)  # as with the real one, others run before the answer comes
        if self._broken is not None:
            raise self._broken
        if self._closed:
            raise StorageFailed("closed", "the store is closed; nothing was written")
        after = self._state.copy()
        try:
            committed = apply(after, commit, stamp(self._clock.now()))
        except Refused as refused:
            return refused.stale
        self._state = after
        self._announce()
        return committed

    async def fold(self, turn_id: str) -> int:
        turn = self._state.turn(turn_id)
        if turn is None or turn.run != "ended":
            return 0
        log = self._state.events.get(turn_id, ())
        folded = fold([(logged.seq, logged.event) for logged in log])
        self._state.events[turn_id] = tuple(
            replace(logged, event=folded.joined.get(logged.seq, logged.event))
            for logged in log
            if logged.seq not in folded.gone
        )
        return len(folded.gone)

    async def close(self) -> None:
        self._closed = True
        self._announce()

    def _announce(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()

    # ---- the library ---------------------------------------------------------------------------

    async def card(self, card_id: str) -> StoredCard | None:
        return next((card for card in self._all(StoredCard) if card.id == card_id), None)

    async def cards(self, user_id: str, page: Page) -> tuple[list[StoredCard], str | None]:
        return _page(self._all(StoredCard), user_id, page)

    async def lorebook(self, book_id: str) -> StoredBook | None:
        return next((book for book in self._all(StoredBook) if book.id == book_id), None)

    async def lorebooks(self, user_id: str, page: Page) -> tuple[list[StoredBook], str | None]:
        return _page(self._all(StoredBook), user_id, page)

    async def find_card(self, user_id: str, object_hash: str) -> StoredCard | None:
        kept, _ = _page(self._all(StoredCard), user_id, None)
        return next((card for card in kept if card.object_hash == object_hash), None)

    async def find_lorebook(self, user_id: str, object_hash: str) -> StoredBook | None:
        kept, _ = _page(self._all(StoredBook), user_id, None)
        return next((book for book in kept if book.object_hash == object_hash), None)

    async def successor(self, kind: Literal["card", "lorebook"], item_id: str) -> str | None:
        rows = self._all(StoredCard if kind == "card" else StoredBook)
        return max((row.id for row in rows if row.follows == item_id), default=None)

    async def guidance(self, user_id: str, card_id: str) -> list[Guidance]:
        chosen = [
            text
            for text in self._all(Guidance)
            if text.user_id == user_id and text.card_id in ("", card_id)
        ]
        return sorted(chosen, key=lambda text: (text.card_id, text.name))

    async def connections(self, user_id: str) -> list[StoredConnection]:
        own = [one for one in self._all(StoredConnection) if one.user_id == user_id]
        return sorted(own, key=lambda one: one.name)

    # ---- stories -------------------------------------------------------------------------------

    async def project(self, project_id: str) -> Project | None:
        return next((one for one in self._all(Project) if one.id == project_id), None)

    async def projects(
        self, user_id: str, page: Page, kind: ProjectKind = "story"
    ) -> tuple[list[Project], str | None]:
        wanted = [
            one
            for one in self._all(Project)
            if one.id.startswith(RECORD) == (kind == "precompiled")
        ]
        return _page(wanted, user_id, page)

    async def latest_project(self, user_id: str, card_id: str) -> Project | None:
        kept, _ = _page(self._all(Project), user_id, None)
        return next((project for project in kept if project.card_id == card_id), None)

    async def head(self, project_id: str) -> Head | None:
        return next((head for head in self._all(Head) if head.project_id == project_id), None)

    async def skeleton(self, project_id: str) -> list[Node]:
        return [
            node_of(turn, self._state.visits.get(turn.id))
            for turn in sorted(self._all(Turn), key=lambda turn: turn.id)
            if turn.project_id == project_id
        ]

    async def turn(self, turn_id: str) -> Turn | None:
        return self._state.turn(turn_id)

    async def turns(self, turn_ids: Iterable[str]) -> dict[str, Turn]:
        found = {turn_id: self._state.turn(turn_id) for turn_id in turn_ids}
        return {turn_id: turn for turn_id, turn in found.items() if turn is not None}

    async def told(self, turn_ids: Iterable[str]) -> dict[str, Told]:
        return {turn_id: told_of(turn) for turn_id, turn in (await self.turns(turn_ids)).items()}

    async def turn_by_request(self, project_id: str, request_id: str) -> Turn | None:
        wanted = (project_id, request_id)
        return next(
            (turn for turn in self._all(Turn) if (turn.project_id, turn.request_id) == wanted), None
        )

    async def unended(self) -> list[Turn]:
        gone = {project.id for project in self._all(Project) if project.deleted}
        chosen = [
            turn
            for turn in self._all(Turn)
            if turn.run != "ended" and not turn.deleted and turn.project_id not in gone
        ]
        return sorted(chosen, key=lambda turn: turn.id)

    async def turns_after(self, turn_id: str) -> int:
        return sum(turn.kind == "turn" and turn.id > turn_id for turn in self._all(Turn))

    async def thing(self, kind: TrashKind, thing_id: str) -> Thing | None:
        return next((one for one in self._things() if (one.kind, one.id) == (kind, thing_id)), None)

    async def trash(
        self, user_id: str | None, page: Page, before: str = ""
    ) -> tuple[list[Thing], str | None]:
        found = [
            one
            for one in self._things()
            if one.deleted_at
            and user_id in (None, one.user_id)
            and (not before or one.deleted_at < before)
        ]
        found.sort(key=lambda one: (one.deleted_at, one.id), reverse=True)
        if page.after is not None:
            moment, _, last = page.after.partition(" ")
            found = [one for one in found if (one.deleted_at, one.id) < (moment, last)]
        limit = min(max(page.limit, 1), 200)
        end = found[limit - 1] if len(found) > limit else None
        return found[:limit], None if end is None else f"{end.deleted_at} {end.id}"

    def _things(self) -> Iterator[Thing]:
        shelved = (*self._all(StoredCard), *self._all(StoredBook), *self._all(StoredItem))
        for row in (*self._all(Project), *shelved, *self._all(Save)):
            name = row.title if isinstance(row, Project) else row.name
            yield Thing(_kind_of(row), row.id, row.user_id, name, row.deleted_at, row.revision)

    # ---- logs ----------------------------------------------------------------------------------

    async def events(
        self, turn_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedEvent]:
        log = self._state.events.get(turn_id, ())
        return [logged for logged in log if logged.seq > after][:limit]

    async def project_events(
        self, project_id: str, after: int = 0, limit: int | None = None
    ) -> list[LoggedProjectEvent]:
        return list(self._state.project_events.get(project_id, ())[after:][:limit])

    async def is_over(self, turn_id: str) -> bool:
        log = reversed(self._state.events.get(turn_id, ()))
        newest = next((one.event for one in log if isinstance(one.event, Status | End)), None)
        return newest is None or isinstance(newest, End)

    async def calls(self, turn_id: str) -> list[CallRecord]:
        opened = self._state.opened.values()
        return [self._record(call) for call in opened if call.turn_id == turn_id]

    async def request(self, call_id: str) -> WireRequest | None:
        opened = self._state.opened.get(call_id)
        return None if opened is None else opened.request

    async def latest_calls(
        self, project_id: str, purpose: str, limit: int = 1, before: str | None = None
    ) -> list[CallRecord]:
        wanted = (project_id, purpose)
        opened = list(self._state.opened.values())
        ids = [call.id for call in opened]
        if before is not None:
            opened = opened[: ids.index(before)] if before in ids else []
        same = [call for call in reversed(opened) if (call.project_id, call.purpose) == wanted]
        return [self._record(call) for call in same[:limit]]

    async def spent(self, project_id: str) -> list[Spent]:
        return spending.spent(self._state, project_id)

    async def last_seq(self, stream_id: str) -> int:
        return self._top(stream_id)

    async def changed(self, stream_id: str, after: int, timeout_s: float) -> bool:
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while self._top(stream_id) <= after and not self._closed:
                    await self._grown.wait()
        return self._top(stream_id) > after

    def _top(self, stream_id: str) -> int:
        log: Sequence[LoggedEvent | LoggedProjectEvent] = self._state.events.get(
            stream_id
        ) or self._state.project_events.get(stream_id, ())
        return log[-1].seq if log else 0

    async def effect(self, key: str) -> Effect | None:
        return self._state.effects.get(key)

    async def effects(self, prefix: str, after: str = "", limit: int | None = None) -> list[Effect]:
        keys = [key for key in self._state.effects if key.startswith(prefix) and key > after]
        return [self._state.effects[key] for key in sorted(keys)][:limit]

    async def count_effects(self, prefix: str) -> int:
        return len(await self.effects(prefix))

    async def due(self, lane: str | None = None) -> list[DueJob]:
        jobs = sorted(self._state.jobs.values(), key=_age)
        return [job for job in jobs if not job.outcome and lane in (None, job.lane)]

    async def job(self, lane: str, seq: int) -> DueJob | None:
        return self._state.jobs.get((lane, seq))

    async def jobs(self, page: Page, kind: str | None = None) -> tuple[list[DueJob], str | None]:
        chosen = [job for job in self._state.jobs.values() if kind in (None, job.kind)]
        chosen.sort(key=_age, reverse=True)
        if page.after is not None:
            before = next(_age(job) for job in chosen if _place(job) == page.after)
            chosen = [job for job in chosen if _age(job) < before]
        limit = min(max(page.limit, 1), 200)
        return chosen[:limit], _place(chosen[limit - 1]) if len(chosen) > limit else None

    async def state_at(self, kind: StateKind, path: Sequence[str]) -> NodeState | None:
        return next((one[-1] for node in path if (one := self._stood(kind, node))), None)

    async def states(self, kind: StateKind, nodes: Sequence[str]) -> list[NodeState]:
        return [one for node in dict.fromkeys(nodes) for one in self._stood(kind, node)]

    def _stood(self, kind: StateKind, node: str) -> list[NodeState]:
        return [one for one in self._state.states if (one.kind, one.node) == (kind, node)]

    async def save(self, save_id: str) -> Save | None:
        return saves.save(self._state, save_id)

    async def saves(self, project_id: str, page: Page) -> tuple[list[Save], str | None]:
        return saves.saves(self._state, project_id, page)

    async def audit(self) -> AsyncIterator[str]:
        for project in self._all(Project):
            head = await self.head(project.id)
            nodes = await self.skeleton(project.id)
            for fault in tree_faults(project.id, nodes, None if head is None else head.turn_id):
                yield fault
        for turn_id, log in self._state.events.items():
            numbered = [(logged.seq, logged.event) for logged in log]
            for fault in log_faults(turn_id, numbered, self._top(turn_id)):
                yield fault

    # ---- from the state ------------------------------------------------------------------------

    def _all(self, kind: type[T]) -> list[T]:
        return [row for row in self._state.counted.values() if isinstance(row, kind)]

    def _record(self, call: CallOpened) -> CallRecord:
        closed = self._state.closed.get(call.id)
        return CallRecord(
            id=call.id,
            turn_id=call.turn_id,
            n=call.n,
            purpose=call.purpose,
            model=call.model,
            state="open" if closed is None else "failed" if closed.reply is None else "done",
            reply=None if closed is None else closed.reply,
            error="" if closed is None else closed.error,
            usage=Usage() if closed is None else closed.usage,
            outline=call.outline,
            break_cause=call.break_cause,
            request_bytes=len(call.request.body),
            opened_at=call.opened_at,
            closed_at="" if closed is None else closed.closed_at,
            first_token_ms=None if closed is None else closed.first_token_ms,
            cost=None if closed is None else closed.cost,
        )


def _kind_of(row: Project | StoredCard | StoredBook | StoredItem | Save) -> TrashKind:
    if isinstance(row, StoredItem):
        return row.kind
    if isinstance(row, Save):
        return "save"
    if isinstance(row, Project):
        return "project"
    return "card" if isinstance(row, StoredCard) else "lorebook"


def _age(job: DueJob) -> tuple[str, str, int]:
    return (job.made_at, job.lane, job.seq)


def _place(job: DueJob) -> str:
    return f"{job.made_at} {job.id}"


def _page(
    rows: Sequence[Shelved], user_id: str, page: Page | None
) -> tuple[list[Shelved], str | None]:
    """One page of a user's rows that were not deleted, newest first; all without a page."""
    kept = [row for row in rows if row.user_id == user_id and not row.deleted]
    kept.sort(key=lambda row: row.id, reverse=True)
    return (kept, None) if page is None else page_of(kept, page)
