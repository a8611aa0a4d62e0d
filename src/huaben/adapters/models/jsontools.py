"""Tool calls for models whose server has none: the list of tools goes into the system text, a reply is
one JSON object, results come back as user messages (`providers.md` §2).

A model around another one, so that neither the loop nor a dialect knows of it. Everything is a
function of the request, message by message: what was sent stays as it was sent.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Final, Protocol

from huaben.adapters.models.calls import made_id
from huaben.adapters.models.jsonreply import ReplyScanner
from huaben.adapters.models.shaping import shaped
from huaben.adapters.models.wire import to_json
from huaben.domain.jsonvalue import parse_json
from huaben.domain.messages import (
    Assistant,
    CallDelta,
    Finished,
    Message,
    ModelEvent,
    ModelRequest,
    Reply,
    System,
    TextDelta,
    ToolCall,
    ToolChoice,
    ToolResult,
    ToolSpec,
    User,
    WireRequest,
)
from huaben.domain.project import Language

PLACE: Final = "{tools}"
"""Where the list of tools goes in the instructions."""
_JOINT: Final = "\n\n"


class Asked(Protocol):
    """The model that is asked. (A `Model` whose stream can be closed.)"""

    @property
    def name(self) -> str: ...
    @property
    def window(self) -> int | None: ...
    @property
    def origin(self) -> str: ...
    def encode(self, request: ModelRequest) -> WireRequest: ...
    def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]: ...


class JsonTools:
    """Gives a model tools by the JSON protocol. `instructions` explain it in both languages, with
    `PLACE` where the tools are listed; a request is explained in the language of its tools."""

    def __init__(self, inner: Asked, instructions: Mapping[Language, str]) -> None:
        self._inner = inner
        self._instructions = instructions

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def window(self) -> int | None:
        return self._inner.window

    @property
    def origin(self) -> str:
        return self._inner.origin

    @property
    def calls_tools(self) -> bool:
        return True

    def encode(self, request: ModelRequest) -> WireRequest:
        return self._inner.encode(self._translated(request) if request.tools else request)

    async def stream(self, wire: WireRequest) -> AsyncGenerator[ModelEvent]:
        scanner = ReplyScanner()
        async with aclosing(self._inner.stream(wire)) as events:
            async for event in events:
                match event:
                    case TextDelta(text=text):
                        for piece in scanner.feed(text):
                            yield piece
                    case CallDelta():
                        pass  # of a call that was not asked for; it is in the finished reply
                    case Finished(reply=reply):
                        for piece in scanner.close():
                            yield piece
                        yield Finished(_read(reply, scanner, wire.body))
                    case _:
                        yield event

    def _translated(self, request: ModelRequest) -> ModelRequest:
        """The same request without tools."""
        explained = self._instructions[_language(request.tools)]
        explained = explained.replace(PLACE, _JOINT.join(map(_listed, request.tools)))
        stable = _plain(shaped(request.messages[: request.stable], "as_is"))
        messages = _plain(shaped(request.messages, "as_is"))
        first = messages[0] if messages else None
        if isinstance(first, System):
            messages[0] = System(first.text + _JOINT + explained)
        else:
            messages.insert(0, System(explained))
        return replace(
            request,
            messages=tuple(messages),
            tools=(),
            stable=len(stable) + (not isinstance(first, System)) if stable else 0,
            answer=reply_schema(request.tools, request.tool_choice),
        )


def reply_schema(tools: Sequence[ToolSpec], choice: ToolChoice) -> Mapping[str, object]:
    """The JSON schema of a reply that may call these tools, or none of them."""
    say = {"say": {"type": "string"}}
    if choice == "none":
        return _closed(say, ["say"])
    calls = [
        _closed({"tool": {"const": tool.name}, "arguments": tool.parameters}, ["tool", "arguments"])
        for tool in tools
    ]
    return _closed({**say, "calls": {"type": "array", "items": {"anyOf": calls}}}, ["calls"])


def _closed(properties: Mapping[str, object], required: list[str]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


# ---- requests --------------------------------------------------------------------------------------


def _language(tools: Sequence[ToolSpec]) -> Language:
    described = tools[0].description
    return "zh" if any("\u4e00" <= char <= "\u9fff" for char in described) else "en"


def _listed(tool: ToolSpec) -> str:
    return f"### {tool.name}\n{tool.description}\n{to_json(tool.parameters)}"


def _plain(messages: Sequence[Message]) -> list[Message]:
    """Calls as the object that made them, the results of one reply as one user message."""
    out: list[Message] = []
    results: list[str] = []
    for message in messages:
        if isinstance(message, ToolResult):
            results.append(f"[{message.name}]\n{message.text}")
            continue
        if results:
            out.append(User(_JOINT.join(results)))
            results = []
        out.append(_as_spoken(message) if isinstance(message, Assistant) else message)
    if results:
        out.append(User(_JOINT.join(results)))
    return out


def _as_spoken(message: Assistant) -> Assistant:
    if not message.calls:
        return message
    calls = ",".join(map(_spelled, message.calls))
    say = f'"say":{to_json(message.text)},' if message.text.strip() else ""
    return Assistant(f'{{{say}"calls":[{calls}]}}', (), message.thinking)


def _spelled(call: ToolCall) -> str:
    """The call with its arguments as they were written, where that is JSON at all."""
    arguments = call.arguments.strip() or "{}"
    if not isinstance(parse_json(arguments), dict):
        arguments = to_json(call.arguments)
    return f'{{"tool":{to_json(call.name)},"arguments":{arguments}}}'


# ---- replies ---------------------------------------------------------------------------------------


def _read(reply: Reply, scanner: ReplyScanner, request: bytes) -> Reply:
    if reply.text and "thinking_unopened" in reply.flags:
        # What had streamed as the reply was thought; what stands behind it is the reply.
        scanner = ReplyScanner()
        scanner.feed(reply.text)
        scanner.close()
    calls = tuple(
        ToolCall(made_id(request, position), call.name, call.text)
        for position, call in enumerate(scanner.calls)
    )
    flags = (*reply.flags, *scanner.flags)
    return replace(reply, text=scanner.text, calls=calls + reply.calls, flags=flags)
