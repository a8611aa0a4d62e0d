"""CAI Tools' JSON of a character's histories to chats; apart because one file holds all of them."""

from huaben.domain.jsonvalue import JsonObject
from huaben.formats.chats.chain import Chain, told
from huaben.formats.chats.fields import (
    first_text,
    object_of,
    objects_of,
    text_of,
    truth_of,
    without,
)
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import Chat, Role
from huaben.formats.report import Findings


def is_cai_tools(raw: JsonObject) -> bool:
    """Whether it has `histories.histories[]`, or the list itself."""
    histories = objects_of(object_of(raw.get("histories")).get("histories"))
    return any(isinstance(history.get("msgs"), list) for history in histories)


def read(raw: JsonObject, findings: Findings) -> tuple[Chat, ...]:
    """One chat for each history that has messages (formats §3.3)."""
    del findings
    info = without(raw, "histories")
    character = first_text(object_of(object_of(raw.get("info")).get("character")), "name")
    histories = objects_of(object_of(raw.get("histories")).get("histories"))
    return tuple(
        chat
        for history in histories
        if (chat := _chat(history, {**info, **without(history, "msgs")}, character))
    )


def _chat(history: JsonObject, header: JsonObject, character: str) -> Chat | None:
    chain = Chain()
    for message in objects_of(history.get("msgs")):
        source = object_of(message.get("src"))
        role: Role = "user" if truth_of(source.get("is_human")) else "assistant"
        variant = told(text_of(message.get("text")), role, moment=moment_of(message.get("created")))
        chain.add(role, first_text(source, "name"), [variant], message)
    if not chain.messages:
        return None
    title = first_text(history, "title", "created")
    return Chat("cai_tools", chain.held, title, header, character=character)
