"""Lorebook files as their own programs write them, for tests that read them back."""

import json

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore import Book
from huaben.formats.lorebook import BookFile, Refused, read_book


def st_entry(uid: int = 0, **changed: Json) -> JsonObject:
    """A whole entry of a SillyTavern file, every field there and at its default."""
    entry: JsonObject = {
        "uid": uid,
        "key": ["旧伞"],
        "keysecondary": [],
        "comment": "旧伞",
        "content": "一把油纸伞。",
        "constant": False,
        "vectorized": False,
        "selective": True,
        "selectiveLogic": 0,
        "addMemo": True,
        "order": 100,
        "position": 0,
        "disable": False,
        "ignoreBudget": False,
        "excludeRecursion": False,
        "preventRecursion": False,
        "matchPersonaDescription": False,
        "matchCharacterDescription": False,
        "matchCharacterPersonality": False,
        "matchCharacterDepthPrompt": False,
        "matchScenario": False,
        "matchCreatorNotes": False,
        "delayUntilRecursion": 0,
        "probability": 100,
        "useProbability": True,
        "depth": 4,
        "outletName": "",
        "group": "",
        "groupOverride": False,
        "groupWeight": 100,
        "scanDepth": None,
        "caseSensitive": None,
        "matchWholeWords": None,
        "useGroupScoring": None,
        "automationId": "",
        "role": 0,
        "sticky": None,
        "cooldown": None,
        "delay": None,
        "triggers": [],
        "displayIndex": 0,
        "characterFilter": {"isExclude": False, "names": [], "tags": []},
    }
    return {**entry, **changed}


def st_file(*entries: JsonObject, **top: Json) -> JsonObject:
    """A SillyTavern file of these entries, keyed by their position."""
    return {"entries": {str(at): entry for at, entry in enumerate(entries)}, **top}


def card_entry(**changed: Json) -> JsonObject:
    """An entry of a card's book with what the V2 specification requires."""
    entry: JsonObject = {
        "keys": ["lantern"],
        "content": "A paper lantern.",
        "extensions": {},
        "enabled": True,
        "insertion_order": 100,
    }
    return {**entry, **changed}


def card_book(*entries: JsonObject, **top: Json) -> JsonObject:
    """A `character_book` of these entries."""
    return {"name": "Harbour", "extensions": {}, "entries": list(entries), **top}


def as_file(value: Json, indent: int | None = 4) -> bytes:
    """The bytes a JavaScript program would write for a value."""
    return json.dumps(
        value,
        ensure_ascii=False,
        indent=indent,
        separators=(",", ":") if indent is None else (",", ": "),
    ).encode()


def taken(value: Json | bytes, filename: str = "book.json") -> BookFile:
    """The lorebook read from a value or bytes, or a failure that shows the refusal."""
    found = read_book(value if isinstance(value, bytes) else as_file(value), filename)
    assert isinstance(found, BookFile), found
    return found


def refused(value: Json | bytes) -> Refused:
    """The refusal, or a failure."""
    found = read_book(value if isinstance(value, bytes) else as_file(value), "book.json")
    assert isinstance(found, Refused), found
    return found


def book_of(value: Json) -> Book:
    """The book of a file's value."""
    return taken(value).book
