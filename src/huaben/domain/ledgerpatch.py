"""Patches of a ledger: reading what a model or the user wrote, and merging it; apart from the ledger
because everything here mistrusts its input.

Merge semantics (`state.md` §2): `time` and `location` replace; `characters` merge per field and `flags`
per key, null deletes; `inventory` and `plot_threads` replace whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.ledger import (
    CHARACTER_FIELDS,
    MAX_AFFINITY,
    SECTIONS,
    Character,
    CharacterField,
    Ledger,
    Names,
    Path,
    Roster,
    dotted,
    enrolled,
    folded,
)
from huaben.domain.ledgerchange import Patched, Warned, WarningCode, changes_between
from huaben.domain.text import shorten

# The ledger is sent with every turn: one runaway value would crowd the story out of the window.
TEXT_CHARS: Final = 2000
NAME_CHARS: Final = 200
LIST_ITEMS: Final = 200


@dataclass(frozen=True, slots=True)
class CharacterPatch:
    """What changes of one character; None leaves a field alone, an empty text empties it. With
    nothing in it, it says that somebody appeared."""

    affinity: int | None = None
    status: str | None = None
    location: str | None = None
    notes: str | None = None


APPEARS: Final = CharacterPatch()


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch whose every item can be applied; None, and what is not named, stays as it is.

    A character or flag that is None is deleted. `warnings` name what was written and is not here.
    """

    time: str | None = None
    location: str | None = None
    characters: Mapping[str, CharacterPatch | None] = field(
        default_factory=dict[str, CharacterPatch | None]
    )
    inventory: tuple[str, ...] | None = None
    flags: Mapping[str, str | None] = field(default_factory=dict[str, str | None])
    plot_threads: tuple[str, ...] | None = None
    warnings: tuple[Warned, ...] = ()


def read_patch(value: Json, names: Names) -> Patch:
    """The patch that a JSON value means, whatever the value is.

    Names are led to the spelling in use. Every item is taken whole or not at all: an unknown key,
    a value of the wrong type (also one inside a list) and a blank name are left out with a warning,
    and so is what is too long: a text over `TEXT_CHARS` code points, a name over `NAME_CHARS`, a
    list over `LIST_ITEMS`.
    Affinity is rounded, halves away from zero, and clamped to -100 … 100.
    """
    return _Reader(names).patch(value)


def apply(ledger: Ledger, roster: Roster, patch: Patch, story_time: str | None = None) -> Patched:
    """Merge a patch. An empty patch changes nothing.

    `story_time` is noted in the roster for names that are new; without one it is the ledger's own
    time after the patch. The roster only grows, up to its caps.
    """
    after = Ledger(
        time=ledger.time if patch.time is None else patch.time,
        location=ledger.location if patch.location is None else patch.location,
        characters=_people(ledger.characters, patch.characters),
        inventory=ledger.inventory if patch.inventory is None else patch.inventory,
        flags={
            name: text for name, text in {**ledger.flags, **patch.flags}.items() if text is not None
        },
        plot_threads=ledger.plot_threads if patch.plot_threads is None else patch.plot_threads,
    )
    grown = enrolled(roster, ledger, after, after.time if story_time is None else story_time)
    changes = changes_between((ledger, roster), (after, grown))
    return Patched(after, grown, changes, patch.warnings)


def leaves(patch: Patch) -> tuple[Path, ...]:
    """The path of each item of a patch: what evidence is keyed by and what can be left out alone.

    A character that is deleted, or only appears, is one item; otherwise each field is.
    """
    plain = {"time": patch.time, "location": patch.location}
    found: list[Path] = [(name,) for name, text in plain.items() if text is not None]
    for name, person in patch.characters.items():
        fields = _fields(person)
        found += [("characters", name, part) for part in fields] or [("characters", name)]
    if patch.inventory is not None:
        found.append(("inventory",))
    found += [("flags", name) for name in patch.flags]
    if patch.plot_threads is not None:
        found.append(("plot_threads",))
    return tuple(found)


