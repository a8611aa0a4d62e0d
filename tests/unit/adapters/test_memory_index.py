"""The full-text index as derived data: made for an older library, made anew, and looked after."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, text

from huaben.adapters.db import memory_schema, notes, wording
from huaben.adapters.db.store import open_store
from huaben.domain.notes import Note, Vantage
from huaben.domain.project import Project
from huaben.domain.story import Exchange, Revision, Turn
from huaben.ports import Commit, Committed, Head, Page, Store
from huaben.testing.clock import ManualClock

PROJECT = Project("p", "local", "雨夜", "roleplay", "zh", "")
ROOT = Turn(
    "t1", "p", "local", None, "greeting", "t1", 0, "", run="ended", outcome="sealed",
    final_text="沈砚抬起头。",
)  # fmt: skip
NODE = Turn(
    "t2", "p", "local", "t1", "turn", "t2", 1, "", run="ended", outcome="sealed",
    user_text="I ask for 旧伞.", asked=(Exchange("往哪走？", "River"),), final_text="夜" * 20_000 + "白鹭",
)  # fmt: skip
EDIT = Turn(
    "t3", "p", "local", "t2", "edit", "t3", 2, "", run="ended", outcome="revised",
    revises=Revision("t2", 2, "灯灭了。"),
)  # fmt: skip
NOTE = Note("n", "local", "event", "第一夜", "沈砚在渡口。", "model", "", project_id="p", node="t2")
FIRST = {
    "card", "lorebook", "guidance", "project", "turn", "head", "visit", "turn_event",
    "project_event", "segment", "call", "effect", "lane", "due", "connection",
}  # fmt: skip
"""The tables of a library that knew no search."""
ASKED = {"沈砚": 1, "旧伞": 1, "river": 1, "白鹭": 1, "灯灭了": 1, "船工": 0}


@asynccontextmanager
async def opened(root: Path) -> AsyncGenerator[Store]:
    store = open_store(root, clock=ManualClock())
    yield store
    await store.close()


async def a_library(root: Path) -> None:
    rows = (PROJECT, ROOT, NODE, EDIT, Head("p", "t3"), NOTE)
    async with opened(root) as store:
        assert isinstance(await store.commit(Commit(rows=rows)), Committed)


async def story_hits(store: Store) -> dict[str, int]:
    return {word: len((await store.search_story("p", word, Page()))[0]) for word in ASKED}


def database(root: Path) -> Engine:
    return create_engine(f"sqlite:///{root / 'huaben.db'}")


def run(root: Path, *statements: str) -> None:
    engine = database(root)
    with engine.begin() as connection:
        for statement in statements:
            connection.execute(text(statement))
    engine.dispose()


async def test_the_stories_of_an_older_library_are_found(tmp_path: Path) -> None:
    """A library that knew no search has all its words indexed when it is opened."""
    await a_library(tmp_path)
    version = "UPDATE alembic_version SET version_num = '0003'"
    later = ("at_once", "rerolls")
    added = [table.name for table in memory_schema.metadata.sorted_tables]
    tables = [name for name in reversed(added) if name not in FIRST]
    run(
        tmp_path,
        *(f"DROP TABLE {table}" for table in (*tables, "note_words", "story_words")),
        *(f"ALTER TABLE turn DROP COLUMN {column}" for column in later),
        *(f"DROP INDEX ix_{table}_follows" for table in ("card", "lorebook")),
        "DROP INDEX ix_due_waiting",
        version,
    )
    async with opened(tmp_path) as store:
        assert await story_hits(store) == ASKED
        assert [fault async for fault in store.audit()] == []


async def test_an_index_made_anew_finds_the_same(tmp_path: Path) -> None:
    """Of stories and of notes; doing it twice adds nothing."""
    await a_library(tmp_path)

    def again(connection: Connection) -> None:
        notes.index_all(connection)
        wording.index_all(connection)

    engine = database(tmp_path)
    for _ in range(2):
        with engine.begin() as connection:
            again(connection)
    engine.dispose()
    async with opened(tmp_path) as store:
        assert await story_hits(store) == ASKED
        hits = await store.search_notes(Vantage("p", "t3"), "沈砚")
        assert [hit.note.id for hit in hits] == ["n"]


async def test_the_audit_names_what_a_search_would_miss(tmp_path: Path) -> None:
    """Words without a place in the index, and versions of a note that are gone."""
    await a_library(tmp_path)
    run(tmp_path, "DELETE FROM passage", "DELETE FROM note_version")
    async with opened(tmp_path) as store:
        assert [fault async for fault in store.audit()] == [
            "the versions of note n do not count from 1 to 1",
            "a search does not find the words of turn t2",
            "a search does not find the questions of turn t2",
            "a search does not find the final text of turn t1",
            "a search does not find the final text of turn t2",
            "a search does not find the final text of turn t3",
        ]


async def test_damage_elsewhere_in_a_turn_keeps_its_words_from_nobody(tmp_path: Path) -> None:
    """A question that cannot be read is not found; the turn can be written again all the same."""
    await a_library(tmp_path)
    run(tmp_path, "UPDATE turn SET asked = 'broken' WHERE id = 't2'")
    async with opened(tmp_path) as store:
        assert isinstance(await store.commit(Commit(rows=(NODE,))), Committed)
        assert await story_hits(store) == ASKED
