"""The notes of a report in the user's language; apart because every command that brings in or hands out shows
them alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, cast

from huaben.cli.speaking import Fact, one_line, shortened, voice
from huaben.domain.jsonvalue import Json

MAX_PLACES: Final = 8
LEADS: Final = ("was", "at", "n", "most", "why", "now", "value", "fault")
"""Facts in the order in which one of them leads: the sentence of a note's values goes by its name."""
_DETAIL_CHARS: Final = 120
_say = voice().say


@dataclass(frozen=True, slots=True)
class Noted:
    """A note as it was stored. `facts` is None for a report from before notes had any."""

    code: str
    path: str = ""
    detail: str = ""
    facts: Mapping[str, Fact] | None = field(default=None, compare=False)


def notes_of(report: Mapping[str, object], name: str) -> list[Noted]:
    """The notes of one list of a report; anything that is none is left out."""
    rows = cast("Json", report.get(name))  # the store gives back the JSON that was put in
    return [_noted(row) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _noted(row: Mapping[str, Json]) -> Noted:
    code, path, detail = (str(row.get(name, "")) for name in ("code", "path", "detail"))
    facts = row.get("facts")
    if not isinstance(facts, dict):
        return Noted(code, path, detail)
    plain = {name: one for name, one in facts.items() if isinstance(one, str | int | float)}
    return Noted(code, path, detail, plain)


def gathered_notes(notes: Sequence[Noted]) -> list[Noted]:
    """Notes that differ only in their place, as one that names the first places and how many more
    there are."""
    places: dict[Noted, list[str]] = {}
    for note in notes:
        places.setdefault(replace(note, path=""), []).append(note.path)
    return [replace(note, path=_places(paths)) for note, paths in places.items()]


def _places(paths: Sequence[str]) -> str:
    named = [path for path in paths if path]
    rest = len(named) - MAX_PLACES
    shown = ", ".join(named[:MAX_PLACES])
    return f"{shown} +{rest}" if rest > 0 else shown


def rendered(note: Noted) -> str:
    """What it is, where, and its values. A code without words of its own is shown as it is, never left
    out, with the detail in the program's English."""
    key = f"note.{note.code}"
    known = voice().knows(key)
    values = _values(note.code, note.facts) if known and note.facts is not None else note.detail
    where = f"[{note.path}]" if note.path else ""
    parts = (_say(key) if known else note.code, where, shortened(values, _DETAIL_CHARS))
    return one_line(" ".join(part for part in parts if part))


def _values(code: str, facts: Mapping[str, Fact]) -> str:
    for lead in LEADS:
        key = next((k for k in (f"fact.{code}.{lead}", f"fact.any.{lead}") if voice().knows(k)), "")
        if lead in facts and key:
            said = {name: _reason(fact) if name == "why" else fact for name, fact in facts.items()}
            number = said.pop("n", 0)
            return voice().count(key, number if isinstance(number, int) else 0, **said)
    return ""


def _reason(fact: Fact) -> Fact:
    key = f"because.{str(fact).replace(' ', '_')}"
    return _say(key) if voice().knows(key) else fact
