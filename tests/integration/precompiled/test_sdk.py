"""The `openai` package as a caller, which reads more strictly than any front end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from openai import APIStatusError, AsyncOpenAI, DefaultAsyncHttpxClient
from openai.types.chat import ChatCompletionMessageParam, ChatCompletionToolParam

from huaben.domain.messages import Usage
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import ScriptedReply, Status, call, reply, say
from tests.integration.web.table import serve

LOOK: ChatCompletionToolParam = {
    "type": "function",
    "function": {"name": "look", "parameters": {"type": "object", "properties": {}}},
}
ASKED: list[ChatCompletionMessageParam] = [{"role": "user", "content": "雨停了吗？"}]


async def test_the_sdk_is_answered_by_every_kind_of_connection(tmp_path: Path) -> None:
    """Streams, tools, usage, the list of models and errors, with the password as its key."""
    refused = ScriptedReply((Status(429, body='{"error":{"message":"slow down"}}'),))
    script = [
        say("雨停了。"),
        reply(call("look", at="伞"), usage=Usage(9, 3)),
        refused,
        reply(say("Carried over."), usage=Usage(7, 2)),
    ]
    async with (
        ScriptedEndpoint(script) as endpoint,
        serve(tmp_path, endpoint, password="open sesame") as table,
        DefaultAsyncHttpxClient(trust_env=False) as http,
    ):
        client = AsyncOpenAI(
            api_key="open sesame",
            base_url=f"{str(table.client.base_url).rstrip('/')}/v1",
            max_retries=0,
            http_client=http,
        )
        names = [one.id async for one in client.models.list()]
        assert names[:2] == ["huaben", "environment/scripted"]

        stream = await client.chat.completions.create(
            model="huaben", messages=ASKED, stream=True, stop=["\n"], seed=7
        )
        pieces = [one.choices[0].delta.content or "" async for one in stream if one.choices]
        assert "".join(pieces) == "雨停了。"
        assert json.loads(endpoint.bodies[0])["stop"] == ["\n"]

        called = await client.chat.completions.create(
            model="scripted", messages=ASKED, tools=[LOOK], extra_body={"odd": {"b": 1, "a": 2}}
        )
        assert called.choices[0].finish_reason == "tool_calls"
        assert called.usage is not None
        assert called.usage.completion_tokens == 3
        assert b'"odd":{"b":1,"a":2}' in endpoint.bodies[1].replace(b": ", b":").replace(
            b", ", b","
        )

        with pytest.raises(APIStatusError) as failed:
            await client.chat.completions.create(model="huaben", messages=ASKED)
        assert failed.value.status_code == 429
        assert "slow down" in failed.value.message

        other = {"base_url": endpoint.base_url, "model": "claude", "kind": "anthropic"}
        made = await table.client.post(
            "/api/connections",
            json={"name": "other", "api_key": "k-0123456789", **other},
            headers={"authorization": "Bearer open sesame"},
        )
        assert made.status_code == 201, made.text
        carried = await client.chat.completions.create(
            model="other/claude", messages=ASKED, temperature=0.5
        )
        assert carried.choices[0].message.content == "Carried over."
        assert endpoint.received[-1].path.endswith("/messages")
        with pytest.raises(APIStatusError) as odd:
            await client.chat.completions.create(model="claude", messages=ASKED, n=2)
        assert (odd.value.status_code, odd.value.param) == (400, "n")

        wrong = client.with_options(api_key="wrong")
        with pytest.raises(APIStatusError) as closed:
            await wrong.models.list()
        assert (closed.value.status_code, closed.value.code) == (401, "wrong_password")
