"""Chat files made in code, sound and odd; apart so that every test says what is odd about its own."""

from __future__ import annotations

import json
from collections.abc import Sequence

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.chats.read import open_chats
from huaben.formats.chats.values import Chat, ChatFile, Entry, Message, Quarantined, Refused
from huaben.formats.report import Findings

HEADER: JsonObject = {
    "user_name": "阿澄",
    "character_name": "渡船人",
    "create_date": "2024-7-12@01h31m37s",
    "chat_metadata": {"integrity": "6f6f", "scenario": "雨夜。", "note_prompt": "雨一直下。"},
}


def row(text: Json, **more: Json) -> JsonObject:
    """A row of the character's."""
    return {"name": "渡船人", "is_user": False, "mes": text, **more}


def said(text: Json, **more: Json) -> JsonObject:
    """A row of the user's."""
    return {"name": "阿澄", "is_user": True, "mes": text, **more}


STORY: Sequence[JsonObject] = (
    row("「上船吗？」", swipes=["「上船吗？」", "“Coming aboard?”"], swipe_id=0),
    said("我上船。"),
    row("船离了岸。", extra={"model": "m-1", "reasoning": "先离岸。"}),
    said("对岸是哪里？"),
    row("“Home,” he says.", extra={}),
)


def lines(*rows: Json | bytes, end: str = "\n") -> bytes:
    """A file of lines; bytes are a line as they are."""
    texts = (one if isinstance(one, bytes) else compact(one) for one in rows)
    return end.encode().join(texts)


def compact(value: Json) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def opened(data: bytes, name: str = "", greetings: Sequence[str] = ()) -> ChatFile:
    found = open_chats(data, name, greetings)
    assert isinstance(found, ChatFile), found
    return found


def refused(data: bytes) -> Refused:
    found = open_chats(data)
    assert isinstance(found, Refused), found
    return found


def only(data: bytes, greetings: Sequence[str] = ()) -> Chat:
    """The one chat of a file."""
    (chat,) = opened(data, greetings=greetings).chats
    return chat


def entries(data: bytes) -> list[Entry]:
    return list(only(data).entries.read(Findings()))


def messages(data: bytes | Chat) -> list[Message]:
    chat = data if isinstance(data, Chat) else only(data)
    return [e for e in chat.entries.read(Findings()) if isinstance(e, Message)]


def quarantined(data: bytes) -> list[Quarantined]:
    return [e for e in entries(data) if isinstance(e, Quarantined)]


def texts(data: bytes | Chat) -> list[str]:
    return [message.text for message in messages(data)]


def json_file(value: Json, indent: int | None = None) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=indent).encode()


def webui(current: str | None, **nodes: JsonObject) -> JsonObject:
    """An Open WebUI chat."""
    history: JsonObject = {"messages": {**nodes}, "currentId": current}
    return {"id": "x", "title": "聊", "chat": {"models": ["m"], "history": history}}


def node(parent: str | None, role: str, text: str, **more: Json) -> JsonObject:
    return {"parentId": parent, "role": role, "content": text, **more}
