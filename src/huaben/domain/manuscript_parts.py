"""A long text taken apart into chapters, and chapters put together into one text; apart because import and
export are each other's way back."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from huaben.domain.text import is_blank

_HEADING: Final = re.compile(
    r"""^(?:
        \#{1,2}[ \t]+(?P<mark>\S.*)                                    # Markdown, two levels
      | (?P<zh>第[ 　]*[0-9０-９零〇一二三四五六七八九十百千两]+[ 　]*[章回节卷折][^\n。！？]{0,40})
      | (?P<en>(?:chapter|part)[ \t]+(?:[0-9]+|[ivxlc]+|[a-z]+)\b[^\n.!?]{0,60})
      | (?P<alone>(?:序章|楔子|引子|尾声|番外|prologue|epilogue))
    )[ \t\r　]*$""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_FENCE: Final = re.compile(r"^(?:```|~~~)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Part:
    """A chapter's title, empty where it has none, and its text with the heading as it stood there."""

    title: str
    text: str


def parts(text: str) -> list[Part]:
    """Take a text apart at its chapter headings: Markdown headings of the first two levels, 第…章 and
    its like, "Chapter 1". Joined the texts are the whole again. What stands before the first heading is
    a part of its own, unless it is blank; a text without headings is one part."""
    cuts = [(0, "")]
    fences = [fence.start() for fence in _FENCE.finditer(text)]
    for found in _HEADING.finditer(text):
        if bisect(fences, found.start()) % 2 == 0:  # not inside of a code block
            title = next(name for name in found.groups() if name is not None)
            cuts.append((found.start(), " ".join(title.split())))
    ends = [start for start, _ in cuts[1:]] + [len(text)]
    made = [Part(title, text[start:end]) for (start, title), end in zip(cuts, ends, strict=True)]
    if len(made) > 1 and is_blank(made[0].text):
        # A blank beginning belongs to what follows, so that nothing is lost.
        made[1] = Part(made[1].title, made[0].text + made[1].text)
        made = made[1:]
    return made


def joined(texts: Iterable[str]) -> str:
    """Chapters one after the other: each ends with a line end, a blank line stands between two."""
    whole = [text if text.endswith("\n") else f"{text}\n" for text in texts if text]
    return "\n".join(whole)


def headed(title: str, text: str) -> str:
    """A chapter that says its title: as it is where it begins with a heading, else under one."""
    first = next((line for line in text.splitlines() if line.strip("\ufeff \t")), "")
    if _HEADING.match(first.lstrip("\ufeff")):
        return text
    return f"# {title}\n\n{text}"
