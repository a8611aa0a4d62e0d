"""KoboldAI's world info to a book: Lite's save and United's second version (formats §2.8).

Apart because their key fields are comma strings in one and lists in the other.
"""

from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import Book, Entry, Logic
from huaben.formats.lorebook.coerce import Fields
from huaben.formats.lorebook.members import Members, read_members
from huaben.formats.report import Findings


def read(
    raw: JsonObject,
    name: str,
    findings: Findings,
    *,
    dialect: Literal["kobold_lite", "kobold_united"],
) -> Book:
    """The book among whatever else a save holds; all of the save stays in the original.

    `keyanti` becomes NOT ANY of those keys, or forbidden keys beside secondary ones.
    """
    container, members = _where(raw, dialect)
    rest = [key for key in raw if key not in ("worldinfo", "worldinfo_v2", "entries", "folders")]
    if rest:
        findings.kept("not_lore", "", f"{len(rest)} other fields of a save", n=len(rest))
    return Book(
        name=name,
        entries=read_members(container, members, findings),
        raw=raw,
        dialect=dialect,
    )


def _where(
    raw: JsonObject, dialect: Literal["kobold_lite", "kobold_united"]
) -> tuple[Json, Members]:
    if dialect == "kobold_lite":
        return raw.get("worldinfo"), _LITE
    nested = raw.get("worldinfo_v2")
    return (nested if isinstance(nested, dict) else raw).get("entries"), _UNITED


def _finish(entry: Entry, fields: Fields) -> Entry:
    against = fields.keys("against")
    if not against:
        return entry
    if entry.selective and entry.secondary:
        return replace(entry, forbidden=against)
    # Secondary keys that were switched off would wake up with `selective`.
    return replace(entry, selective=True, logic=Logic.NOT_ANY, secondary=against)


_PATHS: Final = {
    "keys": ("key",),
    "secondary": ("keysecondary",),
    "against": ("keyanti",),
    "title": ("comment",),
    "content": ("content",),
    "selective": ("selective",),
    "constant": ("constant",),
    "probability": ("probability",),
    "disabled": ("widisabled",),
}
_LITE: Final = Members(
    dialect="kobold_lite",
    paths=MappingProxyType(_PATHS),
    unhonoured=frozenset({"folder", "wigroup"}),
    finish=_finish,
)
_UNITED: Final = Members(
    dialect="kobold_united",
    paths=MappingProxyType(_PATHS),
    unhonoured=frozenset({"folder", "manual_text", "num", "init", "type"}),
    finish=_finish,
    id_field="uid",
)
