"""All keys of an evaluation, found together.

Separate because ten thousand entries must not each read the chat: plain keys go into one automaton
per way of folding, each segment is read once, and boundaries are judged hit by hit.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import regex
from ahocorasick_rs import AhoCorasick

from huaben.domain.lore.fold import Folded
from huaben.domain.lore.matching import KeyRule, prepare_key, prepare_text, stands, trim_js
from huaben.domain.lore.patterns import (
    KeyPattern,
    Stopwatch,
    UnsupportedKey,
    compile_key,
    compile_wildcards,
)
from huaben.domain.lore.window import Segment, Window, joined

_Family: TypeAlias = tuple[bool, bool]
"""How a text is folded: exact, case sensitive."""

MAX_LITERAL_CHARS: Final = 200
"""Longer keys are searched for one by one: an automaton is slow to build from them."""

_PIECE_CHARS: Final = 4000  # all hits of a piece are held at once, and keys may overlap endlessly


@dataclass(slots=True)
class _Plain:
    """A literal key of one rule and the segments where it stands."""

    key: str
    wanted: str
    rule: KeyRule
    segments: list[Segment] = field(default_factory=list[Segment])


@dataclass(frozen=True, slots=True)
class _Wild:
    """A key with wildcards, searched for in the folded window."""

    key: str
    compiled: regex.Pattern[str]
    rule: KeyRule


_Key: TypeAlias = _Plain | _Wild | KeyPattern | UnsupportedKey


@dataclass(slots=True)
class KeyTable:
    """The keys by number, and what the segments read so far have shown of them.

    `add` all keys first, then `read` segments, then ask `find`.
    """

    watch: Stopwatch
    expand: Callable[[str], str]
    keys: list[_Key] = field(default_factory=list[_Key])
    segments: list[Segment] = field(default_factory=list[Segment])
    _numbers: dict[tuple[str, KeyRule, bool], int] = field(
        default_factory=dict[tuple[str, KeyRule, bool], int]
    )
    _families: dict[_Family, "_Automaton"] = field(default_factory=dict[_Family, "_Automaton"])
    _texts: dict[Window, tuple[str, list[tuple[int, str]]]] = field(
        default_factory=dict[Window, tuple[str, list[tuple[int, str]]]]
    )

    _pages: dict[tuple[Window, bool], Folded] = field(
        default_factory=dict[tuple[Window, bool], Folded]
    )

    _found: dict[tuple[int, Window], str | None] = field(
        default_factory=dict[tuple[int, Window], str | None]
    )

    def add(self, key: str, rule: KeyRule, *, wildcards: bool = False) -> int | None:
        """The number of a key under a rule; None for a blank one, which never matches."""
        if "{{" in key or "<" in key:
            key = self.expand(key)
        wildcards = wildcards and not rule.exact and ("*" in key or "?" in key)
        known = self._numbers.get((key, rule, wildcards))
        if known is not None:
            return known
        made = _make(key, rule, wildcards=wildcards)
        if made is None:
            return None
        number = len(self.keys)
        self._numbers[key, rule, wildcards] = number
        self.keys.append(made)
        if isinstance(made, _Plain):
            family = (rule.exact, rule.case_sensitive)
            self._families.setdefault(family, _Automaton()).add(made.wanted, number)
        return number

    def read(self, segment: Segment) -> Iterator[int]:
        """Reads one segment more and yields the numbers of the plain keys that stand in it."""
        self.segments.append(segment)
        self._found.clear()
        self._texts.clear()
        self._pages.clear()
        for (exact, case_sensitive), automaton in self._families.items():
            rule = KeyRule(case_sensitive=case_sensitive, exact=exact)
            page = prepare_text(segment.text, rule)
            yield from self._standing(automaton.hits(page.text), page, segment)

    def find(self, number: int, window: Window) -> str | None:
        """The name of the first segment of a window where a key is found, None if in none."""
        key = self.keys[number]
        if isinstance(key, _Plain):
            return next((each.name for each in key.segments if window.holds(each)), None)
        if isinstance(key, UnsupportedKey):
            return None
        if (number, window) not in self._found:
            self._found[number, window] = self._search(key, window)
        return self._found[number, window]

    def _search(self, key: "_Wild | KeyPattern", window: Window) -> str | None:
        text, starts = self._text(window)
        if isinstance(key, _Wild):
            page = self._page(window, key.rule)
            at = self.watch.search(key.key, key.compiled, page.text)
            at = at if at is None else page.span(at, at + 1)[0]
        else:
            at = self.watch.search(key.key, key.compiled, text, sticky=key.sticky)
        if at is None or not starts:
            return None if at is None else "nothing"
        return starts[max(0, bisect_right(starts, (at, "\U0010ffff")) - 1)][1]

    def is_pattern(self, number: int) -> bool:
        """Whether a key is looked for in whole windows rather than noticed as segments are read."""
        return not isinstance(self.keys[number], _Plain)

    def name(self, number: int) -> str:
        """The key as it is shown."""
        return self.keys[number].key

    def unsupported(self, numbers: Iterable[int]) -> UnsupportedKey | None:
        """The first of these keys that is a pattern only JavaScript can run."""
        keys = (self.keys[number] for number in numbers)
        return next((key for key in keys if isinstance(key, UnsupportedKey)), None)

    def stopped(self, numbers: Iterable[int]) -> str | None:
        """The first of these keys that was disabled for the time it took."""
        names = (self.name(number) for number in numbers if self.is_pattern(number))
        return next((name for name in names if name in self.watch.disabled), None)

    def _standing(
        self, hits: Iterable[tuple[Sequence[int], int]], page: Folded, segment: Segment
    ) -> Iterator[int]:
        for numbers, at in hits:
            for number in numbers:
                key = self.keys[number]
                if not isinstance(key, _Plain) or (key.segments and key.segments[-1] is segment):
                    continue
                if stands(page, key.wanted, at, key.rule):
                    key.segments.append(segment)
                    yield number

    def _page(self, window: Window, rule: KeyRule) -> Folded:
        where = (window, rule.case_sensitive)
        if where not in self._pages:
            self._pages[where] = prepare_text(self._text(window)[0], rule)
        return self._pages[where]

    def _text(self, window: Window) -> tuple[str, list[tuple[int, str]]]:
        if window not in self._texts:
            self._texts[window] = joined(self.segments, window)
        return self._texts[window]


@dataclass(slots=True)
class _Automaton:
    """The literals of one way of folding; built when the first text is read."""

    numbers: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _built: AhoCorasick | None = None
    _short: list[str] = field(default_factory=list[str])
    _long: list[str] = field(default_factory=list[str])

    def add(self, wanted: str, number: int) -> None:
        self.numbers.setdefault(wanted, []).append(number)

    def hits(self, text: str) -> Iterator[tuple[Sequence[int], int]]:
        """Every place where a literal stands, with the keys that it belongs to."""
        if self._built is None:
            self._short = [each for each in self.numbers if len(each) <= MAX_LITERAL_CHARS]
            self._long = [each for each in self.numbers if len(each) > MAX_LITERAL_CHARS]
            self._built = AhoCorasick(self._short, store_patterns=False)
        for begin in range(0, len(text), _PIECE_CHARS):
            piece = text[begin : begin + _PIECE_CHARS + MAX_LITERAL_CHARS - 1]
            for index, at, _ in self._built.find_matches_as_indexes(piece, overlapping=True):
                # What begins in the overlap belongs to the next piece.
                if at < _PIECE_CHARS:
                    yield self.numbers[self._short[index]], begin + at
        for wanted in self._long:
            at = text.find(wanted)
            while at >= 0:
                yield self.numbers[wanted], at
                at = text.find(wanted, at + 1)


def _make(key: str, rule: KeyRule, *, wildcards: bool) -> _Key | None:
    trimmed = trim_js(key)
    pattern = compile_key(trimmed) if trimmed.startswith("/") else None
    if pattern is not None:
        return pattern
    wanted = prepare_key(trimmed, rule)
    if not wanted:
        return None
    if wildcards:
        return _Wild(trimmed, compile_wildcards(wanted), rule)
    return _Plain(trimmed, wanted, rule)
