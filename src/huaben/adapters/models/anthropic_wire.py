"""A request to the exact bytes of Anthropic's Messages API; apart so that golden files can hold them.

Where to cache is marked at four places: the tools, the system text, the last stable message and the
newest one (the API takes four). A mark stands in a part of its own, between a block and its closing
brace, which the part after it begins with: so the bytes of a message are the same with a mark and
without, and a request extends the one before it but for the marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, TypeAlias, assert_never, cast

from huaben.adapters.models.shaping import OPENING, shaped
from huaben.adapters.models.wire import arguments_as_sent, is_ours, to_bytes, to_json
from huaben.domain.connection import Connection
from huaben.domain.jsonvalue import parse_json
from huaben.domain.messages import (
    Assistant,
    Message,
    ModelRequest,
    PartShape,
    Sampling,
    System,
    ToolCall,
    ToolResult,
    ToolSpec,
    User,
    WireRequest,
)

BLOCKS: Final = "blocks"
"""The key of `Thinking.extra` under which thought blocks are kept as they came."""
CARRIER: Final = "anthropic"
MAX_TOKENS: Final = 8192
"""The API demands a maximum; this one is sent where nobody asked for another."""

_MARK: Final = ',"cache_control":{"type":"ephemeral"}'
_PLAIN: Final = ("temperature", "top_p", "top_k")
_RESERVED: Final = frozenset(
    {"model", "tools", "system", "messages", "max_tokens", "stream", "tool_choice"}
)

Role: TypeAlias = Literal["system", "user", "assistant"]
Block: TypeAlias = Mapping[str, object]


def encode(request: ModelRequest, connection: Connection) -> WireRequest:
    """The body as head (with the tool list), one part per message, marks, tail. Pure: equal
    arguments give equal bytes."""
    messages = shaped(request.messages, "as_is")
    leading = _leading(messages)
    stable = len(shaped(request.messages[: request.stable], "as_is"))
    marked = {leading, stable if stable > leading else leading, len(messages)}
    body = _Body()
    body.add("head", _head(request, connection))
    for number, message in enumerate(messages, 1):
        system = number <= leading
        body.message("system" if system else _role(message), _blocks(message, connection))
        if number in marked:
            body.add("mark", _MARK)
    body.close(_tail(request, connection))
    return WireRequest(tuple(body.parts), tuple(body.shape), connection.withheld(request.sampling))


class _Body:
    """The body as it grows. What is open is closed by the part that comes next."""

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.shape: list[PartShape] = []
        self._role: Role | None = None

    def add(self, shape: PartShape, text: str) -> None:
        self.parts.append(to_bytes(text))
        self.shape.append(shape)

    def message(self, role: Role, blocks: Iterable[Block]) -> None:
        spelled = ",".join(to_json(block) for block in blocks)
        self.add("message", self._opening(role) + spelled.removesuffix("}"))
        self._role = role

    def close(self, fields: str) -> None:
        opening = {None: ',"messages":[', "system": '}],"messages":['}.get(self._role, "}]}")
        self.add("tail", f"{opening}]{fields}}}")

    def _opening(self, role: Role) -> str:
        """What closes the block before and opens the place for the next one."""
        if role == self._role:
            return "},"
        if role == "system":
            return ',"system":['
        turn = f'{{"role":"{role}","content":['
        if self._role not in (None, "system"):
            return "}]}," + turn
        # The API wants the user to begin, and a story begins with its greeting.
        first = "" if role == "user" else to_json(_turn("user", [_text(OPENING)])) + ","
        return ("}]" if self._role else "") + ',"messages":[' + first + turn


def _leading(messages: Sequence[Message]) -> int:
    """How many system messages come first: they go into a field of their own."""
    count = 0
    while count < len(messages) and isinstance(messages[count], System):
        count += 1
    return count


def _head(request: ModelRequest, connection: Connection) -> str:
    head = f'{{"model":{to_json(connection.model)}'
    if not request.tools:
        return head
    tools = to_json([_tool(tool) for tool in request.tools]).removesuffix("}]")
    return f'{head},"tools":{tools}{_MARK}}}]'


def _tool(tool: ToolSpec) -> Block:
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.parameters,
    }


# ---- messages --------------------------------------------------------------------------------------


def _role(message: Message) -> Role:
    return "assistant" if isinstance(message, Assistant) else "user"


def _turn(role: Role, blocks: Sequence[Block]) -> dict[str, object]:
    return {"role": role, "content": blocks}


def _text(text: str) -> Block:
    return {"type": "text", "text": text}


def _blocks(message: Message, connection: Connection) -> list[Block]:
    match message:
        case System(text) | User(text):
            return [_text(text)]
        case ToolResult(call_id, _, text):
            return [{"type": "tool_result", "tool_use_id": call_id, "content": text}]
        case Assistant():
            return _spoken(message, connection)
    assert_never(message)


def _spoken(message: Assistant, connection: Connection) -> list[Block]:
    """Thought goes back only with calls, where it is demanded, and then before everything else."""
    blocks: list[Block] = []
    if message.calls and connection.thinking_in_force != "never":
        blocks += _thought(message, connection)
    if message.text.strip():
        blocks.append(_text(message.text))
    return [*blocks, *(_call(call) for call in message.calls)]


def _thought(message: Assistant, connection: Connection) -> list[Block]:
    thinking = message.thinking
    if thinking is None or thinking.carrier != CARRIER or not is_ours(thinking.extra, connection):
        return []
    kept = thinking.extra.get(BLOCKS)
    blocks = cast("list[object]", kept) if isinstance(kept, list) else []
    return [
        cast("Block", block)  # the keys of a JSON object
        for block in blocks
        if isinstance(block, dict) and ("signature" in block or "data" in block)
    ]


def _call(call: ToolCall) -> Block:
    parsed = parse_json(arguments_as_sent(call.arguments))
    given = parsed if isinstance(parsed, dict) else {"malformed_arguments": call.arguments}
    return {"type": "tool_use", "id": call.id, "name": call.name, "input": given}


# ---- tail ------------------------------------------------------------------------------------------


def _tail(request: ModelRequest, connection: Connection) -> str:
    asked, own = request.sampling, connection.sampling
    fields: dict[str, object] = {"max_tokens": asked.max_tokens or own.max_tokens or MAX_TOKENS}
    if request.tools:
        fields["tool_choice"] = {"type": request.tool_choice}
    fields["stream"] = True
    fields |= _samplers(asked, connection)
    output = _output(request, connection)
    if output:
        fields["output_config"] = output
    return "".join(f",{to_json(name)}:{to_json(value)}" for name, value in fields.items())


def _samplers(asked: Sampling, connection: Connection) -> dict[str, object]:
    fields: dict[str, object] = {}
    for name in _PLAIN:
        own: object = getattr(asked, name)
        value: object = own if own is not None else getattr(connection.sampling, name)
        if value is not None and name in connection.accepts:
            fields[name] = value
    stop = asked.stop or connection.sampling.stop
    if stop and "stop" in connection.accepts:
        fields["stop_sequences"] = stop
    if "extra" in connection.accepts:
        extra = {**connection.sampling.extra, **asked.extra}
        fields |= {name: value for name, value in extra.items() if name not in _RESERVED}
    return fields


def _output(request: ModelRequest, connection: Connection) -> dict[str, object]:
    output: dict[str, object] = {}
    effort = request.sampling.reasoning_effort or connection.sampling.reasoning_effort
    if effort and "reasoning_effort" in connection.accepts:
        output["effort"] = effort
    if request.answer is not None and connection.schema_option:
        output["format"] = {"type": "json_schema", "schema": request.answer}
    return output