def without(patch: Patch, unwanted: Mapping[Path, str], code: WarningCode) -> Patch:
    """The patch without some of its items, given by path with a detail; each leaves a warning with
    that code and detail. Paths that are no items of the patch are ignored."""
    gone = {path: unwanted[path] for path in leaves(patch) if path in unwanted}
    if not gone:
        return patch
    people: dict[str, CharacterPatch | None] = {}
    for name, person in patch.characters.items():
        rest = person and _less(person, name, gone)
        # What is left of a patch that lost everything must not read as an appearance.
        lost = ("characters", name) in gone or (rest == APPEARS and person != APPEARS)
        if not lost:
            people[name] = rest
    return Patch(
        time=None if ("time",) in gone else patch.time,
        location=None if ("location",) in gone else patch.location,
        characters=people,
        inventory=None if ("inventory",) in gone else patch.inventory,
        flags={name: text for name, text in patch.flags.items() if ("flags", name) not in gone},
        plot_threads=None if ("plot_threads",) in gone else patch.plot_threads,
        warnings=(*patch.warnings, *(Warned(code, dotted(path), gone[path]) for path in gone)),
    )


def sparing(patch: Patch, locked: Iterable[Path]) -> Patch:
    """The patch without what it may not touch, as a model's patch may not touch what is locked.

    A lock holds for its path and all beneath it; a character with a locked field cannot be deleted.
    """
    locks = tuple(locked)
    held = {
        path: ""
        for path in leaves(patch)
        if any(path[: len(lock)] == lock or lock[: len(path)] == path for lock in locks)
    }
    return without(patch, held, "locked")


def _fields(person: CharacterPatch | None) -> list[CharacterField]:
    if person is None:
        return []
    values = (person.affinity, person.status, person.location, person.notes)
    return [name for name, value in zip(CHARACTER_FIELDS, values, strict=True) if value is not None]


def _less(person: CharacterPatch, name: str, gone: Collection[Path]) -> CharacterPatch:
    dropped = {part for part in CHARACTER_FIELDS if ("characters", name, part) in gone}
    return CharacterPatch(
        affinity=None if "affinity" in dropped else person.affinity,
        status=None if "status" in dropped else person.status,
        location=None if "location" in dropped else person.location,
        notes=None if "notes" in dropped else person.notes,
    )


def _people(
    before: Mapping[str, Character], patches: Mapping[str, CharacterPatch | None]
) -> dict[str, Character]:
    people = dict(before)
    for name, patch in patches.items():
        if patch is None:
            people.pop(name, None)
            continue
        person = people.get(name, Character())
        people[name] = Character(
            affinity=person.affinity if patch.affinity is None else patch.affinity,
            status=person.status if patch.status is None else patch.status,
            location=person.location if patch.location is None else patch.location,
            notes=person.notes if patch.notes is None else patch.notes,
        )
    return people


