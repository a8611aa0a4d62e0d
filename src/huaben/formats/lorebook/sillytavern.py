"""SillyTavern's world info file to a book and back (formats §2.1).

Separate from the embedded book: here entries are an object keyed by number, and every default is
SillyTavern's own.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.lore.values import Book, Entry, Position
from huaben.formats.lorebook.character_book import own_fields
from huaben.formats.lorebook.coerce import Fields, Path
from huaben.formats.lorebook.entries import (
    encode_entry,
    free_uids,
    laid_over,
    read_entry,
    uid_of,
)
from huaben.formats.lorebook.shelf import (
    carried_over,
    foreign_book,
    note_unknown,
    slots_of,
    write_slots,
)
from huaben.formats.report import Findings

PATHS: Final[Mapping[str, Path]] = MappingProxyType(
    {
        "keys": ("key",),
        "secondary": ("keysecondary",),
        "title": ("comment",),
        "content": ("content",),
        "constant": ("constant",),
        "vectorized": ("vectorized",),
        "selective": ("selective",),
        "logic": ("selectiveLogic",),
        "memo": ("addMemo",),
        "order": ("order",),
        "position": ("position",),
        "disabled": ("disable",),
        "ignore_budget": ("ignoreBudget",),
        "exclude_recursion": ("excludeRecursion",),
        "prevent_recursion": ("preventRecursion",),
        "match_persona": ("matchPersonaDescription",),
        "match_description": ("matchCharacterDescription",),
        "match_personality": ("matchCharacterPersonality",),
        "match_depth_prompt": ("matchCharacterDepthPrompt",),
        "match_scenario": ("matchScenario",),
        "match_creator_notes": ("matchCreatorNotes",),
        "delay_until_recursion": ("delayUntilRecursion",),
        "probability": ("probability",),
        "use_probability": ("useProbability",),
        "depth": ("depth",),
        "outlet": ("outletName",),
        "group": ("group",),
        "group_override": ("groupOverride",),
        "group_weight": ("groupWeight",),
        "group_scoring": ("useGroupScoring",),
        "scan_depth": ("scanDepth",),
        "case_sensitive": ("caseSensitive",),
        "whole_words": ("matchWholeWords",),
        "automation_id": ("automationId",),
        "role": ("role",),
        "sticky": ("sticky",),
        "cooldown": ("cooldown",),
        "delay": ("delay",),
        "triggers": ("triggers",),
        "display_index": ("displayIndex",),
        "filter": ("characterFilter",),
        "priority": ("extensions", "huaben", "priority"),
        "required": ("extensions", "huaben", "required"),
        "forbidden": ("extensions", "huaben", "forbidden"),
        "wildcards": ("extensions", "huaben", "wildcards"),
    }
)
_KNOWN: Final = frozenset({"uid", *(path[0] for path in PATHS.values())})
_BOOK_KNOWN: Final = frozenset({"entries", "name", "extensions", "originalData"})


def read(raw: JsonObject, name: str, findings: Findings) -> Book:
    """The book in a world info object; entries in the order SillyTavern walks them."""
    slots = slots_of(raw.get("entries"), findings)
    uids = free_uids([_wanted_uid(slot, entry) for slot, entry in slots])
    entries = tuple(
        _read_entry(entry, uid, slot, findings)
        for (slot, entry), uid in zip(slots, uids, strict=True)
    )
    note_unknown([entry for _, entry in slots], _KNOWN, "entries[*]", findings)
    note_unknown([raw], _BOOK_KNOWN, "", findings)
    own = raw.get("name")
    title = own if isinstance(own, str) and own.strip() else name
    original = raw.get("originalData")
    # What a card's book asked for beside its entries still holds in the file made from it.
    inner: JsonObject = original if isinstance(original, dict) else {}
    book = own_fields(inner, title, findings, where="originalData")
    return replace(book, name=title, entries=entries, raw=raw, dialect="sillytavern")


def write(book: Book) -> JsonObject:
    """The book as a world info object; of a book read from one, every unchanged value is as it was.

    A book of another dialect keeps what it came from: a card's book as `originalData`, as
    SillyTavern does, any other under `extensions.huaben`.
    """
    native = book.dialect == "sillytavern"
    base: JsonObject = dict(book.raw) if native else {}
    base["entries"] = write_slots(
        base.get("entries", {}), [(entry, _write_entry(entry)) for entry in book.entries]
    )
    own = base.get("name")
    if not native or (isinstance(own, str) and own.strip()):
        # A file without a name is called by its file name, and stays without one.
        base["name"] = book.name
    if native:
        return base
    if book.dialect in ("character_book", "lorebook_v3"):
        base["originalData"] = book.raw
    else:
        base["extensions"] = {"huaben": foreign_book(book)}
    return base


def _wanted_uid(slot: str, entry: JsonObject) -> int | None:
    uid = uid_of(entry.get("uid"))
    return uid_of(slot) if uid is None else uid


def _read_entry(raw: JsonObject, uid: int, slot: str, findings: Findings) -> Entry:
    fields = Fields(raw, PATHS, f"entries.{slot}", findings, text_keys="never")
    return read_entry(fields, uid, slot, fallback=Position.BEFORE_CHAR)


def _write_entry(entry: Entry) -> JsonObject:
    now = encode_entry(entry)
    if entry.slot is not None and entry.dialect == "sillytavern":
        before = encode_entry(_read_entry(entry.raw, entry.uid, "", Findings()))
        return laid_over(entry.raw, now, before, PATHS)
    kept = carried_over(entry)
    base: JsonObject = {"uid": entry.uid} if not kept else {"uid": entry.uid, "extensions": kept}
    return laid_over(base, now, None, PATHS)
