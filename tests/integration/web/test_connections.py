"""Connections over HTTP: a key goes in, is tested, plays, and is never told again."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx
import pytest

from huaben.domain.messages import Usage
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import EMPTY_PATCH, Asked, ScriptedReply, Step, call, reply, say
from huaben.web.schemas import PageOf
from huaben.web.schemas_connections import ConnectionTold, ModelTold, ProviderTold, UsageTold
from tests.integration.web.lobby import lobby
from tests.integration.web.table import Table, problem, serve

KEY = "sk-over-http-0123456789"


@pytest.fixture
async def client() -> AsyncIterator[httpx.AsyncClient]:
    async with lobby() as found:
        yield found


async def add(client: httpx.AsyncClient, **body: object) -> ConnectionTold:
    usual = {"name": "mine", "base_url": "https://models.example/v1", "model": "m"}
    answer = await client.post("/api/connections", json={**usual, **body})
    assert answer.status_code == 201, answer.text
    assert KEY not in answer.text
    return ConnectionTold.model_validate_json(answer.content)


async def listed(client: httpx.AsyncClient) -> list[ConnectionTold]:
    answer = await client.get("/api/connections")
    assert answer.status_code == 200
    assert KEY not in answer.text
    return PageOf[ConnectionTold].model_validate_json(answer.content).items


def answering(asked: Asked) -> Step:
    """A model that can call tools, and writes its turn by them."""
    if "remember_word" in str(asked.body.get("tools", "")):
        return reply(call("remember_word", word="rain"))
    if "tools" not in asked.body:
        return say("one, two, three")
    told = say("门开了。")
    return ScriptedReply((told,), usage=Usage(1000, 10, None, 600))


# ---- kept and changed ------------------------------------------------------------------------------


async def test_a_key_goes_in_and_never_comes_out(client: httpx.AsyncClient) -> None:
    """Neither when it is given nor when it is looked at; that there is one is told."""
    made = await add(
        client,
        api_key=KEY,
        headers={"x-team": KEY},
        roles=["scribe", "story"],
        sampling={"temperature": 1, "stop": ["\n\n"]},
        window=8192,
    )
    assert (made.has_key, made.own_key, made.headers) == (True, True, ["x-team"])
    assert (made.source, made.roles, made.window) == ("kept", ["story", "scribe"], 8192)
    assert made.sampling == {"temperature": 1.0, "stop": ["\n\n"]}
    assert (made.tools, made.tools_in_force, made.capabilities) == ("auto", "native", None)
    assert await listed(client) == [made]
    shown = await client.get("/api/connections/mine")
    assert ConnectionTold.model_validate_json(shown.content) == made


async def test_a_change_names_the_revision_that_was_seen(client: httpx.AsyncClient) -> None:
    """Who saw an older one is refused; a key that is not spoken of stays."""
    made = await add(client, api_key=KEY)
    body = {"base_url": made.base_url, "model": "m-2", "revision": made.revision}
    answer = await client.put("/api/connections/mine", json=body)
    changed = ConnectionTold.model_validate_json(answer.content)
    assert (changed.model, changed.has_key) == ("m-2", True)
    status, told = problem(await client.put("/api/connections/mine", json=body))
    assert (status, told.code) == (409, "connection_changed")
    gone = await client.delete(f"/api/connections/mine?revision={changed.revision}")
    assert gone.status_code == 204
    assert await listed(client) == []
    status, told = problem(await client.get("/api/connections/mine"))
    assert (status, told.code) == (404, "connection_not_found")


REFUSED: Mapping[str, tuple[dict[str, object], str]] = {
    "no address": ({"base_url": ""}, "address_missing"),
    "a key in the address": ({"base_url": f"https://x.example/?key={KEY}"}, "key_in_address"),
    "a slash in the name": ({"name": "a/b"}, "bad_name"),
    "dots alone": ({"name": ".."}, "bad_name"),
    "a reserved name": ({"name": "providers"}, "bad_name"),
    "an unknown role": ({"roles": ["hero"]}, "invalid_field"),
    "an unknown sampler": ({"sampling": {"mood": KEY}}, "unknown_field"),
    "an unknown field": ({"secret": KEY}, "unknown_field"),
    "a temperature beyond": ({"sampling": {"temperature": 9}}, "invalid_field"),
}


@pytest.mark.parametrize(("body", "code"), REFUSED.values(), ids=REFUSED)
async def test_what_cannot_be_kept_is_refused_by_name(
    client: httpx.AsyncClient, body: dict[str, object], code: str
) -> None:
    """And no refusal repeats what was sent."""
    usual = {"name": "mine", "base_url": "https://models.example/v1", "model": "m", "api_key": KEY}
    answer = await client.post("/api/connections", json={**usual, **body})
    status, told = problem(answer)
    assert (status, told.code) == (422, code)
    assert KEY not in answer.text
    assert await listed(client) == []


async def test_two_connections_never_share_a_name(client: httpx.AsyncClient) -> None:
    """A second one of that name is a conflict, not a change."""
    await add(client)
    usual = {"name": "mine", "base_url": "https://other.example/v1", "model": "m"}
    status, told = problem(await client.post("/api/connections", json=usual))
    assert (status, told.code) == (409, "connection_exists")


async def test_a_known_provider_needs_no_address(client: httpx.AsyncClient) -> None:
    """Its name is enough; which ones are known is listed, with the variables of their keys."""
    made = await add(client, name="anthropic", base_url="", model="")
    assert (made.kind, made.base_url) == ("anthropic", "https://api.anthropic.com")
    assert made.model
    answer = await client.get("/api/connections/providers")
    providers = PageOf[ProviderTold].model_validate_json(answer.content).items
    assert {"openai", "deepseek", "ollama"} <= {one.name for one in providers}
    assert ["DEEPSEEK_API_KEY"] in [one.variables for one in providers]


async def test_an_unreachable_connection_says_so(client: httpx.AsyncClient) -> None:
    """A test that fails is an answer; a list that cannot be had is a refusal."""
    await add(client, name="本机 模型")
    tested = await client.post("/api/connections/本机 模型/test")
    told = ConnectionTold.model_validate_json(tested.content)
    assert told.capabilities is not None
    assert (told.capabilities.reachable, told.capabilities.failure) == (False, "cannot be reached")
    status, refused = problem(await client.get("/api/connections/本机 模型/models"))
    assert (status, refused.code) == (502, "connection_failed")


# ---- played ----------------------------------------------------------------------------------------


async def test_a_pasted_key_is_tested_and_plays(tmp_path: Path) -> None:
    """From nothing connected to a turn: paste, test, play, look at what it took."""
    async with ScriptedEndpoint(answering) as endpoint:
        async with serve(tmp_path / "data", endpoint, base_url="", model="") as table:
            project = await table.found()
            body = {"text": "我推门。"}
            status, none = await table.refused(f"/api/projects/{project.id}/turns", body)
            assert (status, none.code) == (503, "no_connection")
            await add(table.client, base_url=endpoint.base_url, model="scripted", api_key=KEY)
            assert endpoint.received == []
            answer = await table.client.post("/api/connections/mine/test")
            told = ConnectionTold.model_validate_json(answer.content)
            assert told.capabilities is not None
            assert told.capabilities.calls_tools is True
            models = await table.client.get("/api/connections/mine/models")
            assert PageOf[ModelTold].model_validate_json(models.content).items[0].name == "scripted"
            turn = await table.play(project.id, "我推门。")
            assert turn.final_text == "门开了。"
            assert endpoint.received[-1].headers["authorization"] == f"Bearer {KEY}"
            await _check_usage(table, project.id, turn.id)
        # Another start finds it again, with its key.
        async with serve(tmp_path / "data", endpoint, base_url="", model="") as table:
            (kept,) = await listed(table.client)
            assert (kept.name, kept.has_key, kept.capabilities) == ("mine", True, told.capabilities)


async def _check_usage(table: Table, project_id: str, turn_id: str) -> None:
    answer = await table.client.get(f"/api/projects/{project_id}/usage")
    usage = UsageTold.model_validate_json(answer.content)
    item, scribe = usage.items
    assert (item.turn, item.purpose, item.model) == (turn_id, "story", "mine")
    assert (item.prompt, item.cached, item.completion, item.cost) == (1000, 600, 10, None)
    assert (scribe.turn, scribe.purpose, scribe.model) == (turn_id, "scribe", "mine")
    assert (usage.total.calls, usage.total.unpriced, usage.total.costs) == (2, 2, [])
    assert usage.purposes["story"].prompt == 1000
    assert usage.purposes["scribe"].prompt == scribe.prompt


async def test_the_users_own_prices_are_used(tmp_path: Path) -> None:
    """From prices.toml in the data folder, in the turn, its trace and the sums; what the scribe took
    is on the turn's account too."""
    data = tmp_path / "data"
    data.mkdir()
    prices = '[[price]]\nmodel = "scripted"\nprompt = 2\ncompletion = 10\ncached = 0.5\n'
    (data / "prices.toml").write_text(prices)
    books = [reply(say(EMPTY_PATCH), usage=Usage(500, 20))]
    async with (
        ScriptedEndpoint(answering, scribe=books) as endpoint,
        serve(data, endpoint) as table,
    ):
        project = await table.found()
        turn = await table.play(project.id, "我推门。")
        trace = await table.client.get(f"/api/turns/{turn.id}/trace")
        usage = await table.client.get(f"/api/projects/{project.id}/usage")
        (environment,) = await listed(table.client)
    assert environment.price is not None
    assert environment.price.prompt == 2
    story, scribe, both = ({"amount": n, "currency": "USD"} for n in (0.0012, 0.0012, 0.0024))
    assert [one["cost"] for one in trace.json()["items"]] == [story, scribe]
    assert turn.usage["costs"] == [both]
    assert usage.json()["purposes"]["scribe"]["costs"] == [scribe]
    assert usage.json()["total"]["costs"] == [both]


async def test_a_broken_price_file_is_told_at_the_start(tmp_path: Path) -> None:
    """A price that is silently left out would look like a model that costs nothing."""
    (tmp_path / "prices.toml").write_text('[[price]]\nmodel = "m"\n')
    async with ScriptedEndpoint([]) as endpoint:
        with pytest.raises(Exception, match=r"prices\.toml: price 1\.prompt: is missing"):
            async with serve(tmp_path, endpoint):
                pass
