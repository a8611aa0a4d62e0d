"""Other front ends use the program as a provider: what they send arrives to the byte, what it took is known."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import cast

import httpx

from huaben.cli.finding import find_project, find_turn
from huaben.domain.messages import Usage
from huaben.services.stories import load_story
from huaben.testing.endpoint import ScriptedEndpoint
from huaben.testing.script import (
    Asked,
    ErrorLine,
    Raw,
    ScriptedReply,
    Stall,
    Status,
    Step,
    call,
    drop,
    reply,
    say,
    think,
)
from huaben.web.limits import COMPLETION_BYTES
from tests.integration.web.table import Table, read, serve
from tests.unit.domain.plan.states import a_state

KEY = "sk-passed-on-0123456789"

SILLYTAVERN = (
    '{"messages":[{"role":"system","content":"Write 沈砚\'s next reply."},'
    '{"role":"user","content":"Rain\\u3002 \\ud83c\\udf27"}],"model":"huaben","temperature":0.70,'
    '"max_tokens":300,"stream":true,"presence_penalty":0,"frequency_penalty":0,"top_p":1,'
    '"stop":["\\nLin:"],"logit_bias":{},"n":1,"custom_prompt_post_processing":""}'
)
OPEN_WEBUI = (
    '{"model": "environment/scripted", "stream": true, "stream_options": {"include_usage": true}, '
    '"messages": [{"role": "user", "content": [{"type": "text", "text": "\\u96e8"}]}, '
    '{"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "type": "function", '
    '"function": {"name": "look", "arguments": "{}"}}]}, '
    '{"role": "tool", "tool_call_id": "c1", "content": "an umbrella"}], '
    '"tools": [{"type": "function", "function": {"name": "look", "parameters": {"b": 1, "a": 2}}}], '
    '"metadata": {"chat_id": "x"}, "features": {"memory": false}}'
)


async def asked(table: Table, body: str) -> httpx.Response:
    return await table.client.post("/v1/chat/completions", content=body.encode())


def chunks_of(answer: httpx.Response) -> list[dict[str, object]]:
    """The chunks of a stream, which must end in good order."""
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = [line for line in answer.text.splitlines() if line.startswith("data: ")]
    assert lines[-1] == "data: [DONE]"
    return [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]


def said(chunks: list[dict[str, object]]) -> str:
    """The text of a stream."""
    texts: list[str] = []
    for one in chunks:
        assert isinstance(one["choices"], list)
        choices = cast("list[dict[str, dict[str, str | None]]]", one["choices"])  # the form says so
        texts += [choice["delta"].get("content") or "" for choice in choices]
    return "".join(texts)


async def trace_of(table: Table, answer: httpx.Response) -> dict[str, object]:
    """The one call of the turn that an answer names."""
    found = await table.client.get(f"/api/turns/{answer.headers['huaben-turn']}/trace")
    body = read(found)
    calls = items(body, "items" if "items" in body else "calls")
    assert len(calls) == 1
    return calls[0]


def items(body: dict[str, object], name: str) -> list[dict[str, object]]:
    """The objects of a list."""
    assert isinstance(body[name], list)
    return cast("list[dict[str, object]]", body[name])  # such lists hold objects


async def test_front_ends_are_answered_in_their_own_way(tmp_path: Path) -> None:
    """A stream with its end mark, tools passed through, bytes untouched, and a trace of each."""
    looked = reply(think("hm"), call("look", at="伞"), usage=Usage(20, 5, None, 8))
    async with (
        ScriptedEndpoint([say("雨停了。"), looked, say("Plain."), say("x")]) as endpoint,
        serve(tmp_path, endpoint, api_key=KEY) as table,
    ):
        first = await asked(table, SILLYTAVERN)
        told = chunks_of(first)
        assert said(told) == "雨停了。"
        assert endpoint.bodies[0] == SILLYTAVERN.replace('"huaben"', '"scripted"').encode()
        assert endpoint.received[0].headers["authorization"] == f"Bearer {KEY}"
        trace = await trace_of(table, first)
        assert trace["request"] == endpoint.bodies[0].decode()
        assert (trace["purpose"], trace["state"]) == ("precompiled", "done")
        assert isinstance(trace["first_token_ms"], int)

        second = await asked(table, OPEN_WEBUI)
        assert any("tool_calls" in str(one) for one in chunks_of(second))
        sent = json.loads(endpoint.bodies[1])
        assert sent == {**json.loads(OPEN_WEBUI), "model": "scripted"}
        whole = OPEN_WEBUI[OPEN_WEBUI.index('"messages"') + 12 : OPEN_WEBUI.index(', "tools"')]
        assert whole.encode() in endpoint.bodies[1]
        usage = (await trace_of(table, second))["usage"]
        assert isinstance(usage, dict)
        assert (usage["prompt"], usage["cached"]) == (20, 8)

        plain = await asked(
            table, '{"model":"scripted","messages":[{"role":"user","content":"?"}]}'
        )
        assert read(plain)["object"] == "chat.completion"
        turn = await table.turn(plain.headers["huaben-turn"])
        assert (turn.status, turn.user_text, turn.final_text) == ("sealed", "?", "Plain.")

        ids = [one["id"] for one in items(read(await table.client.get("/v1/models")), "data")]
        assert ids == ["huaben", "environment/scripted", "scripted", "rehearsal"]
        for name in ids:
            assert (await table.client.get(f"/v1/models/{name}")).status_code == 200

        stories = items(read(await table.client.get("/api/projects")), "items")
        records = items(read(await table.client.get("/api/projects?kind=precompiled")), "items")
        assert (len(stories), len(records)) == (0, 1)
        record = str(records[0]["id"])
        house = table.theatre.house
        assert (await find_project(house, record)).id == record
        latest = find_turn(await load_story(house, record), "latest")
        assert latest.id == plain.headers["huaben-turn"]
        await table.over(played := await table.say(record, "Go on."))
        assert (await table.turn(played)).outcome.code == "no_story"
        assert len(endpoint.received) == 3


async def test_failures_keep_the_provider_s_status_and_hide_the_key(tmp_path: Path) -> None:
    """Refused, broken off, or unknown: an error of the caller's own form each time."""
    told = f'{{"error":{{"message":"quota of {KEY} is used up","type":"x"}}}}'
    script: list[Step] = [
        ScriptedReply((Status(429, retry_after=7, body=told),)),
        reply(say("half "), ErrorLine({"message": f"bad key {KEY}"})),
        reply(say("half "), drop()),
    ]
    ask = '{"model":"huaben","stream":true,"messages":[{"role":"user","content":"hi"}]}'
    async with (
        ScriptedEndpoint(script) as endpoint,
        serve(tmp_path, endpoint, api_key=KEY) as table,
    ):
        refused = await asked(table, ask)
        assert (refused.status_code, refused.headers["retry-after"]) == (429, "7")
        assert read(refused)["error"]
        assert KEY not in refused.text
        assert (await trace_of(table, refused))["state"] == "failed"
        assert len(endpoint.received) == 1, "nothing is asked twice"
        for _ in range(2):
            torn = await asked(table, ask)
            assert torn.status_code == 200
            assert '"error"' in torn.text
            assert KEY not in torn.text
            assert "[DONE]" not in torn.text
            turn = await table.turn(torn.headers["huaben-turn"])
            assert turn.status == "failed"
        unknown = await asked(table, ask.replace("huaben", "nobody"))
        assert (unknown.status_code, read(unknown)["error"]) == (
            404,
            {
                "message": "There is no model nobody. GET /v1/models lists those that there are.",
                "type": "invalid_request_error",
                "param": None,
                "code": "model_not_found",
            },
        )
        odd = await asked(table, '{"messages":3}')
        assert odd.status_code == 400


