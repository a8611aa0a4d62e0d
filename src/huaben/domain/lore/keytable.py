"""The keys of many entries, made ready to be found together.

Separate because ten thousand entries must not each read the chat: plain keys go into one automaton
per way of folding, built once and shared by every turn that looks for them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import regex
from ahocorasick_rs import AhoCorasick

from huaben.domain.lore.matching import KeyRule, prepare_key, trim_js
from huaben.domain.lore.patterns import KeyPattern, UnsupportedKey, compile_key, compile_wildcards

Family: TypeAlias = tuple[bool, bool]
"""How a text is folded: exact, case sensitive."""

MAX_LITERAL_CHARS: Final = 200
"""Longer keys are searched for one by one: an automaton is slow to build from them."""

_PIECE_CHARS: Final = 4000  # all hits of a piece are held at once, and keys may overlap endlessly


@dataclass(frozen=True, slots=True)
class PlainKey:
    """A literal key of one rule; `wanted` is how it is searched for."""

    key: str
    wanted: str
    rule: KeyRule


@dataclass(frozen=True, slots=True)
class WildKey:
    """A key with wildcards, searched for in the folded window."""

    key: str
    compiled: regex.Pattern[str]
    rule: KeyRule


Key: TypeAlias = PlainKey | WildKey | KeyPattern | UnsupportedKey


@dataclass(frozen=True, slots=True, eq=False)
class Automaton:
    """The literals of one way of folding, and the numbers of the keys that each belongs to."""

    built: AhoCorasick
    short: Sequence[Sequence[int]]
    long: Sequence[tuple[str, Sequence[int]]]

    def hits(self, text: str) -> Iterator[tuple[Sequence[int], int]]:
        """Every place where a literal stands, with the keys that it belongs to."""
        for begin in range(0, len(text), _PIECE_CHARS):
            piece = text[begin : begin + _PIECE_CHARS + MAX_LITERAL_CHARS - 1]
            for index, at, _ in self.built.find_matches_as_indexes(piece, overlapping=True):
                # What begins in the overlap belongs to the next piece.
                if at < _PIECE_CHARS:
                    yield self.short[index], begin + at
        for wanted, numbers in self.long:
            at = text.find(wanted)
            while at >= 0:
                yield numbers, at
                at = text.find(wanted, at + 1)


@dataclass(frozen=True, slots=True, eq=False)
class KeyTable:
    """Keys by number, the first of them `first`; nothing in it changes, so threads may share it."""

    first: int
    keys: Sequence[Key]
    families: Mapping[Family, Automaton]

    @property
    def end(self) -> int:
        """The first number after its own."""
        return self.first + len(self.keys)


@dataclass(slots=True)
class TableMaker:
    """Gives each key its number, from `first` on; `table` is called once, after all are in."""

    first: int = 0
    _keys: list[Key] = field(default_factory=list[Key])
    _numbers: dict[tuple[str, KeyRule, bool], int | None] = field(
        default_factory=dict[tuple[str, KeyRule, bool], int | None]
    )
    _literals: dict[Family, dict[str, list[int]]] = field(
        default_factory=dict[Family, dict[str, list[int]]]
    )

    def add(self, key: str, rule: KeyRule, *, wildcards: bool = False) -> int | None:
        """The number of a key under a rule; None for a blank one, which never matches."""
        wildcards = wildcards and not rule.exact and ("*" in key or "?" in key)
        asked = (key, rule, wildcards)
        if asked not in self._numbers:
            self._numbers[asked] = self._added(_made(key, rule, wildcards=wildcards))
        return self._numbers[asked]

    def table(self) -> KeyTable:
        """The table of all keys that were added."""
        families = {family: _automaton(found) for family, found in self._literals.items()}
        return KeyTable(self.first, tuple(self._keys), families)

    def is_pattern(self, number: int) -> bool:
        """Whether a key is looked for in whole windows rather than noticed as texts are read."""
        return not isinstance(self._keys[number - self.first], PlainKey)

    def _added(self, made: Key | None) -> int | None:
        if made is None:
            return None
        number = self.first + len(self._keys)
        self._keys.append(made)
        if isinstance(made, PlainKey):
            family = (made.rule.exact, made.rule.case_sensitive)
            literals = self._literals.setdefault(family, {})
            literals.setdefault(made.wanted, []).append(number)
        return number


def _automaton(numbers: Mapping[str, Sequence[int]]) -> Automaton:
    short = {each: found for each, found in numbers.items() if len(each) <= MAX_LITERAL_CHARS}
    long = [(each, found) for each, found in numbers.items() if len(each) > MAX_LITERAL_CHARS]
    return Automaton(AhoCorasick(list(short), store_patterns=False), list(short.values()), long)


def _made(key: str, rule: KeyRule, *, wildcards: bool) -> Key | None:
    trimmed = trim_js(key)
    pattern = compile_key(trimmed) if trimmed.startswith("/") else None
    if pattern is not None:
        return pattern
    wanted = prepare_key(trimmed, rule)
    if not wanted:
        return None
    if wildcards:
        return WildKey(trimmed, compile_wildcards(wanted), rule)
    return PlainKey(trimmed, wanted, rule)
