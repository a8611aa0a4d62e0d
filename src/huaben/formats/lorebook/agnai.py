"""Agnai's memory book to a book (formats §2.8); apart because its keys know wildcards."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.lore.values import Book, Entry
from huaben.formats.lorebook.coerce import Fields
from huaben.formats.lorebook.members import Members, read_members, text_of
from huaben.formats.lorebook.shelf import note_unknown
from huaben.formats.report import Findings

_KNOWN: Final = frozenset({"kind", "name", "description", "entries", "_id", "userId", "extensions"})


def read(raw: JsonObject, name: str, findings: Findings) -> Book:
    """The book; `weight`, highest at the bottom, becomes the order, and `*` and `?` are wildcards."""
    note_unknown([raw], _KNOWN, "", findings)
    return Book(
        name=text_of(raw, "name") or name,
        description=text_of(raw, "description"),
        entries=read_members(raw.get("entries"), _MEMBERS, findings),
        raw=raw,
        dialect="agnai",
    )


def _finish(entry: Entry, fields: Fields) -> Entry:
    del fields
    return replace(entry, wildcards=any("*" in key or "?" in key for key in entry.keys))


_MEMBERS: Final = Members(
    dialect="agnai",
    paths=MappingProxyType(
        {
            "keys": ("keywords",),
            "title": ("name",),
            "content": ("entry",),
            "enabled": ("enabled",),
            "order": ("weight",),
            "priority": ("priority",),
        }
    ),
    unhonoured=frozenset(),
    finish=_finish,
    id_field="id",
)