async def test_whoever_leaves_is_recorded_to_the_end(tmp_path: Path) -> None:
    """The reply was asked for and is paid: it is heard, and in the trace."""
    script: list[Step] = [reply(say("The first half, "), Stall(), say("the second."))]
    async with ScriptedEndpoint(script) as endpoint, serve(tmp_path, endpoint) as table:
        body = {"model": "huaben", "stream": True, "messages": [{"role": "user", "content": "hi"}]}
        async with table.client.stream("POST", "/v1/chat/completions", json=body) as answer:
            turn_id = answer.headers["huaben-turn"]
            await anext(answer.aiter_bytes())
        await endpoint.stalled.wait()
        assert (await table.turn(turn_id)).status == "running"
        endpoint.release()
        await table.over(turn_id)
        assert (await table.turn(turn_id)).final_text == "The first half, the second."


async def test_a_named_plan_is_worked_on_once_a_request(tmp_path: Path) -> None:
    """The planner reads what was asked; the model is shown its plan only where that is wished for."""

    def answer(asked: Asked) -> Step:
        return say("planned nothing" if asked.tool_names else "他把伞收了。")

    body = {"model": "huaben", "messages": [{"role": "user", "content": "推门。"}], "tools": []}
    async with ScriptedEndpoint(answer) as endpoint, serve(tmp_path, endpoint) as table:
        plan = {"huaben-plan": "inn-1"}
        first = await table.client.post("/v1/chat/completions", json=body, headers=plan)
        assert first.status_code == 200, first.text
        place = first.headers["link"].partition(">")[0].removeprefix("<")
        assert (await table.client.get(place)).status_code == 200
        jobs = read(await table.client.get(f"{place}/jobs"))
        assert [job["turn"] for job in items(jobs, "items")], jobs
        state = {"revision": 0, "state": a_state(s1="伞里藏着钥匙")}
        edited = await table.client.patch(place, json=state)
        assert edited.status_code == 200, edited.text
        project = place.split("/")[3]
        for inject, shown in (({}, False), ({"huaben-plan-inject": "tail"}, True)):
            headers = {"huaben-plan": project, **inject}
            again = await table.client.post("/v1/chat/completions", json=body, headers=headers)
            assert again.status_code == 200, again.text
            sent = str((await trace_of(table, again))["request"])
            assert ("伞里藏着钥匙" in sent) is shown
            assert '"content":"推门。"}' in sent.replace('": "', '":"')
        assert len(items(read(await table.client.get(f"{place}/jobs")), "items")) == 3
        story = await table.found(card_id=await table.import_card())
        for odd in (
            {"huaben-plan": "a b"},
            {"huaben-plan-inject": "tail"},
            {"huaben-plan": story.id},
        ):
            refused = await table.client.post("/v1/chat/completions", json=body, headers=odd)
            assert (refused.status_code, "Huaben-Plan" in refused.text) == (400, True)


