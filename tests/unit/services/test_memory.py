"""Memory as a turn sees it, and its tools: what a model asks, what it is told, what is kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

import pytest

from huaben.agent.desk import Desk, Outcome, Sources
from huaben.agent.tools.arguments import Arguments, parse
from huaben.agent.tools.memory import (
    SHOWN_CHARS,
    memory_add,
    memory_list,
    memory_read,
    memory_search,
    unkept,
)
from huaben.agent.tools.table import described, listed
from huaben.domain.notes import (
    MAX_TEXT_CHARS,
    SOURCES,
    Note,
    NoteBlank,
    NoteKind,
    NoteLocked,
    NoteMoved,
    NoteShrinks,
    NoteSource,
    NoteTooLong,
    Vantage,
)
from huaben.domain.project import Language, Project
from huaben.domain.remembering import NoteHit
from huaben.domain.story import Turn
from huaben.errors import StorageFailed
from huaben.ports import Commit, Committed
from huaben.services.memory import Memory, recall
from huaben.testing.store import MemoryStore

PROJECT = Project("p", "local", "雨夜", "roleplay", "zh", "", card_id="c")
PATH = (
    Turn("t1", "p", "local", None, "greeting", "t1", 0, "", run="ended", outcome="sealed"),
    Turn("t2", "p", "local", "t1", "turn", "t2", 1, "", run="running"),
)
ASIDE = Turn("t3", "p", "local", "t1", "turn", "t3", 1, "", run="ended", outcome="sealed")


def a_note(number: int, title: str, text: str, kind: NoteKind, **more: object) -> Note:
    values: dict[str, object] = {"project_id": "p", "node": "t1", **more}
    return Note(f"n{number}", "local", kind, title, text, "model", "", **values)  # pyright: ignore[reportArgumentType] - a builder of fields


NOTES = (
    a_note(1, "第一夜", "沈砚在渡口等人，提着一盏灯。", "event"),
    a_note(2, "沈砚", "客栈的账房。" + "话少，记性好。" * 200, "person"),
    a_note(3, "Promise", "沈砚 will bring the umbrella back.", "promise", node="t3"),
    a_note(4, "The card", "沈砚怕水。", "recap", project_id=None, node=None, card_id="c"),
    a_note(5, "gone", "沈砚走了。", "note", removed=True),
)


async def a_memory(*sources: NoteSource, project: Project = PROJECT) -> Memory:
    """Seen from the turn that runs."""
    store = MemoryStore()
    answer = await store.commit(Commit(rows=(PROJECT, *PATH, ASIDE, *NOTES)))
    assert isinstance(answer, Committed)
    return Memory(store, project, "t2", sources or SOURCES, lambda: "new", lambda: "now")


class BrokenStore(MemoryStore):
    """Fails at every search, list and read of a note."""

    async def search_notes(
        self, vantage: Vantage, query: str, sources: Sequence[NoteSource] = SOURCES, limit: int = 10
    ) -> list[NoteHit]:
        raise StorageFailed("disk", "The disk cannot be read.")

    async def note(self, note_id: str, vantage: Vantage | None = None) -> Note | None:
        raise StorageFailed("disk", "The disk cannot be read.")


class SlowStore(MemoryStore):
    """Never answers a search."""

    async def search_notes(
        self, vantage: Vantage, query: str, sources: Sequence[NoteSource] = SOURCES, limit: int = 10
    ) -> list[NoteHit]:
        await asyncio.sleep(3600)
        return []


def seen(memory: Memory | None, language: Language) -> Sources:
    """What the tools look at."""
    return Sources(language, None, (), "no_previous", memory=memory)


async def search(memory: Memory | None, language: Language, args: Arguments) -> Outcome:
    return await memory_search(seen(memory, language), Desk(), args)


async def read(memory: Memory | None, language: Language, args: Arguments) -> Outcome:
    return await memory_read(seen(memory, language), Desk(), args)


async def list_all(memory: Memory | None, language: Language, args: Arguments) -> Outcome:
    return await memory_list(seen(memory, language), Desk(), args)


def add(memory: Memory | None, language: Language, args: Arguments) -> Outcome:
    return memory_add(seen(memory, language), Desk(), args)


def told(outcome: Outcome, *, ok: bool = True) -> Mapping[str, object]:
    assert outcome.ok == ok
    return cast("Mapping[str, object]", json.loads(outcome.result))  # results are JSON objects


def rows(answer: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    return cast("list[Mapping[str, object]]", answer[name])  # as the tools write them


# ---- searching ---------------------------------------------------------------------------------


async def test_a_search_tells_what_it_found_and_how_each_source_answered() -> None:
    """Only what this branch knows; long notes are cut and say so."""
    answer = told(await search(await a_memory(), "zh", {"query": "沈砚"}))
    hits = rows(answer, "hits")
    assert hits[0]["ref"] == "n2"
    assert {hit["ref"] for hit in hits} == {"n1", "n2", "n4"}
    assert answer["sources"] == dict.fromkeys(SOURCES, "ok")
    assert (hits[0]["source"], hits[0]["kind"], hits[0]["title"]) == ("tables", "person", "沈砚")
    content = str(hits[0]["content"])
    assert content.startswith("客栈的账房。")
    assert len(content) < SHOWN_CHARS + 40
    assert f"还有 {len(NOTES[1].text) - SHOWN_CHARS} 字" in content


async def test_a_source_that_is_off_is_not_mistaken_for_an_empty_one() -> None:
    """Switched off by the scenario, without a card, or failing: each is told by its name."""
    memory = await a_memory("diary", "card", project=replace(PROJECT, card_id=None))
    answer = told(await search(memory, "en", {"query": "沈砚", "limit": 1}))
    assert [hit["ref"] for hit in rows(answer, "hits")] == ["n1"]
    states = {"diary": "ok", "tables": "disabled", "store": "disabled", "card": "unavailable"}
    assert answer["sources"] == states
    broken = replace(memory, store=BrokenStore())
    answer = told(await search(broken, "en", {"query": "沈砚"}))
    assert (answer["hits"], answer["sources"]) == ([], states | {"diary": "error"})
    refused = told(await read(broken, "en", {"ref": "n1"}), ok=False)
    assert "The disk cannot be read." in str(refused["error"])


async def test_no_source_at_all_is_no_error() -> None:
    """A scenario may have no memory."""
    memory = replace(await a_memory(), sources=())
    answer = told(await search(memory, "zh", {"query": "沈砚"}))
    assert answer["sources"] == dict.fromkeys(SOURCES, "disabled")
    assert told(await list_all(memory, "zh", {}))["notes"] == []


async def test_a_blank_question_is_refused() -> None:
    """It would find nothing, which would be misunderstood."""
    told(await search(await a_memory(), "zh", {"query": " 　"}), ok=False)


# ---- reading and listing -----------------------------------------------------------------------


async def test_a_note_is_read_to_the_character() -> None:
    """Whole or in part, in UTF-16 units; what is not on this branch does not exist."""
    memory = await a_memory()
    whole = told(await read(memory, "zh", {"ref": "n2"}))
    assert (whole["content"], whole["chars"]) == (NOTES[1].text, len(NOTES[1].text))
    part = told(await read(memory, "zh", {"ref": "n2", "start": 0, "end": 2}))
    assert part["content"] == "客栈"
    told(await read(memory, "zh", {"ref": "n2", "start": 9999}), ok=False)
    for ref in ("n3", "n5", "nowhere"):
        refused = told(await read(memory, "zh", {"ref": ref}), ok=False)
        assert ref in str(refused["error"])
    told(await read(replace(memory, sources=("diary",)), "zh", {"ref": "n2"}), ok=False)


async def test_notes_are_listed_by_title() -> None:
    """Newest first, of one source or of all, in pages."""
    memory = await a_memory()
    answer = told(await list_all(memory, "zh", {}))
    assert [note["ref"] for note in rows(answer, "notes")] == ["n4", "n2", "n1"]
    assert "after" not in answer
    tables = told(await list_all(memory, "zh", {"source": "tables"}))
    assert [note["title"] for note in rows(tables, "notes")] == ["沈砚"]
    assert tables["sources"] == {"tables": "ok"}
    page = await memory.listed(SOURCES, None, 2)
    assert ([note.id for note in page.notes], page.after) == (["n4", "n2"], "n2")
    rest = told(await list_all(memory, "zh", {"after": page.after or ""}))
    assert [note["ref"] for note in rows(rest, "notes")] == ["n1"]


# ---- adding ------------------------------------------------------------------------------------


async def test_a_note_is_added_with_the_turn() -> None:
    """It belongs to the turn's node and is kept by the commit that records the call."""
    memory = await a_memory()
    kept = add(memory, "zh", {"title": " 旧\n伞 ", "content": "伞在船工那里。\n"})
    assert told(kept) == {"ok": True, "ref": "new", "title": "旧 伞"}
    note = Note(
        "new", "local", "note", "旧 伞", "伞在船工那里。", "model", "now", project_id="p", node="t2"
    )
    assert kept.rows == (note,)
    assert kept.effect == {"note": "new"}
    assert await memory.read("new") is None
    store = memory.store
    assert isinstance(store, MemoryStore)
    await store.commit(Commit(rows=(note,)))
    assert told(await read(memory, "zh", {"ref": "new"}))["content"] == note.text


