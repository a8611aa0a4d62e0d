"""Entries of programs whose books are only read, not written; apart as these dialects share the walk.

Each says where its fields are and what its own habits mean; the original stays with the entry.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.values import BookDialect, Entry, Position
from huaben.formats.lorebook.coerce import Fields, Path
from huaben.formats.lorebook.entries import free_uids, read_entry, uid_of
from huaben.formats.lorebook.shelf import note_unhonoured, note_unknown, slots_of
from huaben.formats.report import Findings


@dataclass(frozen=True, slots=True)
class Members:
    """How one dialect keeps its entries.

    `paths` are the fields we read, `unhonoured` the ones we know and keep without effect, `id_field`
    the one that may serve as uid, `finish` what the plain reading does not say.
    """

    dialect: BookDialect
    paths: Mapping[str, Path]
    unhonoured: frozenset[str]
    finish: Callable[[Entry, Fields], Entry]
    id_field: str = ""


def read_members(container: Json, members: Members, findings: Findings) -> tuple[Entry, ...]:
    """Every entry of a container, each member that is none noted."""
    slots = slots_of(container, findings)
    uids = free_uids([_wanted(slot, each, members) for slot, each in slots])
    entries: list[Entry] = []
    for (slot, each), uid in zip(slots, uids, strict=True):
        fields = Fields(each, members.paths, f"entries.{slot}", findings, text_keys="usual")
        entry = read_entry(fields, uid, slot, fallback=Position.BEFORE_CHAR)
        # Where a dialect has no such switch, secondary keys always count.
        selective = entry.selective or "selective" not in members.paths
        entry = replace(entry, selective=selective, dialect=members.dialect)
        entries.append(members.finish(entry, fields))
    values = [each for _, each in slots]
    known = {path[0] for path in members.paths.values()} | members.unhonoured
    known.add(members.id_field)
    note_unhonoured(values, members.unhonoured, "entries[*]", findings)
    note_unknown(values, frozenset(known), "entries[*]", findings)
    return tuple(entries)


def text_of(raw: JsonObject, name: str) -> str:
    """A string of the book itself, empty if there is none."""
    value = raw.get(name)
    return value.strip() if isinstance(value, str) else ""


def _wanted(slot: str, each: JsonObject, members: Members) -> int | None:
    uid = uid_of(each.get(members.id_field)) if members.id_field else None
    return uid_of(slot) if uid is None else uid