async def test_the_rehearsal_and_limits_need_no_network(tmp_path: Path) -> None:
    """The embedded model answers in the same form; more than a minute's share is refused."""
    async with (
        ScriptedEndpoint([reply(say("a"), Raw(b": odd\n\n"), say("b"))]) as endpoint,
        serve(tmp_path, endpoint, requests_per_minute=2) as table,
    ):
        ask = '{"model":"rehearsal","messages":[{"role":"user","content":"hello"}]}'
        assert read(await asked(table, ask))["choices"]
        other = await asked(table, ask.replace('{"model', '{"n":2,"model'))
        assert (other.status_code, "n" in str(read(other)["error"])) == (400, True)
        streamed = await asked(table, ask.replace('{"model', '{"stream":true,"model'))
        assert chunks_of(streamed)[0]["object"] == "chat.completion.chunk"
        more = await asked(table, ask)
        assert (more.status_code, int(more.headers["retry-after"]) <= 60) == (429, True)


async def test_every_refusal_is_in_the_form_of_the_address(tmp_path: Path) -> None:
    """Too large, announced or not, another method, an address that there is not: a front end reads each."""

    async def unannounced() -> AsyncGenerator[bytes]:
        yield b'{"messages":[{"role":"user","content":"'
        for _ in range(9):
            yield b"x" * (COMPLETION_BYTES // 8)

    async with ScriptedEndpoint([]) as endpoint, serve(tmp_path, endpoint) as table:
        address, client = "/v1/chat/completions", table.client
        announced = b" " * (COMPLETION_BYTES + 1)
        answers = [
            (await client.post(address, content=announced), 413, "body_too_large"),
            (await client.post(address, content=unannounced()), 413, "body_too_large"),
            (await client.get(address), 405, "method_not_allowed"),
            (await client.post("/v1/embeddings", json={}), 404, "no_such_route"),
            (await client.get("/v1"), 404, "no_such_route"),
        ]
        for answer, status, code in answers:
            found = read(answer)["error"]
            assert isinstance(found, dict)
            error = cast("dict[str, object]", found)  # an object of JSON
            assert set(error) == {"message", "type", "param", "code"}
            assert (answer.status_code, error["code"]) == (status, code)
        assert answers[2][0].headers["allow"] == "POST"
        elsewhere = await client.get("/api/nothing")
        assert elsewhere.headers["content-type"] == "application/problem+json"
