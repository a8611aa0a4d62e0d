"""The book inside a V2 or V3 card, and the stand-alone V3 lorebook (formats §1.2, §1.3, §2.1).

Separate from the world info file: here the specification has its own names, and what SillyTavern
added lives under `extensions`, one field in camel case.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.keytext import looks_like_regex
from huaben.domain.lore.values import Book, Entry, Position
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
from huaben.formats.notecodes import Why
from huaben.formats.report import Findings

_X: Final = "extensions"
PATHS: Final[Mapping[str, Path]] = MappingProxyType(
    {
        "keys": ("keys",),
        "secondary": ("secondary_keys",),
        "title": ("comment",),
        "content": ("content",),
        "constant": ("constant",),
        "selective": ("selective",),
        "order": ("insertion_order",),
        "enabled": ("enabled",),
        "side": ("position",),
        "priority": ("priority",),
        "case_sensitive_spec": ("case_sensitive",),
        "position": (_X, "position"),
        "ignore_budget": (_X, "ignore_budget"),
        "exclude_recursion": (_X, "exclude_recursion"),
        "prevent_recursion": (_X, "prevent_recursion"),
        "delay_until_recursion": (_X, "delay_until_recursion"),
        "match_persona": (_X, "match_persona_description"),
        "match_description": (_X, "match_character_description"),
        "match_personality": (_X, "match_character_personality"),
        "match_depth_prompt": (_X, "match_character_depth_prompt"),
        "match_scenario": (_X, "match_scenario"),
        "match_creator_notes": (_X, "match_creator_notes"),
        "probability": (_X, "probability"),
        "use_probability": (_X, "useProbability"),
        "depth": (_X, "depth"),
        "role": (_X, "role"),
        "logic": (_X, "selectiveLogic"),
        "outlet": (_X, "outlet_name"),
        "group": (_X, "group"),
        "group_override": (_X, "group_override"),
        "group_weight": (_X, "group_weight"),
        "group_scoring": (_X, "use_group_scoring"),
        "scan_depth": (_X, "scan_depth"),
        "case_sensitive": (_X, "case_sensitive"),
        "whole_words": (_X, "match_whole_words"),
        "automation_id": (_X, "automation_id"),
        "sticky": (_X, "sticky"),
        "cooldown": (_X, "cooldown"),
        "delay": (_X, "delay"),
        "triggers": (_X, "triggers"),
        "vectorized": (_X, "vectorized"),
        "display_index": (_X, "display_index"),
        "filter": (_X, "huaben", "characterFilter"),
        "required": (_X, "huaben", "required"),
        "forbidden": (_X, "huaben", "forbidden"),
        "wildcards": (_X, "huaben", "wildcards"),
    }
)
_READ_PATHS: Final[Mapping[str, Path]] = MappingProxyType({**PATHS, "name": ("name",)})
_KNOWN: Final = frozenset({"id", "use_regex", "name", *(path[0] for path in PATHS.values())})
_KNOWN_EXTENSIONS: Final = frozenset(
    {"huaben", *(path[1] for path in PATHS.values() if path[0] == _X)}
)
_BOOK_PATHS: Final[Mapping[str, Path]] = MappingProxyType(
    {
        "name": ("name",),
        "description": ("description",),
        "scan_depth": ("scan_depth",),
        "token_budget": ("token_budget",),
        "recursive": ("recursive_scanning",),
    }
)
_DIALECTS: Final = frozenset({"character_book", "lorebook_v3"})
_BOOK_KNOWN: Final = frozenset({"entries", _X, *(path[0] for path in _BOOK_PATHS.values())})


def read(
    raw: JsonObject,
    name: str,
    findings: Findings,
    *,
    dialect: Literal["character_book", "lorebook_v3"] = "character_book",
) -> Book:
    """The book in a `character_book` object, or in a `lorebook_v3` object around one.

    Two entries with one id, or with none, are two entries (SillyTavern lets the last win); entries
    stay in the order of the array. `use_regex` is kept and not read: like SillyTavern, a key is a
    pattern if it is written as one.
    """
    inner = _inner(raw) if dialect == "lorebook_v3" else raw
    book = own_fields(inner, name, findings)
    if inner and inner.get("entries") is None:
        findings.warn("entries_not_a_list", "entries", "none")
    slots = slots_of(inner.get("entries"), findings)
    uids = free_uids([uid_of(entry.get("id")) for _, entry in slots])
    _note_ids(slots, uids, findings)
    entries = tuple(
        replace(_read_entry(entry, uid, slot, findings), dialect=dialect)
        for (slot, entry), uid in zip(slots, uids, strict=True)
    )
    _note_patterns(entries, findings)
    values = [entry for _, entry in slots]
    note_unknown(values, _KNOWN, "entries[*]", findings)
    extensions = [value for each in values if isinstance(value := each.get(_X), dict)]
    note_unknown(extensions, _KNOWN_EXTENSIONS, "entries[*].extensions", findings)
    note_unknown([inner], _BOOK_KNOWN, "", findings)
    return replace(book, entries=entries, raw=raw, dialect=dialect)


def write(book: Book) -> JsonObject:
    """The book as a `character_book` object; every value that was not changed is as it was.

    A world info file that came from a card is laid over that card's own book.
    """
    base, originals = _base(book)
    written = [(entry, _write_entry(entry, originals.get(entry.uid))) for entry in book.entries]
    homed = [
        (replace(entry, slot=originals[entry.uid].slot), value)
        if entry.uid in originals
        else (entry, value)
        for entry, value in written
    ]
    base["entries"] = write_slots(base.get("entries", []), homed)
    return base


def write_standalone(book: Book) -> JsonObject:
    """The book as a `lorebook_v3` object, where each entry must say whether it uses patterns."""
    inner = write(book)
    entries = inner.get("entries")
    if isinstance(entries, list) and book.dialect != "lorebook_v3":
        inner["entries"] = [_with_use_regex(entry) for entry in entries]
    outer: JsonObject = dict(book.raw) if book.dialect == "lorebook_v3" else {"spec": "lorebook_v3"}
    outer["data"] = inner
    return outer


def _base(book: Book) -> tuple[JsonObject, Mapping[int, Entry]]:
    """What the entries are written into, and the card's own entries they are laid over by uid."""
    if book.dialect in _DIALECTS:
        inner = _inner(book.raw) if book.dialect == "lorebook_v3" else book.raw
        before = own_fields(inner, book.name, Findings())
        return _book_fields(dict(inner), book, before), {}
    original = book.raw.get("originalData") if book.dialect == "sillytavern" else None
    if isinstance(original, dict):
        source = read(original, book.name, Findings())
        # The name of the file is not the name of the card's book.
        named = replace(book, name=source.name)
        return _book_fields(dict(original), named, source), {
            entry.uid: entry for entry in source.entries
        }
    base: JsonObject = {"name": book.name, "extensions": {}}
    if book.raw:
        base["extensions"] = _book_extensions(book)
    return _book_fields(base, book, Book(name=book.name)), {}


