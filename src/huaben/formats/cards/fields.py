"""A card's fields read from JSON of any type; apart because real files deviate in every one of them."""

from dataclasses import dataclass

from huaben.domain.card import Asset, Card, depth_prompt_of, number_of
from huaben.domain.jsonvalue import Json, JsonObject, dump_json
from huaben.formats.cards.dialects import ALIASES, View
from huaben.formats.cards.private import FAVOURITE
from huaben.formats.mojibake import unbaked
from huaben.formats.notecodes import Why
from huaben.formats.report import Findings

TEXT_FIELDS = (
    "name",
    "nickname",
    "description",
    "personality",
    "scenario",
    "first_mes",
    "mes_example",
    "creator_notes",
    "system_prompt",
    "post_history_instructions",
    "creator",
    "character_version",
)
LIST_FIELDS = ("alternate_greetings", "group_only_greetings", "tags", "source")
DATE_FIELDS = ("creation_date", "modification_date")
OTHER_FIELDS = ("creator_notes_multilingual", "assets", "character_book", "extensions")
FIELDS = (*TEXT_FIELDS, *LIST_FIELDS, *DATE_FIELDS, *OTHER_FIELDS)

_MILLISECONDS_FROM = 100_000_000_000
_ASSET_FIELDS = ("type", "uri", "name", "ext")
_SCRIPTS = ("tavern_helper", "TavernHelper_scripts")
_RISU_SCRIPTS = ("customScripts", "triggerscript", "backgroundHTML", "virtualscript")


def card_of(view: View, findings: Findings) -> Card:
    """Reads every field, whatever JSON type it has, and notes what was read as something else.

    Nothing is refused here: a field that cannot be read is empty in the card and stays in `raw`.
    """
    read = _Reader(view.data, view.prefix, findings)
    card = Card(
        name=read.text("name"),
        nickname=read.text("nickname"),
        description=read.text("description"),
        personality=read.text("personality"),
        scenario=read.text("scenario"),
        first_mes=read.text("first_mes"),
        mes_example=read.text("mes_example"),
        creator_notes=read.text("creator_notes"),
        creator_notes_multilingual=read.by_language("creator_notes_multilingual"),
        system_prompt=read.text("system_prompt"),
        post_history_instructions=read.text("post_history_instructions"),
        alternate_greetings=read.texts("alternate_greetings"),
        group_only_greetings=read.texts("group_only_greetings"),
        tags=read.tags("tags"),
        creator=read.text("creator"),
        character_version=read.text("character_version"),
        assets=read.assets("assets"),
        source=read.texts("source"),
        creation_date=read.seconds("creation_date"),
        modification_date=read.seconds("modification_date"),
        book=read.book("character_book"),
        extensions=read.extensions("extensions"),
        spec=view.spec,
        raw=view.raw,
    )
    _note_kept(view, card, findings)
    return card


