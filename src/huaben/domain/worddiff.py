"""The difference of two texts by words: apart, as drafts, revisions and chapters are compared alike.

A Chinese paragraph is one line, so a difference by lines tells nothing. Paragraphs are tied together
first; only what lies between those that are equal is looked at word by word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, chain, takewhile
from typing import Final, Literal, TypeAlias

import regex

from huaben.domain.text import to_utf16_each, utf16_len
from huaben.domain.worddiff_blocks import Match, matches

DiffKind: TypeAlias = Literal["kept", "deleted", "inserted"]

# Scripts that put no spaces between words: there each character is a unit, and nothing is widened.
_LONE: Final = (
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}]"
)
_LETTER: Final = rf"[[\p{{L}}\p{{N}}]--{_LONE}]"
_REST: Final = rf"[[\p{{L}}\p{{N}}\p{{M}}]--{_LONE}]"
_TOKEN: Final = regex.compile(rf"(?V1){_LETTER}{_REST}*+(?:['’]{_REST}++)*+|[^\S\r\n]+|\X")
_PARAGRAPH: Final = regex.compile(r"[^\n]*+\n(?:\r?\n)*+|[^\n]++")
_SENTENCE_END: Final = frozenset('。！？!?….”’」』）)"')

_PARAGRAPH_RUNS: Final = (1,)
_WORD_RUNS: Final = (12, 6, 3)
_MAX_UNITS: Final = 0x10F000
"""More different units than there are characters to stand for them: such texts count as unlike."""
_WORD_WEIGHT: Final = 2
_MAX_ISLAND: Final = 3
_TOLD_APART: Final = 3
_MAX_SLIDE: Final = 512
_MAX_CLOSE: Final = 8


@dataclass(frozen=True, slots=True)
class WordSpan:
    """A stretch that both texts have, or that only the first (`deleted`) or the second (`inserted`) has.

    `start` and `end` are UTF-16 code units of the first text, `new_start` and `new_end` of the second,
    `end` exclusive. A stretch that a text does not have is empty there, at its place.
    """

    kind: DiffKind
    start: int
    end: int
    new_start: int
    new_end: int


@dataclass(frozen=True, slots=True)
class _Edit:
    """Units `a` to `a_end` of the first text give way to `b` to `b_end` of the second."""

    a: int
    a_end: int
    b: int
    b_end: int

    @property
    def is_empty(self) -> bool:
        return self.a == self.a_end and self.b == self.b_end

    @property
    def one_sided(self) -> bool:
        return self.a == self.a_end or self.b == self.b_end


def diff_words(old: str, new: str) -> tuple[WordSpan, ...]:
    """Return how `new` differs from `old`, in spans that cover both texts in order.

    Units are words, single characters of scripts without spaces, punctuation marks and runs of spaces;
    no grapheme cluster is cut. Equal stretches too small to mean anything between two changes belong
    to the change. The time is linear in the texts: where they are long and have hardly anything in
    common the units become coarser, up to the whole stretch.
    """
    places: list[tuple[DiffKind, int, int]] = []
    at = new_at = 0
    for edit in _edits(old, new):
        places.append(("kept", edit.a, edit.b))
        places.append(("deleted", edit.a_end, edit.b))
        places.append(("inserted", edit.a_end, edit.b_end))
    places.append(("kept", len(old), len(new)))
    offsets = _offsets(old, [a for _, a, _ in places])
    new_offsets = _offsets(new, [b for _, _, b in places])
    spans: list[WordSpan] = []
    for (kind, _, _), end, new_end in zip(places, offsets, new_offsets, strict=True):
        if (at, new_at) != (end, new_end):
            spans.append(WordSpan(kind, at, end, new_at, new_end))
        at, new_at = end, new_end
    return tuple(spans)


def _offsets(text: str, places: Sequence[int]) -> Sequence[int]:
    # Most texts have no character outside the basic plane, and then nothing needs to be counted.
    return places if utf16_len(text) == len(text) else to_utf16_each(text, places)


def _edits(old: str, new: str) -> Iterator[_Edit]:
    """What changed, in code points of both texts."""
    before, after = _Units.of(_PARAGRAPH, old), _Units.of(_PARAGRAPH, new)
    for part in _unlike(before.units, after.units, _PARAGRAPH_RUNS):
        a, b = before.starts[part.a], after.starts[part.b]
        words = _Units.of(_TOKEN, old[a : before.starts[part.a_end]])
        new_words = _Units.of(_TOKEN, new[b : after.starts[part.b_end]])
        for edit in _by_words(words.units, new_words.units):
            yield _Edit(
                a + words.starts[edit.a],
                a + words.starts[edit.a_end],
                b + new_words.starts[edit.b],
                b + new_words.starts[edit.b_end],
            )


@dataclass(frozen=True, slots=True)
class _Units:
    """A text in units, and where each begins; one place more for the end of the text."""

    units: Sequence[str]
    starts: Sequence[int]

    @staticmethod
    def of(pattern: regex.Pattern[str], text: str) -> _Units:
        units: list[str] = pattern.findall(text)
        return _Units(units, list(accumulate(map(len, units), initial=0)))


def _unlike(before: Sequence[str], after: Sequence[str], runs: tuple[int, ...]) -> Iterator[_Edit]:
    """The stretches of units that the two sequences do not share."""
    different = dict.fromkeys(chain(before, after))
    if len(different) > _MAX_UNITS:
        yield _Edit(0, len(before), 0, len(after))
        return
    signs = {unit: chr(number) for number, unit in enumerate(different)}
    first, second = ("".join(map(signs.__getitem__, units)) for units in (before, after))
    a = b = 0
    for match in (*matches(first, second, runs), Match(len(first), len(second), 0)):
        if (a, b) != (match.a, match.b):
            yield _Edit(a, match.a, b, match.b)
        a, b = match.a + match.length, match.b + match.length


# ---- making it readable ------------------------------------------------------------------------


def _by_words(before: Sequence[str], after: Sequence[str]) -> Iterator[_Edit]:
    """The edits of two stretches in units, joined over what means nothing and moved to where one would
    say that they are."""
    edits: list[_Edit] = []
    weights, new_weights = _weights(before), _weights(after)
    for edit in _unlike(before, after, _WORD_RUNS):
        joined = edit
        while edits and _incidental(edits[-1], joined, before, weights, new_weights):
            joined = replace(joined, a=edits[-1].a, b=edits[-1].b)
            edits.pop()
        edits.append(joined)
    ending = _Edit(len(before), len(before), len(after), len(after))
    last = _Edit(0, 0, 0, 0)  # at the beginning, where nothing stands before the first
    for edit, following in zip(edits, (*edits[1:], ending), strict=True):
        for placed in _placed(edit, last, following, before, after):
            # What was moved may now touch what stood before it.
            if (last.a_end, last.b_end) == (placed.a, placed.b):
                last = replace(placed, a=last.a, b=last.b)
            else:
                if not last.is_empty:
                    yield last
                last = placed
    if not last.is_empty:
        yield last


def _placed(
    edit: _Edit, left: _Edit, right: _Edit, before: Sequence[str], after: Sequence[str]
) -> Iterator[_Edit]:
    if edit.one_sided:
        yield _slid(edit, left, right, before, after)
    else:
        yield from _parted(edit, before, after, right.a - edit.a_end)


def _incidental(
    left: _Edit,
    right: _Edit,
    before: Sequence[str],
    weights: Sequence[int],
    new_weights: Sequence[int],
) -> bool:
    """Whether what stands between two edits is alike only by chance, being small beside both."""
    island = weights[right.a] - weights[left.a_end]
    if island > _MAX_ISLAND or any("\n" in unit for unit in before[left.a_end : right.a]):
        return False
    return island == 0 or all(
        _TOLD_APART * island
        <= max(weights[e.a_end] - weights[e.a], new_weights[e.b_end] - new_weights[e.b])
        for e in (left, right)
    )


def _weights(units: Sequence[str]) -> list[int]:
    """How much a reader has read at each place."""
    known = {unit: _weight(unit) for unit in set(units)}
    return list(accumulate((known[unit] for unit in units), initial=0))


def _weight(unit: str) -> int:
    """Spaces are nothing, a word is more than a character."""
    if unit.isspace():
        return 0
    return _WORD_WEIGHT if len(unit) > 1 and unit[0].isalnum() else 1


def _slid(
    edit: _Edit, left: _Edit, right: _Edit, before: Sequence[str], after: Sequence[str]
) -> _Edit:
    """The same edit where it reads best: from "一。二。" to "一。甲。二。" it is "甲。", not "。甲"."""
    inserted = edit.a == edit.a_end
    units, start, end = (after, edit.b, edit.b_end) if inserted else (before, edit.a, edit.a_end)
    low, high = (left.b_end, right.b) if inserted else (left.a_end, right.a)
    back, on = max(low - start, -_MAX_SLIDE), min(high - end, _MAX_SLIDE)
    first = last = 0
    while first > back and units[start + first - 1] == units[end + first - 1]:
        first -= 1
    while last < on and units[start + last] == units[end + last]:
        last += 1
    by = max(range(first, last + 1), key=lambda by: (_break(units, start + by), -abs(by)))
    return _Edit(edit.a + by, edit.a_end + by, edit.b + by, edit.b_end + by)


def _break(units: Sequence[str], at: int) -> int:
    """How natural it is to begin something new at a place."""
    if at == 0:
        return 1
    before = units[at - 1]
    if "\n" in before:
        return 3
    if before in _SENTENCE_END or (before.isspace() and at > 1 and units[at - 2] in _SENTENCE_END):
        return 2
    return 0 if before.isalnum() else 1


def _parted(edit: _Edit, before: Sequence[str], after: Sequence[str], room: int) -> Iterator[_Edit]:
    """The same edit as a change of one sentence and a new one behind it, where that is what it is: of
    "雨。" and "雪。夜。" it is "雨" that changed and "夜。" that came, not "雨" that became "雪。夜".

    `room` is how many kept units follow the edit.
    """
    close = _close(before[edit.a_end : edit.a_end + min(room, _MAX_CLOSE)])
    gone, come = edit.a_end - edit.a, edit.b_end - edit.b
    if close and come > gone:
        cut = _find(after, close, edit.b + 1, edit.b_end)
        if cut is not None:
            yield _Edit(edit.a, edit.a_end, edit.b, cut)
            at = edit.a_end + len(close)
            yield _Edit(at, at, cut + len(close), edit.b_end + len(close))
            return
    if close and gone > come:
        cut = _find(before, close, edit.a + 1, edit.a_end)
        if cut is not None:
            yield _Edit(edit.a, cut, edit.b, edit.b_end)
            at = edit.b_end + len(close)
            yield _Edit(cut + len(close), edit.a_end + len(close), at, at)
            return
    yield edit


def _close(kept: Sequence[str]) -> Sequence[str]:
    """What closes the sentence at the beginning of a kept stretch: marks and line ends, if any."""
    marks = (unit in _SENTENCE_END or "\n" in unit for unit in kept)
    return kept[: sum(1 for _ in takewhile(bool, marks))]


def _find(units: Sequence[str], wanted: Sequence[str], start: int, end: int) -> int | None:
    """The first place of `wanted` within bounds."""
    places = range(start, end - len(wanted) + 1)
    return next((at for at in places if units[at : at + len(wanted)] == wanted), None)
