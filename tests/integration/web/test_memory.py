"""Memory over HTTP: listing and searching, the user's own hand, versions, and what waits for an answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from huaben.domain.notes import Note
from huaben.ports import Commit, Committed
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import say
from huaben.web.schemas import PageOf
from huaben.web.schemas_memory import MemoryTold, NoteHeld, NoteVersionTold
from tests.integration.web.table import Table, problem, serve

TEXT = "沈砚 promised to carry 旧伞 back to the ferryman before the first snow."


async def memory(table: Table, project_id: str, **asked: object) -> MemoryTold:
    params = {name: str(value) for name, value in asked.items()}
    answer = await table.client.get(f"/api/projects/{project_id}/memory", params=params)
    assert answer.status_code == 200, answer.text
    return MemoryTold.model_validate_json(answer.content)


def note_in(answer: httpx.Response) -> NoteHeld:
    assert answer.status_code < 300, answer.text
    told = NoteHeld.model_validate_json(answer.content)
    assert answer.headers["etag"] == f'"{told.version}"'
    return told


async def add(table: Table, project_id: str, text: str = TEXT, **more: object) -> NoteHeld:
    path = f"/api/projects/{project_id}/memory"
    answer = await table.post(path, {"text": text, **more})
    told = note_in(answer)
    assert answer.headers["location"] == f"/api/memory/{told.id}"
    return told


async def change(
    table: Table, note: NoteHeld, wish: Mapping[str, object], version: int | None = None
) -> httpx.Response:
    headers = {"if-match": f'"{note.version if version is None else version}"'}
    return await table.client.patch(f"/api/memory/{note.id}", json=wish, headers=headers)


async def test_what_was_played_is_listed_and_found(tmp_path: Path) -> None:
    """By source and by question, with how each source stands."""
    async with (
        ScriptedEndpoint([say("灯还亮着。The heron sleeps.")]) as endpoint,
        serve(tmp_path, endpoint) as table,
    ):
        project = await table.found()
        turn = await table.play(project.id, "看灯。")
        note = await add(table, project.id, title="旧伞")
        listed = await memory(table, project.id)
        assert [(one.source, one.turn) for one in listed.items] == [
            ("store", turn.id),
            ("diary", turn.id),
        ]
        assert (listed.at, listed.next, listed.proposed) == (turn.id, None, [])
        assert listed.sources.model_dump() == {
            "diary": "ok", "tables": "ok", "store": "ok", "card": "disabled",
        }  # fmt: skip
        diary = await memory(table, project.id, source="diary")
        assert [one.text for one in diary.items] == ["> 看灯。\n\n灯还亮着。The heron sleeps."]
        for query, found in (
            ("旧伞", note.id),
            ("ferryman", note.id),
            ("heron", diary.items[0].id),
        ):
            hits = (await memory(table, project.id, q=query)).items
            assert [one.id for one in hits] == [found]
            assert (hits[0].score or 0) > 0
        first = await memory(table, project.id, limit=1)
        rest = await memory(table, project.id, limit=1, after=first.next)
        assert [one.source for one in (*first.items, *rest.items)] == ["store", "diary"]
        await table.told(f"/api/projects/{project.id}/undo")
        assert (await memory(table, project.id)).items == []
        assert len((await memory(table, project.id, at=turn.id)).items) == 2


async def test_a_note_goes_through_its_life(tmp_path: Path) -> None:
    """Added, changed, locked, removed and brought back; each is a version that tells what it changed,
    and the project's stream tells of each."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        note = await add(table, project.id, title=" 旧伞\n")
        assert (note.title, note.author, note.kind, note.locked) == ("旧伞", "user", "note", False)
        longer = f"{TEXT} He gave his word twice."
        changed = note_in(await change(table, note, {"text": longer}))
        locked = note_in(await change(table, changed, {"locked": True}))
        assert (locked.text, locked.locked, locked.version) == (longer, True, 3)
        same = note_in(await change(table, locked, {"locked": True}))
        assert same.version == 3
        headers = {"if-match": f'"{same.version}"'}
        gone = await table.client.delete(f"/api/memory/{note.id}", headers=headers)
        assert note_in(gone).removed
        assert (await memory(table, project.id)).items == []
        assert [one.id for one in (await memory(table, project.id, removed=True)).items] == [
            note.id
        ]
        back = note_in(await change(table, note_in(gone), {"removed": False}))
        assert (back.removed, back.version) == (False, 5)
        answer = await table.client.get(f"/api/memory/{note.id}/versions", params={"limit": 3})
        page = PageOf[NoteVersionTold].model_validate_json(answer.content)
        assert ([one.version for one in page.items], page.next) == ([5, 4, 3], "3")
        answer = await table.client.get(f"/api/memory/{note.id}/versions", params={"after": "3"})
        rest = PageOf[NoteVersionTold].model_validate_json(answer.content)
        assert [(one.version, one.base, one.on_branch) for one in rest.items] == [
            (2, 1, True),
            (1, 0, True),
        ]
        spans = rest.items[0].spans
        assert spans is not None
        inserted = [span.in_new for span in spans if span.kind == "inserted"]
        assert "".join(longer[start:end] for start, end in inserted) == longer.removeprefix(TEXT)
        assert rest.items[1].spans is None
        events = await table.theatre.house.store.project_events(project.id)
        told = [one.event.detail for one in events if one.event.kind == "memory_changed"]
        assert [dict(one or {})["note"] for one in told] == [note.id] * 5