@dataclass(frozen=True, slots=True)
class _Reader:
    data: JsonObject
    prefix: str
    findings: Findings

    def text(self, key: str) -> str:
        value = self.data.get(key)
        if isinstance(value, str):
            if unbaked(value) is not None:
                self.findings.warn("mojibake", self.prefix + key, value[:40], value=value[:40])
            return value
        if value is None:
            return ""
        if isinstance(value, list):
            self.findings.changed("list_as_text", self.prefix + key, "lines joined")
            return "\n".join(item for item in value if isinstance(item, str))
        if isinstance(value, dict):
            return self.unreadable(key, "an object where text is due") or ""
        self.findings.changed(
            "number_as_text", self.prefix + key, (shown := dump_json(value)), value=shown
        )
        return dump_json(value)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key)
        if isinstance(value, str):
            self.findings.changed("text_as_list", self.prefix + key, "one text where a list is due")
            return (value,) if value else ()
        if value is None:
            return ()
        if not isinstance(value, list):
            self.unreadable(key, "neither list nor text")
            return ()
        found: list[str] = []
        for index, item in enumerate(value):
            if isinstance(item, str):
                found.append(item)
            elif isinstance(item, bool | int | float):
                self.findings.changed("number_as_text", f"{self.prefix}{key}[{index}]")
                found.append(dump_json(item))
            else:
                self.unreadable(f"{key}[{index}]", "not a text")
        return tuple(found)

    def tags(self, key: str) -> tuple[str, ...]:
        value = self.data.get(key)
        if not isinstance(value, str):
            return self.texts(key)
        self.findings.changed("text_as_list", self.prefix + key, "split at commas")
        parts = (part.strip() for part in value.replace("，", ",").split(","))
        return tuple(part for part in parts if part)

    def seconds(self, key: str) -> int:
        value = self.data.get(key)
        found = number_of(value)
        if found is None or found < 0:
            if value not in (None, ""):
                self.unreadable(key, "not a time in seconds")
            return 0
        if found >= _MILLISECONDS_FROM:
            self.findings.changed("milliseconds", self.prefix + key, "read as seconds / 1000")
            return int(found / 1000)
        return int(found)

    def by_language(self, key: str) -> dict[str, str]:
        value = self.object_or_none(key) or {}
        return {language: text for language, text in value.items() if isinstance(text, str)}

    def assets(self, key: str) -> tuple[Asset, ...]:
        value = self.data.get(key)
        if value is None:
            return ()
        if not isinstance(value, list):
            self.unreadable(key, "not a list")
            return ()
        found: list[Asset] = []
        for index, item in enumerate(value):
            if isinstance(item, dict) and isinstance(item.get("uri"), str):
                found.append(_asset(item))
            else:
                self.unreadable(f"{key}[{index}]", "not an asset")
        return tuple(found)

    def book(self, key: str) -> JsonObject | None:
        value = self.data.get(key)
        if isinstance(value, list) and value:
            self.findings.changed("book_wrapped", self.prefix + key, "a bare list of entries")
            return {"entries": value}
        return self.object_or_none(key)

    def extensions(self, key: str) -> JsonObject:
        found = self.object_or_none(key) or {}
        path = f"{self.prefix}{key}"
        note = found.get("depth_prompt")
        read = depth_prompt_of(found)
        if isinstance(note, dict) and read is not None:
            depth, role = note.get("depth"), note.get("role")
            if depth is not None and (isinstance(depth, bool) or depth != read.depth):
                self.findings.changed(
                    "number_normalised",
                    f"{path}.depth_prompt.depth",
                    f"read as {read.depth}",
                    now=read.depth,
                )
            if role is not None and role != read.role:
                self.findings.changed(
                    "role_normalised",
                    f"{path}.depth_prompt.role",
                    f"read as {read.role}",
                    now=read.role,
                )
        if isinstance(found.get("talkativeness"), str):
            self.findings.changed("number_normalised", f"{path}.talkativeness", "was text")
        return found

    def object_or_none(self, key: str) -> JsonObject | None:
        value = self.data.get(key)
        if isinstance(value, dict):
            return value
        if value not in (None, "", []):
            self.unreadable(key, "not an object")
        return None

    def unreadable(self, key: str, why: Why) -> None:
        self.findings.warn("unreadable_field", self.prefix + key, why, why=why)


def _asset(item: JsonObject) -> Asset:
    ext = _word(item.get("ext")).lower().lstrip(".")
    return Asset(
        kind=_word(item.get("type")) or "icon",
        uri=_word(item.get("uri")),
        name=_word(item.get("name")),
        ext=ext or "unknown",
        extra={key: value for key, value in item.items() if key not in _ASSET_FIELDS},
    )


def _word(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _note_kept(view: View, card: Card, findings: Findings) -> None:
    """Names what is there: fields in use, unknown ones kept for export, scripts that will not run."""
    for key, value in view.data.items():
        if key in FIELDS:
            if value not in (None, "", [], {}):
                findings.kept("field", view.prefix + key)
        elif view.is_native and key != FAVOURITE:
            findings.kept("unknown_field", view.prefix + key, "kept for export")
    known = {"spec", "spec_version", "data", FAVOURITE, *FIELDS, *ALIASES}
    for key in view.raw:
        if key not in known:
            findings.kept("unknown_field", key, "kept for export")
    for key in card.extensions:
        if key != FAVOURITE:
            findings.kept("extension", f"{view.prefix}extensions.{key}", "kept for export")
    risu = card.extensions.get("risuai")
    scripts = [key for key in _SCRIPTS if card.extensions.get(key)]
    if isinstance(risu, dict):
        scripts += [f"risuai.{key}" for key in _RISU_SCRIPTS if risu.get(key)]
    if card.regex_scripts:
        path = f"{view.prefix}extensions.regex_scripts"
        findings.warn("scripts_waiting", path, "kept; they run once you allow them")
    for key in scripts:
        findings.warn("scripts_not_run", f"{view.prefix}extensions.{key}", "kept, never executed")
