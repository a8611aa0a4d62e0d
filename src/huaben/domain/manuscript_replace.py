"""Finding and replacing words in a chapter: apart from files, so that a preview and the change that follows
it are made by one rule."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from huaben.domain.text import to_utf16_each

PLACES: Final = 50
AROUND: Final = 40


@dataclass(frozen=True, slots=True)
class Replacement:
    """Words and what they become, both literal. `names` are the chapters that it is about, all without
    any."""

    find: str
    replace: str
    ignore_case: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReplacedPlace:
    """One place: its line from 1, `start` and `end` in UTF-16 units of the old text, and an excerpt of
    the line before and after."""

    line: int
    start: int
    end: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ReplacedText:
    """A text in which all places are replaced; `count` of them, the first `PLACES` one by one."""

    text: str
    count: int
    places: tuple[ReplacedPlace, ...]


def replaced(text: str, wanted: Replacement) -> ReplacedText:
    """Replace every place, from the beginning on and without overlaps. Linear in the text."""
    flags = re.IGNORECASE if wanted.ignore_case else 0
    spans = [found.span() for found in re.finditer(re.escape(wanted.find), text, flags)]
    parts: list[str] = []
    at = 0
    for start, end in spans:
        parts += (text[at:start], wanted.replace)
        at = end
    parts.append(text[at:])
    shown = spans[:PLACES]
    offsets = to_utf16_each(text, (bound for span in shown for bound in span))
    places: list[ReplacedPlace] = []
    line = counted = 0
    for number, (start, end) in enumerate(shown):
        line += text.count("\n", counted, start)
        counted = start
        begin = max(text.rfind("\n", 0, start) + 1, start - AROUND)
        close = text.find("\n", end)
        close = min(len(text) if close < 0 else close, end + AROUND)
        head, tail = text[begin:start], text[end:close]
        places.append(
            ReplacedPlace(
                line + 1,
                offsets[2 * number],
                offsets[2 * number + 1],
                f"{head}{text[start:end]}{tail}",
                f"{head}{wanted.replace}{tail}",
            )
        )
    return ReplacedText("".join(parts), len(spans), tuple(places))
