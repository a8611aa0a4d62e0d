"""A caller's own request, to the byte."""

from __future__ import annotations

import json

import pytest

from huaben.domain.completions import Completion, CompletionFault, read_completion, wire_of
from huaben.domain.completions_carried import carried
from huaben.domain.completions_spelled import Spelling, finish_of
from huaben.domain.messages import (
    Assistant,
    Finished,
    Reply,
    Sampling,
    System,
    TextDelta,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    Usage,
    User,
)


def asked_of(text: str) -> Completion:
    asked = read_completion(text.encode())
    assert isinstance(asked, Completion), asked
    return asked


# ---- passed on -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "messages",
    [
        '[{"role":"user","content":"你好"}]',
        '[ {"content" : "\\u4f60\\u597d\\/", "role":"user" } , {"role":"assistant","content":null} ]',
        '[\n{"role":"user","content":[{"type":"text","text":"a"}],"x":1.0e-2}\n]',
        '[{"role":"user","content":"]},\\"[{","n":12345678901234567890}]',
    ],
)
def test_every_member_travels_in_its_own_bytes(messages: str) -> None:
    """Escapes, spaces, numbers and fields that nobody knows: only the model's name is another."""
    members = ['"temperature": 0.70', f'"messages":{messages}', '"модель": {"b":1, "a":[ ]}']
    wire = wire_of(asked_of(f'{{ "model" : "huaben", {" , ".join(members)} }}'), 'the "model"')
    body = wire.body.decode()
    assert f'"messages":{messages}' in body
    assert '"temperature":0.70' in body
    assert '"модель":{"b":1, "a":[ ]}' in body
    assert json.loads(body)["model"] == 'the "model"'
    assert [shape for shape in wire.shape if shape == "message"] == ["message"] * len(
        json.loads(messages)
    )


def test_a_request_without_a_model_is_given_one() -> None:
    """Nobody is named: then the storyteller is asked."""
    asked = asked_of('{"messages":[{"role":"user","content":"hi"}]}')
    assert asked.model == "huaben"
    assert json.loads(wire_of(asked, "m").body)["model"] == "m"


def test_a_tail_stands_behind_the_caller_s_messages() -> None:
    """One more message of the user's, and the others as they were."""
    asked = asked_of('{"messages":[{"role":"user","content":"hi"} ],"model":"m"}')
    body = json.loads(wire_of(asked, "m", "【剧情规划】").body)
    assert body["messages"][1] == {"role": "user", "content": "【剧情规划】"}


def test_what_is_read_of_a_request() -> None:
    """Its words, its choices, its form."""
    asked = asked_of(
        '{"messages":[{"role":"user","content":[{"type":"text","text":"雨"}]},'
        '{"role":"assistant","content":"…"}],"n":3,"stream":true,'
        '"stream_options":{"include_usage":true}}'
    )
    assert (asked.words, asked.choices, asked.streams, asked.wants_usage) == ("雨", 3, True, True)


@pytest.mark.parametrize(
    ("body", "param"),
    [
        (b"{", ""),
        (b"\xff", ""),
        (b"[]", ""),
        (b"[" * 100_000, ""),
        (b"{}", "messages"),
        (b'{"messages":[]}', "messages"),
        (b'{"messages":["hi"]}', "messages[0]"),
        (b'{"messages":[{"role":"user"}],"model":3}', "model"),
        (b'{"messages":[{"role":"user"}],"stream":"yes"}', "stream"),
        (b'{"messages":[{"role":"user"}],"n":0}', "n"),
        (b'{"messages":[{"role":"user"}],"n":true}', "n"),
    ],
)
def test_what_is_no_request_is_refused_by_its_field(body: bytes, param: str) -> None:
    """In bounded time, with the name of what is wrong."""
    fault = read_completion(body)
    assert isinstance(fault, CompletionFault)
    assert fault.param == param


# ---- carried ---------------------------------------------------------------------------------------


