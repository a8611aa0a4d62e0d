"""Our own file of a chat: the whole tree as JSON, and back; apart because it is the one form that holds
branches, variants and what was quarantined alike."""

import base64
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Final, cast

from huaben.domain.card import number_of
from huaben.domain.jsonvalue import JsonObject, dump_json
from huaben.formats.base64ish import decode_base64
from huaben.formats.chats.fields import first_text, object_of, objects_of, text_of, truth_of
from huaben.formats.chats.grove import Node, mended
from huaben.formats.chats.moments import moment_of
from huaben.formats.chats.values import (
    Chat,
    Dialect,
    Entry,
    Held,
    Message,
    Quarantined,
    Role,
    Variant,
)
from huaben.formats.report import Findings

SPEC: Final = "huaben_chat"
VERSION: Final = "1.0"
_ROLES: Final[dict[str, Role]] = {"user": "user", "assistant": "assistant", "system": "system"}


def is_native(raw: JsonObject) -> bool:
    """Whether it says so."""
    return raw.get("spec") == SPEC


def write_native(chat: Chat, entries: Iterable[Entry]) -> bytes:
    """The chat with these entries as indented UTF-8 JSON."""
    value: JsonObject = {
        "spec": SPEC,
        "spec_version": VERSION,
        "title": chat.title,
        "user": chat.user,
        "character": chat.character,
        "dialect": chat.dialect,
        "headed": chat.headed,
        "stands": chat.stands,
        "header": chat.header,
        "entries": [_entry(entry) for entry in entries],
    }
    return f"{dump_json(value, indent=1)}\n".encode()


def _entry(entry: Entry) -> JsonObject:
    common: JsonObject = {"id": entry.id, "parent": entry.parent, "place": entry.place}
    if isinstance(entry, Quarantined):
        content = base64.b64encode(entry.content).decode()
        return {**common, "quarantined": entry.code, "detail": entry.detail, "content": content}
    return {
        **common,
        "role": entry.role,
        "name": entry.name,
        "hidden": entry.hidden,
        "active": entry.active,
        "variants": [_variant(variant) for variant in entry.variants],
        "raw": entry.raw,
    }


def _variant(variant: Variant) -> JsonObject:
    value: JsonObject = {"text": variant.text}
    if variant.reasoning:
        value["reasoning"] = variant.reasoning
    if variant.model:
        value["model"] = variant.model
    if variant.moment is not None:
        value["date"] = variant.moment.raw
    if variant.written is not None:
        value["written"] = variant.written
    if variant.info:
        value["info"] = variant.info
    return value


def read_native(raw: JsonObject, findings: Findings) -> Chat:
    """The same chat; entries without a place are mended as in any tree."""
    entries = _placed([_read_entry(one) for one in objects_of(raw.get("entries"))])
    stands = first_text(raw, "stands") or None
    if _is_whole(entries, stands):
        held = Held(tuple(entries))
    else:
        messages = [entry for entry in entries if isinstance(entry, Message)]
        if len(messages) < len(entries):
            n = len(entries) - len(messages)
            findings.dropped("quarantine_without_place", "", f"{n}", n=n)
        grove = mended((Node(m.id, m.parent, m) for m in messages), stands, findings)
        held, stands = grove.held, grove.stands
    return Chat(
        dialect=cast(
            "Dialect", text_of(raw.get("dialect")) or "huaben"
        ),  # as `write_native` wrote it
        entries=held,
        title=first_text(raw, "title"),
        header=object_of(raw.get("header")),
        headed=truth_of(raw.get("headed")),
        user=first_text(raw, "user"),
        character=first_text(raw, "character"),
        stands=stands,
    )


def _placed(entries: list[Entry]) -> list[Entry]:
    """The entries with places that only grow, as rows are found by them."""
    places = [entry.place for entry in entries]
    if all(before < after for before, after in pairwise([-1, *places])):
        return entries
    return [replace(entry, place=place) for place, entry in enumerate(entries, 1)]


def _is_whole(entries: Iterable[Entry], stands: str | None) -> bool:
    """Whether every entry follows the one that it names."""
    known: set[str | None] = {None}
    for entry in entries:
        if entry.id in known or entry.parent not in known:
            return False
        known.add(entry.id)
    return stands in known


def _read_entry(raw: JsonObject) -> Entry:
    node_id, parent = text_of(raw.get("id")), raw.get("parent")
    above = None if parent is None else text_of(parent)
    place = int(number_of(raw.get("place")) or 0)
    if "quarantined" in raw:
        content = decode_base64(text_of(raw.get("content")).encode("ascii", "ignore"))
        code = text_of(raw.get("quarantined"))
        return Quarantined(node_id, above, place, content, code, first_text(raw, "detail"))
    role = _ROLES.get(text_of(raw.get("role")), "system")
    variants = [_read_variant(one) for one in objects_of(raw.get("variants"))] or [Variant("")]
    active = max(0, min(int(number_of(raw.get("active")) or 0), len(variants) - 1))
    return Message(
        id=node_id,
        parent=above,
        role=role,
        name=text_of(raw.get("name")),
        variants=tuple(variants),
        active=active,
        hidden=truth_of(raw.get("hidden")),
        place=place,
        raw=object_of(raw.get("raw")),
    )


def _read_variant(raw: JsonObject) -> Variant:
    written = raw.get("written")
    return Variant(
        text=text_of(raw.get("text")),
        reasoning=first_text(raw, "reasoning"),
        model=first_text(raw, "model"),
        moment=moment_of(raw.get("date")),
        written=written if isinstance(written, str) else None,
        info=object_of(raw.get("info")),
    )