@pytest.mark.parametrize("language", ["zh", "en"])
async def test_what_cannot_be_noted_is_refused_in_words(language: Language) -> None:
    """Blank, too long, or where nothing may be added; nothing is kept then."""
    memory = await a_memory()
    for content, place in ((" ", memory), ("雨" * (MAX_TEXT_CHARS + 1), memory)):
        kept = add(place, language, {"content": content})
        assert kept.rows == ()
        assert told(kept, ok=False)["error"]
    closed = add(replace(memory, sources=("diary",)), language, {"content": "x"})
    assert (closed.rows, closed.ok) == ((), False)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_refusal_has_words(language: Language) -> None:
    """With the facts that help to try again."""
    assert "7" in unkept(language, NoteMoved(1, 7))
    assert "12" in unkept(language, NoteShrinks(40, 12))
    assert "201" in unkept(language, NoteTooLong("title", 201, 200))
    assert unkept(language, NoteLocked())
    assert unkept(language, NoteBlank())


# ---- the tool list -----------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_argument_is_described(language: Language) -> None:
    """In both languages, and what the model sends is checked by the same shapes."""
    tools = [
        tool
        for tool in listed(lore=False, card=False, memory=True, ledger=True)
        if tool.needs == "memory"
    ]
    names = ["memory_search", "memory_read", "memory_add", "memory_list"]
    assert [tool.name for tool in tools] == names
    for tool in tools:
        about, arguments = described(language, tool.name)
        assert about
        assert set(arguments) == set(tool.properties)
        assert isinstance(parse(language, tool.schema, '{"unknown": 1}'), str)
        given = {name: "diary" for name in tool.properties if name in ("source", *tool.required)}
        assert parse(language, tool.schema, json.dumps(given)) == given


