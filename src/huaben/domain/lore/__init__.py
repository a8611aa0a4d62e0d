"""Lorebooks: what they are, how keys match, which entries a turn gets; pure."""

from huaben.domain.lore.keytext import split_keys
from huaben.domain.lore.matching import key_matches
from huaben.domain.lore.search import Hit, entry_title, search
from huaben.domain.lore.values import (
    Book,
    BookDialect,
    CharacterFilter,
    Entry,
    Group,
    Logic,
    Place,
    Position,
    Recursion,
    Role,
    Sources,
    Timing,
    Trigger,
)

__all__ = [
    "Book",
    "BookDialect",
    "CharacterFilter",
    "Entry",
    "Group",
    "Hit",
    "Logic",
    "Place",
    "Position",
    "Recursion",
    "Role",
    "Sources",
    "Timing",
    "Trigger",
    "entry_title",
    "key_matches",
    "search",
    "split_keys",
]
