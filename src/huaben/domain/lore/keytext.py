"""Keys typed as one line, apart because forms, comma strings of files and tests all split them.

A comma inside `/…/` belongs to the pattern (formats §2.5).
"""

from typing import Final

from huaben.domain.lore.matching import trim_js

REGEX_FLAGS: Final = frozenset("gimsuy")
_COMMAS: Final = frozenset(",，、")


def split_keys(line: str, *, ideographic: bool = False) -> tuple[str, ...]:
    """The keys of a comma-separated line, trimmed, empty ones left out.

    A key that begins with `/` runs to the `/flags` that ends it, commas included; if nothing ends
    it, it is plain text. `ideographic` also splits at `，` and `、`, as Chinese users type them.
    """
    commas = _COMMAS if ideographic else frozenset(",")
    keys: list[str] = []
    at = 0
    closable = True
    while at < len(line):
        start = _after_spaces(line, at)
        end = None
        if closable and line.startswith("/", start):
            end = _regex_end(line, start, commas)
            # If nothing closes this one nothing closes a later one: a hostile line stays linear.
            closable = end is not None
        if end is None:
            end = next((i for i in range(at, len(line)) if line[i] in commas), len(line))
        keys.append(trim_js(line[at:end]))
        at = end + 1
    return tuple(key for key in keys if key)


def looks_like_regex(key: str) -> tuple[str, str] | None:
    """The pattern and flags of a key written as `/pattern/flags`, else None.

    Flags are of `gimsuy`, an inner `/` must follow a backslash, and only the first `\\/` loses its
    backslash, which is what SillyTavern does (formats §2.5). Says nothing of whether it compiles.
    """
    if not key.startswith("/") or len(key) < 3:
        return None
    close = key.rfind("/")
    pattern, flags = key[1:close], key[close + 1 :]
    if close < 2 or not REGEX_FLAGS.issuperset(flags):
        return None
    if any(char == "/" and (at == 0 or pattern[at - 1] != "\\") for at, char in enumerate(pattern)):
        return None
    return pattern.replace("\\/", "/", 1), flags


def _regex_end(line: str, start: int, commas: frozenset[str]) -> int | None:
    """Where the regex key that begins at `start` ends, exclusive; None if nothing ends it."""
    index = start + 1
    while index < len(line):
        if line[index] == "\\":
            index += 2
            continue
        if line[index] == "/" and index > start + 1:
            end = index + 1
            while end < len(line) and line[end] in REGEX_FLAGS:
                end += 1
            end = _after_spaces(line, end)
            if end == len(line) or line[end] in commas:
                return end
        index += 1
    return None


def _after_spaces(line: str, at: int) -> int:
    while at < len(line) and line[at].isspace():
        at += 1
    return at
