"""The current facts of a story and everyone who ever appeared in it, as values; apart from patching them,
because stores, prompts and the page read a ledger and change nothing.

Source of all rules here: `state.md` §2.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from huaben.domain.jsonvalue import Json, JsonObject
from huaben.domain.lore.fold import fold_key
from huaben.domain.text import shorten

Path: TypeAlias = tuple[str, ...]
"""Where something stands in a ledger: `("characters", "阿迟", "affinity")`, `("flags", "暗号")`."""

CharacterField: TypeAlias = Literal["affinity", "status", "location", "notes"]
CHARACTER_FIELDS: Final[tuple[CharacterField, ...]] = ("affinity", "status", "location", "notes")
SECTIONS: Final = frozenset(
    {"time", "location", "characters", "inventory", "flags", "plot_threads"}
)

MAX_AFFINITY: Final = 100
FIRST_TIME_CHARS: Final = 30
PEOPLE_CAP: Final = 100
ITEMS_CAP: Final = 100
PLACES_CAP: Final = 100
THREADS_CAP: Final = 60


@dataclass(frozen=True, slots=True)
class Character:
    """How somebody stands now. `affinity`, towards the reader's character, is a whole number from
    -100 to 100; an empty text says that nothing is known."""

    affinity: int = 0
    status: str = ""
    location: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Ledger:
    """What holds in the story now. Characters and flags stand in the order of their first entry."""

    time: str = ""
    location: str = ""
    characters: Mapping[str, Character] = field(default_factory=dict[str, Character])
    inventory: tuple[str, ...] = ()
    flags: Mapping[str, str] = field(default_factory=dict[str, str])
    plot_threads: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Roster:
    """Who and what ever appeared, each with the story time of its first appearance (at most
    `FIRST_TIME_CHARS` code points, empty if unknown), oldest first. The order is part of the value:
    the oldest leave first."""

    people: Mapping[str, str] = field(default_factory=dict[str, str])
    items: Mapping[str, str] = field(default_factory=dict[str, str])
    places: Mapping[str, str] = field(default_factory=dict[str, str])
    threads: Mapping[str, str] = field(default_factory=dict[str, str])


# ---- names ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Names:
    """How the story spells its people and flags, by folded name, so that one person stays one."""

    people: Mapping[str, str] = field(default_factory=dict[str, str])
    flags: Mapping[str, str] = field(default_factory=dict[str, str])

    def person(self, name: str) -> str:
        """The spelling in use for `name`, or its own, trimmed and on one line; empty if blank."""
        return self.people.get(folded(name), one_line(name))

    def flag(self, name: str) -> str:
        """Likewise for the name of a flag."""
        return self.flags.get(folded(name), one_line(name))

    def path(self, spelling: str) -> Path | None:
        """The place that a dotted path means, its name as the story spells it; else None."""
        match path_of(spelling):
            case ("characters", name, *rest):
                return ("characters", self.person(name), *rest)
            case ("flags", name):
                return ("flags", self.flag(name))
            case path:
                return path


def known_names(ledger: Ledger, roster: Roster, aliases: Mapping[str, str] | None = None) -> Names:
    """The names that are in use. White space around and letter case tell no two names apart.

    `aliases` leads from another name of a person to the one to use. Somebody who stands in the
    ledger keeps a name of their own, even if it is another one's alias.
    """
    listed = {folded(name): name for name in roster.people}
    standing = {folded(name): name for name in ledger.characters}
    known = listed | standing
    meant = {
        folded(alias): known.get(folded(name), one_line(name))
        for alias, name in (aliases or {}).items()
    }
    return Names(listed | meant | standing, {folded(name): name for name in ledger.flags})


def folded(name: str) -> str:
    """A name as it is compared: white space, letter case and full-width forms do not count."""
    return fold_key(one_line(name))


def one_line(text: str) -> str:
    """The text without white space around it and with every run of it inside made one space."""
    return " ".join(text.split())


# ---- paths ---------------------------------------------------------------------------------------


def dotted(path: Path) -> str:
    """The spelling of a path, joined by dots: `characters.阿迟.affinity`.

    Names may hold dots, which stay as they are, because only the last part of a character's path
    can be a field. Where a whole character's name would read as more than a name, one more dot is
    put at its end; `path_of` takes it away again.
    """
    spelling = ".".join(path)
    if len(path) == 2 and path[0] == "characters" and path_of(spelling) != path:
        return f"{spelling}."
    return spelling


def path_of(spelling: str) -> Path | None:
    """The path that `dotted` spells so, or None if no place in a ledger is called that."""
    section, dot, name = spelling.partition(".")
    if section not in SECTIONS or (dot and not name):
        return None
    if not dot:
        return (section,)
    if section == "flags":
        return (section, name)
    return _character_path(name) if section == "characters" else None


def _character_path(rest: str) -> Path:
    name, _, last = rest.rpartition(".")
    if name and last in CHARACTER_FIELDS:
        return ("characters", name, last)
    if name and not last:
        return ("characters", name)
    return ("characters", rest)


# ---- the roster ----------------------------------------------------------------------------------


def enrolled(roster: Roster, before: Ledger, after: Ledger, story_time: str) -> Roster:
    """The roster with whatever is named in `after` and not yet in `before`.

    `story_time` is noted for names that are new to the roster, shortened to `FIRST_TIME_CHARS`.
    What left the roster at a cap is not put back for merely standing in the ledger still.
    """
    first = shorten(one_line(story_time), FIRST_TIME_CHARS)
    old, new = named(before), named(after)
    return capped(
        Roster(
            _grown(roster.people, old.people, new.people, first),
            _grown(roster.items, old.items, new.items, first),
            _grown(roster.places, old.places, new.places, first),
            _grown(roster.threads, old.threads, new.threads, first),
        )
    )


def capped(roster: Roster) -> Roster:
    """The roster within its caps; the oldest names leave."""
    return Roster(
        _newest(roster.people, PEOPLE_CAP),
        _newest(roster.items, ITEMS_CAP),
        _newest(roster.places, PLACES_CAP),
        _newest(roster.threads, THREADS_CAP),
    )


def named(ledger: Ledger) -> Roster:
    """What a ledger names, grouped as in a roster, without times and caps. Inventory and threads
    are names of things as they are; a blank place is none."""
    places = [ledger.location, *(person.location for person in ledger.characters.values())]
    return Roster(
        dict.fromkeys(ledger.characters, ""),
        dict.fromkeys(ledger.inventory, ""),
        dict.fromkeys((place for place in places if place), ""),
        dict.fromkeys(ledger.plot_threads, ""),
    )


def _grown(
    known: Mapping[str, str], old: Iterable[str], new: Iterable[str], first: str
) -> Mapping[str, str]:
    present = {folded(name) for name in (*known, *old)}
    fresh = {folded(name): one_line(name) for name in new if folded(name) not in present}
    return {**known, **dict.fromkeys(fresh.values(), first)}


def _newest(names: Mapping[str, str], cap: int) -> Mapping[str, str]:
    return names if len(names) <= cap else dict(list(names.items())[-cap:])


# ---- as JSON -------------------------------------------------------------------------------------


def ledger_to_json(ledger: Ledger) -> JsonObject:
    """The ledger in its public form; `ledger_from_json` reads it back to an equal value."""
    return {
        "time": ledger.time,
        "location": ledger.location,
        "characters": {
            name: character_to_json(person) for name, person in ledger.characters.items()
        },
        "inventory": [*ledger.inventory],
        "flags": {**ledger.flags},
        "plot_threads": [*ledger.plot_threads],
    }


def character_to_json(person: Character) -> JsonObject:
    """A character in the public form; a location that is not known is left out."""
    shown: JsonObject = {"affinity": person.affinity, "status": person.status}
    if person.location:
        shown["location"] = person.location
    return {**shown, "notes": person.notes}


def roster_to_json(roster: Roster) -> JsonObject:
    """The roster in its public form; the order within a group is kept and has to be kept."""
    return {
        "people": {**roster.people},
        "items": {**roster.items},
        "places": {**roster.places},
        "threads": {**roster.threads},
    }


def ledger_from_json(value: Json) -> Ledger:
    """The ledger that was stored so. What a newer program added is ignored, what is absent empty.

    Raises ValueError naming the place if the value is none of ours: then the record is damaged.
    """
    stored = _object(value, "ledger")
    people = _object(stored.get("characters", {}), "characters")
    return Ledger(
        time=_text(stored, "time"),
        location=_text(stored, "location"),
        characters={name: _character(person, name) for name, person in people.items()},
        inventory=_texts(stored, "inventory"),
        flags=_named(stored, "flags"),
        plot_threads=_texts(stored, "plot_threads"),
    )


def roster_from_json(value: Json) -> Roster:
    """The roster that was stored so; otherwise like `ledger_from_json`."""
    stored = _object(value, "roster")
    return Roster(
        people=_named(stored, "people"),
        items=_named(stored, "items"),
        places=_named(stored, "places"),
        threads=_named(stored, "threads"),
    )


def _character(value: Json, name: str) -> Character:
    stored = _object(value, name)
    affinity = stored.get("affinity", 0)
    if isinstance(affinity, bool) or not isinstance(affinity, int) or abs(affinity) > MAX_AFFINITY:
        raise ValueError(f"the stored affinity of {name} is no whole number from -100 to 100")
    return Character(
        affinity, _text(stored, "status"), _text(stored, "location"), _text(stored, "notes")
    )


def _object(value: Json, name: str) -> JsonObject:
    if not isinstance(value, dict):
        raise ValueError(f"the stored {name} is no object")
    return value


def _text(stored: JsonObject, name: str) -> str:
    value = stored.get(name, "")
    if not isinstance(value, str):
        raise ValueError(f"the stored {name} is no text")
    return value


def _texts(stored: JsonObject, name: str) -> tuple[str, ...]:
    value = stored.get(name, [])
    if not isinstance(value, list):
        raise ValueError(f"the stored {name} is no list")
    texts = tuple(item for item in value if isinstance(item, str))
    if len(texts) < len(value):
        raise ValueError(f"the stored {name} holds something that is no text")
    return texts


def _named(stored: JsonObject, name: str) -> dict[str, str]:
    value = _object(stored.get(name, {}), name)
    texts = {key: text for key, text in value.items() if isinstance(text, str)}
    if len(texts) < len(value):
        raise ValueError(f"the stored {name} hold something that is no text")
    return texts
