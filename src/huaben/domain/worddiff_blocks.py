"""What two sequences have in common, in bounded time: apart from words, because paragraphs and words are
matched by the same rule.

Sequences are strings whose characters stand for units (`worddiff` makes them so): they are hashed,
sliced and compared by the quickest means there are.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rapidfuzz.distance import LCSseq

MAX_CELLS: Final = 1 << 22
"""The largest table that is filled for one stretch: half a megabyte and a millisecond or two."""


@dataclass(frozen=True, slots=True)
class Match:
    """`length` units from `a` on in the first sequence equal those from `b` on in the second."""

    a: int
    b: int
    length: int


def matches(first: str, second: str, sizes: tuple[int, ...]) -> list[Match]:
    """Return what is common to both, in order and without overlaps.

    Where both are short it is a longest common subsequence. Longer ones are first tied together where
    a run of so many units (`sizes`, falling) occurs once in each; what stays too long for the table
    after the last of the sizes has nothing in common. The time is linear in the length.
    """
    return _joined(_between(first, second, Match(0, 0, 0), sizes))


def _between(first: str, second: str, at: Match, sizes: tuple[int, ...]) -> Iterator[Match]:
    """The matches of two stretches that begin at `at`."""
    head = _shared(first, second)
    if head:
        yield Match(at.a, at.b, head)
        first, second = first[head:], second[head:]
        at = Match(at.a + head, at.b + head, 0)
    tail = _shared(first[::-1], second[::-1])
    if tail:
        ending = Match(at.a + len(first) - tail, at.b + len(second) - tail, tail)
        yield from _middle(first[:-tail], second[:-tail], at, sizes)
        yield ending
    else:
        yield from _middle(first, second, at, sizes)


def _middle(first: str, second: str, at: Match, sizes: tuple[int, ...]) -> Iterator[Match]:
    """The matches of two stretches that begin and end differently."""
    if not first or not second:
        return
    if len(first) * len(second) <= MAX_CELLS:
        for op in LCSseq.opcodes(first, second):
            if op.tag == "equal":
                yield Match(at.a + op.src_start, at.b + op.dest_start, op.src_end - op.src_start)
        return
    if not sizes:
        return
    a = b = 0
    for anchor in (*_anchors(first, second, sizes[0]), Match(len(first), len(second), 0)):
        begin = Match(at.a + a, at.b + b, 0)
        yield from _between(first[a : anchor.a], second[b : anchor.b], begin, sizes[1:])
        if anchor.length:
            yield Match(at.a + anchor.a, at.b + anchor.b, anchor.length)
        a, b = anchor.a + anchor.length, anchor.b + anchor.length


def _anchors(first: str, second: str, size: int) -> list[Match]:
    """Runs of `size` units that occur once in each sequence, as many as are in one order."""
    there = _once(second, size)
    pairs = [(a, there[run]) for run, a in _once(first, size).items() if run in there]
    found: list[Match] = []
    a = b = 0
    for at in _rising([b for _, b in pairs]):
        begin_a, begin_b = pairs[at]
        if begin_a >= a and begin_b >= b:
            found.append(Match(begin_a, begin_b, size))
            a, b = begin_a + size, begin_b + size
    return found


def _once(sequence: str, size: int) -> dict[str, int]:
    """Each run that occurs only once, and where, in order."""
    places: dict[str, int] = {}
    repeated: set[str] = set()
    for at in range(len(sequence) - size + 1):
        run = sequence[at : at + size]
        if places.setdefault(run, at) != at:
            repeated.add(run)
    for run in repeated:
        del places[run]
    return places


def _rising(values: list[int]) -> list[int]:
    """The places of a longest rising subsequence of distinct values (patience sorting)."""
    tops: list[int] = []
    at_top: list[int] = []
    before: list[int] = []
    for place, value in enumerate(values):
        pile = bisect_left(tops, value)
        tops[pile : pile + 1] = [value]
        at_top[pile : pile + 1] = [place]
        before.append(at_top[pile - 1] if pile else -1)
    found: list[int] = []
    at = at_top[-1] if at_top else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    found.reverse()
    return found


def _shared(first: str, second: str) -> int:
    """How many units both begin with; by halving, as slices are compared much faster than units."""
    low, high = 0, min(len(first), len(second))
    if first[:high] == second[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _joined(found: Iterable[Match]) -> list[Match]:
    """Matches that follow each other in both sequences become one."""
    joined: list[Match] = []
    for match in found:
        last = joined[-1] if joined else None
        if last and (last.a + last.length, last.b + last.length) == (match.a, match.b):
            joined[-1] = Match(last.a, last.b, last.length + match.length)
        else:
            joined.append(match)
    return joined
