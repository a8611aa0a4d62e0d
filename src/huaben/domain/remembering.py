"""Searching notes: how they are indexed, and which answer a question best; apart from any database, so
that all of them rank alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from huaben.domain.lore.ranking import Leaf, rank
from huaben.domain.notes import SOURCES, Note, NoteSource, Vantage
from huaben.domain.terms import in_title, query_tokens, scope_token, text_tokens

MAX_HITS: Final = 50
SourceState: TypeAlias = Literal["ok", "disabled", "unavailable", "error"]
"""How a source answered: it did, the scenario has it switched off, there is none here (no card), or
reading it failed. So that "not found" is not taken for "does not exist"."""


@dataclass(frozen=True, slots=True)
class NoteHit:
    """A note that a search found; `score` is above 0 and only comparable within one search."""

    note: Note
    score: float


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a search of several sources came to, best first, and how each source answered."""

    hits: tuple[NoteHit, ...]
    states: Mapping[NoteSource, SourceState]


@dataclass(frozen=True, slots=True)
class Question:
    """A search as tokens: of the `scopes` a note has one, and of the `sources` unless they are all;
    of the `terms` as many as it answers."""

    scopes: tuple[str, ...]
    sources: tuple[str, ...]
    terms: tuple[str, ...]


def note_tokens(note: Note) -> tuple[str, ...]:
    """The distinct tokens under which a note is found; those of its title also marked as such."""
    title = text_tokens(note.title)
    scopes = [_source_token(note.source)]
    if note.project_id is not None:
        scopes.append(_project_token(note.project_id))
    if note.card_id is not None and note.source == "card":
        scopes.append(_card_token(note.card_id))
    named = map(in_title, title)
    return tuple(dict.fromkeys((*scopes, *named, *title, *text_tokens(note.text))))


def question(vantage: Vantage, query: str, sources: Sequence[NoteSource]) -> Question:
    """What to ask an index. Without terms nothing answers."""
    scopes = [_project_token(vantage.project_id)]
    if vantage.card_id is not None:
        scopes.append(_card_token(vantage.card_id))
    some = () if set(sources) == set(SOURCES) else tuple(map(_source_token, sources))
    return Question(tuple(scopes), some, query_tokens(query))


def best(notes: Iterable[Note], query: str, limit: int) -> list[NoteHit]:
    """The notes that answer a question, at most `limit` (clamped to 0–50): first those that have all
    of its terms, then those that have some; within that by weight (`lore.ranking`), and of equal
    ones in the order given."""
    listed = list(notes)
    ranked = rank(
        (Leaf((_plain(note.title),), _plain(note.text)) for note in listed), _plain(query)
    )
    ranked.sort(key=lambda one: not one.whole)  # stable: the weights' order stays within
    chosen = ranked[: min(max(limit, 0), MAX_HITS)]
    return [NoteHit(listed[one.index], round(one.score, 4)) for one in chosen]


def _plain(text: str) -> str:
    """Both apostrophes are one letter, as in the index."""
    return text.replace("\u2019", "'")


def _project_token(project_id: str) -> str:
    return scope_token(f"p{project_id}")


def _card_token(card_id: str) -> str:
    return scope_token(f"c{card_id}")


def _source_token(source: NoteSource) -> str:
    return scope_token(f"k{source}")
