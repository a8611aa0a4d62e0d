"""RisuAI's lorebook export to a book (formats §2.8); apart because folders lie among its entries."""

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.keytext import looks_like_regex
from huaben.domain.lore.matching import trim_js
from huaben.domain.lore.values import Book, Entry
from huaben.formats.lorebook.coerce import Fields
from huaben.formats.lorebook.members import Members, read_members, text_of
from huaben.formats.lorebook.shelf import note_unknown
from huaben.formats.report import Findings

_KNOWN: Final = frozenset({"type", "ver", "data", "name"})
_FOLDER_MARK: Final = "\uf000"
_PLAIN_MODES: Final = frozenset({"", "normal", "constant"})


def read(raw: JsonObject, name: str, findings: Findings) -> Book:
    """The book; with `useRegex` a key is one pattern with its flags, commas included.

    Folders are no entries: they stay in the original and are named.
    """
    note_unknown([raw], _KNOWN, "", findings)
    return Book(
        name=text_of(raw, "name") or name,
        entries=read_members(_without_folders(raw.get("data"), findings), _MEMBERS, findings),
        raw=raw,
        dialect="risu",
    )


def _without_folders(container: Json, findings: Findings) -> Json:
    if not isinstance(container, list):
        return container
    members: JsonObject = {}
    for at, member in enumerate(container):
        if isinstance(member, dict) and _is_folder(member):
            called = text_of(member, "comment")
            findings.kept("folder_kept", f"entries.{at}", called, value=called)
        else:
            members[str(at)] = member
    return members


def _is_folder(member: JsonObject) -> bool:
    return member.get("mode") == "folder" or text_of(member, "key").startswith(_FOLDER_MARK)


def _finish(entry: Entry, fields: Fields) -> Entry:
    mode = text_of(fields.raw, "mode")
    if mode not in _PLAIN_MODES:
        fields.findings.kept("not_honoured", f"{fields.where}.mode", mode, value=mode)
    entry = replace(entry, constant=entry.constant or mode == "constant")
    if fields.raw.get("useRegex") is not True:
        return entry
    return replace(entry, keys=_pattern(fields, "key"), secondary=_pattern(fields, "secondkey"))


def _pattern(fields: Fields, name: str) -> tuple[str, ...]:
    value = fields.raw.get(name)
    key = trim_js(value) if isinstance(value, str) else ""
    if not key or looks_like_regex(key):
        return (key,) if key else ()
    return ("/" + key.replace("\\/", "/").replace("/", "\\/") + "/",)


_MEMBERS: Final = Members(
    dialect="risu",
    paths=MappingProxyType(
        {
            "keys": ("key",),
            "secondary": ("secondkey",),
            "title": ("comment",),
            "content": ("content",),
            "constant": ("alwaysActive",),
            "selective": ("selective",),
            "order": ("insertorder",),
            "probability": ("activationPercent",),
            # The spelling is RisuAI's.
            "case_sensitive": ("extentions", "risu_case_sensitive"),
            "use_regex": ("useRegex",),
            "mode": ("mode",),
        }
    ),
    unhonoured=frozenset({"folder", "bookVersion", "loreCache"}),
    finish=_finish,
    id_field="id",
)
