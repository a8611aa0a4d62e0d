"""A caller's request as a model request, where everything in it can be carried; apart because only connections
that do not speak the chat-completions form need it, and because it refuses where passing on never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from huaben.domain.completions import Completion, CompletionFault
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    Sampling,
    System,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    User,
)

Fault: TypeAlias = CompletionFault

_NUMBERS: Final = (
    "temperature",
    "top_p",
    "frequency_penalty",
    "presence_penalty",
    "min_p",
    "repetition_penalty",
)
_WHOLE: Final = ("seed", "top_k", "max_tokens", "max_completion_tokens")
_KNOWN: Final = frozenset(
    {
        *_NUMBERS,
        *_WHOLE,
        *("model", "messages", "stream", "stream_options", "stop"),
        *("tools", "tool_choice", "reasoning_effort"),
    }
)
_NEUTRAL: Final[JsonObject] = {
    "n": 1,
    "logprobs": False,
    "store": False,
    "parallel_tool_calls": True,
    "response_format": {"type": "text"},
    "logit_bias": {},
    "modalities": ["text"],
}
"""Values of fields that say nothing: what they ask for is done anyway."""
_OF_ROLE: Final = {
    "system": frozenset(("role", "content")),
    "developer": frozenset(("role", "content")),
    "user": frozenset(("role", "content")),
    "assistant": frozenset(("role", "content", "tool_calls")),
    "tool": frozenset(("role", "content", "tool_call_id", "name")),
}


def carried(asked: Completion, tail: str = "") -> ModelRequest | Fault:
    """The request, or the first field that cannot be carried; nothing is ever left away. A `tail` is
    one more message of the user's."""
    for name, value in asked.fields.items():
        if name not in _KNOWN and value not in (None, _NEUTRAL.get(name)):
            return _not_carried(name)
    sampling = _sampling(asked.fields)
    if isinstance(sampling, CompletionFault):
        return sampling
    tools = _tools(asked.fields.get("tools"))
    if isinstance(tools, CompletionFault):
        return tools
    choice = asked.fields.get("tool_choice")
    if choice not in (None, "auto", "none"):
        return _not_carried("tool_choice")
    messages = _messages(asked.messages)
    if isinstance(messages, CompletionFault):
        return messages
    if tail:
        messages = [*messages, User(tail)]
    chosen: ToolChoice = "none" if choice == "none" or not tools else "auto"
    return ModelRequest(tuple(messages), tools, chosen, sampling)


def _not_carried(name: str) -> Fault:
    return CompletionFault(name, f"this connection cannot be sent {name} as it stands")


# ---- samplers --------------------------------------------------------------------------------------


def _sampling(fields: JsonObject) -> Sampling | Fault:
    """The samplers; values that change nothing are none."""
    numbers: dict[str, float | None] = {}
    for name in _NUMBERS:
        value = fields.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            return CompletionFault(name, f"{name} must be a number")
        numbers[name] = None if value is None else float(value)
    whole: dict[str, int | None] = {}
    for name in _WHOLE:
        value = fields.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            return CompletionFault(name, f"{name} must be a whole number")
        whole[name] = value
    stop, effort = _stop(fields.get("stop")), fields.get("reasoning_effort")
    if stop is None:
        return CompletionFault("stop", "stop must be a string or a list of strings")
    if effort is not None and not isinstance(effort, str):
        return CompletionFault("reasoning_effort", "reasoning_effort must be a string")
    longest, penalty = whole["max_completion_tokens"], numbers["repetition_penalty"]
    return Sampling(
        temperature=numbers["temperature"],
        top_p=None if numbers["top_p"] == 1 else numbers["top_p"],
        frequency_penalty=numbers["frequency_penalty"] or None,
        presence_penalty=numbers["presence_penalty"] or None,
        seed=whole["seed"],
        stop=stop,
        max_tokens=whole["max_tokens"] if longest is None else longest,
        reasoning_effort=effort,
        top_k=whole["top_k"] or None,
        min_p=numbers["min_p"] or None,
        repetition_penalty=None if penalty == 1 else penalty,
    )


def _stop(value: Json) -> tuple[str, ...] | None:
    if value is None or isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, list):
        return None
    texts = tuple(one for one in value if isinstance(one, str))
    return texts if len(texts) == len(value) else None


# ---- tools -----------------------------------------------------------------------------------------


def _tools(value: Json) -> tuple[ToolSpec, ...] | Fault:
    if value is None:
        return ()
    if not isinstance(value, list):
        return CompletionFault("tools", "tools must be a list")
    specs: list[ToolSpec] = []
    for at, tool in enumerate(value):
        function = tool.get("function") if isinstance(tool, dict) else None
        name = function.get("name") if isinstance(function, dict) else None
        if not isinstance(function, dict) or not isinstance(name, str):
            return _not_carried(f"tools[{at}]")
        described, schema = function.get("description"), function.get("parameters")
        if function.get("strict"):
            return _not_carried(f"tools[{at}].function.strict")
        specs.append(
            ToolSpec(
                name,
                described if isinstance(described, str) else "",
                schema if isinstance(schema, dict) else {"type": "object", "properties": {}},
            )
        )
    return tuple(specs)


# ---- messages --------------------------------------------------------------------------------------


def _messages(given: Sequence[JsonObject]) -> list[Message] | Fault:
    names: dict[str, str] = {}
    messages: list[Message] = []
    for at, fields in enumerate(given):
        made = _message(f"messages[{at}]", fields, names)
        if isinstance(made, CompletionFault):
            return made
        messages.append(made)
        if isinstance(made, Assistant):
            names.update({call.id: call.name for call in made.calls})
    return messages


def _message(where: str, fields: JsonObject, names: dict[str, str]) -> Message | Fault:
    role = fields.get("role")
    known = _OF_ROLE.get(role) if isinstance(role, str) else None
    if known is None:
        return _not_carried(f"{where}.role")
    odd = next((name for name, value in fields.items() if name not in known and value), None)
    if odd is not None:
        return _not_carried(f"{where}.{odd}")
    text = _text(f"{where}.content", fields.get("content"))
    if isinstance(text, CompletionFault):
        return text
    match role:
        case "system" | "developer":
            return System(text)
        case "user":
            return User(text)
        case "tool":
            call_id = str(fields.get("tool_call_id") or "")
            return ToolResult(call_id, names.get(call_id) or str(fields.get("name") or ""), text)
        case _:
            calls = _calls(f"{where}.tool_calls", fields.get("tool_calls"))
            return calls if isinstance(calls, CompletionFault) else Assistant(text, calls)


def _text(where: str, content: Json) -> str | Fault:
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return _not_carried(where)
    texts: list[str] = []
    for at, part in enumerate(content):
        text = part.get("text") if isinstance(part, dict) and part.get("type") == "text" else None
        if not isinstance(text, str):
            return _not_carried(f"{where}[{at}]")
        texts.append(text)
    return "\n".join(texts)


def _calls(where: str, value: Json) -> tuple[ToolCall, ...] | Fault:
    if value is None:
        return ()
    if not isinstance(value, list):
        return _not_carried(where)
    calls: list[ToolCall] = []
    for at, one in enumerate(value):
        function = one.get("function") if isinstance(one, dict) else None
        if not isinstance(one, dict) or not isinstance(function, dict):
            return _not_carried(f"{where}[{at}]")
        arguments = function.get("arguments")
        calls.append(
            ToolCall(
                str(one.get("id") or ""),
                str(function.get("name") or ""),
                arguments if isinstance(arguments, str) else "",
            )
        )
    return tuple(calls)
