"""What the reader never sees (comments, thinking, prompts): apart, as it goes before all reading.

Tags of these classes are found wherever they stand, in fences and in attributes too: a thought that
leaks is worse than a block that is lost.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from huaben.domain.finaltext.markup import Span, tag_end
from huaben.domain.text import is_blank

_BREAK: Final = "\n\n"
_MARK: Final = re.compile(r"<(/?)([^\W\d][\w:.\-]*)")
_PARTIAL_TAG: Final = re.compile(r"</?[\w:.\-]*")
_NAME_GOES_ON: Final = re.compile(r"[\w:.\-/]")

_Sort: TypeAlias = Literal["thinking", "prompt"]

# Names of one line close each other: models open <thinking> and close </think>.
_THINKING: Final[Sequence[str]] = (
    "think thinking thought thoughts thinking_process thought_process",
    "analysis",
    "cot chain_of_thought",
    "notes",
    "reasoning reasoning_content",
    "scratchpad",
    "思考 思考过程",
    "思维 思维链 思维过程",
    "分析",
    "推理 推理过程",
    "构思",
)
# 系统 is left out: the system that speaks in progression fiction is part of the story.
_PROMPT: Final[Sequence[str]] = (
    "system system_prompt systemprompt system_message system_instruction system_instructions",
    "prompt",
    "jailbreak",
    "instruction instructions",
    "系统提示 系统提示词",
    "提示词",
    "指令 系统指令",
    "越狱 破限",
)


def _families(sort: _Sort, lines: Sequence[str]) -> dict[str, tuple[_Sort, str]]:
    families = [line.split() for line in lines]
    return {name: (sort, family[0]) for family in families for name in family}


_HIDDEN: Final[Mapping[str, tuple[_Sort, str]]] = MappingProxyType(
    _families("thinking", _THINKING) | _families("prompt", _PROMPT)
)


@dataclass(frozen=True, slots=True)
class Speech:
    """What was spoken, one text, and where each reply begins in it."""

    text: str
    starts: Sequence[int]

    @staticmethod
    def of(pieces: Iterable[str]) -> "Speech":
        """Join the pieces that show something by a blank line."""
        told = [piece for piece in pieces if not is_blank(piece)]
        starts = [0]
        for piece in told[:-1]:
            starts.append(starts[-1] + len(piece) + len(_BREAK))
        return Speech(_BREAK.join(told), starts)

    def piece_around(self, at: int) -> Span:
        """Return the stretch of the reply in which `at` stands."""
        index = bisect_right(self.starts, at)
        end = self.starts[index] - len(_BREAK) if index < len(self.starts) else len(self.text)
        return Span(self.starts[index - 1], end)


def comments(text: str) -> list[Span]:
    """Return the HTML comments. One that is never closed is no comment but words."""
    spans: list[Span] = []
    start = text.find("<!--")
    while start >= 0:
        closing = text.find("-->", start + 2)  # <!--> and <!---> are comments by HTML's rules
        if closing < 0:
            break
        spans.append(Span(start, closing + 3))
        start = text.find("<!--", closing + 3)
    return spans


def backstage(speech: Speech, passed_over: Sequence[Span]) -> list[Span]:
    """Return the stretches of thinking- and prompt-class tags with all that they hold.

    Tags in `passed_over` (the comments, in order) do not count. A thinking tag that is never
    closed hides the rest of its reply; one that was never opened, what its reply had said so far,
    back to the thought before it. A prompt tag without its other half hides only itself.
    """
    curtain = _Curtain(speech)
    for mark in _marks(speech.text, passed_over):
        curtain.take(mark)
    return curtain.drawn()


def holds_backstage(text: str, span: Span) -> bool:
    """Tell whether a tag of a hidden class stands in this stretch."""
    return any(_hidden(found[2]) for found in _MARK.finditer(text, span.start, span.end))


def remaining(text: str, cuts: Iterable[Span]) -> list[Span]:
    """Return what is left of `text` without the cuts, in order; cuts may overlap.

    The ends that meet never make a tag together: `<th` before a cut goes with it if the text
    behind the cut would complete its name.
    """
    left: list[Span] = []
    at = 0
    for cut in _merged(cuts):
        left.append(Span(at, cut.start))
        at = cut.end
        if _NAME_GOES_ON.match(text, at) is not None:
            _drop_loose_ends(text, left)
    left.append(Span(at, len(text)))
    return left


def without(text: str, cuts: Iterable[Span]) -> str:
    """Return `text` without the cuts, joined as `remaining` says."""
    return "".join(text[span.start : span.end] for span in remaining(text, cuts))


@dataclass(frozen=True, slots=True)
class _Mark:
    sort: _Sort
    family: str
    span: Span
    role: Literal["opening", "closing", "single"]


class _Curtain:
    """The hidden tags that are open, and the stretches that are certain to be hidden."""

    __slots__ = ("_depth", "_open", "_spans", "_speech", "_thinking", "_thought_until")

    def __init__(self, speech: Speech) -> None:
        self._speech = speech
        self._open: list[_Mark] = []
        self._depth: Counter[str] = Counter()
        self._thinking = 0
        self._thought_until = 0
        self._spans: list[Span] = []

    def take(self, mark: _Mark) -> None:
        if mark.role == "single":
            self._spans.append(mark.span)
        elif mark.role == "opening":
            self._count(mark, 1)
            self._open.append(mark)
        else:
            self._spans.append(Span(self._hidden_from(mark), mark.span.end))
            if mark.sort == "thinking":
                self._thought_until = mark.span.end

    def drawn(self) -> list[Span]:
        """Return the hidden stretches, now that nothing more will be closed."""
        return self._spans + [
            Span(mark.span.start, self._speech.piece_around(mark.span.start).end)
            if mark.sort == "thinking"
            else mark.span
            for mark in self._open
        ]

    def _hidden_from(self, closing: _Mark) -> int:
        if self._depth[closing.family]:
            return self._opening_of(closing.family).span.start
        if closing.sort == "prompt" or self._thinking:
            return closing.span.start
        return max(self._speech.piece_around(closing.span.start).start, self._thought_until)

    def _opening_of(self, family: str) -> _Mark:
        while True:
            mark = self._open.pop()
            self._count(mark, -1)
            if mark.family == family:
                return mark

    def _count(self, mark: _Mark, step: int) -> None:
        self._depth[mark.family] += step
        if mark.sort == "thinking":
            self._thinking += step


def _marks(text: str, passed_over: Sequence[Span]) -> Iterator[_Mark]:
    fates: dict[int, int | None] = {}
    at = 0
    for gap in (*passed_over, Span(len(text), len(text))):
        for found in _MARK.finditer(text, at, gap.start):
            if (hidden := _hidden(found[2])) is None:
                continue
            # A tag that was cut off behind its name opens all the same.
            end = tag_end(text, found.end(), fates) or found.end()
            role = "closing" if found[1] else "single" if text[end - 2 : end] == "/>" else "opening"
            yield _Mark(*hidden, Span(found.start(), end), role)
        at = gap.end


def _hidden(name: str) -> tuple[_Sort, str] | None:
    """Return class and family of a tag name, or None for any other tag.

    Case, a namespace before a colon, hyphens for underscores and a number at the end make no
    difference.
    """
    bare = name.rpartition(":")[2].casefold().replace("-", "_")
    return _HIDDEN.get(bare.rstrip("0123456789").rstrip("_"))


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    ordered = sorted(spans, key=lambda span: span.start)
    if not ordered:
        return
    start, end = ordered[0].start, ordered[0].end
    for span in ordered[1:]:
        if span.start > end:
            yield Span(start, end)
            start = span.start
        end = max(end, span.end)
    yield Span(start, end)


def _drop_loose_ends(text: str, left: list[Span]) -> None:
    while left:
        last = left[-1]
        bracket = text.rfind("<", last.start, last.end)
        if bracket >= 0 and _PARTIAL_TAG.fullmatch(text, bracket, last.end):
            left[-1] = Span(last.start, bracket)
        elif last.start == last.end:
            left.pop()
        else:
            return
