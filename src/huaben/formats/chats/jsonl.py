"""A file of SillyTavern's lines as entries, read line by line, and written again with what could not be
read in its place; apart from the rows, which know nothing of files."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from huaben.domain.jsonvalue import JsonFault, JsonObject, dump_json
from huaben.formats.chats.fields import object_of
from huaben.formats.chats.lines import is_utf8, lines_of, object_in
from huaben.formats.chats.sillytavern import (
    ROW_FIELDS,
    UNUSED,
    header_name,
    is_header,
    read_row,
    write_row,
)
from huaben.formats.chats.values import Chat, Entry, Message, Quarantined
from huaben.formats.report import Findings

NOT_HONOURED = (
    "world_info",
    "persona",
    "scenario",
    "system_prompt",
    "mes_example",
    "variables",
    "timedWorldInfo",
    "script_injects",
    "attachments",
    "quickReply",
)
"""What a header's metadata may hold that takes no part in play here; the author's note is for whoever
makes a story of the chat."""


@dataclass(frozen=True, slots=True)
class Lines:
    """The entries of a file of lines. Reading them holds one line at a time beside the file."""

    data: bytes

    def read(self, findings: Findings) -> Iterator[Entry]:
        """Each line that is not blank: a message, or what is quarantined. The header is neither."""
        parent: str | None = None
        known = set(ROW_FIELDS)
        is_first = True
        for place, line in lines_of(self.data):
            raw = object_in(line)
            if is_first and isinstance(raw, dict) and is_header(raw):
                is_first = False
                continue
            is_first = False
            entry = _entry(raw, place, parent, line, findings)
            if isinstance(entry, Message):
                _note_unknown(entry.raw, known, findings)
            yield entry
            parent = entry.id


def lines_chat(data: bytes, title: str, findings: Findings) -> Chat:
    """The chat in a file of lines; only its header is read now."""
    first = next(lines_of(data), None)
    raw = {} if first is None else object_in(first[1])
    headed = isinstance(raw, dict) and is_header(raw)
    header: JsonObject = raw if isinstance(raw, dict) and headed else {}
    metadata = object_of(header.get("chat_metadata"))
    for name in NOT_HONOURED:
        if metadata.get(name):
            findings.kept("not_honoured", f"chat_metadata.{name}")
    return Chat(
        dialect="sillytavern",
        entries=Lines(data),
        title=title,
        header=header,
        headed=headed,
        user=header_name(header, "user_name"),
        character=header_name(header, "character_name"),
    )


def write_lines(chat: Chat, entries: Iterable[Entry]) -> Iterator[bytes]:
    """SillyTavern's file of these entries of a chat, line by line, each with its end.

    The header stays as it was read, and a file without one gets none; what another program said of
    its chat stands in `chat_metadata.huaben`. What was quarantined is written back as it stood.
    """
    if chat.headed or chat.dialect != "sillytavern":
        yield _line(chat.header if chat.headed else new_header(chat))
    for entry in entries:
        if isinstance(entry, Quarantined):
            yield entry.content + b"\n"
        else:
            yield _line(write_row(entry, chat.dialect))


def new_header(chat: Chat) -> JsonObject:
    """A header for a chat that has none of SillyTavern's."""
    origin: JsonObject = {"dialect": chat.dialect, "header": chat.header}
    metadata: JsonObject = {"huaben": origin} if chat.header else {}
    return {
        "chat_metadata": metadata,
        "user_name": chat.user or UNUSED,
        "character_name": chat.character or UNUSED,
    }


def _line(raw: JsonObject) -> bytes:
    return dump_json(raw).encode() + b"\n"


def _entry(
    raw: JsonObject | JsonFault, place: int, parent: str | None, line: bytes, findings: Findings
) -> Entry:
    """The message of a line, or the line in quarantine, named in the report."""
    where = f"line {place}"
    if isinstance(raw, dict) and "mes" in raw:
        if not is_utf8(line):
            findings.warn("bad_encoding", where)
        return read_row(raw, place, parent, findings)
    if isinstance(raw, dict):
        shown = ", ".join(list(raw)[:8])
        fault = JsonFault("syntax", f"no message; its fields are: {shown}")
        code = "not_a_message"
    else:
        fault, code = raw, "torn_line" if raw.code == "syntax" else raw.code
    findings.warn(code, where, fault.detail)
    return Quarantined(str(place), parent, place, line, code, fault.detail)


def _note_unknown(raw: JsonObject, known: set[str], findings: Findings) -> None:
    """Names a field of a row once, however many rows have it."""
    for name in raw:
        if name not in known:
            known.add(name)
            findings.kept("unknown_field", f"mes[].{name}")
