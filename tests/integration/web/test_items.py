"""Presets, personas, regex scripts, quick replies and what a story wears, over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import cast

import httpx
import pytest

from huaben.testing.models import ScriptedModel
from huaben.testing.script import Asked, ScriptedReply, reply, say
from huaben.testing.store import MemoryStore
from huaben.web import schemas, schemas_items
from tests.builders.waiting import AWHILE_S
from tests.integration.web.lobby import lobby
from tests.integration.web.table import CARD, problem, read

PRESET = {
    "temperature": 0.8,
    "openai_max_tokens": 400,
    "openai_model": "m-1",
    "reverse_proxy": "https://hunter2.example",
    "proxy_password": "hunter2",
    "names_behavior": 2,
    "prompts": [{"identifier": "main", "content": "写。", "name": "主"}],
    "prompt_order": [{"character_id": 100001, "order": [{"identifier": "main"}]}],
}
SCRIPT = {
    "scriptName": "藏状态",
    "findRegex": "/<s>.*?<\\/s>/g",
    "replaceString": "",
    "placement": [2],
    "markdownOnly": True,
}
PERSONAS = {
    "personas": {"a.png": "Ann", "l.png": "林"},
    "persona_descriptions": {"a.png": {"description": "x"}},
}
REPLIES = {"name": "常用", "qrList": [{"label": "hi", "message": "/echo"}]}


def nod(asked: Asked) -> ScriptedReply:
    del asked
    return reply(say("他点头。<s>冷</s>"))


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby(MemoryStore(), model=ScriptedModel(nod)) as found:
        yield found


async def upload(client: httpx.AsyncClient, path: str, value: object) -> dict[str, object]:
    data = json.dumps(value, ensure_ascii=False).encode()
    answer = await client.post(path, files={"file": ("文件.json", data)})
    assert answer.status_code == 201, answer.text
    told = schemas.Imported.model_validate_json(answer.content)
    assert answer.headers["location"].endswith(told.id)
    return read(answer)


async def founded(client: httpx.AsyncClient, card: object = CARD) -> str:
    made = await upload(client, "/api/cards", card)
    return str(read(await client.post("/api/projects", json={"card_id": made["id"]}))["id"])


async def said(client: httpx.AsyncClient, project: str, text: str) -> dict[str, object]:
    posted = read(await client.post(f"/api/projects/{project}/turns", json={"text": text}))
    async with asyncio.timeout(AWHILE_S):
        while True:
            turn = read(await client.get(f"/api/turns/{posted['id']}"))
            if turn["status"] == "sealed":
                return turn
            await asyncio.sleep(0.02)


async def test_a_preset_with_a_proxy_is_shown_and_gives_nothing_of_it_away(
    client: httpx.AsyncClient,
) -> None:
    """Named as present, neither kept nor exported."""
    made = await upload(client, "/api/presets", PRESET)
    answer = await client.get(f"/api/presets/{made['id']}")
    shown = schemas_items.PresetEntry.model_validate_json(answer.content)
    assert set(shown.connection_fields) == {"reverse_proxy", "proxy_password", "openai_model"}
    assert "hunter2" not in answer.text
    assert shown.played
    assert shown.not_applied == ["names_behavior"]
    assert shown.sampling == {"temperature": 0.8, "max_tokens": 400}
    assert [one.name for one in shown.prompts] == ["主"]
    file = await client.get(f"/api/presets/{made['id']}/export")
    assert file.headers["content-disposition"].startswith("attachment")
    whole = json.loads(file.content)
    assert {"reverse_proxy", "proxy_password", "openai_model"}.isdisjoint(whole)
    assert whole["names_behavior"] == 2
    report = read(await client.get(f"/api/presets/{made['id']}/export/report"))
    dropped = cast("list[dict[str, str]]", report["dropped"])
    assert [one["path"] for one in dropped] == ["openai_model"]


async def test_a_preset_is_changed_under_its_revision(client: httpx.AsyncClient) -> None:
    """The former stays as a version; a stale revision is a conflict; nothing of a connection comes in."""
    made = await upload(client, "/api/presets", PRESET)
    place = f"/api/presets/{made['id']}"
    content = {**cast("dict[str, object]", read(await client.get(place))["content"])}
    changed = {**content, "temperature": 0.2, "proxy_password": "hunter2"}
    answer = await client.put(place, json={"revision": 1, "name": "夜", "content": changed})
    told = read(answer)
    assert (told["name"], told["revision"]) == ("夜", 2)
    assert "hunter2" not in answer.text
    stale = await client.put(place, json={"revision": 1, "name": "x"})
    assert problem(stale)[1].code == "stale"
    refused = await client.put(place, json={"revision": 2, "content": {"a": 1}})
    assert problem(refused)[1].code == "not_a_preset"
    versions = read(await client.get(f"{place}/versions"))
    assert [one["version"] for one in cast("list[dict[str, object]]", versions["items"])] == [1, 2]


async def test_personas_are_made_changed_and_put_away(client: httpx.AsyncClient) -> None:
    """The whole life of one, through the trash and back."""
    answer = await client.post("/api/personas", json={"name": "林", "place": "at_depth"})
    made = schemas_items.PersonaItem.model_validate_json(answer.content)
    assert (answer.status_code, made.place, made.depth) == (201, "at_depth", 2)
    place = f"/api/personas/{made.id}"
    changed = {"name": "林", "description": "借伞的人。", "revision": 1}
    told = read(await client.put(place, json=changed))
    assert (told["description"], told["place"]) == ("借伞的人。", "in_prompt")
    assert problem(await client.put(place, json=changed))[1].code == "stale"
    assert problem(await client.post("/api/personas", json={"name": " "}))[0] == 422
    assert (await client.delete(place)).status_code == 204
    assert problem(await client.get(place))[1].code == "persona_not_found"
    trash = read(await client.get("/api/trash"))
    assert [one["kind"] for one in cast("list[dict[str, object]]", trash["items"])] == ["persona"]
    back = await client.post(f"/api/trash/persona/{made.id}/restore")
    assert back.status_code == 200
    assert read(await client.get(place))["name"] == "林"


async def test_a_backup_of_personas_comes_in_and_goes_out(client: httpx.AsyncClient) -> None:
    """Those beyond the first are named."""
    made = await upload(client, "/api/personas/import", PERSONAS)
    assert [one["name"] for one in cast("list[dict[str, str]]", made["also"])] == ["林"]
    listed = read(await client.get("/api/personas"))
    assert len(cast("list[object]", listed["items"])) == 2
    whole = json.loads((await client.get("/api/personas/export")).content)
    assert whole["personas"] == PERSONAS["personas"]
    one = json.loads((await client.get(f"/api/personas/{made['id']}/export")).content)
    assert one["personas"] == {"a.png": "Ann"}


async def test_quick_replies_are_kept_and_never_run(client: httpx.AsyncClient) -> None:
    """Listed, shown, handed out."""
    made = await upload(client, "/api/quick-replies", REPLIES)
    shown = read(await client.get(f"/api/quick-replies/{made['id']}"))
    assert shown["content"] == REPLIES
    assert "quick_replies_not_run" in json.dumps(shown["report"])
    file = await client.get(f"/api/quick-replies/{made['id']}/export")
    assert json.loads(file.content) == REPLIES
    assert (await client.delete(f"/api/quick-replies/{made['id']}")).status_code == 204
    assert read(await client.get("/api/quick-replies"))["items"] == []


async def test_display_scripts_are_shown_beside_the_stored_text(client: httpx.AsyncClient) -> None:
    """With the scripts that changed it; the stored text is as it was."""
    made = await upload(client, "/api/scripts", [SCRIPT])
    project = await founded(client)
    turn = await said(client, project, "我推门。")
    assert turn["final_text"] == "他点头。<s>冷</s>"
    display = schemas.DisplayTold.model_validate(turn["display"])
    assert (display.final_text, display.scripts, display.emptied) == ("他点头。", ["藏状态"], [])
    page = read(await client.get(f"/api/projects/{project}/turns"))
    last = cast("list[dict[str, object]]", page["items"])[-1]
    assert last["display"] == turn["display"]
    switched = {"on": False, "revision": 1}
    sets = read(await client.put(f"/api/scripts/{made['id']}/switch", json=switched))
    assert [one["state"] for one in cast("list[dict[str, str]]", sets["items"])] == ["off"]
    assert "display" not in read(await client.get(f"/api/turns/{turn['id']}"))


async def test_p08_a_message_emptied_for_the_eye_is_flagged(client: httpx.AsyncClient) -> None:
    """P08: and its stored text is still there."""
    await upload(client, "/api/scripts", {**SCRIPT, "findRegex": "/[^]*/", "maxDepth": 0})
    project = await founded(client)
    turn = await said(client, project, "一")
    assert cast("dict[str, object]", turn["display"])["emptied"] == ["final_text"]
    await said(client, project, "二")
    again = read(await client.get(f"/api/turns/{turn['id']}"))
    assert "display" not in again  # it is no longer the last message


async def test_a_cards_scripts_are_listed_as_waiting_until_consent(
    client: httpx.AsyncClient,
) -> None:
    """What they would do can be seen before."""
    data = {**cast("dict[str, object]", CARD["data"]), "extensions": {"regex_scripts": [SCRIPT]}}
    project = await founded(client, {**CARD, "data": data})
    sets = schemas_items.ScriptSets.model_validate(
        read(await client.get(f"/api/projects/{project}/scripts"))
    )
    (one,) = sets.items
    assert (one.scope, one.state, one.scripts[0].name) == ("card", "waiting", "藏状态")
    tried = await client.post(
        f"/api/projects/{project}/scripts/try", json={"text": "好<s>x</s>", "placement": "reply"}
    )
    assert read(tried) == {"text": "好", "changed": ["藏状态"], "off": []}
    turn = await said(client, project, "一")
    assert "display" not in turn
    consent = f"/api/scripts/consent/{one.owner}"
    given = await client.put(consent, json={"digest": one.digest})
    assert read(given)["state"] == "running"
    assert read(await client.get(consent)) == read(given)
    assert "display" in read(await client.get(f"/api/turns/{turn['id']}"))
    wrong = await client.put(consent, json={"digest": "other"})
    assert problem(wrong)[1].code == "scripts_differ"
    assert read(await client.put(consent, json={"digest": None}))["state"] == "waiting"


async def test_a_story_is_dressed_and_undressed(client: httpx.AsyncClient) -> None:
    """Preset and persona by one revision; what is not named stays."""
    project = await founded(client)
    preset = await upload(client, "/api/presets", PRESET)
    persona = read(await client.post("/api/personas", json={"name": "林", "lorebook": "无"}))
    place = f"/api/projects/{project}/dressing"
    bare = schemas_items.DressingTold.model_validate(read(await client.get(place)))
    assert (bare.preset_id, bare.persona_id, bare.revision) == (None, None, 0)
    both = {"preset_id": preset["id"], "persona_id": persona["id"], "revision": 0}
    worn = read(await client.put(place, json=both))
    assert (worn["preset_id"], worn["persona_id"]) == (preset["id"], persona["id"])
    assert worn["lorebook_missing"] == "无"
    assert problem(await client.put(place, json={"revision": 0, "preset_id": None}))[0] == 409
    less = read(await client.put(place, json={"revision": worn["revision"], "preset_id": None}))
    assert (less["preset_id"], less["persona_id"]) == (None, persona["id"])


async def test_the_note_is_read_and_written(client: httpx.AsyncClient) -> None:
    """Under the revision that was seen; out of range is refused."""
    project = await founded(client)
    place = f"/api/projects/{project}/note"
    empty = schemas_items.NoteTold.model_validate(read(await client.get(place)))
    assert (empty.text, empty.revision) == ("", 0)
    note = {"text": "慢些。", "interval": 2, "depth": 3, "role": "user", "revision": 0}
    told = read(await client.put(place, json=note))
    assert (told["text"], told["interval"], told["place"]) == ("慢些。", 2, "in_chat")
    assert problem(await client.put(place, json=note))[1].code == "stale"
    bad = {"text": "x", "interval": -1, "revision": 1}
    assert problem(await client.put(place, json=bad))[0] == 422
    nobody = await client.get("/api/projects/none/note")
    assert problem(nobody)[1].code == "project_not_found"


async def test_a_story_is_founded_with_a_persona_and_a_preset(client: httpx.AsyncClient) -> None:
    """By their ids; without, one that is linked to the card is put on, else the default one."""
    preset = await upload(client, "/api/presets", PRESET)
    linked = {"kind": "character", "id": "文件.png"}
    ann = read(await client.post("/api/personas", json={"name": "Ann", "links": [linked]}))
    lin = read(await client.post("/api/personas", json={"name": "林", "default": True}))
    card = await upload(client, "/api/cards", CARD)
    wish = {"card_id": card["id"], "persona": lin["id"], "preset_id": preset["id"]}
    made = read(await client.post("/api/projects", json=wish))
    worn = read(await client.get(f"/api/projects/{made['id']}/dressing"))
    assert (worn["preset_id"], worn["persona_id"]) == (preset["id"], lin["id"])
    shown = read(await client.get(f"/api/projects/{made['id']}"))
    assert cast("dict[str, str]", shown["persona"])["name"] == "林"
    other = read(await client.post("/api/projects", json={"card_id": card["id"]}))
    worn = read(await client.get(f"/api/projects/{other['id']}/dressing"))
    assert worn["persona_id"] == ann["id"]
    own = {"card_id": card["id"], "persona": {"name": "我"}}
    third = read(await client.post("/api/projects", json=own))
    worn = read(await client.get(f"/api/projects/{third['id']}/dressing"))
    assert worn["persona_id"] is None
    unknown = await client.post("/api/projects", json={**wish, "persona": "nobody"})
    assert problem(unknown)[1].code == "persona_not_found"


async def test_an_own_persona_takes_the_librarys_off(client: httpx.AsyncClient) -> None:
    """And one of the library takes the own one's place."""
    lin = read(await client.post("/api/personas", json={"name": "林", "description": "借伞。"}))
    project = await founded(client)
    place = f"/api/projects/{project}"
    changed = {"revision": 1, "persona": lin["id"]}
    told = read(await client.patch(place, json=changed))
    assert told["persona"] == {"name": "林", "description": "借伞。"}
    assert read(await client.get(f"{place}/dressing"))["persona_id"] == lin["id"]
    own = {"revision": told["revision"], "persona": {"name": "我", "description": ""}}
    assert read(await client.patch(place, json=own))["persona"] == own["persona"]
    assert read(await client.get(f"{place}/dressing"))["persona_id"] is None
