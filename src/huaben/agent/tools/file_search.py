"""Words sought in chapters: by a pattern that may be hostile, so in a thread and with a limit of time; apart
from the tools because nothing else runs what a model wrote."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import regex

from huaben.agent.filedesk import FileDesk
from huaben.domain.text import to_utf16

MAX_HITS: Final = 50
MAX_PATTERN: Final = 1000
SECONDS: Final = 2.0
_AROUND: Final = 60


@dataclass(frozen=True, slots=True)
class Hit:
    """A place in a chapter: its line from 1, `start` and `end` in UTF-16 units of the chapter, and the
    text around it, exactly as it stands there."""

    name: str
    line: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Searched:
    """The first hits in the order of the chapters, and how many there are in all."""

    hits: tuple[Hit, ...]
    total: int


@dataclass(frozen=True, slots=True)
class SearchFault:
    """The pattern cannot be searched for, or takes too long."""

    detail: str
    slow: bool = False


async def search(files: FileDesk, names: Sequence[str], pattern: str) -> Searched | SearchFault:
    """Where the pattern occurs in these chapters. What is no valid regular expression is taken
    literally."""
    if len(pattern) > MAX_PATTERN:
        return SearchFault(f"{len(pattern)} > {MAX_PATTERN}")
    compiled = _compiled(pattern)
    hits: list[Hit] = []
    total = 0
    for name in names:
        content = await files.read(name)
        if content is None:
            continue
        text = content.decode("utf-8", "replace")
        try:
            found = await asyncio.to_thread(_spans, compiled, text)
        except TimeoutError:
            return SearchFault(pattern, slow=True)
        total += len(found)
        hits += list(_hits(name, text, found[: MAX_HITS - len(hits)]))
    return Searched(tuple(hits), total)


def _compiled(pattern: str) -> regex.Pattern[str]:
    try:
        return regex.compile(pattern)
    except (regex.error, RecursionError, OverflowError):
        return regex.compile(re.escape(pattern))


def _spans(pattern: regex.Pattern[str], text: str) -> list[tuple[int, int]]:
    """Raises TimeoutError. Without `concurrent` a hostile pattern would hold the interpreter."""
    found = pattern.finditer(text, timeout=SECONDS, concurrent=True)
    return [one.span() for one in found if one.end() > one.start()]


def _hits(name: str, text: str, spans: Sequence[tuple[int, int]]) -> Iterator[Hit]:
    for start, end in spans:
        line_start = text.rfind("\n", 0, start) + 1
        line_end = text.find("\n", end)
        begin = max(line_start, start - _AROUND)
        close = min(len(text) if line_end < 0 else line_end, end + _AROUND)
        yield Hit(
            name,
            text.count("\n", 0, start) + 1,
            to_utf16(text, start),
            to_utf16(text, end),
            text[begin:close],
        )
