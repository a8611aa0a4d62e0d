"""The data blocks at the head of the last user message: each a pure function from values to a
piece, empty when there is nothing to say (`context.md` §2.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from huaben.domain.project import Language
from huaben.prompt.segments import Piece
from huaben.prompt.texts import phrase

NO_MEMORY: Final = Piece("memory", "")
NO_PLAN: Final = Piece("plan", "")
NO_SUMMARY: Final = Piece("summary", "")
NO_RESIDENT: Final = Piece("resident", "")


@dataclass(frozen=True, slots=True)
class ActiveEntry:
    """A lore entry in force this turn. `text` is empty where only the title is delivered;
    `position` is where it asks to stand."""

    ref: str
    title: str
    text: str
    reason: str
    position: str = ""


def lore_pieces(language: Language, entries: Sequence[ActiveEntry]) -> list[Piece]:
    """Each activated entry as a block of its own; one that is told by its title alone has no text."""
    head = phrase(language, "lore_title")
    return [
        Piece(
            f"lore:{entry.title}",
            plain("\n".join([head, f"# {entry.title}", *([entry.text] if entry.text else [])])),
            entry.reason,
        )
        for entry in entries
    ]


def lore_block(language: Language, entries: Sequence[ActiveEntry]) -> Piece:
    """Number and titles of the activated entries, then each text under its title."""
    if not entries:
        return Piece("lore", "")
    titles = _listed(language, [entry.title for entry in entries])
    lines = [
        phrase(language, "lore_title"),
        phrase(language, "lore_count", count=len(entries), titles=titles),
    ]
    for entry in entries:
        if entry.text:
            lines += ["", f"# {entry.title}", entry.text]
    reasons = "; ".join(f"{entry.title}: {entry.reason}" for entry in entries)
    return Piece("lore", plain("\n".join(lines)), reasons)


def index_block(language: Language, titles: Sequence[str], max_chars: int) -> Piece:
    """How many entries can be looked up and their titles, at most `max_chars` of them; how many
    are not listed is said."""
    if not titles or max_chars == 0:
        return Piece("lore_index", "")
    shown: list[str] = []
    used = 0
    for title in titles:
        used += len(title) + 1
        if used > max_chars:
            break
        shown.append(title)
    rest = len(titles) - len(shown)
    listed = _listed(
        language,
        [*shown, phrase(language, "index_more", count=rest)] if rest else shown,
    )
    body = phrase(language, "index_count", count=len(titles), titles=listed)
    reason = f"{rest} titles over {max_chars} characters" if rest else ""
    return Piece("lore_index", plain(f"{phrase(language, 'index_title')}\n{body}"), reason)


def language_block(language: Language) -> Piece:
    """One line, every turn: the language of narration and dialogue."""
    title, line = phrase(language, "language_title"), phrase(language, "language_line")
    return Piece("language", f"{title}\n{line}")


def _listed(language: Language, titles: Sequence[str]) -> str:
    return ("、" if language == "zh" else ", ").join(titles)


def plain(block: str) -> str:
    """The block as it may stand in a prompt: lore and notes may hold any bracket, but `【` marks block
    titles only; inside a block it is opened by another one."""
    title, _, body = block.partition("\n")
    return f"{title}\n{body.replace('【', '〖').replace('】', '〗')}"
