"""Which program a lorebook came from, told by its shape; apart so that one place holds the marks."""

from typing import Final, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import BookDialect
from huaben.formats.lorebook.file import Refused

Recognised: TypeAlias = tuple[BookDialect, JsonObject]

_CARD_FIELDS: Final = frozenset({"first_mes", "char_persona", "mes_example", "char_greeting"})
_SAMPLE: Final = 16


def recognise(value: Json) -> Recognised | Refused:
    """The dialect of a parsed file and its object, or what the file is instead (formats §2.8).

    AI Dungeon's files are arrays; they are kept as the object `{"ai_dungeon": […]}`, which is
    recognised too.
    """
    if isinstance(value, list):
        value = {"ai_dungeon": value}
    if not isinstance(value, dict):
        return Refused("not_a_lorebook", f"a JSON {type(value).__name__}")
    if _is_card(value):
        return Refused("card_file", "this is a character card; its own book is read with it")
    dialect = _dialect(value)
    if dialect is None:
        shown = ", ".join(list(value)[:8])
        return Refused("not_a_lorebook", f"no entries of a known shape; the fields are: {shown}")
    return dialect, value


def _dialect(value: JsonObject) -> BookDialect | None:
    if value.get("spec") == "lorebook_v3" and isinstance(value.get("data"), dict):
        return "lorebook_v3"
    if "lorebookVersion" in value:
        return "novelai"
    if value.get("kind") == "memory":
        return "agnai"
    if value.get("type") == "risu" and isinstance(value.get("data"), list):
        return "risu"
    if "ai_dungeon" in value:
        return "ai_dungeon" if _is_ai_dungeon(value["ai_dungeon"]) else None
    if isinstance(value.get("worldinfo_v2"), dict):
        return "kobold_united"
    if isinstance(value.get("worldinfo"), list):
        return "kobold_lite"
    return _by_entries(value)


def _by_entries(value: JsonObject) -> BookDialect | None:
    """World info and card books both say `entries`; their entries name the keys differently."""
    entries = value.get("entries")
    if not isinstance(entries, list | dict):
        return None
    members = list(entries) if isinstance(entries, list) else list(entries.values())
    sample = [member for member in members[:_SAMPLE] if isinstance(member, dict)]
    if any("key" in member or "keysecondary" in member for member in sample):
        return "kobold_united" if isinstance(value.get("folders"), dict) else "sillytavern"
    if any("keys" in member or "secondary_keys" in member for member in sample):
        return "character_book"
    if members and not sample:
        return None
    return "sillytavern" if isinstance(entries, dict) else "character_book"


def _is_card(value: JsonObject) -> bool:
    spec = value.get("spec")
    if isinstance(spec, str) and spec.startswith("chara_card"):
        return True
    data = value.get("data")
    inner = data if isinstance(data, dict) else {}
    return any(field in value or field in inner for field in _CARD_FIELDS)


def _is_ai_dungeon(cards: Json) -> bool:
    if not isinstance(cards, list):
        return False
    sample = [card for card in cards[:_SAMPLE] if isinstance(card, dict)]
    return any("keys" in card and ("value" in card or "entry" in card) for card in sample)
