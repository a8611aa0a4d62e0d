"""What the rehearsal answers as the scribe: the prepared entries whose words stand in the turn; apart from the
telling because it goes by one turn's text alone, and needs no place in the story."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final, TypeAlias, assert_never, cast

from huaben.adapters.models.rehearsal.place import is_aside
from huaben.adapters.models.rehearsal.script import LANGUAGES, load_story
from huaben.adapters.models.rehearsal.wire import Heard, objects, text, texts
from huaben.domain.evidence import stands
from huaben.domain.jsonvalue import Json, JsonObject, dump_json, parse_json
from huaben.domain.ledger import Path, path_of
from huaben.domain.messages import User
from huaben.domain.project import Language

AFFINITY: Final = "affinity"


@dataclass(frozen=True, slots=True)
class Fact:
    """What stands at a path once `said` has been told."""

    at: str
    said: str
    to: str


@dataclass(frozen=True, slots=True)
class Feeling:
    """By how much somebody's affinity changes."""

    at: str
    said: str
    by: int


@dataclass(frozen=True, slots=True)
class Listed:
    """What comes to a list, and what leaves it."""

    at: str
    said: str
    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()


Entry: TypeAlias = Fact | Feeling | Listed


@dataclass(frozen=True, slots=True)
class Books:
    """The entries of a story in one language, and the titles by which a scribe is told what is
    what."""

    ledger: str
    words: str
    prose: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Booking:
    """A turn as the scribe is shown it, with the ledger before it."""

    ledger: JsonObject
    words: str
    prose: str


@cache
def load_books(language: Language) -> Books:
    """The entries shipped in that language. Raises ValueError for an entry that is none."""
    file = files("huaben") / "rehearsal" / language / "ledger.toml"
    raw = cast("JsonObject", tomllib.loads(file.read_text(encoding="utf-8")))  # no dates in it
    (titles,) = objects([raw.get("titles")])
    entries = [one for scene in objects(raw.get("scenes")) for one in objects(scene.get("entries"))]
    return Books(
        text(titles, "ledger"),
        text(titles, "words"),
        text(titles, "prose"),
        tuple(_entry(one) for one in entries),
    )


def booking_in(heard: Heard) -> Booking | None:
    """What a scribe's request asks to be entered; None for any other request."""
    for message in heard.messages:
        if not isinstance(message, User) or heard.tools:
            continue
        for language in LANGUAGES:
            found = _booking(message.text, load_books(language))
            if found is not None:
                return found
    return None


def entered(booking: Booking) -> str:
    """The scribe's answer: a patch in which each item has its words for evidence; an empty one for
    a turn that holds no prepared words."""
    answer = _Answer(booking.ledger)
    for language in LANGUAGES:
        aside = is_aside(load_story(language), booking.prose)
        told = booking.words if aside else f"{booking.words}\n{booking.prose}"
        for entry in load_books(language).entries:
            if stands(told, entry.said):
                answer.enter(entry)
    return dump_json({"patch": answer.patch, "evidence": {**answer.evidence}})


def _booking(said: str, books: Books) -> Booking | None:
    before, title, prose = said.partition(f"\n{books.prose}\n")
    before, _, words = before.partition(f"\n{books.words}\n")
    head, _, ledger = before.partition("\n")
    if not title or head != books.ledger:
        return None
    value = parse_json(ledger.strip())
    return Booking(value if isinstance(value, dict) else {}, words, prose)


@dataclass(slots=True)
class _Answer:
    """A patch while it is put together."""

    ledger: JsonObject
    patch: JsonObject = field(default_factory=dict[str, Json])
    evidence: dict[str, str] = field(default_factory=dict[str, str])

    def enter(self, entry: Entry) -> None:
        path = path_of(entry.at)
        assert path is not None, entry.at
        match entry:
            case Fact(to=to):
                value: Json = to
            case Feeling(by=by):
                value = _number(self._now(path)) + by
            case Listed(add=add, drop=drop):
                value = _changed(self._now(path), add, drop)
                if value == self._now(path):
                    return
            case _:
                assert_never(entry)
        _put(self.patch, path, value)
        self.evidence[entry.at] = entry.said

    def _now(self, path: Path) -> Json:
        """What stands there by now, in the patch or before it."""
        entered = _at(self.patch, path)
        return _at(self.ledger, path) if entered is None else entered


def _changed(value: Json, add: tuple[str, ...], drop: tuple[str, ...]) -> Json:
    listed = value if isinstance(value, list) else []
    kept = [item for item in listed if item not in drop]
    return [*kept, *(item for item in add if item not in kept)]


def _number(value: Json) -> int:
    return value if isinstance(value, int) else 0


def _at(value: Json, path: Path) -> Json:
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _put(patch: JsonObject, path: Path, value: Json) -> None:
    here = patch
    for part in path[:-1]:
        inner = here.setdefault(part, {})
        assert isinstance(inner, dict), path
        here = inner
    here[path[-1]] = value


# ---- from the file -------------------------------------------------------------------------------


def _entry(raw: JsonObject) -> Entry:
    at, said = text(raw, "at"), text(raw, "said")
    path = path_of(at)
    if path is None or not said:
        raise ValueError(f"an entry needs a place and words to rest on: {dict(raw)}")
    match raw:
        case {"to": str(to)}:
            return Fact(at, said, to)
        case {"by": int(by)} if path[-1] == AFFINITY:
            return Feeling(at, said, by)
        case {"add": list()} | {"drop": list()}:
            return Listed(at, said, texts(raw, "add"), texts(raw, "drop"))
        case _:
            raise ValueError(f"an entry needs something to enter: {dict(raw)}")
