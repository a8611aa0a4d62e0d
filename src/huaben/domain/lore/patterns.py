"""Keys that are patterns: compiled once, searched within a time limit.

Separate from the translator, which regex scripts share, and from activation, which only asks
whether a key is found.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, TypeAlias

import regex

from huaben.domain.lore.edges import SPACED_CLASS, bound_edges
from huaben.domain.lore.jsregex import Untranslatable, translate
from huaben.domain.lore.keytext import looks_like_regex

PATTERN_LIMIT_MS: Final = 50.0
TURN_LIMIT_MS: Final = 250.0

ClockMs: TypeAlias = Callable[[], float]


@dataclass(frozen=True, slots=True)
class KeyPattern:
    """A key written as `/pattern/flags`, ready to be searched for."""

    key: str
    compiled: regex.Pattern[str]
    sticky: bool


@dataclass(frozen=True, slots=True)
class UnsupportedKey:
    """A key that JavaScript would run as a pattern and we cannot; it never matches."""

    key: str
    detail: str


@lru_cache(maxsize=4096)
def compile_key(key: str) -> KeyPattern | UnsupportedKey | None:
    """The pattern that a key is, or None if it is plain text.

    Plain text is what does not look like a pattern, and what looks like one and is none in
    JavaScript either (formats §2.5): then the slashes are part of the text.
    """
    looks = looks_like_regex(key)
    if looks is None:
        return None
    translated = translate(*looks)
    if isinstance(translated, Untranslatable):
        if translated.code in ("syntax", "flags"):
            return None
        return UnsupportedKey(key, translated.detail)
    flags = regex.IGNORECASE if translated.ignore_case else 0
    return KeyPattern(key, regex.compile(translated.pattern, flags), translated.sticky)


@lru_cache(maxsize=4096)
def compile_wildcards(folded_key: str) -> regex.Pattern[str]:
    """A folded key in which `*` is any run of word characters and `?` is one (Agnai's keys).

    It ends where a word ends, like any other key; a star takes in the rest of its word.
    """
    body = "".join(_WILD.get(char) or regex.escape(char) for char in folded_key)
    left, right = bound_edges(folded_key)
    before = rf"(?<!{SPACED_CLASS})" if left or folded_key.startswith("?") else ""
    after = rf"(?!{SPACED_CLASS})" if right or folded_key.endswith("?") else ""
    return regex.compile(before + body + after, regex.VERSION1)


_WILD: Final = {"*": r"[\p{L}\p{M}\p{Nd}_]*", "?": r"[\p{L}\p{Nd}_]\p{M}*+"}


@dataclass(slots=True)
class Stopwatch:
    """The time that one evaluation may spend on patterns, in milliseconds of the injected clock.

    A pattern that exceeds its limit, or begins after the turn's is spent, is disabled for the rest
    of the evaluation and stays named in `disabled` with the reason.
    """

    clock_ms: ClockMs
    pattern_limit_ms: float = PATTERN_LIMIT_MS
    turn_limit_ms: float = TURN_LIMIT_MS
    spent_ms: float = 0.0
    disabled: dict[str, str] = field(default_factory=dict[str, str])

    def search(
        self, key: str, pattern: regex.Pattern[str], text: str, *, sticky: bool = False
    ) -> int | None:
        """Where the pattern first matches, None if nowhere; never once its key is disabled."""
        if key in self.disabled:
            return None
        left_ms = self.turn_limit_ms - self.spent_ms
        if left_ms <= 0:
            self.disabled[key] = f"the turn's {self.turn_limit_ms:g} ms for patterns are spent"
            return None
        limit_ms = min(self.pattern_limit_ms, left_ms)
        search = pattern.match if sticky else pattern.search
        begun_ms = self.clock_ms()
        try:
            # Without `concurrent` a hostile pattern would hold every other thread as well.
            found = search(text, timeout=limit_ms / 1000, concurrent=True)
        except TimeoutError:
            self.disabled[key] = f"stopped after {limit_ms:.0f} ms"
            return None
        finally:
            self.spent_ms += max(0.0, self.clock_ms() - begun_ms)
        return None if found is None else found.start()
