"""Text folded for comparison, and the way back to where it stood.

Separate because folding changes lengths (`ß` grows, `e` + accent shrinks) and every boundary must
be judged in the text as it was written.
"""

import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import regex

_CLUSTERS: Final = regex.compile(
    # What NFKC can merge with the character before it: marks, and whatever decomposes into a mark
    # or a later Hangul jamo first. Runs of marks are cut at 32 so that a cluster stays small.
    r"[\s\S][\p{M}\u0e33\u0eb3\u1160-\u11ff\u3133\u3135\u3136\u313a-\u313f\u314f-\u3164"
    r"\u3167-\u316d\u316f\u3170\u3182\u3183\u3187-\u318e\uff9e-\uffa0\uffa3\uffa5\uffa6"
    r"\uffaa-\uffaf\uffc2-\uffdc]{0,32}"
)


@dataclass(frozen=True, slots=True)
class Folded:
    """A text in NFKC, case-folded unless asked otherwise.

    `starts[i]` is where the cluster that produced `text[i]` begins in the original and `ends[i]`
    where it ends, in code points; both are None when every character stands for itself.
    """

    text: str
    original: str
    starts: tuple[int, ...] | None = None
    ends: tuple[int, ...] | None = None

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` lies in the original, widened to whole clusters."""
        if self.starts is None or self.ends is None or start >= end:
            return start, end
        return self.starts[start], self.ends[end - 1]

    def whole(self, start: int, end: int) -> bool:
        """Whether `text[start:end]` cuts no cluster, so that `ss` is not found in half a `ß`."""
        if self.starts is None:
            return True
        starts, size = self.starts, len(self.starts)
        return (start == 0 or starts[start - 1] != starts[start]) and (
            end == size or starts[end - 1] != starts[end]
        )


def fold(text: str, *, case_sensitive: bool = False) -> Folded:
    """The text folded with NFKC and, unless `case_sensitive`, full case folding (Unicode 3.13).

    NFKC makes full-width and half-width forms equal. Linear in the text.
    """
    if text.isascii():
        return Folded(text if case_sensitive else text.lower(), text)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    plain = True
    for cluster in _CLUSTERS.finditer(text):
        begin, end = cluster.span()
        piece = _fold_cluster(cluster.group(), case_sensitive)
        plain = plain and len(piece) == 1 == end - begin
        pieces.append(piece)
        starts.extend([begin] * len(piece))
        ends.extend([end] * len(piece))
    folded = "".join(pieces)
    return Folded(folded, text) if plain else Folded(folded, text, tuple(starts), tuple(ends))


def fold_key(key: str, *, case_sensitive: bool = False) -> str:
    """A key folded as `fold` folds a text, without the way back and so much faster."""
    if key.isascii():
        return key if case_sensitive else key.lower()
    composed = unicodedata.normalize("NFKC", key)
    return composed if case_sensitive else unicodedata.normalize("NFKC", composed.casefold())


@lru_cache(maxsize=16_384)
def _fold_cluster(cluster: str, case_sensitive: bool) -> str:
    composed = unicodedata.normalize("NFKC", cluster)
    if case_sensitive:
        return composed
    # Case folding can take a composed letter apart again (ǰ), hence the second pass.
    return unicodedata.normalize("NFKC", composed.casefold())
