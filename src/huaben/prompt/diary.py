"""A turn as the diary keeps it: where it stood in the story, and all that was said; apart from the other words
about memory because nothing of a turn may be dropped here."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from huaben.domain.ledger import one_line
from huaben.domain.notes import MAX_TEXT_CHARS
from huaben.domain.project import Language
from huaben.domain.text import clip, is_blank, shorten
from huaben.prompt.memoryblock import memory_phrase

PLACE_CHARS: Final = 60
"""Of a story time and a place that are longer a title holds only the beginning."""


@dataclass(frozen=True, slots=True)
class Happened:
    """A sealed turn: its number in the story, the story time and place after it (empty: not known),
    the user's words with what they answered, and the final text."""

    number: int
    time: str
    place: str
    words: str
    text: str


def diary_entries(language: Language, turn: Happened) -> list[tuple[str, str]]:
    """Title and text of the notes that keep a turn: one, or several where one would be too long. Of
    its text nothing is missing. The user's words stand first, quoted."""
    when = [
        shorten(one_line(part), PLACE_CHARS) for part in (turn.time, turn.place) if part.strip()
    ]
    title = " · ".join([memory_phrase(language, "diary_turn", number=turn.number), *when])
    quoted = "\n".join(f"> {line}".rstrip() for line in turn.words.strip().splitlines())
    whole = "\n\n".join(part for part in (quoted, turn.text) if part.strip())
    parts = [part for part in in_pieces(whole, MAX_TEXT_CHARS) if not is_blank(part)]
    if len(parts) == 1:
        return [(title, parts[0])]
    return [
        (f"{title} {memory_phrase(language, 'diary_part', part=n, parts=len(parts))}", part)
        for n, part in enumerate(parts, 1)
    ]


def in_pieces(text: str, limit: int) -> Iterator[str]:
    """A text in pieces of at most `limit` characters, which joined give it again; cut behind a
    paragraph where there is one in the second half, else behind a line, else between characters."""
    while len(text) > limit:
        end = len(clip(text, limit))
        for mark in ("\n\n", "\n"):
            found = text.rfind(mark, limit // 2, limit)
            if found >= 0 and found + len(mark) <= limit:
                end = found + len(mark)
                break
        yield text[:end]
        text = text[end:]
    if text:
        yield text
