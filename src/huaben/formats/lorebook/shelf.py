"""The container that a file keeps its entries in, and what entries carry to another dialect.

Separate because arrays, objects and the odd member that is no entry must all come back as they were.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import Book, Entry
from huaben.formats.report import Findings

_CARD_DIALECTS: Final = frozenset({"character_book", "lorebook_v3"})


def slots_of(container: Json, findings: Findings) -> list[tuple[str, JsonObject]]:
    """The entries of an array or object with their places, in the order JavaScript walks them.

    Keys that are whole numbers come first, ascending, then the rest in file order (formats §0.10).
    A member that is no object is noted, left where it is, and no entry.
    """
    if isinstance(container, list):
        members: list[tuple[str, Json]] = [(str(at), item) for at, item in enumerate(container)]
    elif isinstance(container, dict):
        members = sorted(container.items(), key=lambda member: _walk_order(member[0]))
    else:
        if container is not None:
            findings.warn("entries_not_a_list", "entries", type(container).__name__)
        return []
    found: list[tuple[str, JsonObject]] = []
    for slot, item in members:
        if isinstance(item, dict):
            found.append((slot, item))
        else:
            findings.kept(
                "entry_not_an_object", f"entries.{slot}", (shown := str(item)[:80]), value=shown
            )
    return found


def write_slots(container: Json, written: Sequence[tuple[Entry, JsonObject]]) -> Json:
    """The container with each entry where it was, deleted ones gone and new ones at the end."""
    if isinstance(container, list):
        places = {str(at): item for at, item in enumerate(container)}
    else:
        places = dict(container) if isinstance(container, dict) else {}
    at_home: dict[str, JsonObject] = {}
    new: list[tuple[Entry, JsonObject]] = []
    for entry, value in written:
        slot = entry.slot
        if slot is not None and slot not in at_home and isinstance(places.get(slot), dict):
            at_home[slot] = value
        else:
            new.append((entry, value))
    kept: dict[str, Json] = {
        slot: at_home.get(slot, item)
        for slot, item in places.items()
        if slot in at_home or not isinstance(item, dict)
    }
    if isinstance(container, list):
        return [*kept.values(), *(value for _, value in new)]
    for entry, value in new:
        kept[_free_key(entry.uid, kept)] = value
    return kept


def note_unknown(
    objects: Iterable[JsonObject], known: frozenset[str], where: str, findings: Findings
) -> None:
    """Names each field that no rule of ours reads, once with how many objects have it."""
    counts = Counter(name for each in objects for name in each if name not in known)
    for name, count in counts.items():
        path = f"{where}.{name}" if where else name
        detail = f"in {count} object{'s' if count > 1 else ''}"
        findings.kept("unknown_field", path, detail, n=count)


def note_unhonoured(
    objects: Iterable[JsonObject], names: frozenset[str], where: str, findings: Findings
) -> None:
    """Names each field that is understood, set, and kept without effect."""
    counts = Counter(name for each in objects for name in each if name in names and each[name])
    for name, count in counts.items():
        findings.kept("not_honoured", f"{where}.{name}", f"in {count} of the entries", n=count)


def carried_over(entry: Entry) -> JsonObject:
    """The `extensions` of an entry on its way to another dialect: its own, and what has no place.

    A card's extensions go along as they are; the whole entry of any other program goes under
    `huaben`, so that nothing of it is lost.
    """
    if not entry.raw:
        return {}
    own = entry.raw.get("extensions")
    extensions: JsonObject = dict(own) if isinstance(own, dict) else {}
    if entry.dialect not in _CARD_DIALECTS:
        noted = extensions.get("huaben")
        huaben: JsonObject = dict(noted) if isinstance(noted, dict) else {}
        whole: JsonObject = {key: value for key, value in entry.raw.items() if key != "extensions"}
        extensions["huaben"] = {**huaben, "dialect": entry.dialect, "entry": whole}
    return extensions


def foreign_book(book: Book) -> JsonObject:
    """What a book of another program had beside its entries, to be kept under `huaben`."""
    rest: JsonObject = {key: value for key, value in book.raw.items() if key not in _ENTRY_LISTS}
    return {"dialect": book.dialect, "book": rest}


_ENTRY_LISTS: Final = frozenset({"entries", "data", "worldinfo", "worldinfo_v2", "ai_dungeon"})


def _walk_order(key: str) -> tuple[bool, int]:
    # JavaScript takes a key for an index if it is a canonical number below 2**32 - 1.
    is_index = key.isascii() and key.isdecimal() and (key == "0" or key[0] != "0")
    is_index = is_index and len(key) <= 10 and int(key) < 2**32 - 1
    return (False, int(key)) if is_index else (True, 0)


def _free_key(uid: int, taken: dict[str, Json]) -> str:
    key = uid
    while str(key) in taken:
        key += 1
    return str(key)
