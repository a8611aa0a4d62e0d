"""Finding and replacing words in a chapter: apart from files, so that a preview and the change that follows
it are made by one rule."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import regex

from huaben.domain.lore.edges import UNSPACED_CLASS, bound_edges
from huaben.domain.scriptrun import compile_pattern
from huaben.domain.text import to_utf16_each, utf16_len

PLACES: Final = 200
"""How many places of a chapter are shown one by one."""
AROUND: Final = 40
LIMIT_S: Final = 1.0
"""How long a pattern may search one chapter."""
MAX_CHARS: Final = 16 * 1024 * 1024
"""What a replacement may make of a chapter."""

_BESIDE: Final = rf"(?!{UNSPACED_CLASS})[\p{{L}}\p{{M}}\p{{Nd}}_]"
_REFERENCE: Final = regex.compile(r"\$(?:(\$)|(&)|([0-9]{1,2})|<([^>]+)>)|\\([nt\\])")
_ESCAPES: Final = {"n": "\n", "t": "\t", "\\": "\\"}


@dataclass(frozen=True, slots=True)
class Replacement:
    """Words and what they become, both literal unless `pattern`: then `find` is a regular expression of
    JavaScript's kind, `^` and `$` are the ends of a line, and `replace` may refer to what was matched:
    `$&`, `$1`, `$<name>`, `$$` for a dollar, `\\n` and `\\t`. `whole_words` holds for literal words in
    scripts that part words by spaces. `names` are the chapters that it is about, all without any."""

    find: str
    replace: str
    ignore_case: bool = False
    names: tuple[str, ...] = ()
    whole_words: bool = False
    pattern: bool = False


@dataclass(frozen=True, slots=True)
class BadPattern:
    """Why a pattern cannot be searched for."""

    detail: str


@dataclass(frozen=True, slots=True)
class Finder:
    """A replacement that is ready for texts: `pieces` of what is put there, a number for each group."""

    compiled: regex.Pattern[str]
    pieces: tuple[str | int, ...]


TooMuch: TypeAlias = Literal["too_slow", "too_large"]
"""A pattern that was stopped after `LIMIT_S`, or a text that would exceed `MAX_CHARS`."""


@dataclass(frozen=True, slots=True)
class ReplacedPlace:
    """One place: its line from 1, `start` and `end` in UTF-16 units of the old text, an excerpt of the
    line before and after, where in both the place begins (`at`, UTF-16), and what is `put` there."""

    line: int
    start: int
    end: int
    before: str
    after: str
    at: int
    put: str


@dataclass(frozen=True, slots=True)
class ReplacedText:
    """A text in which all places are replaced but those left out; `count` places were found, the first
    `PLACES` are told one by one. `done` is how many were replaced."""

    text: str
    count: int
    places: tuple[ReplacedPlace, ...]
    done: int = 0


def finder(wanted: Replacement) -> Finder | BadPattern:
    """Make a replacement ready. Literal words hold no pattern, and what replaces them no reference."""
    if wanted.pattern:
        found = compile_pattern(wanted.find, "gmui" if wanted.ignore_case else "gmu")
        if isinstance(found, str):
            return BadPattern(found)
        return Finder(found.compiled, _pieces(wanted.replace, dict(found.names)))
    source = regex.escape(wanted.find)
    left, right = bound_edges(wanted.find) if wanted.whole_words else (False, False)
    source = f"(?<!{_BESIDE}){source}" if left else source
    source = f"{source}(?!{_BESIDE})" if right else source
    flags = regex.IGNORECASE if wanted.ignore_case else 0
    return Finder(regex.compile(source, flags), (wanted.replace,))


def _pieces(template: str, names: dict[str, int]) -> tuple[str | int, ...]:
    """What is put there: text, and the numbers of groups. A reference to no name stays as it is."""
    pieces: list[str | int] = []
    at = 0
    for found in _REFERENCE.finditer(template):
        dollar, whole, number, name, escape = found.groups()
        pieces.append(template[at : found.start()])
        at = found.end()
        if dollar or escape:
            pieces.append(dollar or _ESCAPES[escape])
        elif whole:
            pieces.append(0)
        elif number:
            pieces.append(int(number))
        else:
            pieces.append(names.get(name, found[0]))
    return tuple(piece for piece in (*pieces, template[at:]) if piece != "")


def replaced(text: str, finder: Finder, left_out: Collection[int] = ()) -> ReplacedText | TooMuch:
    """Replace every place, from the beginning on and without overlaps, but not those that begin at one of
    `left_out` (UTF-16 units). Linear in the text for literal words; a pattern is stopped."""
    try:
        # Without `concurrent` a hostile pattern would hold every other thread as well.
        found = list(finder.compiled.finditer(text, timeout=LIMIT_S, concurrent=True))
    except TimeoutError:
        return "too_slow"
    bounds = to_utf16_each(text, (bound for one in found for bound in one.span()))
    parts: list[str] = []
    places: list[ReplacedPlace] = []
    at = made = done = line = counted = 0
    for number, one in enumerate(found):
        start, end = one.span()
        put = _put(one, finder.pieces)
        if number < PLACES:
            line += text.count("\n", counted, start)
            counted = start
            ends = bounds[2 * number : 2 * number + 2]
            places.append(_place(text, one, put, line + 1, (ends[0], ends[1])))
        if bounds[2 * number] in left_out:
            continue
        done += 1
        parts += (text[at:start], put)
        made += start - at + len(put)
        at = end
        if made > MAX_CHARS:
            return "too_large"
    parts.append(text[at:])
    return ReplacedText("".join(parts), len(found), tuple(places), done)


def _put(found: regex.Match[str], pieces: tuple[str | int, ...]) -> str:
    """A group that there is not, and one that matched nothing, is empty."""
    last = found.re.groups
    return "".join(
        piece if isinstance(piece, str) else (found[piece] or "") if piece <= last else ""
        for piece in pieces
    )


def _place(
    text: str, found: regex.Match[str], put: str, line: int, bounds: tuple[int, int]
) -> ReplacedPlace:
    start, end = found.span()
    begin = max(text.rfind("\n", 0, start) + 1, start - AROUND)
    close = text.find("\n", end)
    close = min(len(text) if close < 0 else close, end + AROUND)
    head, tail = text[begin:start], text[end:close]
    before, after = f"{head}{found[0]}{tail}", f"{head}{put}{tail}"
    return ReplacedPlace(line, *bounds, before, after, utf16_len(head), put)