async def test_without_a_memory_the_tools_are_not_listed() -> None:
    """And called all the same, they say that there is none."""
    without = listed(lore=True, card=True, memory=False, ledger=False)
    assert not [tool.name for tool in without if tool.name.startswith("memory_")]
    told(await search(None, "zh", {"query": "沈砚"}), ok=False)
    told(await read(None, "zh", {"ref": "n1"}), ok=False)
    told(await list_all(None, "zh", {}), ok=False)
    told(add(None, "zh", {"content": "伞"}), ok=False)


# ---- a story's own card notes ------------------------------------------------------------------


async def test_a_story_is_not_told_its_own_recap() -> None:
    """It belongs to no node, so undo would not hide it; the resident summary is in the prompt anyway."""
    own = a_note(6, "本故事", "沈砚后来走了。", "recap", node=None, card_id="c")
    resident = a_note(7, "", "沈砚记得渡口。", "resident", project_id=None, node=None, card_id="c")
    memory = await a_memory()
    store = cast("MemoryStore", memory.store)  # as `a_memory` makes it
    await store.commit(Commit(rows=(own, resident)))
    hits = rows(told(await search(memory, "zh", {"query": "沈砚", "limit": 3})), "hits")
    assert {hit["ref"] for hit in hits} == {"n1", "n2", "n4"}
    assert {note.id for note in (await memory.listed(("card",), None, 9)).notes} == {"n4"}
    assert [await memory.read(ref) for ref in ("n6", "n7")] == [None, None]


# ---- recalling ---------------------------------------------------------------------------------


async def test_recall_does_not_make_a_turn_wait() -> None:
    """What takes too long is gone on without; what fails is told by its source."""
    memory = await a_memory("diary", "tables")
    found = await recall(memory, "沈砚还在渡口吗？")
    assert found is not None
    assert [hit.note.id for hit in found.hits] == ["n2", "n1"]
    assert await recall(replace(memory, store=SlowStore()), "沈砚", within_s=0.01) is None
    broken = await recall(replace(memory, store=BrokenStore()), "沈砚")
    assert broken is not None
    assert (broken.hits, broken.states["diary"], broken.states["store"]) == (
        (),
        "error",
        "disabled",
    )
