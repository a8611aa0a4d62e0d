"""Texts that other programs put among the messages of a chat; here they stand before the user's words, so
that nothing that was sent before moves (`context.md` §1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import inf
from typing import Final

from huaben.domain.card import CardRole
from huaben.prompt.segments import Piece

USUAL_ORDER: Final = 100
FARTHEST: Final = inf
"""The depth of what another program puts into its first text."""
_ROLES: Final[tuple[CardRole, ...]] = ("system", "user", "assistant")


@dataclass(frozen=True, slots=True)
class InChat:
    """A text with the place that it asks for: `depth` messages before the end, of one depth the
    higher `order` nearer to the end, of one order by role."""

    piece: Piece
    depth: float
    order: int = USUAL_ORDER
    role: CardRole = "system"


def before_words(texts: Iterable[InChat]) -> tuple[Piece, ...]:
    """The texts in their order, each saying where it would have stood."""
    return tuple(_mapped(text) for text in in_order(texts))


def in_order(texts: Iterable[InChat]) -> list[InChat]:
    """From the farthest to the nearest to the end (formats §4.1)."""
    return sorted(texts, key=lambda text: (-text.depth, text.order, _ROLES.index(text.role)))


def _mapped(text: InChat) -> Piece:
    where = "beside the main prompt" if text.depth == FARTHEST else f"depth {text.depth:g}"
    asked = f"{where}, role {text.role}: mapped to before the words"
    piece = text.piece
    return replace(piece, reason=f"{piece.reason}; {asked}" if piece.reason else asked)
