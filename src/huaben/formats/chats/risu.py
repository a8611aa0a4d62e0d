"""RisuAI's chats, one or all of a character's; apart because the greeting is not among the messages."""

import html
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from huaben.domain.card import number_of
from huaben.domain.jsonvalue import JsonObject, parse_json
from huaben.formats.chats.chain import Chain, told
from huaben.formats.chats.fields import (
    first_text,
    list_of,
    object_of,
    objects_of,
    text_of,
    truth_of,
    without,
)
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Chat, Message, Role
from huaben.formats.report import Findings

NOT_HONOURED: Final = ("note", "scriptstate", "hypaV3Data", "supaMemoryData")
_TYPES: Final = ("risuChat", "risuAllChats")
_MARK: Final = "idat"
_CLASS: Final = re.compile(r"""<[^<>]*\bclass=["']([^"'<>]*)["'][^<>]*>""")
_TAG_CHARS: Final = 500
_MOST_MARKS: Final = 1000


def is_risu(raw: JsonObject) -> bool:
    """Whether its `type` says so."""
    return raw.get("type") in _TYPES


def read(raw: JsonObject, greetings: Sequence[str], findings: Findings) -> tuple[Chat, ...]:
    """One chat, or all of a character (formats §3.3). `greetings` are the card's: first message, then
    alternates; `fmIndex` says which one each chat begins with, −1 being the first message."""
    data = raw.get("data")
    found = objects_of(data) if isinstance(data, list) else [object_of(data)]
    around = without(raw, "data")
    return tuple(
        chat
        for n, inner in enumerate(found)
        if (chat := _chat(inner, around, greetings, findings, f"data[{n}]"))
    )


def json_in_html(text: str) -> JsonObject | None:
    """The chat that an HTML export carries in its element of class `idat`; None where it has none."""
    at = -1
    for _ in range(_MOST_MARKS):
        at = text.find(_MARK, at + 1)
        if at < 0:
            return None
        # The tag around the mark, looked for near it alone: a page may be all tag.
        start = text.rfind("<", max(0, at - _TAG_CHARS), at)
        end = text.find(">", at, at + _TAG_CHARS)
        tag = _CLASS.fullmatch(text, start, end + 1) if start >= 0 and end >= 0 else None
        if tag is None or _MARK not in tag[1].split():
            continue
        stop = text.find("<", end)
        inside = text[end + 1 : stop if stop >= 0 else len(text)]
        value = parse_json(html.unescape(inside).strip())
        if isinstance(value, dict) and is_risu(value):
            return value
    return None


def _chat(
    raw: JsonObject,
    around: JsonObject,
    greetings: Sequence[str],
    findings: Findings,
    where: str,
) -> Chat | None:
    if not isinstance(raw.get("message"), list):
        return None
    chain = Chain()
    for message in objects_of(raw.get("message")):
        _add(chain, message)
    _begin(chain, raw, greetings, findings, where)
    for name in NOT_HONOURED:
        if raw.get(name):
            findings.kept("not_honoured", f"{where}.{name}")
    header: JsonObject = {**around, "chat": without(raw, "message")}
    return Chat("risu", chain.held, first_text(raw, "name"), header)


def _add(chain: Chain, raw: JsonObject) -> None:
    """`disabled` messages and comments are seen and not sent; `allBefore` disables what came before,
    too."""
    role: Role = "user" if raw.get("role") == "user" else "assistant"
    disabled = raw.get("disabled")
    model = first_text(object_of(raw.get("generationInfo")), "model")
    variant = told(text_of(raw.get("data")), role, model=model, moment=moment_of(raw.get("time")))
    if disabled == "allBefore":
        chain.messages = [replace(message, hidden=True) for message in chain.messages]
    hidden = disabled == "allBefore" or truth_of(disabled) or truth_of(raw.get("isComment"))
    chain.add(role, first_text(raw, "name", "saying"), [variant], raw, hidden=hidden)


def _begin(
    chain: Chain, raw: JsonObject, greetings: Sequence[str], findings: Findings, where: str
) -> None:
    index = number_of(raw.get("fmIndex"))
    at = 0 if index is None else int(index) + 1
    if not 0 <= at < len(greetings):
        detail = f"opening {at} of {len(greetings)}"
        findings.warn("greeting_missing", f"{where}.fmIndex", detail, at=at, n=len(greetings))
        return
    if list_of(raw.get("message")) or greetings[at].strip():
        variant = told(greetings[at])
        chain.begin_with(Message("greeting", None, "assistant", "", (variant,)))
