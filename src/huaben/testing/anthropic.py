"""A scripted reply in Anthropic's dialect; apart from the usual one because its stream is made of blocks
that open and close."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import cast

from huaben.testing.answering import MODEL, Answer, to_json
from huaben.testing.script import (
    Call,
    ErrorLine,
    Fail,
    Raw,
    Say,
    Think,
    Unit,
    call_id,
    finish_of,
    pieces,
    usage_of,
)

_REASONS: Mapping[str, str] = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens"}


@dataclass(slots=True)
class AnthropicAnswer(Answer):
    """One scripted reply as the events of the Messages API."""

    blocks: int = 0
    begun: bool = False

    async def bytes_of(self, unit: Unit) -> AsyncIterator[bytes]:
        if not self.begun and not isinstance(unit, Raw):
            self.begun = True
            yield self._start()
        match unit:
            case Say(text, chunk):
                deltas = [{"type": "text_delta", "text": piece} for piece in pieces(text, chunk)]
                for line in self._block({"type": "text", "text": ""}, deltas):
                    yield line
            case Think(text, chunk):
                said = [
                    {"type": "thinking_delta", "thinking": piece} for piece in pieces(text, chunk)
                ]
                signed = {"type": "signature_delta", "signature": f"signed-{self.blocks}"}
                for line in self._block({"type": "thinking", "thinking": ""}, [*said, signed]):
                    yield line
            case Call():
                for line in self._tool_use(unit):
                    yield line
            case ErrorLine(error):
                yield _event("error", {"error": dict(error)})
            case Fail():
                yield _event("error", {"error": {"type": unit.code, "message": unit.message}})
            case _:
                async for data in Answer.bytes_of(self, unit):
                    yield data

    async def close_reply(self) -> None:
        if not self.begun:
            await self.chunk(self._start())
        finish = finish_of(self.scripted)
        usage = usage_of(self.scripted, self.received.body)
        delta: dict[str, object] = {"usage": {"output_tokens": usage.completion or 0}}
        if finish:
            delta["delta"] = {"stop_reason": _REASONS.get(finish, finish), "stop_sequence": None}
        await self.chunk(_event("message_delta", delta))
        if self.scripted.done:
            await self.chunk(_event("message_stop", {}))

    def plain(self) -> dict[str, object]:
        content: list[dict[str, object]] = []
        for unit in self.scripted.units:
            match unit:
                case Say(text=text):
                    content.append({"type": "text", "text": text})
                case Think(text=text):
                    content.append({"type": "thinking", "thinking": text, "signature": "signed"})
                case Call():
                    made = call_id(self.number, len(content), unit)
                    given = cast("object", json.loads(unit.arguments or "{}"))
                    content.append(
                        {"type": "tool_use", "id": made, "name": unit.name, "input": given}
                    )
                case _:
                    pass  # the others have no form in a plain answer
        finish = finish_of(self.scripted)
        usage = usage_of(self.scripted, self.received.body)
        return {
            **self._message(),
            "content": content,
            "stop_reason": _REASONS.get(finish, finish),
            "usage": {**self._input(), "output_tokens": usage.completion or 0},
        }

    # ---- events --------------------------------------------------------------------------------

    def _message(self) -> dict[str, object]:
        return {"id": f"msg_{self.number}", "type": "message", "role": "assistant", "model": MODEL}

    def _input(self) -> dict[str, object]:
        usage = usage_of(self.scripted, self.received.body)
        read, written = usage.cached or 0, usage.cache_written or 0
        return {
            "input_tokens": (usage.prompt or 0) - read - written,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
        }

    def _start(self) -> bytes:
        usage = {**self._input(), "output_tokens": 1}
        message: dict[str, object] = {**self._message(), "content": [], "usage": usage}
        return _event("message_start", {"message": message}) + _event("ping", {})

    def _tool_use(self, unit: Call) -> list[bytes]:
        position, self.calls = self.calls, self.calls + 1
        made = call_id(self.number, position, unit)
        nothing: dict[str, object] = {}
        opening = {"type": "tool_use", "id": made, "name": unit.name, "input": nothing}
        deltas = [
            {"type": "input_json_delta", "partial_json": piece}
            for piece in pieces(unit.arguments, unit.chunk)
        ]
        return self._block(opening, deltas)

    def _block(self, opening: Mapping[str, object], deltas: list[dict[str, str]]) -> list[bytes]:
        index, self.blocks = self.blocks, self.blocks + 1
        return [
            _event("content_block_start", {"index": index, "content_block": dict(opening)}),
            *(_event("content_block_delta", {"index": index, "delta": delta}) for delta in deltas),
            _event("content_block_stop", {"index": index}),
        ]


def _event(kind: str, data: Mapping[str, object]) -> bytes:
    return f"event: {kind}\ndata: ".encode() + to_json({"type": kind, **data}) + b"\n\n"
