"""Keys that are patterns: which keys are, and how long they may take."""

import time
from itertools import count

import pytest

from huaben.domain.lore.fold import fold
from huaben.domain.lore.patterns import (
    KeyPattern,
    Stopwatch,
    UnsupportedKey,
    compile_key,
    compile_wildcards,
)

HOSTILE = [
    (r"/(a|a)*c/", "a" * 30),
    (r"/(\w+\s?)*$/", "a" * 40 + "!"),
    (r"/(a+)+$/", "a" * 40 + "!"),
    (r"/(.*)*x/", "a" * 40),
    (r"/^(([a-z])+.)+[A-Z]([a-z])+$/", "a" * 60),
    (r"/(a|aa)+$/", "a" * 60 + "b"),
    (r"/(x+x+)+y/", "x" * 3000),
    (r"/(.|\s)*?龙(.|\s)*?凤(.|\s)*?!!/", "龙凤" * 3000),
]


def clock_ms() -> float:
    """The machine's clock in milliseconds."""
    return time.perf_counter() * 1000


def pattern_of(key: str) -> KeyPattern:
    """The pattern a key is, or a failure."""
    found = compile_key(key)
    assert isinstance(found, KeyPattern), found
    return found


def finds(watch: Stopwatch, key: str, text: str) -> bool:
    """Whether a pattern key is found within its limits."""
    pattern = pattern_of(key)
    return watch.search(key, pattern.compiled, text, sticky=pattern.sticky) is not None


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("/dra(?:gon|ke){1,2}/i", "DRAKE", True),
        ("/Dragon/", "dragon", False),
        ("/a\\/b/", "a/b", True),
        ("/龙$/", "龙\n", False),
        ("/b/y", "ab", False),
        ("/a/gy", "ab", True),
        ("/[^\\x01]*hello/", "say hello", True),
    ],
)
def test_a_key_between_slashes_is_a_pattern(key: str, text: str, found: bool) -> None:
    """Pattern and flags as in JavaScript, the whole key with its commas."""
    assert finds(Stopwatch(clock_ms), key, text) is found


@pytest.mark.parametrize(
    "key", ["dragon", "/dragon", "dragon/", "//", "/a/x", "/a/b/", "/a/ii", "/(a/", "/a", "a/b/i"]
)
def test_anything_else_is_plain_text(key: str) -> None:
    """Unclosed, with an inner slash, with other flags, or no pattern in JavaScript either."""
    assert compile_key(key) is None


def test_a_pattern_only_javascript_can_run_is_named() -> None:
    """It is neither plain text nor a pattern: it never matches, and says why."""
    unsupported = compile_key("/\\p{Emoji_Keycap}/u")
    assert isinstance(unsupported, UnsupportedKey)
    assert "Emoji_Keycap" in unsupported.detail


@pytest.mark.parametrize(("key", "text"), HOSTILE)
def test_l25_a_catastrophic_pattern_stops_at_its_limit(key: str, text: str) -> None:
    """Every hostile pattern comes to an end, and one that was stopped is disabled and named."""
    watch = Stopwatch(clock_ms)
    found = finds(watch, key, text)
    if watch.disabled:
        assert not found
        assert watch.disabled[key].startswith("stopped after")


def test_l25_a_stopped_pattern_stays_disabled_for_the_turn() -> None:
    """It is not tried again, not even on a text it would match at once."""
    watch = Stopwatch(lambda: 0.0)  # the turn's own limit must not come first on a slow machine
    assert not finds(watch, "/(x+x+)+y/", "x" * 5000)
    assert set(watch.disabled) == {"/(x+x+)+y/"}
    assert not finds(watch, "/(x+x+)+y/", "xxy")
    assert finds(watch, "/xxy/", "xxy")


def test_l25_no_pattern_begins_once_the_turns_time_is_spent() -> None:
    """The limit of the turn counts all patterns together, by the clock that is given."""
    ticks = count(0, 100)
    watch = Stopwatch(lambda: float(next(ticks)))
    assert [finds(watch, f"/a{n}?/", "a") for n in range(4)] == [True, True, True, False]
    assert watch.disabled == {"/a3?/": "the turn's 250 ms for patterns are spent"}


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("lantern*", "two Lanterns", True),
        ("*fish", "a catfish!", True),
        ("d?g", "the dog", True),
        ("d?g", "dogs", False),
        ("c?t", "scat", False),
        ("龙*", "听说龙王来了", True),
        ("l*n", "lone", False),
        ("a.c", "abc", False),
    ],
)
def test_wildcards_stand_for_the_rest_of_a_word(key: str, text: str, found: bool) -> None:
    """A star for any run of letters, a question mark for one, boundaries as for every key."""
    assert bool(compile_wildcards(key).search(fold(text).text)) is found
