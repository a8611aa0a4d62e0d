"""Text folded for comparison, and the way back to where it stood.

Separate because folding changes lengths (`ß` grows, `e` + accent shrinks) and every boundary must
be judged in the text as it was written.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import Final

import regex

_CLUSTERS: Final = regex.compile(
    # What NFKC can merge with the character before it: marks, and whatever decomposes into a mark
    # or a later Hangul jamo first. Runs of marks are cut at 32 so that a cluster stays small.
    r"[\s\S][\p{M}\u0e33\u0eb3\u1160-\u11ff\u3133\u3135\u3136\u313a-\u313f\u314f-\u3164"
    r"\u3167-\u316d\u316f\u3170\u3182\u3183\u3187-\u318e\uff9e-\uffa0\uffa3\uffa5\uffa6"
    r"\uffaa-\uffaf\uffc2-\uffdc]{1,32}"
)
_MAX_LETTERS: Final = 65_536


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
    letters = _CASED if case_sensitive else _CASELESS
    clusters = [found.span() for found in _CLUSTERS.finditer(text)]
    if not clusters:
        folded = text.translate(letters)
        if len(folded) == len(text):  # no letter folds to nothing
            return Folded(folded, text)
    return _with_way_back(text, clusters, letters)


def fold_key(key: str, *, case_sensitive: bool = False) -> str:
    """A key folded as `fold` folds a text, without the way back and so much faster."""
    if key.isascii():
        return key if case_sensitive else key.lower()
    composed = unicodedata.normalize("NFKC", key)
    return composed if case_sensitive else unicodedata.normalize("NFKC", composed.casefold())


class _Letters(dict[int, str]):
    """What single characters fold to, for `str.translate`, each worked out when it is first met."""

    def __init__(self, *, case_sensitive: bool) -> None:
        super().__init__()
        self.case_sensitive = case_sensitive

    def __missing__(self, point: int) -> str:
        folded = _fold_cluster(chr(point), self.case_sensitive)
        if len(self) < _MAX_LETTERS:
            self[point] = folded
        return folded


_CASED: Final = _Letters(case_sensitive=True)
_CASELESS: Final = _Letters(case_sensitive=False)


def _with_way_back(text: str, clusters: Sequence[tuple[int, int]], letters: _Letters) -> Folded:
    """Folds the stretches between clusters letter by letter, and each cluster as one."""
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for begin, end in (*clusters, (len(text), len(text))):
        stretch = list(map(letters.__getitem__, map(ord, text[at:begin])))
        sizes = list(map(len, stretch))
        starts += chain.from_iterable(map(repeat, range(at, begin), sizes))
        ends += chain.from_iterable(map(repeat, range(at + 1, begin + 1), sizes))
        cluster = _fold_cluster(text[begin:end], letters.case_sensitive)
        starts += [begin] * len(cluster)
        ends += [end] * len(cluster)
        pieces += stretch
        pieces.append(cluster)
        at = end
    return Folded("".join(pieces), text, tuple(starts), tuple(ends))


@lru_cache(maxsize=16_384)
def _fold_cluster(cluster: str, case_sensitive: bool) -> str:
    composed = unicodedata.normalize("NFKC", cluster)
    if case_sensitive:
        return composed
    # Case folding can take a composed letter apart again (ǰ), hence the second pass.
    return unicodedata.normalize("NFKC", composed.casefold())
