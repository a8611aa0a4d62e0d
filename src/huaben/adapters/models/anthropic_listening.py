"""Events of Anthropic's Messages API to pieces and the finished reply; apart because it needs no
network."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from huaben.adapters.models.anthropic_wire import BLOCKS, CARRIER
from huaben.adapters.models.assembling import ORIGIN
from huaben.adapters.models.calls import is_whole
from huaben.adapters.models.thinking import SurrogateMender
from huaben.adapters.models.usage import count_in
from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.domain.messages import (
    CallDelta,
    ModelEvent,
    Reply,
    TextDelta,
    Thinking,
    ThinkingDelta,
    ToolCall,
    Usage,
)

_THOUGHT: Final = ("thinking", "redacted_thinking")


@dataclass(slots=True)
class _Call:
    id: str
    name: str
    position: int
    given: str = ""
    arguments: list[str] = field(default_factory=list[str])

    @property
    def text(self) -> str:
        """What streamed, or the input that stood in the block from the start."""
        return "".join(self.arguments) or self.given


class AnthropicListener:
    """One reply while its events arrive (`dialect.Listener`). Blocks are told apart by their index;
    one that begins without being announced begins with its first piece."""

    def __init__(self, origin: str = "") -> None:
        self._origin = origin
        self._text: list[str] = []
        self._thought: list[str] = []
        self._menders: dict[str, SurrogateMender] = {}
        self._blocks: list[JsonObject] = []
        self._open: dict[int, JsonObject] = {}
        self._calls: dict[int, _Call] = {}
        self._counts: dict[str, int] = {}
        self._model = ""
        self._flags: dict[str, None] = {}
        self.finish: str | None = None
        self.ended = False

    def flag(self, name: str) -> None:
        self._flags[name] = None

    def error(self, payload: JsonObject) -> Json:
        return payload.get("error") if payload.get("type") == "error" else None

    def feed(self, chunk: JsonObject) -> list[ModelEvent]:
        out: list[ModelEvent] = []
        match chunk.get("type"):
            case "message_start":
                self._begin(chunk.get("message"), out)
            case "message":
                self._begin(chunk, out)
                self.ended = True
            case "content_block_start":
                self._block(_index(chunk), chunk.get("content_block"), out)
            case "content_block_delta":
                self._delta(_index(chunk), chunk.get("delta"), out)
            case "message_delta":
                self._finish(chunk.get("delta"))
                self._count(chunk.get("usage"))
            case "message_stop":
                self.ended = True
            case _:
                pass  # pings, ends of blocks, and what a later version may add
        return out

    def close(self) -> list[ModelEvent]:
        out: list[ModelEvent] = []
        for kind, mender in self._menders.items():
            self._say(kind, mender.close(), out)
        return out

    def is_whole(self, *, done: bool) -> bool:
        return done and all(is_whole(call.text or "{}") for call in self._calls.values())

    def reply(self, make_id: Callable[[int], str]) -> Reply:
        calls = tuple(
            ToolCall(call.id or make_id(call.position), call.name, call.text)
            for call in self._calls.values()
        )
        thinking = None
        if self._blocks:
            extra = {BLOCKS: self._blocks, ORIGIN: self._origin}
            thinking = Thinking("".join(self._thought), CARRIER, extra)
        return Reply(
            text="".join(self._text),
            calls=calls,
            thinking=thinking,
            usage=_usage(self._counts),
            finish=self.finish,
            model=self._model,
            flags=tuple(self._flags),
        )

    # ---- events --------------------------------------------------------------------------------

    def _begin(self, message: Json, out: list[ModelEvent]) -> None:
        if not isinstance(message, dict):
            return
        model = message.get("model")
        self._model = model if isinstance(model, str) else self._model
        self._count(message.get("usage"))
        content = message.get("content")
        for index, block in enumerate(content if isinstance(content, list) else []):
            self._block(index, block, out)
        self._finish(message)

    def _block(self, index: int, block: Json, out: list[ModelEvent]) -> None:
        if not isinstance(block, dict):
            return
        kind = block.get("type")
        if kind == "text":
            self._say("text", _text(block.get("text")), out)
        elif kind in _THOUGHT:
            kept: JsonObject = dict(block)
            self._open[index] = kept
            self._blocks.append(kept)
            self._say("thought", _text(block.get("thinking")), out)
        elif kind == "tool_use":
            call = _Call(_text(block.get("id")), _text(block.get("name")), len(self._calls))
            self._calls[index] = call
            given = block.get("input")
            call.given = dump_json(given) if isinstance(given, dict) and given else ""
            out.append(CallDelta(call.position, call.name, call.given))
        else:
            self.flag("odd_block")

    def _delta(self, index: int, delta: Json, out: list[ModelEvent]) -> None:
        if not isinstance(delta, dict):
            return
        match delta.get("type"):
            case "text_delta":
                self._say("text", _text(delta.get("text")), out)
            case "thinking_delta":
                said = _text(delta.get("thinking"))
                self._grow(index, "thinking", said)
                self._say("thought", said, out)
            case "signature_delta":
                self._grow(index, "signature", _text(delta.get("signature")))
            case "input_json_delta":
                self._argue(index, _text(delta.get("partial_json")), out)
            case _:
                pass  # citations

    def _argue(self, index: int, piece: str, out: list[ModelEvent]) -> None:
        call = self._calls.get(index)
        if call is None or not piece:
            return
        if call.given:  # it stands in the block already; what streams repeats it
            return
        call.arguments.append(piece)
        out.append(CallDelta(call.position, call.name, piece))

    def _grow(self, index: int, name: str, said: str) -> None:
        """Add to an open thought block, which must travel back whole."""
        block = self._open.get(index)
        if block is None:
            block = self._open[index] = {"type": "thinking"}
            self._blocks.append(block)
        block[name] = _text(block.get(name)) + said

    def _say(self, kind: str, text: str, out: list[ModelEvent]) -> None:
        mender = self._menders.setdefault(kind, SurrogateMender())
        text = mender.feed(text) if text else ""
        if not text:
            return
        if kind == "text":
            self._text.append(text)
            out.append(TextDelta(text))
        else:
            self._thought.append(text)
            out.append(ThinkingDelta(text))

    def _finish(self, delta: Json) -> None:
        reason = delta.get("stop_reason") if isinstance(delta, dict) else None
        if isinstance(reason, str) and reason:
            self.finish = reason
            if reason == "refusal":
                self.flag("refusal")

    def _count(self, usage: Json) -> None:
        """Counts are totals; the last one of each name stands."""
        if not isinstance(usage, dict):
            return
        for name, value in usage.items():
            count = count_in(value)
            if count is not None:
                self._counts[name] = count


def _usage(counts: Mapping[str, int]) -> Usage:
    """What went through the cache is counted beside `input_tokens` here and within `prompt` by us."""
    fresh = counts.get("input_tokens")
    read = counts.get("cache_read_input_tokens")
    written = counts.get("cache_creation_input_tokens")
    prompt = None if fresh is None else fresh + (read or 0) + (written or 0)
    return Usage(
        prompt=prompt,
        completion=counts.get("output_tokens"),
        cached=read,
        cache_written=written,
    )


def _index(chunk: JsonObject) -> int:
    index = chunk.get("index")
    return index if isinstance(index, int) else -1


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""
