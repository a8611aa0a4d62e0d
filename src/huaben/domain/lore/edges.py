"""Where a word may end: the kind of a character beside a key.

Separate because the rule knows scripts and nothing of keys or lorebooks.
"""

from enum import Enum, auto
from functools import lru_cache
from typing import Final

import regex

UNSPACED_CLASS: Final = (
    # Letters and marks that several scripts share count with the kana and Han they are written in.
    r"[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}"
    r"\u3006\u302a-\u302d\u3031-\u3035\u303c\u3099\u309a\u30fc\uff70\uff9e\uff9f]"
)
SPACED_CLASS: Final = rf"[[\p{{L}}\p{{M}}\p{{Nd}}_]--{UNSPACED_CLASS}]"
"""What may not stand beside a word, for patterns compiled with VERSION1."""

_UNSPACED: Final = regex.compile(UNSPACED_CLASS)
_HANGUL: Final = regex.compile(r"\p{sc=Hangul}")
_LETTER: Final = regex.compile(r"[\p{L}\p{M}\p{Nd}]")
_MARK: Final = regex.compile(r"\p{M}")

EXACT_WORD: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
"""JavaScript's `\\w`: ASCII only, so that every other letter is a boundary (formats §0.1)."""


class Kind(Enum):
    """What a character means for the end of a word."""

    UNSPACED = auto()
    HANGUL = auto()
    WORD = auto()
    UNDERSCORE = auto()
    OTHER = auto()


@lru_cache(maxsize=8192)
def kind(char: str) -> Kind:
    """The kind of one character: marks, letters and digits by their script, all else OTHER."""
    if char == "_":
        return Kind.UNDERSCORE
    if not _LETTER.match(char):
        return Kind.OTHER
    if _UNSPACED.match(char):
        return Kind.UNSPACED
    return Kind.HANGUL if _HANGUL.match(char) else Kind.WORD


@lru_cache(maxsize=65_536)
def bound_edges(key: str) -> tuple[bool, bool]:
    """Whether a folded key needs a boundary on its left and on its right (formats §2.7).

    Scripts without word spaces and edges that are no letter, mark or digit need none; Hangul needs
    none on its right, where particles attach. A mark at the right edge counts as its base.
    """
    if not key:
        return False, False
    left = kind(key[0]) in (Kind.WORD, Kind.HANGUL)
    last = len(key) - 1
    while last > 0 and _MARK.match(key[last]) and kind(key[last]) is Kind.WORD:
        last -= 1
    return left, kind(key[last]) is Kind.WORD


def closes(neighbour: str) -> bool:
    """Whether a word may end beside this character; the empty string is the edge of the text."""
    return not neighbour or kind(neighbour) not in (Kind.WORD, Kind.HANGUL, Kind.UNDERSCORE)
