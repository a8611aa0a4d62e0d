"""The loopback endpoint speaks HTTP that any client understands."""

from __future__ import annotations

import httpx
import pytest

from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import Retry, Status, call, drop, fail, reply, say, stall, think

ASK = {"model": "m", "messages": [{"role": "user", "content": "推门"}]}


def post(base_url: str, *, stream: bool = False) -> httpx.Response:
    with httpx.Client(trust_env=False) as client:
        return client.post(f"{base_url}/chat/completions", json={**ASK, "stream": stream})


def test_it_serves_callers_that_have_no_event_loop() -> None:
    """From a thread of its own, with every request kept to the byte."""
    with ScriptedEndpoint.in_thread([reply(think("hm"), say("好"), call("f", x=1))]) as endpoint:
        answer = post(endpoint.base_url).json()
    message = answer["choices"][0]["message"]
    assert (message["content"], message["reasoning_content"]) == ("好", "hm")
    assert message["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"x":1}'}
    assert answer["choices"][0]["finish_reason"] == "tool_calls"
    assert endpoint.received[0].asked.last_text == "推门"


def test_it_streams_lines_that_end_in_done() -> None:
    """Deltas, finish reason, usage, `[DONE]`, as documented."""
    with ScriptedEndpoint.in_thread([reply(say("雨停", chunk=1), Retry("x"))]) as endpoint:
        answer = post(endpoint.base_url, stream=True)
    lines = [line for line in answer.text.split("\n\n") if line]
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert [('"content":"雨"' in line, '"content":"停"' in line) for line in lines[:2]] == [
        (True, False),
        (False, True),
    ]
    assert '"finish_reason":"stop"' in lines[2]
    assert '"usage":{' in lines[3]
    assert lines[4] == "data: [DONE]"


def test_it_refuses_as_scripted() -> None:
    """Status, headers and body of a refusal; a failure by code becomes one; then the script ends."""
    script = [Status(429, 3, "slow"), fail("x", "gone", http_status=502), fail("x", "odd")]
    with ScriptedEndpoint.in_thread(script) as endpoint:
        answers = [post(endpoint.base_url) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [429, 502, 503, 400]
    assert (answers[0].headers["retry-after"], answers[0].text) == ("3", "slow")
    assert "gone" in answers[1].text
    assert endpoint.overrun == 1


def test_it_dies_as_scripted() -> None:
    """A torn connection is torn."""
    with (
        ScriptedEndpoint.in_thread([reply(say("雨"), drop())]) as endpoint,
        pytest.raises(httpx.TransportError),
    ):
        post(endpoint.base_url, stream=True)


def test_it_lists_models_and_knows_no_other_paths() -> None:
    """Enough for a connection test."""
    with ScriptedEndpoint.in_thread([]) as endpoint, httpx.Client(trust_env=False) as client:
        models = client.get(f"{endpoint.base_url}/models").json()
        assert [model["id"] for model in models["data"]] == ["scripted"]
        assert client.get(f"{endpoint.base_url}/other").status_code == 404


async def test_it_closes_with_replies_still_open() -> None:
    """A test that ends in the middle of a stall leaves nothing behind."""
    async with httpx.AsyncClient(trust_env=False) as client:
        async with ScriptedEndpoint([reply(say("雨"), stall())]) as endpoint:
            url = f"{endpoint.base_url}/chat/completions"
            request = client.build_request("POST", url, json={**ASK, "stream": True})
            response = await client.send(request, stream=True)
            await endpoint.stalled.wait()
        assert not endpoint.hung_up.is_set()
        await response.aclose()
