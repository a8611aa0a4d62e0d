"""What a project is made of, and the library it draws on: the records that rows are written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

Language: TypeAlias = Literal["zh", "en"]
Mode: TypeAlias = Literal["roleplay", "writing"]
ProjectKind: TypeAlias = Literal["story", "precompiled"]
"""A user's work, or the record of what other front ends had this program pass on."""

RECORD: Final = "precompiled-"
"""What the id of such a record begins with, and no other id does."""


@dataclass(frozen=True, slots=True)
class Persona:
    """Who the user is in the story; an empty name falls back to the language's word for the user."""

    name: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Project:
    """One work. `deleted_at` says since when it is in the trash. `card_id` names the card *version* that the project pins (a card's id changes with
    its bytes); `config` is the resolved scenario; times are ISO-8601 UTC."""

    id: str
    user_id: str
    title: str
    mode: Mode
    language: Language
    created_at: str
    card_id: str | None = None
    lorebook_ids: tuple[str, ...] = ()
    persona: Persona = Persona()
    config: Mapping[str, object] = field(default_factory=dict[str, object])
    deleted: bool = False
    revision: int = 0
    deleted_at: str = ""


@dataclass(frozen=True, slots=True)
class StoredCard:
    """A card in the library. `object_hash` finds the bytes as they were imported, `content` is the
    card's JSON as read from them, `report` the import report. `broken` says why a listed one cannot
    be used, as far as it can be told from outside; it is never stored. `follows` is the id of the
    version whose place this one took: that one is then deleted, and in no trash."""

    id: str
    user_id: str
    name: str
    object_hash: str
    filename: str
    content: Mapping[str, object]
    report: Mapping[str, object]
    created_at: str
    deleted: bool = False
    revision: int = 0
    deleted_at: str = ""
    broken: str = ""
    follows: str = ""


@dataclass(frozen=True, slots=True)
class StoredBook:
    """A lorebook in the library; fields as for cards, `content` in the dialect it came in."""

    id: str
    user_id: str
    name: str
    object_hash: str
    filename: str
    content: Mapping[str, object]
    report: Mapping[str, object]
    created_at: str
    deleted: bool = False
    revision: int = 0
    deleted_at: str = ""
    broken: str = ""
    follows: str = ""


@dataclass(frozen=True, slots=True)
class Guidance:
    """A text of the user's own that shapes the system text: `SYSTEM.md`, `APPEND_SYSTEM.md` or
    `AGENTS.md`. `card_id` is empty for the texts that hold for every card."""

    user_id: str
    card_id: str
    name: str
    text: str
    revision: int = 0