def _book_extensions(book: Book) -> Json:
    own = book.raw.get("extensions")
    extensions: JsonObject = dict(own) if isinstance(own, dict) else {}
    return {**extensions, "huaben": foreign_book(book)}


def own_fields(inner: JsonObject, name: str, findings: Findings, *, where: str = "") -> Book:
    """What the book says beside its entries; `name` is its name if it gives none.

    Repairs are noted under `where`, the path to the book.
    """
    fields = Fields(inner, _BOOK_PATHS, where, findings)
    return Book(
        name=fields.text("name").strip() or name,
        description=fields.text("description"),
        scan_depth=fields.optional_whole("scan_depth"),
        token_budget=fields.optional_whole("token_budget"),
        recursive=fields.tri("recursive"),
    )


def _book_fields(base: JsonObject, book: Book, before: Book) -> JsonObject:
    if book.name != before.name:
        base["name"] = book.name
    if book.description != before.description:
        base["description"] = book.description
    for key, now, was in (
        ("scan_depth", book.scan_depth, before.scan_depth),
        ("token_budget", book.token_budget, before.token_budget),
        ("recursive_scanning", book.recursive, before.recursive),
    ):
        if now is None and was is not None:
            base.pop(key, None)
        elif now != was:
            base[key] = now
    return base


def _inner(raw: JsonObject) -> JsonObject:
    data = raw.get("data")
    return data if isinstance(data, dict) else {}


def _read_entry(raw: JsonObject, uid: int, slot: str, findings: Findings) -> Entry:
    fields = Fields(raw, _READ_PATHS, f"entries.{slot}", findings)
    return read_entry(fields, uid, slot, fallback=Position.AFTER_CHAR)


def _write_entry(entry: Entry, original: Entry | None) -> JsonObject:
    now = encode_entry(entry)
    source = original
    if source is None and entry.slot is not None and entry.dialect in _DIALECTS:
        source = entry
    if source is not None:
        before = encode_entry(_read_entry(source.raw, source.uid, "", Findings()))
        return laid_over(source.raw, now, before, PATHS)
    base: JsonObject = {"id": entry.uid, "extensions": carried_over(entry)}
    return {**laid_over(base, now, None, PATHS), "use_regex": _uses_regex(entry.keys)}


def _with_use_regex(entry: Json) -> Json:
    if not isinstance(entry, dict) or "use_regex" in entry:
        return entry
    keys = entry.get("keys")
    texts = [key for key in keys if isinstance(key, str)] if isinstance(keys, list) else []
    return {**entry, "use_regex": _uses_regex(texts)}


def _uses_regex(keys: tuple[str, ...] | list[str]) -> bool:
    return any(looks_like_regex(key) is not None for key in keys)


def _note_ids(slots: list[tuple[str, JsonObject]], uids: list[int], findings: Findings) -> None:
    """Names the entries known by another number than they give: it is taken, or is no number."""
    for (slot, entry), uid in zip(slots, uids, strict=True):
        given = entry.get("id")
        if given is not None and uid_of(given) != uid:
            why: Why = "not a number" if uid_of(given) is None else "repeated"
            detail = f"{why}, read as {uid}"
            findings.changed("read_otherwise", f"entries.{slot}.id", detail, why=why, value=uid)


def _note_patterns(entries: tuple[Entry, ...], findings: Findings) -> None:
    """Names the entries that ask for patterns and have none: their keys are read as plain text."""
    plain = [e for e in entries if e.raw.get("use_regex") is True and not _uses_regex(e.keys)]
    if plain:
        detail = f"keys of {len(plain)} entries are plain text"
        findings.kept("use_regex_by_look", "entries[*].use_regex", detail, n=len(plain))
