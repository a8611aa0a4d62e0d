"""Testing a connection against real servers on loopback: what each kind of server turns out to be."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from huaben.adapters.models.opening import Opener
from huaben.adapters.probing import EndpointProber, chosen, read_listing
from huaben.domain.connection import Capabilities, Connection, Listing, Secret
from huaben.domain.messages import Usage
from huaben.errors import ProviderFailed
from huaben.prompt.texts import shipped
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import (
    Asked,
    Script,
    ScriptedReply,
    Status,
    Step,
    call,
    reply,
    say,
    think,
)
from tests.builders.clocks import InstantClock

KEY = "sk-probing-0123456789"
TEXTS = {"zh": shipped("zh", "jsontools"), "en": shipped("en", "jsontools")}


@asynccontextmanager
async def prober() -> AsyncGenerator[EndpointProber]:
    opener = Opener(InstantClock(), {"zh": TEXTS["zh"], "en": TEXTS["en"]})
    yield EndpointProber(lambda: opener, InstantClock())
    await opener.close()


async def probed(script: Script, **changes: object) -> tuple[Capabilities, ScriptedEndpoint]:
    async with ScriptedEndpoint(script, models=("scripted", "embed-1")) as endpoint, prober() as it:
        connection = Connection("test", endpoint.base_url, "scripted", Secret(KEY))
        connection = replace(connection, **changes)
        return await it.probe(connection), endpoint


def is_call(asked: Asked) -> bool:
    return "remember_word" in json.dumps(asked.body)


def able(asked: Asked) -> Step:
    """A server that can do everything."""
    if asked.body.get("tools"):
        return reply(call("remember_word", word="rain"))
    if "response_format" in asked.body or "output_config" in asked.body:
        return say('{"colour":"red"}')
    return reply(think("hm"), say("one, two, three, four, five"), usage=Usage(9, 9, 2, 4))


def plain(asked: Asked) -> Step:
    """A server that only ever speaks."""
    return ScriptedReply((say("one, two, three", chunk=0),), usage=Usage(3, 3))


def described(asked: Asked) -> Step:
    """A server without tools, whose model follows a description."""
    if is_call(asked) and "tools" not in asked.body:
        return say('{"calls":[{"tool":"remember_word","arguments":{"word":"rain"}}]}')
    return plain(asked)


@pytest.mark.parametrize("kind", ["openai", "anthropic"])
async def test_a_server_that_can_do_everything(kind: str) -> None:
    """Three small calls and the list of models find it out, in either dialect."""
    found, endpoint = await probed(able, kind=kind)
    assert found == Capabilities(
        tested_at=found.tested_at,
        reachable=True,
        models=("scripted", "embed-1"),
        streams=True,
        calls_tools=True,
        reasons=True,
        reports_usage=True,
        reports_cache=True,
        json_schema=True,
        first_token_ms=0,
    )
    assert found.tested_at
    assert len(endpoint.received) == 3


async def test_a_server_that_only_speaks() -> None:
    """No tools, no schema, and described in words it does not help either: the last is asked only
    then."""
    found, endpoint = await probed(plain)
    assert (found.calls_tools, found.json_schema, found.json_text) == (False, False, False)
    assert (found.streams, found.reasons, found.reachable) == (False, False, True)
    assert len(endpoint.received) == 4


async def test_a_model_that_follows_a_description() -> None:
    """Then tools work by words alone."""
    found, _ = await probed(described)
    assert (found.calls_tools, found.json_schema, found.json_text) == (False, False, True)


async def test_a_refused_tool_list_means_no_tools() -> None:
    """A server that refuses the field has none; one that is merely busy says nothing about it."""

    def refusing(asked: Asked) -> Step:
        return Status(400, body='{"error":"tools"}') if asked.body.get("tools") else able(asked)

    def busy(asked: Asked) -> Step:  # and still busy when it is asked once more
        return Status(503) if asked.body.get("tools") else able(asked)

    assert (await probed(refusing))[0].calls_tools is False
    assert (await probed(busy))[0].calls_tools is None


async def test_the_form_that_a_server_wants_is_learnt_on_the_way() -> None:
    """A test is no turn: it asks again as often as a server has another wish."""

    def fussy(asked: Asked) -> Step:
        if "stream_options" in asked.body:
            return Status(400, body='{"error":{"message":"unknown field stream_options"}}')
        if "max_tokens" in asked.body:
            return Status(400, body='{"error":{"message":"use max_completion_tokens"}}')
        return able(asked)

    assert (await probed(fussy))[0].calls_tools is True


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Status(401, body=f'{{"error":{{"message":"bad key {KEY}"}}}}'), "answered 401"),
        (Status(404, body='{"error":{"message":"no such model"}}'), "no such model"),
    ],
)
async def test_a_refusal_is_told_without_the_key(step: Step, said: str) -> None:
    """It was reached, so that the page can say: the address is right, the key is not."""
    found, endpoint = await probed([step])
    assert found.reachable is True
    assert said in found.failure
    assert KEY not in str(found)
    assert len(endpoint.received) == 1


async def test_nobody_there() -> None:
    """An address where nothing listens, one that is none, and a connection without a model."""
    async with prober() as it:
        gone = await it.probe(Connection("x", "http://127.0.0.1:9/v1", "m"))
        none = await it.probe(Connection("x", "ftp://nowhere", "m"))
    assert (gone.reachable, none.reachable) == (False, False)
    assert "cannot be reached" in gone.failure
    assert "not one of http" in none.failure
    unchosen, endpoint = await probed(able, model="")
    assert (unchosen.reachable, unchosen.failure) == (True, "no model is chosen")
    assert unchosen.models
    assert not endpoint.received


async def test_servers_nearby_are_found_with_a_model() -> None:
    """The first of its models that writes; a port where nobody or somebody else answers is none."""
    async with ScriptedEndpoint([], models=("nomic-embed", "qwen3")) as endpoint, prober() as it:
        here = Connection("near", endpoint.base_url, "")
        page = Connection("page", endpoint.base_url.removesuffix("/v1") + "/nothing/else", "")
        gone = Connection("gone", "http://127.0.0.1:9/v1", "")
        found = await it.find([gone, here, replace(page, base_url="http://127.0.0.1:9")])
    assert [(one.name, one.model) for one in found] == [("near", "qwen3")]
    assert not endpoint.received


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"data": [{"id": "a", "context_length": 8192}, {"id": "b"}]}, {"a": 8192, "b": None}),
        ({"models": [{"name": "models/gemini", "max_model_len": 5}]}, {"gemini": 5}),
        ({"data": [{"id": "a", "meta": {"n_ctx": 4096, "n_ctx_train": 99}}]}, {"a": 4096}),
        (["a", {"id": ""}, 3, None, {"id": "a"}], {"a": None}),
        ({"data": [], "models": ["x"]}, {}),
    ],
)
def test_lists_of_models_come_in_many_wrappings(
    answer: object, expected: dict[str, int | None]
) -> None:
    """With or without windows, as objects or as names."""
    listing = read_listing(answer, "x")
    windows = {name: window for name, window in expected.items() if window is not None}
    assert listing == Listing(tuple(expected), windows)


@pytest.mark.parametrize("answer", [{}, {"data": {}}, "ok", None, {"error": "x"}])
def test_what_lists_nothing_is_no_endpoint(answer: object) -> None:
    """Whatever else listens on a usual port is left alone."""
    with pytest.raises(ProviderFailed) as failed:
        read_listing(answer, "x")
    assert failed.value.code == "not_an_endpoint"


def test_a_model_that_does_not_write_is_not_chosen() -> None:
    """Embedders and rerankers stand in the same lists."""
    assert chosen(["BGE-m3", "text-embedding-3", "qwen"]) == "qwen"
    assert chosen(["rerank-1"]) == ""