async def test_l29_a_proposal_is_listed_and_answered(tmp_path: Path) -> None:
    """What would shrink a note by half waits for the user: agreed to, it is a version; refused, the
    note stays, and in both cases the question is closed."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        for agree in (True, False):
            note = await add(table, project.id, title=f"旧伞{agree}")
            await propose(table, note.id, "He promised.")
            (asked,) = (await memory(table, project.id)).proposed
            assert (asked.note, asked.text, asked.now.text) == (note.id, "He promised.", TEXT)
            path = f"/api/memory/{note.id}/proposed"
            _, wrong = problem(
                await table.client.post(path, json={"agree": agree}, headers={"if-match": '"9"'})
            )
            assert (wrong.code, wrong.status) == ("version_changed", 412)
            _, missing = await table.refused(path, {"agree": agree})
            assert (missing.code, missing.status) == ("version_required", 428)
            headers = {"if-match": f'"{asked.version}"'}
            kept = note_in(await table.client.post(path, json={"agree": agree}, headers=headers))
            assert kept.text == ("He promised." if agree else TEXT)
            assert (kept.author, kept.proposed) == ("model" if agree else "user", None)
            assert (await memory(table, project.id)).proposed == []
            _, twice = problem(await table.client.post(path, json={"agree": True}, headers=headers))
            assert (twice.code, twice.status) == ("proposal_not_found", 404)


async def propose(table: Table, note_id: str, text: str) -> None:
    """What the chain keeps when a model would shrink a note."""
    store = table.theatre.house.store
    note = await store.note(note_id)
    assert note is not None
    proposed: Note = replace(note, text=text, author="model", base=note.version, proposed=True)
    assert isinstance(await store.commit(Commit(rows=(proposed,))), Committed)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"text": " \n"}, "blank_note"),
        ({"text": "雨" * 20_001}, "note_too_long"),
        ({"text": "雨", "title": "伞" * 201}, "note_too_long"),
        ({}, "missing_field"),
        ({"text": "雨", "colour": "red"}, "unknown_field"),
        ({"text": "雨", "at": "nowhere"}, "turn_not_found"),
    ],
)
async def test_what_cannot_be_kept_is_refused(
    tmp_path: Path, body: Mapping[str, object], code: str
) -> None:
    """With a stable code; nothing is written."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        _, refused = await table.refused(f"/api/projects/{project.id}/memory", body)
        assert refused.code == code
        assert (await memory(table, project.id)).items == []


async def test_nothing_is_overwritten_unseen(tmp_path: Path) -> None:
    """A change names the version that it was made against; another device's change is not lost."""
    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        project = await table.found()
        note = await add(table, project.id)
        without = await table.client.patch(f"/api/memory/{note.id}", json={"text": "雨"})
        assert problem(without)[1].code == "version_required"
        await change(table, note, {"text": f"{TEXT} 一"})
        status, late = problem(await change(table, note, {"text": f"{TEXT} 二"}))
        assert (status, late.code) == (412, "version_changed")
        odd = await table.client.patch(
            f"/api/memory/{note.id}", json={"text": "雨"}, headers={"if-match": "abc"}
        )
        assert problem(odd)[1].code == "version_changed"
        (kept,) = (await memory(table, project.id)).items
        assert kept.text == f"{TEXT} 一"


async def test_a_note_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    """Nor is one that another branch made."""
    async with (
        ScriptedEndpoint([say("灯。")]) as endpoint,
        serve(tmp_path, endpoint) as table,
    ):
        project = await table.found()
        turn = await table.play(project.id, "看灯。")
        note = await add(table, project.id)
        assert note.turn == turn.id
        await table.told(f"/api/projects/{project.id}/undo")
        for path in (f"/api/memory/{note.id}", "/api/memory/nowhere"):
            status, missing = problem(await table.client.get(path))
            assert (status, missing.code) == (404, "note_not_found")
        seen = await table.client.get(f"/api/memory/{note.id}", params={"at": turn.id})
        assert note_in(seen).id == note.id
