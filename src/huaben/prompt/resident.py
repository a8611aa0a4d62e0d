"""What the call that writes a card's resident summary is sent, and the block in which it heads the log; apart
from the summary of one story because it is made of those of several (`state.md` §3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from huaben.domain.notes import MAX_RESIDENT_CHARS, Note
from huaben.domain.project import Language
from huaben.domain.text import shorten
from huaben.prompt.blocks import plain
from huaben.prompt.segments import Piece, Prompt, segment
from huaben.prompt.texts import phrases

STORIES: Final = 12
"""How many stories one call is told of, the newest first."""
STORY_CHARS: Final = 4000
"""Of a longer recap only the beginning is told."""


@dataclass(frozen=True, slots=True)
class ResidentScene:
    """The card's name and the recaps of its stories, the newest first."""

    language: Language
    card: str
    recaps: tuple[Note, ...]


def compose_resident(scene: ResidentScene) -> Prompt:
    """The prompt of the call. Words of the user and the model are never templates."""
    language = scene.language
    told, left = scene.recaps[:STORIES], len(scene.recaps) - STORIES
    duty = _text(language, "duty").format(limit=MAX_RESIDENT_CHARS)
    return Prompt(
        (
            segment("prefix", "system", Piece("resident.duty", duty)),
            segment(
                "tail",
                "user",
                Piece("resident.card", _text(language, "card").format(name=scene.card)),
                *_stories(language, told),
                Piece("resident.left", _left(language, left)),
                Piece("resident.close", _text(language, "close")),
            ),
        )
    )


def resident_block(language: Language, text: str, reason: str = "") -> Piece:
    """The resident summary as it heads the log; empty where there is none."""
    if not text.strip():
        return Piece("resident", "")
    return Piece("resident", plain(f"{_text(language, 'title')}\n{text.strip()}"), reason)


def _stories(language: Language, recaps: Sequence[Note]) -> list[Piece]:
    pieces: list[Piece] = []
    for recap in recaps:
        title = " ".join(recap.title.split())
        heading = _text(language, "story" if title else "untitled").format(title=title)
        told = shorten(recap.text.strip(), STORY_CHARS)
        reason = "" if told == recap.text.strip() else f"cut to {STORY_CHARS} characters"
        pieces.append(Piece(f"memory:{recap.id}", f"{heading}\n{told}", reason))
    return pieces


def _left(language: Language, count: int) -> str:
    return _text(language, "left").format(count=count) if count > 0 else ""


def _text(language: Language, key: str) -> str:
    return phrases(language, "resident")[key]
