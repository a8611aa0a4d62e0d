"""Reading tags and code fences in one pass: apart, so that hostile text has one place to be slow in.

Every search starts behind the last one, every failure is remembered, and every open tag enters and
leaves each list once; so the time is linear in the text, whatever the text is.
"""

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

BlockKind: TypeAlias = Literal["pair", "single", "fence"]

# A name starts with a letter, `_` or anything that is not ASCII: <状态（一）> and <📜log> are tags,
# while `<3`, `<-`, `a < b` and <https://…> are not.
_TOKEN: Final = re.compile(
    r"^[ ]{0,3}(?:`{3,}|~{3,})"
    r"|<(?P<slash>/?)(?P<name>[^\s\x00-@\[-^`{-\x7f][^\s\x00-,/;-@\[-^`{-\x7f]*+)(?=\s|/?>)",
    re.MULTILINE,
)
_FENCE_LINE: Final = re.compile(r"^[ ]{0,3}(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)", re.MULTILINE)
# A quote opens a value only behind `=`: the apostrophe of an unquoted O'Neil is a letter.
_INSIDE_TAG: Final = re.compile(r"[<>]|=\s*[\"']")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text in code points, `end` exclusive."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Block:
    """A format block: a closed paired tag, a self-closing tag or a closed code fence.

    `start` and `end` (exclusive) are code points of the text that was read. `name` is the tag's
    name with its case folded, empty for a fence. `text` is the block as it would be kept.
    """

    kind: BlockKind
    name: str
    start: int
    end: int
    text: str


def scan_blocks(text: str, start: int = 0) -> list[Block]:
    """Return the outermost format blocks behind `start`, in order.

    A closing tag pairs with the latest open one of its name, whatever the case; what was opened in
    between and is still open was never closed and counts for nothing. A closed fence is opaque:
    tags in it neither open nor close anything. Whether a fence is at the start of a line is judged
    by the whole text, not from `start`.
    """
    fences = _closed_fences(text)
    nest = _Nest()
    fates: dict[int, int | None] = {}
    at = start
    while (token := _TOKEN.search(text, at)) is not None:
        begin, at = token.span()
        if (name := token["name"]) is None:
            if (end := fences.get(begin)) is not None:
                nest.finish("fence", "", begin, end)
                at = end
        elif (end := tag_end(text, at, fates)) is not None:
            nest.take(name.casefold(), begin, end, _sort(text, token["slash"], end))
            at = end
    return [
        Block(kind, name, begin, end, text[begin:end]) for kind, name, begin, end in nest.finished
    ]


def tag_end(text: str, at: int, fates: dict[int, int | None]) -> int | None:
    """Return where the tag ends whose name ends at `at`, or None if it never does.

    Quoted values may hold anything, `>` included. `fates` is the memory of one pass over one text:
    where a quoted value begins, and the end that it led to. Tags that run into the same value have
    the same fate, so no stretch is read twice.
    """
    if text.startswith(">", at):  # the most frequent tag by far has no attributes
        return at + 1
    values: list[int] = []
    end: int | None = None
    while (event := _INSIDE_TAG.search(text, at)) is not None:
        sign, value = event[0][-1], event.end()
        if sign == ">":
            end = value
        if sign in "<>":
            break
        if value in fates:
            end = fates[value]
            break
        values.append(value)
        closing = text.find(sign, value)
        if closing < 0:
            break
        at = closing + 1
    fates.update(dict.fromkeys(values, end))
    return end


_Sort: TypeAlias = Literal["opening", "closing", "single"]


def _sort(text: str, slash: str, end: int) -> _Sort:
    if slash:
        return "closing"
    return "single" if text[end - 2] == "/" else "opening"


class _Nest:
    """The open tags and finished blocks of one pass. Offsets only: nested text is never copied."""

    __slots__ = ("_depth", "_open", "finished")

    def __init__(self) -> None:
        self._open: list[tuple[str, int]] = []
        self._depth: Counter[str] = Counter()
        self.finished: list[tuple[BlockKind, str, int, int]] = []

    def take(self, name: str, begin: int, end: int, sort: _Sort) -> None:
        """Let a tag open, close or stand alone."""
        if sort == "single":
            self.finish("single", name, begin, end)
        elif sort == "opening":
            self._open.append((name, begin))
            self._depth[name] += 1
        elif self._depth[name]:
            self.finish("pair", name, self._opened_at(name), end)

    def finish(self, kind: BlockKind, name: str, begin: int, end: int) -> None:
        """Add a block, which swallows the finished ones that it holds."""
        while self.finished and self.finished[-1][2] >= begin:
            self.finished.pop()
        self.finished.append((kind, name, begin, end))

    def _opened_at(self, name: str) -> int:
        while True:
            opened, start = self._open.pop()
            self._depth[opened] -= 1
            if opened == name:
                return start


def _closed_fences(text: str) -> dict[int, int]:
    """Map the start of each line that opens a closed fence to the end of the closing marks.

    A fence closes at the next line of the same marks, at least as many and nothing else. Read from
    the end; of the closing lines seen, one that a nearer and longer one hides is forgotten.
    """
    ends: dict[int, int] = {}
    closings: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}  # (-marks, end), nearest last
    for line in reversed(list(_FENCE_LINE.finditer(text))):
        mark, info = line["mark"], line["info"].strip()
        waiting = closings[mark[0]]
        found = bisect_right(waiting, -len(mark), key=lambda closing: closing[0])
        if found and "`" not in (info if mark[0] == "`" else ""):
            ends[line.start()] = waiting[found - 1][1]
        if not info:
            while waiting and waiting[-1][0] >= -len(mark):
                waiting.pop()
            waiting.append((-len(mark), line.end("mark")))
    return ends
