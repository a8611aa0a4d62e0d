"""A lorebook with entries changed, added and taken out: the file it becomes. Apart from writing, which knows
of no wishes, and from services, so that nothing that a file held is lost on any way of editing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import DEFAULT_ENTRY, Book, Entry
from huaben.formats.lorebook import character_book, sillytavern
from huaben.formats.lorebook.coerce import Fields, Path
from huaben.formats.lorebook.entries import encode_entry, read_entry
from huaben.formats.lorebook.file import BookFile
from huaben.formats.lorebook.read import read_value
from huaben.formats.report import Findings

_NOT_EDITED: Final = frozenset({"memo", "side", "disabled", "case_sensitive_spec"})
"""What a dialect derives from other fields."""

EntryFields: TypeAlias = Mapping[str, Json]
"""Fields of an entry by our names, as `fields_of` gives them; what is not named stays as it is."""


@dataclass(frozen=True, slots=True)
class BookEdit:
    """What shall become of a book. `changed` and `raw` go by the uid of an entry: some of its fields,
    or the whole of its JSON in the dialect of its book. `added` come behind the others, and behind
    those `brought`: entries of another book, with all that its file had of them."""

    name: str | None = None
    changed: Mapping[int, EntryFields] = field(default_factory=dict[int, EntryFields])
    raw: Mapping[int, JsonObject] = field(default_factory=dict[int, JsonObject])
    added: Sequence[EntryFields] = ()
    brought: Sequence[Entry] = ()
    removed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class NoSuchEntry:
    """An edit names an entry that the book does not have."""

    uid: int


@dataclass(frozen=True, slots=True)
class WrittenBook:
    """The file that a book became, and how many of its entries are other than before."""

    content: JsonObject
    entries: int


def edited(book: Book, edit: BookEdit) -> WrittenBook | NoSuchEntry:
    """The book's file with the edit made; of what the edit does not name every value is as it was.

    A book of a program whose files are only read becomes a world info file, with all it had kept
    under `extensions.huaben` (formats §2.8)."""
    base = _writable(book)
    known = {entry.uid for entry in base.entries}
    for uid in (*edit.changed, *edit.raw, *edit.removed):
        if uid not in known:
            return NoSuchEntry(uid)
    kept = tuple(_with(entry, edit) for entry in base.entries if entry.uid not in edit.removed)
    added = _added(base, edit)
    named = base if edit.name is None else replace(base, name=edit.name)
    content = _file(replace(named, entries=(*kept, *added)))
    if edit.name is not None and base.dialect == "sillytavern":
        content["name"] = edit.name
    touched = len(edit.changed.keys() | edit.raw.keys() | edit.removed) + len(added)
    return WrittenBook(content, touched)


def fields_of(entry: Entry) -> JsonObject:
    """The fields of an entry by our names, numbers and lists as both dialects have them."""
    fields = {name: value for name, value in encode_entry(entry).items() if name not in _NOT_EDITED}
    return {**fields, "group": list(entry.group.names)}


_PATHS: Final[Mapping[str, Path]] = MappingProxyType(
    {name: (name,) for name in fields_of(DEFAULT_ENTRY)}
)


def entry_of(uid: int, fields: EntryFields) -> Entry:
    """A new entry that says this; a value of the wrong kind is the template's (formats §2.1)."""
    return _laid(replace(DEFAULT_ENTRY, uid=uid), fields)


def _with(entry: Entry, edit: BookEdit) -> Entry:
    whole = edit.raw.get(entry.uid)
    if whole is not None:
        entry = _reread(entry, whole)
    fields = edit.changed.get(entry.uid)
    return entry if fields is None else _laid(entry, fields)


def _laid(entry: Entry, fields: EntryFields) -> Entry:
    known = {name: value for name, value in fields.items() if name in _PATHS}
    laid: JsonObject = {**fields_of(entry), **known}
    found = read_entry(
        Fields(laid, _PATHS, "", Findings(), text_keys="never"),
        entry.uid,
        "",
        fallback=entry.position,
    )
    return replace(found, raw=entry.raw, slot=entry.slot, dialect=entry.dialect)


def _reread(entry: Entry, whole: JsonObject) -> Entry:
    """The entry that other JSON describes, at the place of this one."""
    shell: JsonObject = {"entries": [whole]}
    if entry.dialect == "sillytavern":
        book = sillytavern.read(shell, "", Findings())
    else:
        book = character_book.read(shell, "", Findings())
    (found,) = book.entries
    return replace(found, uid=entry.uid, raw=whole, slot=entry.slot, dialect=entry.dialect)


def _added(book: Book, edit: BookEdit) -> tuple[Entry, ...]:
    first = max((entry.uid for entry in book.entries), default=-1) + 1
    made = [entry_of(first + number, each) for number, each in enumerate(edit.added)]
    first += len(made)
    brought = [_brought(entry, first + number, book) for number, entry in enumerate(edit.brought)]
    return (*made, *brought)


def _brought(entry: Entry, uid: int, book: Book) -> Entry:
    """An entry of another book with a number of its own in this one."""
    if (entry.dialect == "sillytavern") is not (book.dialect == "sillytavern"):
        return replace(entry, uid=uid, slot=None)
    number = "uid" if entry.dialect == "sillytavern" else "id"
    # No member is called so: it is written as its file had it, at a place of its own.
    return replace(entry, uid=uid, slot="", raw={**entry.raw, number: uid}, dialect=book.dialect)


def _writable(book: Book) -> Book:
    if _dialect(book) == book.dialect:
        return book
    found = read_value(sillytavern.write(book), book.name)
    assert isinstance(found, BookFile), "a file that was just written is read"
    return replace(found.book, id=book.id, place=book.place, owner=book.owner)


def _dialect(book: Book) -> Literal["sillytavern", "lorebook_v3", "character_book"]:
    if book.dialect in ("lorebook_v3", "character_book"):
        return book.dialect
    return "sillytavern"


def _file(book: Book) -> JsonObject:
    match _dialect(book):
        case "sillytavern":
            return sillytavern.write(book)
        case "lorebook_v3":
            return character_book.write_standalone(book)
        case "character_book":
            return character_book.write(book)
