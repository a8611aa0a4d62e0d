"""Values to stored text and bytes and back, strictly typed; apart so that there is one such place.

JSON text is compact and leaves Chinese as it is. A stored value that does not decode raises
`Undecodable`, which the store reports as `StorageFailed` and the audit as a fault.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import cast

from huaben.domain.messages import Reply, Thinking, ToolCall, Usage
from huaben.domain.project import Persona
from huaben.domain.story import Exchange


class Undecodable(ValueError):
    """A stored value is not what the program writes."""


def to_json(value: object) -> str:
    """Compact JSON text. Raises TypeError or ValueError for what JSON cannot hold, NaN included."""
    text = _COMPACT.encode(value)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate: escaped, it survives every database
        return _ESCAPED.encode(value)
    return text


def _as_dict(value: object) -> dict[object, object]:
    """Mappings of the domain need not be dicts."""
    if isinstance(value, Mapping):
        return dict(cast("Mapping[object, object]", value))  # the encoder checks its members
    raise TypeError(f"{type(value).__name__} is not a JSON value")


_COMPACT = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_as_dict
)
_ESCAPED = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=_as_dict)


def from_json(text: str | bytes) -> object:
    """The value of stored JSON text."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError) as fault:
        raise Undecodable(f"stored text is not JSON: {fault}") from fault


def an_object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise Undecodable(f"expected an object, found {type(value).__name__}")
    return cast("dict[str, object]", value)  # JSON has only string keys


def a_list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise Undecodable(f"expected a list, found {type(value).__name__}")
    return cast("list[object]", value)  # its members are checked one by one


def a_text(value: object) -> str:
    if not isinstance(value, str):
        raise Undecodable(f"expected a text, found {type(value).__name__}")
    return value


def a_number(value: object) -> int:
    if not isinstance(value, int):
        raise Undecodable(f"expected a whole number, found {type(value).__name__}")
    return value


def a_bytes(value: object) -> bytes:
    if not isinstance(value, bytes):
        raise Undecodable(f"expected bytes, found {type(value).__name__}")
    return value


def maybe_text(value: object) -> str | None:
    return None if value is None else a_text(value)


def maybe_number(value: object) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool)):
        return value
    raise Undecodable(f"expected a whole number, found {type(value).__name__}")


def object_from(text: str | bytes) -> dict[str, object]:
    return an_object(from_json(text))


def texts_from(text: str) -> tuple[str, ...]:
    return tuple(a_text(item) for item in a_list(from_json(text)))


def persona_from(text: str) -> Persona:
    data = object_from(text)
    return Persona(a_text(data.get("name")), a_text(data.get("description")))


def asked_to(asked: Sequence[Exchange]) -> str:
    return to_json([[exchange.question, exchange.answer] for exchange in asked])


def asked_from(text: str) -> tuple[Exchange, ...]:
    return tuple(_exchange_from(a_list(pair)) for pair in a_list(from_json(text)))


def _exchange_from(pair: list[object]) -> Exchange:
    if len(pair) != 2:
        raise Undecodable(f"expected a question and an answer, found {len(pair)} values")
    return Exchange(a_text(pair[0]), a_text(pair[1]))


# ---- compressed bytes --------------------------------------------------------------------------

_PLAIN, _ZLIB = b"p", b"z"
_WORTH_COMPRESSING = 128


def packed(content: bytes) -> bytes:
    """The bytes compressed where that makes them smaller, with one byte in front that says so."""
    if len(content) < _WORTH_COMPRESSING:
        return _PLAIN + content
    smaller = zlib.compress(content, 6)
    return _ZLIB + smaller if len(smaller) < len(content) else _PLAIN + content


def unpacked(stored: bytes) -> bytes:
    try:
        return zlib.decompress(stored[1:]) if stored[:1] == _ZLIB else stored[1:]
    except zlib.error as fault:
        raise Undecodable(f"stored bytes do not decompress: {fault}") from fault


# ---- replies -----------------------------------------------------------------------------------


def reply_to(reply: Reply) -> bytes:
    """A reply as compressed JSON; `reply_from` is the exact inverse."""
    data = {
        "text": reply.text,
        "calls": [fields_of(call) for call in reply.calls],
        "thinking": reply.thinking and fields_of(reply.thinking),
        "usage": fields_of(reply.usage),
        "finish": reply.finish,
        "model": reply.model,
        "flags": list(reply.flags),
    }
    return packed(to_json(data).encode())


def fields_of(value: ToolCall | Thinking | Usage | Persona) -> dict[str, object]:
    """The fields of a flat dataclass by name."""
    return {f.name: getattr(value, f.name) for f in fields(value)}


def reply_from(stored: bytes) -> Reply:
    data = object_from(unpacked(stored))
    thinking = data.get("thinking")
    return Reply(
        text=a_text(data.get("text")),
        calls=tuple(_call_from(an_object(item)) for item in a_list(data.get("calls"))),
        thinking=None if thinking is None else _thinking_from(an_object(thinking)),
        usage=_usage_from(an_object(data.get("usage"))),
        finish=maybe_text(data.get("finish")),
        model=a_text(data.get("model")),
        flags=tuple(a_text(flag) for flag in a_list(data.get("flags"))),
    )


def _call_from(data: Mapping[str, object]) -> ToolCall:
    return ToolCall(
        id=a_text(data.get("id")),
        name=a_text(data.get("name")),
        arguments=a_text(data.get("arguments")),
        extra=an_object(data.get("extra")),
    )


def _thinking_from(data: Mapping[str, object]) -> Thinking:
    return Thinking(
        text=a_text(data.get("text")),
        carrier=a_text(data.get("carrier")),
        extra=an_object(data.get("extra")),
    )


def _usage_from(data: Mapping[str, object]) -> Usage:
    return Usage(
        prompt=maybe_number(data.get("prompt")),
        completion=maybe_number(data.get("completion")),
        reasoning=maybe_number(data.get("reasoning")),
        cached=maybe_number(data.get("cached")),
        cache_written=maybe_number(data.get("cache_written")),
        billed_micros=maybe_number(data.get("billed_micros")),
    )
