"""KoboldAI's stories to chats: Lite's save and United's `story.json`; apart because a story there is one
text, and only marks within it tell whose turn it is."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, TypeAlias

from huaben.domain.card import number_of
from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.chats.chain import Chain, told
from huaben.formats.chats.fields import (
    first_text,
    list_of,
    object_of,
    objects_of,
    text_of,
    without,
)
from huaben.formats.chats.values import Chat, Dialect, Role, Variant
from huaben.formats.report import Findings

Mode: TypeAlias = Literal["story", "adventure", "chat", "instruct"]
Part: TypeAlias = tuple[Role, str, str]
"""Who speaks, under what name, and the text."""

NOT_HONOURED: Final = ("memory", "authorsnote", "personal_notes", "altbranches")
_MODES: Final[Sequence[Mode]] = ("story", "adventure", "chat", "instruct")
_TAG: Final = re.compile(r"\{\{\[(INPUT|OUTPUT|SYSTEM)(?:_END)?\]\}\}")
_DEED: Final = re.compile(r"^(> ?[^\n]*)$", re.MULTILINE)
_BETWEEN: Final = "||$||"


def is_kobold(raw: JsonObject) -> bool:
    """Whether it is a save with a story in it: one that only holds world info is a lorebook."""
    marked = "gamestarted" in raw or "savedsettings" in raw or "story_name" in raw
    return marked and bool(text_of(raw.get("prompt")) or raw.get("actions"))


def read(raw: JsonObject, findings: Findings, dialect: Dialect = "kobold_lite") -> tuple[Chat, ...]:
    """The story as messages, by the mode that it was played in (formats §3.3).

    Instruct is parted at its tags, chat at the names, adventure at the deeds (`> …`). A plain story
    has no turns: each piece that was written or generated is a message of the teller.
    """
    settings = object_of(raw.get("savedsettings"))
    mode = _mode(settings)
    user = first_text(settings, "chatname") or "User"
    others = [name for name in text_of(settings.get("chatopponent")).split(_BETWEEN) if name]
    pieces = _pieces(raw)
    chain = Chain()
    if mode == "story" and not any(_TAG.search(text) for text, _ in pieces):
        for text, choices in pieces:
            chain.add("assistant", "", [told(text), *choices], {"text": text})
    else:
        for role, name, text in _parted("".join(text for text, _ in pieces), mode, user, others):
            chain.add(role, name, [told(text.strip(), role)], {"text": text})
    for name in NOT_HONOURED:
        if raw.get(name):
            findings.kept("not_honoured", name)
    header = without(raw, "prompt", "actions")
    title = first_text(raw, "story_name", "title")
    character = others[0] if others else ""
    return (Chat(dialect, chain.held, title, header, user=user, character=character),)


def _mode(settings: JsonObject) -> Mode:
    number = int(number_of(settings.get("opmode")) or 1)
    return _MODES[number - 1] if 1 <= number <= len(_MODES) else "story"


def _pieces(raw: JsonObject) -> list[tuple[str, list[Variant]]]:
    """The prompt and each action that has a text, with its other choices where there are any."""
    found = [(text_of(raw.get("prompt")), list[Variant]())]
    actions = raw.get("actions")
    if isinstance(actions, dict):
        numbered = object_of(actions.get("actions"))
        keys = sorted((key for key in numbered if key.isdecimal()), key=int)
        found += [_choices(object_of(numbered[key])) for key in keys]
    found += [(text_of(action), []) for action in list_of(actions)]
    return [piece for piece in found if piece[0]]


def _choices(action: JsonObject) -> tuple[str, list[Variant]]:
    text = first_text(action, "Selected Text", "text")
    texts = (first_text(one, "text", "Text") for one in objects_of(action.get("Options")))
    return text, [told(other) for other in dict.fromkeys(texts) if other and other != text]


def _parted(text: str, mode: Mode, user: str, others: Sequence[str]) -> Iterator[Part]:
    if _TAG.search(text):
        yield from _by_tags(text)
    elif mode == "chat":
        yield from _by_names(text, user, others)
    elif mode == "adventure":
        yield from _by_deeds(text)
    else:
        yield "assistant", "", text


def _by_tags(text: str) -> Iterator[Part]:
    """What stands before the first tag opens the story."""
    role: Role = "assistant"
    at = 0
    for tag in _TAG.finditer(text):
        if text[at : tag.start()].strip():
            yield role, "", text[at : tag.start()]
        at = tag.end()
        roles: dict[str, Role] = {"INPUT": "user", "SYSTEM": "system"}
        role = roles.get(tag[1], "assistant")
    if text[at:].strip():
        yield role, "", text[at:]


def _by_names(text: str, user: str, others: Sequence[str]) -> Iterator[Part]:
    names = "|".join(re.escape(name) for name in sorted({user, *others}, key=len, reverse=True))
    name, at = "", 0
    for line in re.finditer(rf"^({names}):[ \t]?", text, re.MULTILINE):
        if text[at : line.start()].strip():
            yield "user" if name == user else "assistant", name, text[at : line.start()]
        name, at = line[1], line.end()
    if text[at:].strip():
        yield "user" if name == user else "assistant", name, text[at:]


def _by_deeds(text: str) -> Iterator[Part]:
    for n, part in enumerate(_DEED.split(text)):
        if part.strip():
            yield ("user", "", part.removeprefix(">")) if n % 2 else ("assistant", "", part)


def is_united(raw: Json) -> bool:
    """Whether it is the `story.json` of a `.kaistory`."""
    return isinstance(raw, dict) and ("actions" in raw or "prompt" in raw)
