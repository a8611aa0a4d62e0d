"""Counting and cutting text: apart, so that every layer counts characters in the same way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import regex

# Invisible: white space, controls, whatever Unicode wants ignored in display, annotation marks
# and the blank braille pattern, which models are known to use as filling.
_VISIBLE: Final = regex.compile(
    r"[^\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB\u2800]"
)
_CLUSTER: Final = regex.compile(r"\X")
_SURROGATE: Final = regex.compile(r"[\uD800-\uDFFF]")
_HAN: Final = regex.compile(r"\p{Han}")
_WORD_OR_SYLLABLE: Final = regex.compile(
    r"\p{Han}|\p{Hiragana}|\p{Katakana}|\p{Hangul}|\p{Bopomofo}|\p{L}[\p{L}\p{M}'’]*+"
)


@dataclass(frozen=True, slots=True)
class BadOffset:
    """An offset that names no place in a text.

    `length` is the length of that text in UTF-16 code units, so that the refusal can name it.
    """

    reason: Literal["outside", "inside_surrogate_pair", "reversed"]
    length: int


def utf16_len(s: str) -> int:
    """Return the length of `s` in UTF-16 code units. A lone surrogate counts as one unit."""
    if s.isascii():
        return len(s)
    return len(s.encode("utf-16-le", "surrogatepass")) // 2


def to_utf16(s: str, index: int) -> int:
    """Return the UTF-16 offset of the code point at `index`.

    `index` is 0-based and may equal `len(s)`. Raises IndexError outside of that: a wrong index of
    our own is a fault of the program, not an answer.
    """
    return to_utf16_each(s, (index,))[0]


def to_utf16_each(s: str, indices: Iterable[int]) -> tuple[int, ...]:
    """Return the UTF-16 offsets of indices that never decrease, in time linear in `s`.

    Raises IndexError for an index that decreases or lies outside 0 … `len(s)`.
    """
    offsets: list[int] = []
    at = offset = 0
    for index in indices:
        if not at <= index <= len(s):
            raise IndexError(f"index {index} is not within {at} and {len(s)}")
        offset += utf16_len(s[at:index])
        at = index
        offsets.append(offset)
    return tuple(offsets)


def from_utf16(s: str, offset: int) -> int | BadOffset:
    """Return the code-point index of a UTF-16 offset, or why there is none.

    `offset` is in UTF-16 code units, 0-based, and may equal the length of the text.
    """
    found = from_utf16_each(s, (offset,))
    return found if isinstance(found, BadOffset) else found[0]


def from_utf16_each(s: str, offsets: Sequence[int]) -> tuple[int, ...] | BadOffset:
    """Return the code-point indices of offsets that never decrease, in time linear in `s`.

    Offsets are UTF-16 code units, 0-based. The first offset that is wrong decides the refusal.
    """
    indices: list[int] = []
    at = passed = 0
    for offset in offsets:
        if offset < 0:
            return BadOffset("outside", utf16_len(s))
        if offset < passed:
            return BadOffset("reversed", utf16_len(s))
        at, left = _advance(s, at, offset - passed)
        if left:
            reason = "outside" if at == len(s) else "inside_surrogate_pair"
            return BadOffset(reason, utf16_len(s))
        passed = offset
        indices.append(at)
    return tuple(indices)


def utf16_slice(s: str, start: int | None = None, end: int | None = None) -> str | BadOffset:
    """Return the text between two UTF-16 offsets, `end` exclusive, or why there is none.

    An absent `start` is the beginning, an absent `end` the end of the text. Nothing is clamped:
    an offset outside the text or inside a surrogate pair is refused.
    """
    begin = 0 if start is None else start
    if end is None:
        found = from_utf16(s, begin)
        return found if isinstance(found, BadOffset) else s[found:]
    bounds = from_utf16_each(s, (begin, end))
    return bounds if isinstance(bounds, BadOffset) else s[bounds[0] : bounds[1]]


def scrub(s: str) -> str:
    """Return `s` fit for every store: lone surrogates and NUL, which PostgreSQL cannot hold, become
    U+FFFD, halves of one pair are joined."""
    if "\0" in s:
        s = s.replace("\0", "\ufffd")
    if _SURROGATE.search(s) is None:
        return s
    return s.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def graphemes(s: str) -> list[str]:
    """Return the extended grapheme clusters of `s` (UAX #29), which joined give `s` again."""
    return [found.group() for found in _CLUSTER.finditer(s)]


def is_blank(s: str) -> bool:
    """Tell whether `s` shows nothing: white space, controls and invisible characters only."""
    return _VISIBLE.search(s) is None


def looks_chinese(s: str) -> bool:
    """Guess whether `s` is Chinese: at least half of its words are Han characters.

    A Han character counts as one word and so does a run of alphabetic letters, or a single long
    foreign name would outweigh a sentence of Chinese. Kana and Hangul count one by one, against.
    """
    words = len(_WORD_OR_SYLLABLE.findall(s))
    return words > 0 and 2 * len(_HAN.findall(s)) >= words


def clip(s: str, max_chars: int) -> str:
    """Return the longest start of `s` in whole grapheme clusters.

    `max_chars` counts code points and is at least 1. A first cluster that is longer by itself is
    cut at the limit.
    """
    if len(s) <= max_chars:
        return s
    # The cluster that holds the first code point too many is always the last one of this piece.
    whole = "".join(graphemes(s[: max_chars + 1])[:-1])
    return whole or s[:max_chars]


def shorten(s: str, max_chars: int) -> str:
    """Return `s`, or its start and `…` if it is longer than `max_chars` (code points, at least 2)."""
    return s if len(s) <= max_chars else clip(s, max_chars - 1) + "…"


def shared_start(left: str, right: str) -> int:
    """Return how many code points `left` and `right` begin with in common."""
    shorter = min(len(left), len(right))
    if left[:shorter] == right[:shorter]:
        return shorter
    return next(at for at in range(shorter) if left[at] != right[at])


def _advance(s: str, at: int, units: int) -> tuple[int, int]:
    """Move from index `at` over `units` code units; return the index and the units left over.

    Bisection by measured width: each step measures half of what is left, so the whole is linear
    and the counting stays in the encoder.
    """
    low, high = at, min(len(s), at + units)
    while low < high:
        middle = (low + high + 1) // 2
        width = utf16_len(s[low:middle])
        if width <= units:
            low, units = middle, units - width
        else:
            high = middle - 1
    return low, units
