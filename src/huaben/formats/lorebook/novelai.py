"""NovelAI's lorebook file to a book (formats §2.8); apart because its windows count characters."""

from types import MappingProxyType
from typing import Final

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.lore.values import Book, Entry
from huaben.formats.lorebook.coerce import Fields
from huaben.formats.lorebook.members import Members, read_members, text_of
from huaben.formats.lorebook.shelf import note_unknown
from huaben.formats.report import Findings

_KNOWN: Final = frozenset(
    {"lorebookVersion", "entries", "settings", "categories", "order", "name", "description"}
)


def read(raw: JsonObject, name: str, findings: Findings) -> Book:
    """The book; `budgetPriority` becomes the order, `forceActivation` the constant flag.

    The search range counts characters and insertion positions count lines; both are kept and named,
    not honoured.
    """
    note_unknown([raw], _KNOWN, "", findings)
    for field in ("categories", "settings"):
        if raw.get(field):
            findings.kept("not_honoured", field, "kept")
    return Book(
        name=text_of(raw, "name") or name,
        description=text_of(raw, "description"),
        entries=read_members(raw.get("entries"), _MEMBERS, findings),
        raw=raw,
        dialect="novelai",
    )


def _finish(entry: Entry, fields: Fields) -> Entry:
    config = fields.raw.get("contextConfig")
    if isinstance(config, dict):
        for part in ("prefix", "suffix"):
            # NovelAI writes a bare line end there unless the author chose otherwise.
            if config.get(part) not in (None, "", "\n"):
                findings = fields.findings
                findings.kept("not_honoured", f"{fields.where}.contextConfig.{part}", "kept")
    return entry


_MEMBERS: Final = Members(
    dialect="novelai",
    paths=MappingProxyType(
        {
            "keys": ("keys",),
            "title": ("displayName",),
            "content": ("text",),
            "enabled": ("enabled",),
            "constant": ("forceActivation",),
            "order": ("contextConfig", "budgetPriority"),
        }
    ),
    unhonoured=frozenset(
        {
            "searchRange",
            "keyRelative",
            "nonStoryActivatable",
            "category",
            "loreBiasGroups",
            "lastUpdatedAt",
        }
    ),
    finish=_finish,
    id_field="id",
)
