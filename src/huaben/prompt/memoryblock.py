"""The block of what is remembered, and the words in which a model is told of memory; apart from the other
blocks because what was recalled and what is rendered need not be the same (`context.md` §6)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from huaben.domain.notes import Note
from huaben.domain.project import Language
from huaben.domain.remembering import NoteHit
from huaben.domain.text import clip
from huaben.prompt.blocks import plain
from huaben.prompt.segments import LeftOut, Piece
from huaben.prompt.texts import phrases

MEMORY_CHARS: Final = 2400
_LEAST_CHARS: Final = 80
"""Less of a note than that tells nothing, and is left out."""


@dataclass(frozen=True, slots=True)
class MemoryBlock:
    """The block, and what was recalled but does not stand in it, or not whole."""

    piece: Piece
    left_out: tuple[LeftOut, ...] = ()


def memory_block(
    language: Language, hits: Sequence[NoteHit], max_chars: int = MEMORY_CHARS
) -> MemoryBlock:
    """The recalled notes, best first, each with its title and kind, at most `max_chars` of them in
    all. The first that does not fit is cut, which is said in it; the rest are left out by name."""
    entries: list[str] = []
    left_out: list[LeftOut] = []
    room = max_chars
    for hit in hits:
        entry = _entry(language, hit.note, room)
        whole = _entry(language, hit.note, None)
        if not entry or entry != whole:
            cut = f"cut to {room}" if entry else "left out"
            why = f"{cut}: {len(whole)} characters, {room} of {max_chars} left"
            left_out.append(LeftOut(f"memory:{hit.note.id}", why))
        if entry:
            entries.append(entry)
            room = max(0, room - len(entry))
    if not entries:
        return MemoryBlock(Piece("memory", ""), tuple(left_out))
    head = [memory_phrase(language, "title"), memory_phrase(language, "count", count=len(entries))]
    reason = "; ".join(f"{hit.note.id} {hit.score:.2f}" for hit in hits)
    return MemoryBlock(
        Piece("memory", plain("\n".join([*head, *entries])), reason), tuple(left_out)
    )


def memory_phrase(language: Language, key: str, **facts: str | int) -> str:
    """One sentence about memory with its facts filled in."""
    return phrases(language, "memory")[key].format_map(facts)


def _entry(language: Language, note: Note, room: int | None) -> str:
    """A note under its heading, in at most `room` characters; empty where that is too little."""
    kind, title = memory_phrase(language, note.kind), " ".join(note.title.split())
    key = "heading" if title else "untitled"
    heading = memory_phrase(language, key, title=title, kind=kind)
    text = note.text.strip()
    if room is not None and len(heading) + 1 + len(text) > room:
        mark = memory_phrase(language, "cut", rest=len(text))
        space = room - len(heading) - 1 - len(mark)
        if space < _LEAST_CHARS:
            return ""
        kept = clip(text, space)
        text = kept + memory_phrase(language, "cut", rest=len(text) - len(kept))
    return f"{heading}\n{text}"
