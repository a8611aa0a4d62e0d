"""Changing what a project is made of, and the user's own texts: by revision, each change named in the
next trace."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping

import httpx
import pytest

from huaben.testing.models import ScriptedModel
from huaben.testing.script import reply, say
from huaben.web import schemas
from huaben.web.schemas_lore import GuidanceTold
from tests.builders.lorebooks import st_entry, st_file
from tests.integration.web.lobby import lobby
from tests.integration.web.table import problem, read


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby(model=ScriptedModel(lambda _: reply(say("他点头。")))) as found:
        yield found


async def bring_card(client: httpx.AsyncClient, name: str = "沈砚", **data: object) -> str:
    card = {"spec": "chara_card_v2", "data": {"name": name, "first_mes": "「打烊了。」", **data}}
    content = json.dumps(card, ensure_ascii=False).encode()
    answer = await client.post("/api/cards", files={"file": ("卡.json", content)})
    return str(read(answer)["id"])


async def bring_book(client: httpx.AsyncClient, name: str, content: str = "旧。") -> str:
    book = st_file(st_entry(1, key=["伞"], content=content, constant=True), name=name)
    data = json.dumps(book, ensure_ascii=False).encode()
    answer = await client.post("/api/lorebooks", files={"file": (f"{name}.json", data)})
    return str(read(answer)["id"])


async def founded(client: httpx.AsyncClient, **wish: object) -> schemas.ProjectFounded:
    answer = await client.post("/api/projects", json=wish)
    assert answer.status_code == 201, answer.text
    return schemas.ProjectFounded.model_validate_json(answer.content)


async def shown(client: httpx.AsyncClient, project: str) -> schemas.ProjectResource:
    answer = await client.get(f"/api/projects/{project}")
    return schemas.ProjectResource.model_validate_json(answer.content)


async def changed(
    client: httpx.AsyncClient, project: str, **change: object
) -> schemas.ProjectResource:
    revision = (await shown(client, project)).revision
    body: Mapping[str, object] = {"revision": revision, **change}
    answer = await client.patch(f"/api/projects/{project}", json=body)
    assert answer.status_code == 200, answer.text
    return schemas.ProjectResource.model_validate_json(answer.content)


async def break_of(client: httpx.AsyncClient, project: str) -> str:
    """The cause that the trace of another turn names."""
    answer = await client.post(f"/api/projects/{project}/turns", json={"text": "走"})
    turn = str(read(answer)["id"])
    while read(await client.get(f"/api/turns/{turn}"))["status"] != "sealed":  # noqa: ASYNC110
        await asyncio.sleep(0)
    trace = await client.get(f"/api/turns/{turn}/trace")
    calls = schemas.PageOf[schemas.CallItem].model_validate_json(trace.content).items
    return calls[0].break_cause


async def test_each_change_is_named_in_the_next_trace(client: httpx.AsyncClient) -> None:
    """Title and scenario move no byte of the prefix; persona, lorebooks and card do, and the trace
    says which piece."""
    other = await bring_card(client, "沈砚", description="换了掌柜。", extensions={"v": 2})
    book = await bring_book(client, "渡口")
    project = (await founded(client, card_id=await bring_card(client))).id
    assert await break_of(client, project) == ""
    await changed(client, project, title="雨夜")
    assert await break_of(client, project) == ""
    await changed(client, project, persona={"name": "林", "description": "赶路的人。"})
    assert await break_of(client, project) == "system: persona.name, persona"
    await changed(client, project, lorebook_ids=[book])
    # A project with lore has the tools to look it up.
    assert (await break_of(client, project)).startswith("tools: lorebook_")
    await changed(client, project, card_id=other)
    assert await break_of(client, project) == "system: card.description"
    assert await break_of(client, project) == ""
    now = await shown(client, project)
    assert (now.title, now.card_id, now.lorebook_ids) == ("雨夜", other, [book])
    assert now.persona.name == "林"


async def test_the_order_of_lorebooks_is_kept_and_each_stands_once(
    client: httpx.AsyncClient,
) -> None:
    """Their order is their precedence; naming one twice does not tell it twice."""
    first, second = await bring_book(client, "甲", "一。"), await bring_book(client, "乙", "二。")
    project = (await founded(client, card_id=await bring_card(client), lorebook_ids=[first])).id
    now = await changed(client, project, lorebook_ids=[second, first, second])
    assert now.lorebook_ids == [second, first]
    assert (await changed(client, project, lorebook_ids=[])).lorebook_ids == []


async def test_a_change_upon_an_older_state_is_refused(client: httpx.AsyncClient) -> None:
    """Of two tabs that saw the same revision the second is told; nothing of its change is kept."""
    project = (await founded(client, card_id=await bring_card(client))).id
    seen = (await shown(client, project)).revision
    await changed(client, project, title="甲")
    body = {"revision": seen, "title": "乙"}
    status, told = problem(await client.patch(f"/api/projects/{project}", json=body))
    assert (status, told.code) == (409, "stale")
    assert (await shown(client, project)).title == "甲"
    without = await client.patch(f"/api/projects/{project}", json={"title": "丙"})
    assert problem(without)[1].code == "missing_field"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"card_id": "unknown"}, "card_not_found"),
        ({"lorebook_ids": ["unknown"]}, "lorebook_not_found"),
        ({"scenario": "unknown"}, "scenario_not_found"),
        ({"persona": "unknown"}, "persona_not_found"),
        ({"mode": "writing"}, "unknown_field"),
    ],
)
async def test_a_change_to_what_is_not_there_is_refused(
    client: httpx.AsyncClient, change: dict[str, object], code: str
) -> None:
    """Nothing half made."""
    project = (await founded(client, card_id=await bring_card(client), title="旧")).id
    body = {"revision": 1, "title": "新", **change}
    assert problem(await client.patch(f"/api/projects/{project}", json=body))[1].code == code
    assert (await shown(client, project)).title == "旧"


async def test_an_empty_title_is_the_cards_name(client: httpx.AsyncClient) -> None:
    """As it is for a new project."""
    project = (await founded(client, card_id=await bring_card(client), title="旧")).id
    assert (await changed(client, project, title=" ")).title == "沈砚"


# ---- the lorebook that a card is linked to -----------------------------------------------------


async def test_a_linked_lorebook_in_the_library_is_attached(client: httpx.AsyncClient) -> None:
    """By its name, whatever its case and ending, with a line that says so; it counts as the
    character's, before the project's own."""
    book = await bring_book(client, "渡口")
    card = await bring_card(client, extensions={"world": " 渡口.json "})
    made = await founded(client, card_id=card)
    assert [(note.code, note.path) for note in made.notes] == [
        ("linked_book_attached", "extensions.world")
    ]
    assert book in made.notes[0].detail
    assert (await shown(client, made.id)).lorebook_ids == [book]


async def test_a_linked_lorebook_that_is_not_there_is_named(client: httpx.AsyncClient) -> None:
    """The card plays without it, and the name tells what to look for."""
    made = await founded(client, card_id=await bring_card(client, extensions={"world": "Harbour"}))
    assert [(note.code, note.detail) for note in made.notes] == [("linked_book_missing", "Harbour")]
    assert (await shown(client, made.id)).lorebook_ids == []


@pytest.mark.parametrize(
    ("content", "fate"), [("旧。", "linked_book_same"), ("新。", "linked_book_offered")]
)
async def test_a_card_with_its_own_book_is_not_told_twice(
    client: httpx.AsyncClient, content: str, fate: str
) -> None:
    """The library's book of that name is left alone where it says the same, and offered where it
    says something else."""
    book = await bring_book(client, "渡口", content)
    own = {"entries": [{"id": 1, "keys": ["伞"], "content": "旧。", "enabled": True}]}
    card = await bring_card(client, extensions={"world": "渡口"}, character_book=own)
    made = await founded(client, card_id=card)
    assert [note.code for note in made.notes] == [fate]
    assert (await shown(client, made.id)).lorebook_ids == []
    chosen = await founded(client, card_id=card, lorebook_ids=[book])
    assert [note.code for note in chosen.notes] == ["linked_book_attached"]


# ---- the user's own texts ----------------------------------------------------------------------


async def put(client: httpx.AsyncClient, path: str, text: str, revision: int = 0) -> httpx.Response:
    return await client.put(f"/api/guidance/{path}", json={"text": text, "revision": revision})


async def test_a_text_is_written_by_revision(client: httpx.AsyncClient) -> None:
    """There is none at first; then each change names the one that it saw."""
    first = GuidanceTold.model_validate_json((await client.get("/api/guidance/SYSTEM.md")).content)
    assert (first.text, first.revision, first.card_id) == ("", 0, None)
    told = GuidanceTold.model_validate_json(
        (await put(client, "SYSTEM.md", "你是说书人。")).content
    )
    assert (told.text, told.revision) == ("你是说书人。", 1)
    status, stale = problem(await put(client, "SYSTEM.md", "You are a teller."))
    assert (status, stale.code) == (409, "stale")
    again = await put(client, "SYSTEM.md", "You are a teller.", 1)
    assert read(again)["revision"] == 2


async def test_a_card_may_have_its_own(client: httpx.AsyncClient) -> None:
    """Beside those for every card; SYSTEM.md is for all."""
    card = await bring_card(client)
    await put(client, "AGENTS.md", "不写雨。")
    await put(client, f"AGENTS.md?card={card}", "只写雨。")
    listed = read(await client.get(f"/api/guidance?card={card}"))
    texts = {
        (row.name, row.card_id): row.text
        for row in schemas.PageOf[GuidanceTold].model_validate(listed).items
    }
    assert texts["AGENTS.md", None] == "不写雨。"
    assert texts["AGENTS.md", card] == "只写雨。"
    assert len(texts) == 5
    assert problem(await put(client, f"SYSTEM.md?card={card}", "x"))[1].code == "not_per_card"
    assert problem(await put(client, "AGENTS.md?card=unknown", "x"))[1].code == "card_not_found"
    assert problem(await put(client, "README.md", "x"))[1].code == "guidance_not_found"


async def test_a_changed_text_is_the_named_cause(client: httpx.AsyncClient) -> None:
    """The stories that it holds for say what moved; the others do not move."""
    card, other = await bring_card(client), await bring_card(client, "阿衡")
    project = (await founded(client, card_id=card)).id
    elsewhere = (await founded(client, card_id=other)).id
    for one in (project, elsewhere):
        assert await break_of(client, one) == ""
    await put(client, f"APPEND_SYSTEM.md?card={card}", "少写雨。")
    assert await break_of(client, project) == "system: append"
    assert await break_of(client, elsewhere) == ""
    await put(client, "SYSTEM.md", "你是说书人，说{{char}}的故事。")
    assert await break_of(client, project) == "system: base"
    assert await break_of(client, elsewhere) == "system: base"