class _Reader:
    """Reads one patch and collects warnings on the way."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._warnings: list[Warned] = []

    def patch(self, value: Json) -> Patch:
        if not isinstance(value, dict):
            self._refuse((), value)
            return Patch(warnings=tuple(self._warnings))
        self._unknown(value, SECTIONS, ())
        patch = Patch(
            time=self._text(value, ("time",)),
            location=self._text(value, ("location",)),
            characters=self._characters(value),
            inventory=self._texts(value, ("inventory",)),
            flags=self._flags(value),
            plot_threads=self._texts(value, ("plot_threads",)),
        )
        return replace(patch, warnings=tuple(self._warnings))

    def _characters(self, whole: JsonObject) -> dict[str, CharacterPatch | None]:
        people: dict[str, CharacterPatch | None] = {}
        for name, value in self._members(whole, "characters", self._names.person):
            path = ("characters", name)
            if value is None:
                people[name] = None
            elif isinstance(value, dict):
                person = self._character(value, path, people.get(name) or APPEARS)
                if person != APPEARS or not value:
                    people[name] = person
            else:
                self._refuse(path, value)
        return people

    def _character(self, value: JsonObject, path: Path, known: CharacterPatch) -> CharacterPatch:
        self._unknown(value, CHARACTER_FIELDS, path)
        affinity = self._affinity(value, (*path, "affinity"))
        texts = [self._clearable(value, (*path, part)) for part in CHARACTER_FIELDS[1:]]
        status, location, notes = texts
        return CharacterPatch(
            affinity=known.affinity if affinity is None else affinity,
            status=known.status if status is None else status,
            location=known.location if location is None else location,
            notes=known.notes if notes is None else notes,
        )

    def _flags(self, whole: JsonObject) -> dict[str, str | None]:
        flags: dict[str, str | None] = {}
        for name, value in self._members(whole, "flags", self._names.flag):
            text = None if value is None else self._said(value, ("flags", name))
            if value is None or text is not None:
                flags[name] = text
        return flags

    def _members(
        self, whole: JsonObject, section: str, spelled: Callable[[str], str]
    ) -> Iterator[tuple[str, Json]]:
        """The named members of a section. Two spellings of one name within a patch are one name,
        even if the story does not know it yet."""
        first: dict[str, str] = {}
        for written, value in self._object(whole, section).items():
            name = spelled(written)
            if not name:
                self._warn("blank_name", (section, written))
            elif self._fits((section, shorten(name, 40)), len(name), NAME_CHARS):
                yield first.setdefault(folded(name), name), value

    def _object(self, whole: JsonObject, name: str) -> JsonObject:
        value = whole.get(name, {})
        if isinstance(value, dict):
            return value
        self._refuse((name,), value)
        return {}

    def _text(self, whole: JsonObject, path: Path) -> str | None:
        return self._said(whole[path[-1]], path) if path[-1] in whole else None

    def _said(self, value: Json, path: Path) -> str | None:
        """A text without the blanks around it; None, with a warning, if it is none or too long."""
        if not isinstance(value, str):
            self._refuse(path, value)
            return None
        text = value.strip()
        return text if self._fits(path, len(text), TEXT_CHARS) else None

    def _fits(self, path: Path, size: int, most: int) -> bool:
        if size > most:
            self._warn("too_long", path, f"{size} > {most}")
        return size <= most

    def _clearable(self, whole: JsonObject, path: Path) -> str | None:
        """A text that null deletes."""
        if path[-1] in whole and whole[path[-1]] is None:
            return ""
        return self._text(whole, path)

    def _texts(self, whole: JsonObject, path: Path) -> tuple[str, ...] | None:
        """A list of texts, taken whole or not at all: half a list would lose what it replaces."""
        if path[-1] not in whole:
            return None
        value = whole[path[-1]]
        if not isinstance(value, list):
            self._refuse(path, value)
            return None
        texts = [item for item in value if isinstance(item, str)]
        if len(texts) < len(value):
            self._refuse(path, next(item for item in value if not isinstance(item, str)))
            return None
        kept = tuple(text.strip() for text in texts if text.strip())
        longest = max((len(text) for text in kept), default=0)
        fits = self._fits(path, len(kept), LIST_ITEMS) and self._fits(path, longest, TEXT_CHARS)
        return kept if fits else None

    def _affinity(self, whole: JsonObject, path: Path) -> int | None:
        if path[-1] not in whole:
            return None
        value = whole[path[-1]]
        if isinstance(value, bool) or not isinstance(value, int | float):
            # Null too: an affinity cannot be absent, and 0 would be a judgement that nobody made.
            self._refuse(path, value)
            return None
        kept = max(-MAX_AFFINITY, min(MAX_AFFINITY, value))
        if kept != value:
            self._warn("clamped", path)
        return math.floor(abs(kept) + 0.5) * (1 if kept > 0 else -1)

    def _unknown(self, value: JsonObject, known: Collection[str], path: Path) -> None:
        for key in value:
            if key not in known:
                self._warn("unknown_key", (*path, key))

    def _refuse(self, path: Path, value: Json) -> None:
        self._warn("wrong_type", path, _kind(value))

    def _warn(self, code: WarningCode, path: Path, detail: str = "") -> None:
        self._warnings.append(Warned(code, dotted(path), detail))


def _kind(value: Json) -> str:
    """What a value is, in the words of JSON."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"
