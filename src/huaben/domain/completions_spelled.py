"""A reply in the chat-completions form, whole and in chunks; apart from reading requests because it is for
replies that did not come in that form, which others pass through untouched.

Form: OpenAI's `chat.completion` and `chat.completion.chunk` objects.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.domain.messages import (
    CallDelta,
    Finished,
    ModelEvent,
    Reply,
    Retrying,
    TextDelta,
    ThinkingDelta,
    Usage,
)

DONE: Final = b"data: [DONE]\n\n"
_CUT: Final = frozenset({"length", "max_tokens", "model_length"})
_FILTERED: Final = frozenset({"content_filter", "refusal", "sensitive"})


@dataclass(frozen=True, slots=True)
class Spelling:
    """What all objects of one reply say: its id, the time in whole seconds, the model as it was asked
    for."""

    id: str
    created: int
    model: str

    def whole(self, reply: Reply) -> bytes:
        """The reply as one `chat.completion`."""
        message: JsonObject = {"role": "assistant", "content": reply.text or None}
        if not reply.calls:
            message["content"] = reply.text
        if reply.thinking is not None and reply.thinking.text:
            message["reasoning_content"] = reply.thinking.text
        if reply.calls:
            message["tool_calls"] = _calls(reply)
        choice: JsonObject = {"index": 0, "message": message, "finish_reason": finish_of(reply)}
        body = self._object("chat.completion", [choice])
        return dump_json({**body, "usage": usage_json(reply.usage)}).encode()

    def opening(self) -> bytes:
        """The chunk that names the speaker."""
        return self._delta({"role": "assistant", "content": ""})

    def chunk(self, event: ModelEvent, *, usage: bool = False) -> bytes:
        """An event as the chunks of a stream; nothing for one that shows nothing. The last one ends the
        stream, with a chunk of usage where that is asked for."""
        match event:
            case TextDelta(text=text):
                return self._delta({"content": text})
            case ThinkingDelta(text=text):
                return self._delta({"reasoning_content": text})
            case Finished(reply=reply):
                return self._ending(reply, usage=usage)
            case CallDelta() | Retrying():  # the id of a call is known with the reply only
                return b""

    def stream(self, reply: Reply, *, usage: bool = False) -> bytes:
        """A whole reply as a stream."""
        thought = reply.thinking.text if reply.thinking else ""
        said = self.opening()
        said += self.chunk(ThinkingDelta(thought)) if thought else b""
        said += self.chunk(TextDelta(reply.text)) if reply.text else b""
        return said + self._ending(reply, usage=usage)

    def _ending(self, reply: Reply, *, usage: bool) -> bytes:
        said = b""
        if reply.calls:
            indexed: list[Json] = [
                {"index": at, **one}
                for at, one in enumerate(_calls(reply))
                if isinstance(one, dict)
            ]
            said += self._delta({"tool_calls": indexed})
        said += self._delta({}, finish_of(reply))
        if usage:
            body = self._object("chat.completion.chunk", [])
            said += _event({**body, "usage": usage_json(reply.usage)})
        return said + DONE

    def _delta(self, delta: JsonObject, finish: str | None = None) -> bytes:
        choice: JsonObject = {"index": 0, "delta": delta, "finish_reason": finish}
        return _event(self._object("chat.completion.chunk", [choice]))

    def _object(self, kind: str, choices: list[Json]) -> JsonObject:
        return {
            "id": self.id,
            "object": kind,
            "created": self.created,
            "model": self.model,
            "choices": choices,
        }


def finish_of(reply: Reply) -> str:
    """Why the reply ended, in the form's own words."""
    if reply.calls:
        return "tool_calls"
    if reply.finish in _CUT:
        return "length"
    return "content_filter" if reply.finish in _FILTERED else "stop"


def usage_json(usage: Usage) -> JsonObject:
    """What a reply took; what was not reported counts nothing."""
    prompt, completion = usage.prompt or 0, usage.completion or 0
    body: JsonObject = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
    }
    if usage.cached is not None:
        body["prompt_tokens_details"] = {"cached_tokens": usage.cached}
    if usage.reasoning is not None:
        body["completion_tokens_details"] = {"reasoning_tokens": usage.reasoning}
    return body


def error_json(message: str, kind: str, code: str, param: str = "") -> JsonObject:
    """An error in the form's own shape."""
    return {"error": {"message": message, "type": kind, "param": param or None, "code": code}}


def error_event(error: JsonObject) -> bytes:
    """An error within a stream, after which it ends without its end mark."""
    return _event(error)


def _calls(reply: Reply) -> list[Json]:
    return [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.arguments},
        }
        for call in reply.calls
    ]


def _event(body: JsonObject) -> bytes:
    return f"data: {dump_json(body)}\n\n".encode()
