"""A request to bytes and back: apart because the model itself reads only what it was sent.

The layout is that of the real connections, so that traces look alike: head with the tool list, one
part per message, tail. Samplers are left out, as nothing here is sampled.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, assert_never, cast

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, parse_json, scrub_surrogates
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    System,
    Thinking,
    ToolCall,
    ToolResult,
    User,
    WireRequest,
)
from huaben.errors import ProviderFailed

NAME: Final = "rehearsal"


@dataclass(frozen=True, slots=True)
class Heard:
    """What a request says to this model: the messages, and the names of the tools it may call now
    (none where calls are forbidden)."""

    messages: tuple[Message, ...]
    tools: frozenset[str]


def encode(request: ModelRequest) -> WireRequest:
    """The bytes of a request; equal requests give equal bytes."""
    tools = [
        {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        for tool in request.tools
    ]
    head = f'{{"model":{_json(NAME)},"tools":{_json(tools)},"messages":['
    spelled = [_json(_spelled(message)) for message in request.messages]
    tail = f'],"tool_choice":{_json(request.tool_choice)}}}'
    parts = (head, *(("," if n else "") + text for n, text in enumerate(spelled)), tail)
    return WireRequest(
        tuple(scrub_surrogates(part).encode() for part in parts),
        ("head", *("message" for _ in spelled), "tail"),
    )


def decode(body: bytes) -> Heard:
    """What `encode` wrote. Raises `ProviderFailed` for bytes that it did not write."""
    value = parse_json(body.decode(errors="replace"))
    if isinstance(value, JsonFault) or not isinstance(value, dict):
        raise ProviderFailed("bad_request", "The rehearsal was sent what is no request.")
    messages = tuple(_heard(item) for item in objects(value.get("messages")))
    names = frozenset(text(tool, "name") for tool in objects(value.get("tools")))
    return Heard(messages, names if value.get("tool_choice") != "none" else frozenset())


def objects(value: Json) -> list[JsonObject]:
    """The objects of an array; none of anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text(fields: JsonObject, name: str) -> str:
    """A text field, or the empty text."""
    value = fields.get(name)
    return value if isinstance(value, str) else ""


def texts(fields: JsonObject, name: str) -> tuple[str, ...]:
    """The texts of an array field; none of anything else."""
    value = fields.get(name)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _spelled(message: Message) -> dict[str, object]:
    match message:
        case System(text=said):
            return {"role": "system", "content": said}
        case User(text=said):
            return {"role": "user", "content": said}
        case ToolResult(call_id=call_id, name=name, text=said):
            return {"role": "tool", "tool_call_id": call_id, "name": name, "content": said}
        case Assistant(text=said, calls=calls, thinking=thinking):
            fields: dict[str, object] = {"role": "assistant", "content": said}
            if thinking is not None:
                fields["reasoning_content"] = thinking.text
            if calls:
                fields["tool_calls"] = [
                    {"id": call.id, "name": call.name, "arguments": call.arguments}
                    for call in calls
                ]
            return fields
    assert_never(message)


def _heard(fields: JsonObject) -> Message:
    said = text(fields, "content")
    match text(fields, "role"):
        case "system":
            return System(said)
        case "tool":
            return ToolResult(text(fields, "tool_call_id"), text(fields, "name"), said)
        case "assistant":
            calls = tuple(
                ToolCall(text(call, "id"), text(call, "name"), text(call, "arguments"))
                for call in objects(fields.get("tool_calls"))
            )
            thought = text(fields, "reasoning_content")
            return Assistant(said, calls, Thinking(thought) if thought else None)
        case _:
            return User(said)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=_as_dict)


def _as_dict(value: object) -> dict[str, object]:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))  # json checks the keys
    raise TypeError(f"{type(value).__name__} has no JSON form")
