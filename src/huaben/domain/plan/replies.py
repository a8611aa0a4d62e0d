"""What the models of a planning job answered, as typed values; apart from asking because a reply is text
first, in whatever shape it came."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonFault, JsonObject, parse_json
from huaben.domain.messages import ToolCall
from huaben.domain.plan.notes import Advice
from huaben.domain.plan.rules import Wanted
from huaben.domain.text import is_blank

MAX_ADVICE: Final = 8
"""Things that one expert may say at a time; more is not read."""
MAX_FOCUS_CHARS: Final = 400
_TEXT_KEYS: Final = ("text", "note", "advice", "content", "finding", "要点", "内容")
_QUOTE_KEYS: Final = ("quote", "evidence", "quotation", "引文", "凭据")
_LIST_KEYS: Final = ("notes", "advice", "findings", "results", "要点")
_CALL_KEYS: Final = ("calls", "tool_calls", "tools", "functions")
_DECIDED: Final = ("reason", "focus")
_OPENED: Final = re.compile(r'\{\s*"|^\s*\[\s*[{"]')


@dataclass(frozen=True, slots=True)
class Advised:
    """What an expert said, in its order; `plain`: as prose, so that nothing in it quotes."""

    advice: tuple[Advice, ...]
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """Why a reply says nothing: it shows nothing, or its JSON is broken or about something else."""

    code: Literal["blank", "broken", "no_notes"]


ExpertReply: TypeAlias = Advised | Unreadable


def read_advice(reply: str) -> ExpertReply:
    """What an expert answered: the first JSON value in the reply that holds notes, an empty list of
    them too. Prose without any JSON is one note, which quotes nothing."""
    listed = listed_in(reply)
    if isinstance(listed, Unreadable):
        if listed.code == "broken" and not _opens(reply):
            return Advised((Advice(reply.strip()),), plain=True)
        return listed
    advice = [one for each in listed if (one := _advice(each)) is not None]
    return Advised(tuple(advice[:MAX_ADVICE]))


def listed_in(reply: str) -> list[Json] | Unreadable:
    """What the first JSON value in a reply that lists anything lists, an empty list too."""
    if is_blank(reply):
        return Unreadable("blank")
    found = False
    for value in _values(reply):
        found = True
        listed = _listed(value)
        if listed is not None:
            return listed
    return Unreadable("no_notes" if found else "broken")


def _opens(reply: str) -> bool:
    """Whether prose seems to begin some JSON."""
    return _OPENED.search(reply) is not None


def read_route(text: str, calls: Sequence[ToolCall]) -> tuple[Wanted, ...]:
    """The functions that a route asks for: its tool calls, or, without any, those that a JSON value
    in its text names. Arguments that cannot be read are as none."""
    if calls:
        return tuple(_wanted(call.name, _object(call.arguments)) for call in calls)
    return tuple(
        _wanted(str(name), one)
        for value in _values(text)
        for one in _called(value)
        if isinstance(name := one.get("name", one.get("function")), str)
    )


def _wanted(name: str, arguments: JsonObject) -> Wanted:
    reason, focus = (_short(arguments.get(key)) for key in _DECIDED)
    return Wanted(name.rpartition(".")[2].strip(), reason, focus)


def _short(value: Json) -> str:
    return " ".join(value.split())[:MAX_FOCUS_CHARS] if isinstance(value, str) else ""


def _called(value: Json) -> Iterator[JsonObject]:
    """The calls in a JSON value: itself, its members, or those under a key that lists calls."""
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, dict))
    if isinstance(value, dict):
        named = next((value[key] for key in _CALL_KEYS if isinstance(value.get(key), list)), None)
        if named is None:
            inner = value.get("arguments")
            yield {**value, **inner} if isinstance(inner, dict) else value
        else:
            yield from _called(named)


def _listed(value: Json) -> list[Json] | None:
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    for key in _LIST_KEYS:
        found = value.get(key)
        if isinstance(found, list):
            return found
    return [value] if _advice(value) is not None else None


def _advice(value: Json) -> Advice | None:
    if isinstance(value, str):
        return None if is_blank(value) else Advice(value)
    if not isinstance(value, dict):
        return None
    text = _first(value, _TEXT_KEYS)
    return Advice(text, _first(value, _QUOTE_KEYS)) if text.strip() else None


def _first(value: JsonObject, keys: Sequence[str]) -> str:
    for key in keys:
        found = value.get(key)
        if isinstance(found, str) and found.strip():
            return found
        if isinstance(found, list) and found and isinstance(found[0], str):
            return found[0]
    return ""


def _object(arguments: str) -> JsonObject:
    value = parse_json(arguments)
    return value if isinstance(value, dict) else {}


def _values(text: str) -> Iterator[Json]:
    """The outermost JSON objects and lists of a text, in their order, as far as they can be read."""
    at = tried = 0
    while at < len(text) and tried < _MOST_TRIES:
        start = min((p for p in (text.find("{", at), text.find("[", at)) if p >= 0), default=-1)
        if start < 0:
            return
        tried += 1
        end = _end(text, start)
        value = parse_json(text[start:end]) if end else JsonFault("syntax", "")
        if isinstance(value, JsonFault):
            at = start + 1
            continue
        yield value
        at = end


_MOST_TRIES: Final = 40


def _end(text: str, start: int) -> int:
    """Where the bracket that opens at `start` closes, 0 if nowhere."""
    depth, in_string, escaped = 0, False, False
    for at in range(start, len(text)):
        char = text[at]
        if in_string:
            in_string = escaped or char != '"'
            escaped = char == "\\" and not escaped
        elif char == '"':
            in_string = True
        elif char in "{[":
            depth += 1
        elif char in "}]":
            depth -= 1
            if depth == 0:
                return at + 1
    return 0
