"""Going on from a sealed text: which turns do that, and how what they write is joined to it; apart from
the turn because a continuation changes another turn's text and has none of its own."""

from __future__ import annotations

from typing import Final

from huaben.domain.image import markers
from huaben.domain.story import Turn

_CLOSED: Final = frozenset("。！？!?.…”’」』》）)】~～—*_\"'\n")
"""After one of these a paragraph may end."""


def continues(turn: Turn) -> bool:
    """Whether a turn goes on from another's final text: it names that from its beginning, and the user
    said nothing in it."""
    return turn.kind == "turn" and turn.revises is not None and not turn.user_text


def appended(text: str, more: str) -> str:
    """`more` joined to the end of `text`: as a paragraph of its own, or, where the text stops in the
    middle of a sentence, right behind it. A picture always has its own line."""
    before, after = text.rstrip(), more.strip()
    if not before or not after:
        return before or after
    pictured = next(markers(after), None)
    if before[-1] in _CLOSED or (pictured is not None and pictured.start == 0):
        return f"{before}\n\n{after}"
    spaced = before[-1].isascii() and after[0].isascii() and after[0].isalnum()
    return f"{before} {after}" if spaced else f"{before}{after}"
