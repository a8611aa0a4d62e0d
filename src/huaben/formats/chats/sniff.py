"""Which program's chat a JSON value is, told by its shape; apart so that one place holds the marks."""

from collections.abc import Sequence
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.formats.chats import agnai, cai_tools, kobold, native, ooba, risu, stories, trees
from huaben.formats.chats.fields import objects_of
from huaben.formats.chats.jsonl import lines_chat
from huaben.formats.chats.lines import first_lines, object_in
from huaben.formats.chats.sillytavern import is_header, read_row
from huaben.formats.chats.values import Chat, Held, Message, Refused
from huaben.formats.report import Findings

_SAMPLE: Final = 64
_NOTHING: Final = Refused("not_a_chat", "no messages of a known shape")


def is_row(raw: JsonObject) -> bool:
    """Whether an object is a row of SillyTavern's files, or their header."""
    return is_header(raw) or ("mes" in raw and ("is_user" in raw or "name" in raw))


def has_rows(data: bytes) -> bool:
    """Whether one of the first lines is a row or a header of SillyTavern's."""
    values = (object_in(line) for line in first_lines(data, _SAMPLE))
    return any(isinstance(value, dict) and is_row(value) for value in values)


def is_session(data: bytes) -> bool:
    """Whether the first line says that it begins a session."""
    first = [object_in(line) for line in first_lines(data, 1)]
    return any(isinstance(value, dict) and value.get("type") == "session" for value in first)


def chats_in(
    value: Json, greetings: Sequence[str], findings: Findings
) -> tuple[Chat, ...] | Refused:
    """The chats in a parsed value; `greetings` are those of the card that they belong to."""
    if isinstance(value, list):
        return _in_list(objects_of(value), findings)
    if not isinstance(value, dict):
        return _NOTHING
    found = _single(value, greetings, findings)
    if isinstance(found, Refused):
        return found
    return found or _NOTHING


def _single(
    raw: JsonObject, greetings: Sequence[str], findings: Findings
) -> tuple[Chat, ...] | Refused:
    if native.is_native(raw):
        return (native.read_native(raw, findings),)
    if risu.is_risu(raw):
        return risu.read(raw, greetings, findings)
    if cai_tools.is_cai_tools(raw):
        return cai_tools.read(raw, findings)
    if stories.is_novelai(raw):
        return stories.read_novelai(raw, findings)
    if stories.is_dungeon(raw):
        return stories.read_dungeon(raw, findings)
    if kobold.is_kobold(raw):
        return kobold.read(raw, findings)
    if agnai.is_agnai(raw):
        return agnai.read(raw, findings)
    tree = _tree(raw, findings)
    if tree is not None:
        return (tree,)
    return ooba.read(raw, findings) if ooba.is_ooba(raw) else ()


def _tree(raw: JsonObject, findings: Findings) -> Chat | None:
    if trees.is_chatgpt(raw):
        return trees.read_chatgpt(raw, findings)
    if trees.is_open_webui(raw):
        return trees.read_open_webui(raw, findings)
    if trees.is_llamacpp(raw):
        return trees.read_llamacpp(raw, findings)
    if trees.is_librechat(raw):
        return trees.read_librechat(raw, findings)
    return None


def _in_list(items: Sequence[JsonObject], findings: Findings) -> tuple[Chat, ...] | Refused:
    """Exports of many conversations, or rows that somebody put into a list."""
    if any("mes" in item for item in items[:_SAMPLE]):
        return (_rows(items, findings),)
    chats = tuple(chat for item in items if (chat := _tree(item, findings)))
    return chats or _NOTHING


def _rows(items: Sequence[JsonObject], findings: Findings) -> Chat:
    headed = is_header(items[0])
    messages: list[Message] = []
    for place, item in enumerate(items, 1):
        if headed and place == 1:
            continue
        parent = messages[-1].id if messages else None
        messages.append(read_row(item, place, parent, findings))
    about = lines_chat(b"", "", findings)
    return Chat(
        about.dialect, Held(tuple(messages)), header=items[0] if headed else {}, headed=headed
    )