def test_a_request_is_carried_whole() -> None:
    """Roles, tools, results and samplers, with nothing left away."""
    asked = asked_of(
        json.dumps(
            {
                "model": "m",
                "messages": [
                    {"role": "developer", "content": "守密"},
                    {"role": "user", "content": [{"type": "text", "text": "问"}]},
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [
                            {"id": "c1", "function": {"name": "look", "arguments": "{}"}}
                        ],
                    },
                    {"role": "tool", "tool_call_id": "c1", "content": "一把伞"},
                ],
                "tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}],
                "temperature": 0,
                "stop": "\n",
                "max_completion_tokens": 9,
                "n": 1,
                "logit_bias": {},
            }
        )
    )
    request = carried(asked)
    assert not isinstance(request, CompletionFault), request
    assert request.messages == (
        System("守密"),
        User("问"),
        Assistant("", (ToolCall("c1", "look", "{}"),)),
        ToolResult("c1", "look", "一把伞"),
    )
    assert request.tools == (ToolSpec("look", "", {}),)
    assert request.sampling == Sampling(temperature=0.0, stop=("\n",), max_tokens=9)


@pytest.mark.parametrize(
    ("more", "param"),
    [
        ({"n": 2}, "n"),
        ({"logprobs": True}, "logprobs"),
        ({"response_format": {"type": "json_object"}}, "response_format"),
        ({"tool_choice": "required"}, "tool_choice"),
        ({"an_unknown_field": 1}, "an_unknown_field"),
        ({"stop": [1]}, "stop"),
        ({"temperature": "hot"}, "temperature"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "content[0]"),
        ({"messages": [{"role": "user", "content": "hi", "name": "Ann"}]}, "messages[0].name"),
        ({"messages": [{"role": "function", "content": "hi"}]}, "messages[0].role"),
        ({"tools": [{"type": "web_search"}]}, "tools[0]"),
    ],
)
def test_what_cannot_be_carried_is_named(more: dict[str, object], param: str) -> None:
    """Refused by its field, never left away in silence."""
    body = {"messages": [{"role": "user", "content": "hi"}], **more}
    fault = carried(asked_of(json.dumps(body)))
    assert isinstance(fault, CompletionFault)
    assert fault.param.endswith(param)


# ---- spelled ---------------------------------------------------------------------------------------


def test_a_reply_is_spelled_whole_and_in_chunks() -> None:
    """Both forms say the same: thought, text, calls, why it ended and what it took."""
    spelling = Spelling("chatcmpl-1", 7, "huaben")
    calls = (ToolCall("c1", "look", '{"at":"伞"}'),)
    reply = Reply("雨停了。", calls, Thinking("想"), Usage(10, 4, 1, 6), "stop")
    whole = json.loads(spelling.whole(reply))
    assert whole["choices"][0]["message"]["content"] == "雨停了。"
    assert whole["choices"][0]["message"]["reasoning_content"] == "想"
    assert whole["choices"][0]["finish_reason"] == "tool_calls"
    assert whole["usage"]["total_tokens"] == 14
    *lines, done = spelling.stream(reply, usage=True).decode().strip().split("\n\n")
    chunks = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert done == "data: [DONE]"
    deltas = [one["choices"][0]["delta"] for one in chunks if one["choices"]]
    assert "".join(delta.get("content") or "" for delta in deltas) == "雨停了。"
    assert any("tool_calls" in delta for delta in deltas)
    assert chunks[-1]["usage"]["completion_tokens"] == 4
    assert spelling.chunk(TextDelta("a")).startswith(b"data: {")
    assert spelling.chunk(Finished(Reply("a"))).endswith(b"[DONE]\n\n")


@pytest.mark.parametrize(
    ("finish", "told"),
    [("stop", "stop"), ("max_tokens", "length"), ("refusal", "content_filter"), (None, "stop")],
)
def test_why_a_reply_ended_is_told_in_the_form_s_words(finish: str | None, told: str) -> None:
    """Whatever the provider called it."""
    assert finish_of(Reply("a", finish=finish)) == told
