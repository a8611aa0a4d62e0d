"""What the tables of memory say of a ledger, a row for each name, in words that can be searched; apart from the
ledger's own block, which tells how things stand now and forgets what is gone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from huaben.domain.ledger import Character, Ledger, Roster, folded, one_line
from huaben.domain.notes import MAX_TITLE_CHARS, NoteKind
from huaben.domain.project import Language
from huaben.domain.text import shorten
from huaben.prompt.memoryblock import memory_phrase

Key: TypeAlias = tuple[NoteKind, str]
"""What a row is of: its kind, and its title without regard to case and width."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a note's kind, title and text, one fact on each line."""

    kind: NoteKind
    title: str
    text: str

    @property
    def key(self) -> Key:
        return (self.kind, folded(self.title))


@dataclass(frozen=True, slots=True)
class Speech:
    """In which language rows are worded, and what the reader's character is called in them."""

    language: Language
    reader: str

    def word(self, key: str, **facts: str | int) -> str:
        return memory_phrase(self.language, f"row_{key}", **facts)


def table_rows(speech: Speech, ledger: Ledger, roster: Roster) -> Mapping[Key, Row]:
    """The rows of a ledger: its people, how they stand with the reader's character, what is carried,
    and the open plot threads."""
    return {row.key: row for row in _rows(speech, ledger, roster)}


def row_gone(speech: Speech, row: Row) -> Row | None:
    """What a row comes to when the ledger no longer has it; None where it stays as it was last."""
    lines = row.text.split("\n")
    match row.kind:
        case "relation":
            text = speech.word("affinity_gone", reader=speech.reader)
        case "item":
            text = _replaced(lines, speech.word("carried"), speech.word("carried_gone"))
        case "promise":
            text = _replaced(lines, speech.word("open"), speech.word("open_gone"))
        case _:
            return None
    return Row(row.kind, row.title, text)


def _rows(speech: Speech, ledger: Ledger, roster: Roster) -> Iterator[Row]:
    for name, person in ledger.characters.items():
        facts = list(_person(speech, person, roster.people.get(name, "")))
        yield _row("person", name, facts or [speech.word("seen")])
        if person.affinity:
            known = speech.word("affinity", reader=speech.reader, affinity=person.affinity)
            yield _row("relation", name, [known])
    for name in ledger.inventory:
        yield _row("item", name, [speech.word("carried"), *_first(speech, roster.items, name)])
    for name in ledger.plot_threads:
        yield _row("promise", name, [speech.word("open"), *_first(speech, roster.threads, name)])


def _person(speech: Speech, person: Character, first: str) -> Iterator[str]:
    facts = (
        ("status", person.status),
        ("place", person.location),
        ("notes", person.notes),
        ("first", first),
    )
    return (speech.word(key, text=one_line(text)) for key, text in facts if text.strip())


def _first(speech: Speech, seen: Mapping[str, str], name: str) -> list[str]:
    time = one_line(seen.get(name, ""))
    return [speech.word("first", text=time)] if time else []


def _row(kind: NoteKind, name: str, facts: list[str]) -> Row:
    """A row under its name; one that is too long for a title is told apart by a mark, and stands in
    the text whole."""
    name = one_line(name)
    if len(name) <= MAX_TITLE_CHARS:
        return Row(kind, name, "\n".join(facts))
    mark = hashlib.blake2b(name.encode("utf-8", "replace"), digest_size=3).hexdigest()
    title = f"{shorten(name, MAX_TITLE_CHARS - len(mark) - 1)} {mark}"
    return Row(kind, title, "\n".join([name, *facts]))


def _replaced(lines: list[str], old: str, new: str) -> str:
    return "\n".join(new if line == old else line for line in lines)
