"""Any chat's bytes to chats: decode, recognise, hand to its dialect. Separate from the dialects, which know
nothing of bytes or of each other."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Final

from huaben.domain.jsonvalue import JsonFault, JsonObject, parse_json
from huaben.formats.archive import ArchiveFault, has_archive, open_archive
from huaben.formats.bounded import wide_codec
from huaben.formats.chats import kobold, risu, trees
from huaben.formats.chats.jsonl import lines_chat
from huaben.formats.chats.lines import as_utf8, first_lines, object_in
from huaben.formats.chats.plain import read_plain
from huaben.formats.chats.sniff import chats_in, has_rows, is_row, is_session
from huaben.formats.chats.values import (
    MAX_BYTES,
    MAX_JSON_BYTES,
    Chat,
    ChatFile,
    Refused,
)
from huaben.formats.report import Findings

_STORY: Final = "story.json"
_BOM: Final = "\ufeff"


def open_chats(
    data: bytes, filename: str = "", greetings: Sequence[str] = ()
) -> ChatFile | Refused:
    """The chats in a file of any known program, told by its content, or why there is none.

    A file of lines is not read further than its beginning: its entries are read when they are asked
    for. `filename` only gives a title; `greetings` are those of the card, for programs that leave the
    opening out of the chat. At most `MAX_BYTES`, and `MAX_JSON_BYTES` of what is one JSON value. Any
    bytes end in one or the other, in bounded time and memory.
    """
    if len(data) > MAX_BYTES:
        return Refused("too_large", f"{len(data)} bytes, at most {MAX_BYTES}")
    findings = Findings()
    found = _opened(data, greetings, findings)
    if isinstance(found, Refused):
        return found
    stem = PurePosixPath(filename.replace("\\", "/")).stem.strip()
    chats = tuple(replace(chat, title=chat.title or stem) for chat in found)
    return ChatFile(chats, findings.report())


def _opened(
    data: bytes, greetings: Sequence[str], findings: Findings
) -> tuple[Chat, ...] | Refused:
    if data.startswith(b"PK\x03\x04") and has_archive(data):
        return _in_archive(data, findings)
    if _is_binary(data):
        return Refused("not_a_chat", "no text")
    if data.endswith(b"\0") and wide_codec(data) is None:
        data = data.rstrip(b"\0")  # what a power cut leaves of the last block
    data = as_utf8(data, findings)
    if _begins_json(data[:4096]):
        return _in_json(data, greetings, findings)
    if len(data) > MAX_JSON_BYTES:
        return Refused("too_large", f"a text of {len(data)} bytes, at most {MAX_JSON_BYTES}")
    text = data.decode("utf-8", "replace").lstrip(_BOM)
    if text.lstrip().startswith("<"):
        value = risu.json_in_html(text)
        if value is None:
            return Refused("not_a_chat", "a page without a chat's data")
        return chats_in(value, greetings, findings)
    chat = read_plain(text, "", findings)
    return chat if isinstance(chat, Refused) else (chat,)


def _in_json(
    data: bytes, greetings: Sequence[str], findings: Findings
) -> tuple[Chat, ...] | Refused:
    lines = first_lines(data, 2)
    first = object_in(lines[0])
    if isinstance(first, dict) and is_row(first) and (len(lines) > 1 or _is_alone(first)):
        return (lines_chat(data, "", findings),)
    if isinstance(first, dict) and len(lines) > 1:
        if is_session(data):
            return (trees.read_session(data, findings),)
        rows = has_rows(data)
        return (lines_chat(data, "", findings),) if rows else Refused("not_a_chat", "other lines")
    if len(data) > MAX_JSON_BYTES:
        rows = has_rows(data)
        too_large = Refused("too_large", f"JSON of {len(data)} bytes, at most {MAX_JSON_BYTES}")
        return (lines_chat(data, "", findings),) if rows else too_large
    value = parse_json(data.decode("utf-8", "replace"))
    if not isinstance(value, JsonFault):
        return chats_in(value, greetings, findings)
    if len(lines) > 1 and has_rows(data):
        return (lines_chat(data, "", findings),)
    return _refused(value)


def _is_alone(first: JsonObject) -> bool:
    """Whether a single line is a chat by itself: other programs name a user and a character, too."""
    return "mes" in first or "chat_metadata" in first


def _in_archive(data: bytes, findings: Findings) -> tuple[Chat, ...] | Refused:
    """A `.kaistory`: a zip with the story in `story.json`."""
    archive = open_archive(data)
    if isinstance(archive, ArchiveFault):
        return _of_archive(archive)
    members = archive.members
    name = next((n for n in members if n.rpartition("/")[2].lower() == _STORY), None)
    if name is None:
        return Refused("not_a_chat", "an archive without a story.json")
    inner = archive.read(members[name], MAX_JSON_BYTES)
    if isinstance(inner, ArchiveFault):
        return _of_archive(inner)
    value = parse_json(as_utf8(inner, findings).decode("utf-8", "replace"))
    if isinstance(value, JsonFault):
        return _refused(value)
    if not isinstance(value, dict) or not kobold.is_united(value):
        return Refused("not_a_chat", "a story.json without a story")
    kept = [other for other in members if other != name]
    if kept:
        shown = ", ".join(kept)[:200]
        findings.kept("not_honoured", "zip", shown, value=shown)
    return kobold.read(value, findings, "kobold_united")


def _of_archive(fault: ArchiveFault) -> Refused:
    match fault.code:
        case "encrypted":
            return Refused("encrypted_archive", fault.detail)
        case "too_large":
            return Refused("too_large", fault.detail)
        case "not_zip" | "unsupported" | "corrupt":
            return Refused("corrupt", fault.detail)


def _refused(fault: JsonFault) -> Refused:
    match fault.code:
        case "too_deep" | "too_large":
            return Refused(fault.code, fault.detail)
        case "syntax" | "not_finite":
            return Refused("corrupt", f"not valid JSON: {fault.detail}")


def _is_binary(data: bytes) -> bool:
    start = data[:4096]
    return b"\0" in start.rstrip(b"\0") and wide_codec(data) is None and not _begins_json(start)


def _begins_json(start: bytes) -> bool:
    return start.decode("utf-8", "replace").lstrip(f"{_BOM} \t\r\n")[:1] in ("{", "[")
