"""A caller's own request in the chat-completions form, kept to the byte; apart from what a model is asked by a
turn, because here nothing is assembled and nothing may be changed but the model's name.

Form: OpenAI's `POST /chat/completions`. Fields that are not known here travel on like all others.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, dump_json, parse_json
from huaben.domain.messages import WireRequest

HOUSE_MODEL: Final = "huaben"
"""The name by which a caller asks for whoever plays the story role."""
MAX_CHOICES: Final = 128

_DECODER: Final = json.JSONDecoder()
_SPACE: Final = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True, slots=True)
class CompletionFault:
    """Why a request cannot be understood: `param` is the field, empty for the whole body."""

    param: str
    detail: str


@dataclass(frozen=True, slots=True)
class Member:
    """One member of the body as it was sent: its name, and its key and value in their own bytes."""

    name: str
    key: str
    value: str


@dataclass(frozen=True, slots=True)
class Completion:
    """A request as it came. `fields` are read for what the program must know; what is sent on are the
    `members`."""

    members: tuple[Member, ...]
    fields: JsonObject

    @property
    def model(self) -> str:
        """The model that is asked for; without a name the house's own."""
        value = self.fields.get("model")
        return value if isinstance(value, str) and value else HOUSE_MODEL

    @property
    def streams(self) -> bool:
        return self.fields.get("stream") is True

    @property
    def choices(self) -> int:
        """How many replies are asked for (`n`), at least 1."""
        value = self.fields.get("n")
        return value if isinstance(value, int) and value > 1 else 1

    @property
    def wants_usage(self) -> bool:
        """Whether a stream is to end with a chunk of usage."""
        options = self.fields.get("stream_options")
        return isinstance(options, dict) and options.get("include_usage") is True

    @property
    def messages(self) -> list[JsonObject]:
        value = self.fields["messages"]
        return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []

    @property
    def words(self) -> str:
        """The text of the last message of the user's; empty when there is none."""
        said = (one for one in reversed(self.messages) if one.get("role") == "user")
        return next((text_of(one.get("content")) for one in said), "")


def read_completion(body: bytes) -> Completion | CompletionFault:
    """The request of a body of JSON in UTF-8, in bounded time (`parse_json`)."""
    try:
        text = body.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return CompletionFault("", "the body is not UTF-8")
    value = parse_json(text)
    if isinstance(value, JsonFault):
        return CompletionFault("", f"the body is not JSON: {value.detail}")
    if not isinstance(value, dict):
        return CompletionFault("", "the body is not an object")
    fault = _fault(value)
    return fault or Completion(tuple(_members(text)), value)


def wire_of(asked: Completion, model: str, tail: str = "") -> WireRequest:
    """The request for a model of that name: every member in its order and its bytes but `model`. With a
    `tail`, one more message of the user's stands at the end of the others."""
    named = dump_json(model)
    parts = [
        Member(one.name, one.key, named if one.name == "model" else one.value)
        for one in asked.members
    ]
    if "model" not in asked.fields:
        parts.insert(0, Member("model", '"model"', named))
    # Of two members of one name the last is in force.
    last = max(at for at, one in enumerate(parts) if one.name == "messages")
    opening, messages, closing = _items(parts[last].value)
    if tail:
        messages.append(f",{dump_json({'role': 'user', 'content': tail})}")
    before = "".join(f"{one.key}:{one.value}," for one in parts[:last])
    after = "".join(f",{one.key}:{one.value}" for one in parts[last + 1 :])
    head = f"{{{before}{parts[last].key}:{opening}"
    return WireRequest(
        tuple(text.encode() for text in (head, *messages, f"{closing}{after}}}")),
        ("head", *("message" for _ in messages), "tail"),
    )


def text_of(content: Json) -> str:
    """The text of a message's content: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = (part.get("text") for part in content if isinstance(part, dict))
    return "\n".join(text for text in texts if isinstance(text, str))


def _fault(value: JsonObject) -> CompletionFault | None:
    messages, model, stream, choices = (
        value.get(name) for name in ("messages", "model", "stream", "n")
    )
    if not isinstance(messages, list) or not messages:
        return CompletionFault("messages", "messages must be a list of at least one message")
    for at, message in enumerate(messages):
        if not isinstance(message, dict) or not isinstance(message.get("role"), str):
            return CompletionFault(f"messages[{at}]", "a message is an object with a role")
    if model is not None and not isinstance(model, str):
        return CompletionFault("model", "model must be a string")
    if stream is not None and not isinstance(stream, bool):
        return CompletionFault("stream", "stream must be true or false")
    count = choices if isinstance(choices, int) and not isinstance(choices, bool) else 0
    if choices is not None and not 1 <= count <= MAX_CHOICES:
        return CompletionFault("n", f"n must be a whole number from 1 to {MAX_CHOICES}")
    return None


# ---- bytes -----------------------------------------------------------------------------------------


def _members(text: str) -> Iterator[Member]:
    """The members of an object, each in its own spelling; the text is known to be JSON."""
    at = _next(text, _next(text, 0) + 1)
    while text[at] != "}":
        end = _end(text, at)
        key, colon = text[at:end], _next(text, end)
        start = _next(text, colon + 1)
        end = _end(text, start)
        name: object = json.loads(key)
        yield Member(str(name), key, text[start:end])
        at = _past_comma(text, end)


def _items(text: str) -> tuple[str, list[str], str]:
    """A list as its opening, its items and its closing, whose sum is the text; a comma belongs to the
    item behind it."""
    start = at = _next(text, 1)
    items: list[str] = []
    behind = start
    while text[at] != "]":
        end = _end(text, at)
        items.append(text[behind:end])
        behind, at = end, _past_comma(text, end)
    return text[:start], items, text[behind:]


def _end(text: str, at: int) -> int:
    """Where the value that begins at `at` ends."""
    decoded: tuple[object, int] = _DECODER.raw_decode(text, at)
    return decoded[1]


def _past_comma(text: str, at: int) -> int:
    at = _next(text, at)
    return _next(text, at + 1) if text[at] == "," else at


def _next(text: str, at: int) -> int:
    """The first place from `at` on that is no white space."""
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
