"""Scenarios are looked at, tried, copied and written over HTTP; the shipped ones stay as they are."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from huaben.adapters.scenariofolder import ScenarioFolder
from huaben.bootstrap import ScenarioFiles
from huaben.testing.models import ScriptedModel
from huaben.testing.store import MemoryStore
from huaben.web.schemas_scenarios import FieldsTold, ScenarioShown
from tests.integration.web.lobby import lobby, theatre_in_memory
from tests.integration.web.table import problem, read


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    theatre = theatre_in_memory(MemoryStore(), ScriptedModel([]))
    house = replace(
        theatre.house,
        scenarios=ScenarioFiles(tmp_path),
        scenario_texts=ScenarioFolder(tmp_path),
    )
    async with lobby(theatre=replace(theatre, house=house)) as found:
        yield found


def shown(answer: httpx.Response) -> ScenarioShown:
    assert answer.status_code in (200, 201), answer.text
    return ScenarioShown.model_validate_json(answer.content)


async def test_a_shipped_one_is_looked_at_with_the_origin_of_each_value(
    client: httpx.AsyncClient,
) -> None:
    """Each setting says whether it is a default or stands in the file; the fields say what may."""
    stage = shown(await client.get("/api/scenarios/stage"))
    origins = {one.path: one.source for one in stage.origins}
    assert (stage.own, stage.faults) == (False, [])
    assert origins["scribe.enabled"] == "stage"
    assert origins["lore.budget"] == "default"
    fields = FieldsTold.model_validate_json((await client.get("/api/scenarios/fields")).content)
    by_path = {one.path: one for one in fields.items}
    assert set(by_path) == set(origins) - {"name"}
    assert by_path["governance"].choices == ["off", "shadow", "enforce"]
    assert (by_path["lore.budget"].kind, by_path["lore.budget"].low) == ("whole", 0)
    assert by_path["memory.sources"].kind == "list"


async def test_a_copy_is_changed_and_used_by_a_story(client: httpx.AsyncClient) -> None:
    """Copied under a name of one's own, changed, chosen by name, and taken away again."""
    mine = shown(await client.post("/api/scenarios/stage/copy", json={"name": "我的 stage"}))
    assert (mine.name, mine.own, mine.faults) == ("我的 stage", True, [])
    text = mine.text + "\n[lore]\nbudget = 100\n"
    body = {"text": text, "hash": mine.hash}
    place = "/api/scenarios/我的 stage"
    changed = shown(await client.put(place, json=body))
    (origin,) = [one for one in changed.origins if one.path == "lore.budget"]
    assert (origin.value, origin.source) == (100, "我的 stage")
    assert problem(await client.put(place, json=body))[1].code == "stale"
    card = {"spec": "chara_card_v2", "data": {"name": "沈砚", "first_mes": "…"}}
    files = {"file": ("c.json", json.dumps(card).encode())}
    made = await client.post("/api/cards", files=files)
    wish = {"card_id": read(made)["id"], "scenario": "我的 stage"}
    project = read(await client.post("/api/projects", json=wish))["id"]
    values = read(await client.get(f"/api/projects/{project}"))["scenario"]
    assert isinstance(values, dict)
    assert (values["name"], values["lore.budget"]) == ("我的 stage", 100)
    gone = await client.delete(place, params={"hash": changed.hash})
    assert gone.status_code == 204
    assert (await client.get(place)).status_code == 404


async def test_each_fault_is_told_with_the_nearest_field(client: httpx.AsyncClient) -> None:
    """A text with faults is not kept; every one of them names its field."""
    body = {"name": "x", "text": 'name = "x"\n[lore]\nbudgte = 5\nscan_depth = "two"\n'}
    tried = shown(await client.post("/api/scenarios/check", json=body))
    assert {(one.path, one.nearest) for one in tried.faults} == {
        ("lore.budgte", "lore.budget"),
        ("lore.scan_depth", ""),
    }
    assert tried.origins == []
    kept = await client.put("/api/scenarios/x", json={"text": body["text"], "hash": None})
    assert problem(kept)[1].code == "bad_scenario"
    assert (await client.get("/api/scenarios/x")).status_code == 404
    for text, path in (("a = ", "(file)"), ('extends = "no"', "name"), ('name = "y"', "name")):
        again = shown(await client.post("/api/scenarios/check", json={"name": "x", "text": text}))
        assert again.faults[0].path == path


@pytest.mark.parametrize("name", ["..", "a%2Fb", ".hidden", "x" * 61, "a."])
async def test_no_name_leads_out_of_the_folder(client: httpx.AsyncClient, name: str) -> None:
    """What could be a path is no name."""
    body = {"text": f'name = "{name}"', "hash": None}
    assert (await client.put(f"/api/scenarios/{name}", json=body)).status_code in (
        404,
        405,
        422,
        400,
    )


async def test_the_shipped_ones_stay(client: httpx.AsyncClient) -> None:
    """They are neither written over nor taken away."""
    stage = shown(await client.get("/api/scenarios/stage"))
    body = {"text": stage.text, "hash": stage.hash}
    written = await client.put("/api/scenarios/stage", json=body)
    assert problem(written)[1].code == "shipped_scenario"
    gone = await client.delete("/api/scenarios/stage", params={"hash": stage.hash})
    assert problem(gone)[1].code == "shipped_scenario"
    missing = await client.delete("/api/scenarios/nobody", params={"hash": stage.hash})
    assert missing.status_code == 404
