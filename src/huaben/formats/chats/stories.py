"""Stories of NovelAI and AI Dungeon to chats; apart because both are prose in pieces, of the reader's or the
model's."""

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.chats.chain import Chain, told
from huaben.formats.chats.fields import first_text, object_of, objects_of, text_of, without
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Chat, Refused, Role
from huaben.formats.report import Findings

_NOT_HONOURED: Final = ("context", "placeholders", "ephemeralContext")
_DEEDS: Final = frozenset({"do", "say", "story", "see"})


def is_novelai(raw: JsonObject) -> bool:
    """Whether it is a `.story` or a `.scenario`."""
    return "storyContainerVersion" in raw or (
        "scenarioVersion" in raw and isinstance(raw.get("prompt"), str)
    )


def read_novelai(raw: JsonObject, findings: Findings) -> tuple[Chat, ...] | Refused:
    """A story's fragments, neighbours of one hand as one message; or a scenario's prompt
    (formats §3.3). Placeholders stay as they were typed."""
    content = object_of(raw.get("content")) if "storyContainerVersion" in raw else raw
    for name in _NOT_HONOURED:
        if content.get(name):
            findings.kept("not_honoured", name)
    if content is raw:
        chain = Chain()
        chain.add("assistant", "", [told(text_of(raw.get("prompt")))], {})
        return (Chat("novelai", chain.held, first_text(raw, "title"), without(raw, "prompt")),)
    story = object_of(content.get("story"))
    fragments = objects_of(story.get("fragments"))
    if not fragments:
        why = "binary document" if content.get("document") else "story without text"
        return Refused("unsupported", f"a NovelAI {why}; export it as plain text")
    around: JsonObject = {**content, "story": without(story, "fragments")}
    header: JsonObject = {**raw, "content": around}
    title = first_text(object_of(raw.get("metadata")), "title")
    return (Chat("novelai", _of_hands(fragments).held, title, header),)


def _of_hands(fragments: Iterable[JsonObject]) -> Chain:
    chain = Chain()
    for is_users, group in groupby(fragments, lambda one: one.get("origin") == "user"):
        parts = list(group)
        role: Role = "user" if is_users else "assistant"
        text = "".join(text_of(part.get("data")) for part in parts)
        chain.add(role, "", [told(text, role)], {"fragments": [*parts]})
    return chain


def is_dungeon(raw: JsonObject) -> bool:
    """Whether it is an adventure or a scenario of AI Dungeon."""
    adventure = "publicId" in raw or "actionCount" in raw
    if adventure and any("text" in action for action in objects_of(raw.get("actions"))):
        return True
    return "gameCode" in raw and isinstance(raw.get("prompt"), str)


def read_dungeon(raw: JsonObject, findings: Findings) -> tuple[Chat, ...]:
    """An adventure's actions, the reader's being those of type do, say, story and see; or a scenario's
    prompt (formats §3.3)."""
    for name in ("memory", "authorsNote", "storyCards"):
        if raw.get(name):
            findings.kept("not_honoured", name)
    chain = Chain()
    actions = objects_of(raw.get("actions"))
    for action in actions:
        text = text_of(action.get("text"))
        deed = action.get("type") in _DEEDS or text.lstrip().startswith("> ")
        role: Role = "user" if deed else "assistant"
        variant = told(text.strip(), role, moment=moment_of(action.get("createdAt")))
        chain.add(role, "", [variant], action)
    if not actions:
        chain.add("assistant", "", [told(text_of(raw.get("prompt")))], {})
    header = without(raw, "actions", *([] if actions else ["prompt"]))
    return (Chat("ai_dungeon", chain.held, first_text(raw, "title"), header),)
