"""AI Dungeon's story cards to a book (formats §2.8); apart because the file is a bare array."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.lore.values import Book, Entry
from huaben.formats.lorebook.coerce import Fields
from huaben.formats.lorebook.members import Members, read_members
from huaben.formats.report import Findings


def read(raw: JsonObject, name: str, findings: Findings) -> Book:
    """The book in `{"ai_dungeon": […]}`; a card's text is its `value`, in later files its `entry`."""
    return Book(
        name=name,
        entries=read_members(raw.get("ai_dungeon"), _MEMBERS, findings),
        raw=raw,
        dialect="ai_dungeon",
    )


def _finish(entry: Entry, fields: Fields) -> Entry:
    return entry if entry.content else replace(entry, content=fields.text("entry"))


_MEMBERS: Final = Members(
    dialect="ai_dungeon",
    paths=MappingProxyType(
        {
            "keys": ("keys",),
            "title": ("title",),
            "content": ("value",),
            "entry": ("entry",),
        }
    ),
    unhonoured=frozenset({"type", "description", "useForCharacterCreation"}),
    finish=_finish,
    id_field="id",
)
