"""A request to the exact bytes of a chat completion; apart so that golden files can hold them.

The order of keys is fixed: model, tools, messages, then what may change from call to call. So the
requests of a session share their first bytes, which is what providers' caches go by.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, assert_never, cast

from huaben.adapters.models.assembling import ORIGIN, PARTS, THINK_TAGS
from huaben.adapters.models.shaping import shaped
from huaben.domain.connection import Connection
from huaben.domain.jsonvalue import scrub_surrogates
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    PartShape,
    Sampling,
    System,
    Thinking,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    WireRequest,
)

_RESERVED: Final = frozenset(
    {
        "model",
        "tools",
        "messages",
        "tool_choice",
        "stream",
        "stream_options",
        "response_format",
        "n",
    }
)
_PLAIN_SAMPLERS: Final = (
    "temperature",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "seed",
    "stop",
    "max_tokens",
    "reasoning_effort",
    "top_k",
    "min_p",
    "repetition_penalty",
)


def encode(request: ModelRequest, connection: Connection) -> WireRequest:
    """The body as head (with the tool list), one part per message, tail. Pure: equal arguments give
    equal bytes. Messages that `shaped` merged or left out have no part of their own."""
    head = f'{{"model":{to_json(connection.model)}'
    if request.tools:
        head += f',"tools":{to_json([_tool(tool) for tool in request.tools])}'
    head += ',"messages":['
    spelled = [
        to_json(_message(message, connection))
        for message in shaped(request.messages, connection.alternation)
    ]
    texts = (head, *(("," if n else "") + text for n, text in enumerate(spelled)))
    parts = (*texts, "]" + _tail(request, connection) + "}")
    shape: tuple[PartShape, ...] = ("head", *("message" for _ in spelled), "tail")
    return WireRequest(
        tuple(to_bytes(part) for part in parts), shape, connection.withheld(request.sampling)
    )


def _tool(tool: ToolSpec) -> dict[str, object]:
    function = {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
    }
    return {"type": "function", "function": function}


# ---- messages --------------------------------------------------------------------------------------


def _message(message: Message, connection: Connection) -> dict[str, object]:
    match message:
        case System(text):
            return {"role": "system", "content": text}
        case User(text):
            return {"role": "user", "content": text}
        case ToolResult(call_id, _, text):
            return {"role": "tool", "tool_call_id": call_id, "content": text}
        case Assistant():
            return _assistant(message, connection)
    assert_never(message)


def _assistant(message: Assistant, connection: Connection) -> dict[str, object]:
    """Thought goes back only with calls: providers that need it at all need it inside the turn."""
    if not message.calls:
        return {"role": "assistant", "content": message.text}
    thought = _thought(message.thinking, connection)
    text = thought.pop(THINK_TAGS, "")
    content: object = f"{text}{message.text}" if message.text.strip() else text
    if PARTS in thought:
        said = [{"type": "text", "text": message.text}] if message.text.strip() else []
        content = [thought.pop(PARTS), *said]
    return {
        "role": "assistant",
        # An empty text block is refused by some, so no text is null.
        "content": content or None,
        **thought,
        "tool_calls": [_call(call, connection) for call in message.calls],
    }


def _thought(thinking: Thinking | None, connection: Connection) -> dict[str, object]:
    """The fields that carry thought back, under the policy in force."""
    policy = connection.thinking_in_force
    if policy == "never":
        return {}
    fields: dict[str, object] = {}
    if thinking is not None and is_ours(thinking.extra, connection):
        fields = {name: value for name, value in thinking.extra.items() if name != ORIGIN}
        if thinking.text:
            fields |= _carried(thinking, connection)
    if policy == "demanded" and "reasoning_content" not in fields:
        said = thinking.text if thinking is not None and fields else ""
        fields["reasoning_content"] = said
    return fields


def _carried(thinking: Thinking, connection: Connection) -> dict[str, object]:
    tag = connection.think_tag
    match thinking.carrier:
        case "think_tags":
            return {THINK_TAGS: f"<{tag}>{thinking.text}</{tag}>\n\n"}
        case "content_parts":
            said = [{"type": "text", "text": thinking.text}]
            return {PARTS: {"type": "thinking", "thinking": said}}
        case "reasoning_content" | "reasoning" as name:
            # Where the blocks themselves travel back, their text a second time would be wrong.
            return {} if "reasoning_details" in thinking.extra else {name: thinking.text}
        case "thinking":
            return {} if "thinking_blocks" in thinking.extra else {"thinking": thinking.text}
        case _:
            return {}


def _call(call: ToolCall, connection: Connection) -> dict[str, object]:
    spelled: dict[str, object] = {
        "id": call.id,
        "type": "function",
        "function": {"name": call.name, "arguments": arguments_as_sent(call.arguments)},
    }
    if is_ours(call.extra, connection):
        spelled |= {name: value for name, value in call.extra.items() if name != ORIGIN}
    return spelled


def is_ours(extra: Mapping[str, object], connection: Connection) -> bool:
    """Signatures mean nothing to another model and make it refuse the request."""
    return extra.get(ORIGIN, connection.origin) == connection.origin


def arguments_as_sent(arguments: str) -> str:
    """The string as the model made it, if servers can read it: many parse the arguments of past
    calls and fail on what is no object, so such a string is wrapped and still shows the mistake."""
    text = arguments.strip()
    if not text:
        return "{}"
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    return arguments if isinstance(value, dict) else to_json({"malformed_arguments": arguments})


# ---- tail ------------------------------------------------------------------------------------------


def _tail(request: ModelRequest, connection: Connection) -> str:
    fields: dict[str, object] = {}
    if request.tools:
        fields["tool_choice"] = request.tool_choice
    fields["stream"] = True
    if connection.usage_option:
        fields["stream_options"] = {"include_usage": True}
    if request.answer is not None and connection.schema_option:
        schema = {"name": "answer", "schema": request.answer}
        fields["response_format"] = {"type": "json_schema", "json_schema": schema}
    fields |= _samplers(request.sampling, connection)
    return "".join(f",{to_json(name)}:{to_json(value)}" for name, value in fields.items())


def _samplers(asked: Sampling, connection: Connection) -> dict[str, object]:
    """The connection's defaults under the request's own, as far as the connection accepts them."""
    fields: dict[str, object] = {}
    spelling = {
        "max_tokens": connection.max_tokens_field,
        "repetition_penalty": connection.repetition_field,
    }
    for name in _PLAIN_SAMPLERS:
        own: object = getattr(asked, name)
        value: object = own if own not in (None, ()) else getattr(connection.sampling, name)
        if value in (None, ()) or name not in connection.accepts:
            continue
        fields[spelling.get(name, name)] = value
    if "extra" in connection.accepts:
        extra = {**connection.sampling.extra, **asked.extra}
        fields |= {name: value for name, value in extra.items() if name not in _RESERVED}
    return fields


# ---- bytes -----------------------------------------------------------------------------------------


def to_json(value: object) -> str:
    """Compact JSON, Chinese as it is, keys in their order."""
    return json.dumps(
        value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_as_dict
    )


def _as_dict(value: object) -> dict[str, object]:
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))  # json checks the keys
    raise TypeError(f"{type(value).__name__} has no JSON form")


def to_bytes(text: str) -> bytes:
    """UTF-8; lone halves of a character, which it cannot hold, are replaced."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return scrub_surrogates(text).encode()
