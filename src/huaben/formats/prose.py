"""Markdown as prose uses it, read into blocks and runs; apart because books are made of it in more than one
format. What fiction does not use (tables, references, HTML) stays as it was typed.

Emphasis follows CommonMark, but its marks need no space beside Chinese: `**「重点」**内容` is bold.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from huaben.domain.image import markers

Style: TypeAlias = Literal["strong", "em", "strike", "code"]


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text in one style; a line break is a run of one `\\n`."""

    text: str
    styles: frozenset[Style] = frozenset()


Runs: TypeAlias = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Heading:
    """`level` is 1 to 6."""

    level: int
    runs: Runs


@dataclass(frozen=True, slots=True)
class Paragraph:
    """`quoted` counts the block quotes around it; `marker` is a list item's, empty for none."""

    runs: Runs
    quoted: int = 0
    marker: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Lines that are shown exactly as they are."""

    text: str


@dataclass(frozen=True, slots=True)
class Break:
    """A change of scene."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The place of a picture of the story."""

    image: str
    caption: str


Block: TypeAlias = Heading | Paragraph | Code | Break | Figure

_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?$")
_BREAK: Final = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_QUOTE: Final = re.compile(r" {0,3}>[ \t]?")
_ITEM: Final = re.compile(r" {0,3}([-+*]|[0-9]{1,9}[.)])[ \t]+(?=\S)")
_EAST: Final = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff“”‘’…—]")
_MARKS: Final = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<ticks>`+)|(?P<delimiter>\*+|_+|~~)"
    r"|!?\[(?P<label>[^\[\]\n]*)\]\([^()\n]*\)|(?P<br><br ?/?>)"
)


_NEAR: Final = 16
"""How many open rows of marks are looked through for one that a closing row belongs to."""


def read_prose(text: str) -> tuple[Block, ...]:
    """The blocks of a text, in order. Lines that follow each other without a blank one are one paragraph,
    as in Markdown, unless they are Chinese: there a line is a paragraph. Time is linear."""
    lines = iter(text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n"))
    return tuple(_blocks(lines))


def inline(text: str) -> Runs:
    """A line of text in its runs."""
    return _Inline(text).runs()


# ---- blocks ------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """Lines of a paragraph that may go on."""

    lines: list[str] = field(default_factory=list[str])
    quoted: int = 0
    marker: str = ""

    def close(self) -> Iterator[Block]:
        if self.lines:
            yield Paragraph(inline("\n".join(self.lines)), self.quoted, self.marker)
        self.lines = []


def _blocks(lines: Iterator[str]) -> Iterator[Block]:
    para = _Open()
    for line in lines:
        fence = _FENCE.match(line)
        if fence is not None:
            yield from para.close()
            yield Code(_fenced(lines, fence[1]))
            continue
        figure = next(markers(line), None)
        if figure is not None:
            yield from para.close()
            yield Figure(figure.id, figure.caption)
            continue
        quoted, rest = _unquoted(line)
        heading, item = _HEADING.match(rest), _ITEM.match(rest)
        if not rest.strip():
            yield from para.close()
        elif _BREAK.match(rest):
            yield from para.close()
            yield Break()
        elif heading is not None:
            yield from para.close()
            title = re.sub(r"[ \t]+#+[ \t]*$", "", heading[2] or "").strip()
            yield Heading(len(heading[1]), inline(title))
        elif item is not None:
            yield from para.close()
            para = _Open([rest[item.end() :].rstrip()], quoted, item[1])
        elif para.lines and (quoted, True) == (para.quoted, _goes_on(para.lines[-1], rest)):
            para.lines.append(_line(rest))
        else:
            yield from para.close()
            para = _Open([_line(rest)], quoted)
    yield from para.close()


def _line(rest: str) -> str:
    """A line without what indents it; two spaces at its end are a line break."""
    broken = rest.endswith(("  ", "\\"))
    kept = rest.rstrip("\\").strip(" \t\u3000")
    return f"{kept}<br>" if broken and kept else kept


def _goes_on(last: str, line: str) -> bool:
    """Whether a line belongs to the paragraph before it."""
    if last.endswith("<br>"):
        return True
    return not (
        line.startswith("\u3000") or (_EAST.match(line.lstrip()[:1]) and _EAST.match(last[-1:]))
    )


def _fenced(lines: Iterator[str], fence: str) -> str:
    kept: list[str] = []
    for line in lines:
        if line.strip().startswith(fence) and not line.strip().strip(fence[0]):
            break
        kept.append(line)
    return "\n".join(kept)


def _unquoted(line: str) -> tuple[int, str]:
    count = 0
    while (mark := _QUOTE.match(line)) is not None and count < 8:
        line = line[mark.end() :]
        count += 1
    return count, line


# ---- runs --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Delimiter:
    """A row of marks that may begin or end emphasis; `left` of them are not used yet."""

    place: int
    mark: str
    size: int
    left: int
    opens: bool
    closes: bool

    def begins(self, closer: _Delimiter) -> bool:
        """Whether it may begin what `closer` ends. Of two rows that could do either, those whose sizes
        make a multiple of three do not belong together (CommonMark, rules 9 and 10)."""
        if self.mark != closer.mark:
            return False
        either = self.closes or closer.opens
        return not either or (self.size + closer.size) % 3 != 0 or self.size % 3 == 0


class _Inline:
    """One line's reading: pieces of text, marks between them, and the styles that they come to."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._pieces: list[str] = []
        self._codes: set[int] = set()
        self._delimiters: list[_Delimiter] = []
        self._turns: defaultdict[int, Counter[Style]] = defaultdict(Counter)

    def runs(self) -> Runs:
        self._read()
        self._match()
        for one in self._delimiters:
            self._pieces[one.place] = one.mark * one.left
        runs: list[Run] = []
        for piece, styles in self._styled():
            if not piece:
                continue
            run = Run(piece, styles)
            if runs and runs[-1].styles == run.styles and "\n" not in (piece, runs[-1].text):
                runs[-1] = Run(runs[-1].text + piece, run.styles)
            else:
                runs.append(run)
        return tuple(runs)

    def _read(self) -> None:
        at, text = 0, self._text
        while (mark := _MARKS.search(text, at)) is not None:
            self._add(text[at : mark.start()])
            at = mark.end()
            if mark["escaped"] is not None:
                self._add(mark["escaped"])
            elif mark["ticks"] is not None:
                at = self._code(mark["ticks"], at)
            elif mark["label"] is not None:
                self._add(mark["label"])
            elif mark["br"] is not None:
                self._pieces.append("\n")
                at += text.startswith("\n", at)
            else:
                self._delimit(mark["delimiter"], mark.start(), at)
        self._add(text[at:])

    def _add(self, text: str) -> None:
        """Text of no style yet; a line's end in it is a space, as the lines belong together."""
        self._pieces.append(text.replace("\n", " "))

    def _code(self, ticks: str, at: int) -> int:
        """Code up to as many ticks as began it; without them the ticks are text."""
        end = re.compile(rf"(?<!`){ticks}(?!`)").search(self._text, at)
        if end is None:
            self._add(ticks)
            return at
        self._codes.add(len(self._pieces))
        self._pieces.append(self._text[at : end.start()].replace("\n", " ").strip(" "))
        return end.end()

    def _delimit(self, marks: str, start: int, end: int) -> None:
        before = self._text[start - 1 : start] or " "
        after = self._text[end : end + 1] or " "
        opens, closes = not after.isspace(), not before.isspace()
        if marks[0] == "_" and before.isalnum() and after.isalnum():
            opens = closes = False  # a_name_of_something
        self._delimiters.append(
            _Delimiter(len(self._pieces), marks[0], len(marks), len(marks), opens, closes)
        )
        self._pieces.append("")

    def _match(self) -> None:
        """Each closing row takes the nearest opening row of its mark; what lies between is inside."""
        openers: list[_Delimiter] = []
        for closer in self._delimiters:
            while closer.closes and closer.left:
                near = (one for one in reversed(openers[-_NEAR:]) if one.begins(closer))
                opener = next(near, None)
                if opener is None:
                    break
                while openers[-1] is not opener:
                    openers.pop()
                self._enclose(opener, closer)
                if not opener.left:
                    openers.pop()
            if closer.opens and closer.left:
                openers.append(closer)

    def _enclose(self, opener: _Delimiter, closer: _Delimiter) -> None:
        used = 2 if opener.left > 1 and closer.left > 1 else 1
        style: Style = "strike" if closer.mark == "~" else "strong" if used == 2 else "em"
        self._turns[opener.place + 1][style] += 1
        self._turns[closer.place][style] -= 1
        opener.left -= used
        closer.left -= used

    def _styled(self) -> Iterator[tuple[str, frozenset[Style]]]:
        """Each piece with the styles that it lies in."""
        depth: Counter[Style] = Counter()
        for place, piece in enumerate(self._pieces):
            depth.update(self._turns[place])
            inside: set[Style] = {style for style, count in depth.items() if count > 0}
            if place in self._codes:
                inside.add("code")
            yield piece, frozenset(inside)


def plain_text(runs: Sequence[Run]) -> str:
    """The words alone."""
    return "".join(run.text for run in runs)
