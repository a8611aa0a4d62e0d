"""A library with something in every table that samples can fill, and its vault; for tests of backups."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from huaben.adapters.db.backup import SqlVault
from huaben.adapters.db.backup_writing import Place
from huaben.adapters.db.store import SqlStore, open_store
from huaben.adapters.folder import DataFolder
from huaben.adapters.objects import FolderObjects
from huaben.domain.events import Notice, ProjectEvent, Status
from huaben.domain.notes import Note
from huaben.domain.project import Guidance, Project
from huaben.domain.saves import Save
from huaben.domain.story import Turn
from huaben.ports import Commit, Committed, Due, DueDone, Effect, Head, NodeState, Visit
from huaben.testing.clock import ManualClock
from tests.contract.samples import (
    AT,
    USER,
    a_book,
    a_card,
    a_closed_call,
    a_project,
    a_request,
    a_turn,
    an_opened_call,
    new_id,
)

OWNER = "this process"


@dataclass(frozen=True, slots=True)
class Library:
    """An open library: its store, its objects, its vault, and where all of it lies."""

    store: SqlStore
    objects: FolderObjects
    vault: SqlVault
    folder: DataFolder
    place: Place
    clock: ManualClock

    async def tell(self, text: str) -> tuple[Project, Turn]:
        """A story of one turn, with a call, a log, a save, a note, a ledger and a job."""
        project = a_project(title=text)
        opening = a_turn(project, kind="greeting", depth=0, run="ended", outcome="sealed")
        turn = a_turn(
            project,
            parent=opening.id,
            run="ended",
            outcome="sealed",
            prose=True,
            user_text=text,
            final_text=f"{text}\0 灯还亮着。",
        )
        first, second = (
            an_opened_call(turn, a_request(*words)) for words in (["雨"], ["雨", text])
        )
        await self.commit(
            project,
            opening,
            turn,
            Head(project.id, turn.id),
            Visit(opening.id, turn.id),
            first,
            second,
            a_closed_call(first),
            Save(new_id(), USER, project.id, turn.id, f"存 {text}", "user", AT),
            a_note(project, turn, text),
            NodeState(
                "ledger", project.id, turn.id, "scribe", AT, {"time": "子时", "n": [1, None]}
            ),
            Effect(f"{project.id}/post:1/a", {"done": True}),
            Guidance(USER, "", f"{new_id()}.md", text),
            events=((turn.id, Status("running")), (turn.id, Notice("n", text))),
            project_events=((project.id, ProjectEvent("turn_began", turn.id)),),
            due=(Due(f"{project.id}/post", "scribe", {"turn": turn.id}),),
        )
        await self.commit(DueDone(f"{project.id}/post", 1))
        return project, turn

    async def shelve(self, content: bytes) -> str:
        """A card and a lorebook of those bytes."""
        name = await self.objects.put(content)
        await self.commit(a_card(object_hash=name), a_book(object_hash=name))
        return name

    async def commit(self, *rows: object, **more: object) -> None:
        commit = Commit(rows=rows, **more)  # pyright: ignore[reportArgumentType] - a builder
        assert isinstance(await self.store.commit(commit), Committed)

    async def faults(self) -> list[str]:
        return [fault async for fault in self.store.audit()]


def a_note(project: Project, turn: Turn, text: str) -> Note:
    return Note(
        id=new_id(),
        user_id=USER,
        kind="note",
        title="旧伞",
        text=text,
        author="model",
        at=AT,
        project_id=project.id,
        node=turn.id,
    )


@asynccontextmanager
async def a_library(where: str | Path, folder: Path) -> AsyncGenerator[Library]:
    """Open the library at an address or in its folder, which keeps the files at any rate."""
    clock = ManualClock()
    url = where if isinstance(where, str) else ""
    data = DataFolder(folder)
    data.prepare()
    store = open_store(where, clock=clock)
    place = Place(data, url, OWNER, "0.0.test")
    vault = SqlVault(store, place, clock, OtherIds())
    try:
        yield Library(store, FolderObjects(data.objects), vault, data, place, clock)
    finally:
        await store.close()


class OtherIds:
    """Ids that no other library of a test has given out."""

    def new(self) -> str:
        return new_id()
