"""The one reducer over a turn's events: the API's view, folding, resuming and the page replay it.

Apart from the events because there are many ways to write a log and only one way to read it. The
promise: replaying a log, folded or not, from its start or from where a client left off, gives the
view that was seen live.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from huaben.domain.draft import EMPTY, Draft, Span, apply_spans
from huaben.domain.events import (
    Answered,
    Asked,
    Captured,
    Compacted,
    DraftChange,
    End,
    Failed,
    Final,
    ImageChange,
    LedgerChange,
    Notice,
    Planned,
    ScribeChange,
    Status,
    TextPiece,
    ThinkingPiece,
    ToolEnd,
    ToolStart,
    TurnEvent,
    UsageReported,
)
from huaben.domain.text import from_utf16, utf16_len


def _none() -> Mapping[int, str]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True)
class DraftVersion:
    """One version of the draft: its number, why it was made, what it made, its base, and the
    model call that it came from (-1: the user or the program)."""

    version: int
    reason: str
    text: str
    base: int
    call: int = -1


@dataclass(frozen=True, slots=True)
class Preview:
    """A write that is still arriving: it would replace the draft, or be added after it."""

    op: Literal["write", "append"]
    base: int
    content: str
    call: int = -1


@dataclass(frozen=True, slots=True)
class ToolView:
    """A tool call and, once it ended, its result."""

    call: int
    index: int
    id: str
    name: str
    arguments: str
    ok: bool | None = None
    result: str = ""
    effect: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class AskView:
    """The latest question; `answer` is None while it is open."""

    call: int
    index: int
    question: str
    options: tuple[str, ...]
    answer: str | None = None


Spoken: TypeAlias = Mapping[int, str]


@dataclass(frozen=True, slots=True)
class TurnView:
    """A turn as far as its log tells. `spoken` and `thinking` are keyed by model call."""

    status: str = "queued"
    code: str = ""
    message: str = ""
    versions: tuple[DraftVersion, ...] = ()
    preview: Preview | None = None
    spoken: Spoken = field(default_factory=_none)
    thinking: Spoken = field(default_factory=_none)
    tools: tuple[ToolView, ...] = ()
    asks: tuple[AskView, ...] = ()
    captured: tuple[Captured, ...] = ()
    notices: tuple[Notice, ...] = ()
    final: Final | None = None
    usage: tuple[UsageReported, ...] = ()
    scribe: ScribeChange | None = None
    ledger: LedgerChange | None = None
    compacted: Compacted | None = None
    plan: Planned | None = None
    images: tuple[ImageChange, ...] = ()
    error: Failed | None = None
    ended: bool = False

    @property
    def draft(self) -> Draft:
        """The draft in force."""
        if not self.versions:
            return EMPTY
        last = self.versions[-1]
        return Draft(last.version, last.text)

    @property
    def partial(self) -> str | None:
        """The draft as it would read with the part of an unfinished write that has arrived."""
        if self.preview is None:
            return None
        if self.preview.op == "append" and self.draft.text:
            return f"{self.draft.text}\n\n{self.preview.content}"
        return self.preview.content

    @property
    def last_spoken(self) -> str:
        """What the latest reply has spoken, where no capture took it."""
        if not self.spoken:
            return ""
        call = max(self.spoken)
        return "" if any(c.call == call for c in self.captured) else self.spoken[call]

    @property
    def open_ask(self) -> AskView | None:
        """The question that waits for its answer."""
        return self.asks[-1] if self.asks and self.asks[-1].answer is None else None

    @property
    def notes(self) -> Mapping[int, str]:
        """What the model was told at the user's word before a call."""
        return {note.call: note.detail for note in self.notices if note.code == "continue"}

    def spoken_after_draft(self) -> list[str]:
        """What the model spoke after the draft first existed and what no capture took, in order:
        the pieces that a format tail may come from (`turn.md` §5)."""
        first = self.versions[0].call if self.versions else -1
        taken = {captured.call for captured in self.captured}
        return [
            self.spoken[call]
            for call in sorted(self.spoken)
            if call > first and call not in taken and self.spoken[call].strip()
        ]

    def version(self, number: int) -> DraftVersion | None:
        """The draft version of that number; version 0 is the empty draft."""
        if number == 0:
            return DraftVersion(0, "", "", 0)
        return next((v for v in reversed(self.versions) if v.version == number), None)

    def apply(self, event: TurnEvent) -> TurnView:  # noqa: C901 - one arm per event kind
        """The view after one more event."""
        match event:
            case Status(status=status, code=code, message=message):
                over = status == "running"
                return replace(
                    self,
                    status=status,
                    code=code,
                    message=message,
                    error=None if over else self.error,
                    ended=self.ended and not over,
                )
            case ThinkingPiece():
                return replace(self, thinking=_piece(self.thinking, event))
            case TextPiece():
                return replace(self, spoken=_piece(self.spoken, event))
            case DraftChange():
                return self._draft(event)
            case ToolStart(call=call, index=index, id=id_, name=name, arguments=arguments):
                kept = tuple(t for t in self.tools if (t.call, t.index) != (call, index))
                return replace(self, tools=(*kept, ToolView(call, index, id_, name, arguments)))
            case ToolEnd():
                return replace(self, tools=tuple(_ended(t, event) for t in self.tools))
            case Asked(call=call, index=index, question=question, options=options):
                return replace(self, asks=(*self.asks, AskView(call, index, question, options)))
            case Answered(answer=answer):
                answered = [replace(one, answer=answer) for one in self.asks[-1:]]
                return replace(self, asks=(*self.asks[:-1], *answered))
            case Captured():
                return replace(self, captured=(*self.captured, event))
            case Notice():
                return replace(self, notices=(*self.notices, event))
            case Final():
                return replace(self, final=event)
            case UsageReported():
                return replace(self, usage=(*self.usage, event))
            case ScribeChange():
                return replace(self, scribe=event)
            case LedgerChange():
                return replace(self, ledger=event)
            case Planned():
                return replace(self, plan=event)
            case Compacted():
                return replace(self, compacted=event)
            case ImageChange():
                return replace(self, images=_with_image(self.images, event))
            case Failed():
                return replace(self, error=event)
            case End(status=status):
                return replace(self, status=status, ended=True)

    def _draft(self, event: DraftChange) -> TurnView:
        if event.op == "retract":
            return replace(self, preview=None)
        if event.preview:
            op = "append" if event.op == "append" else "write"
            before = self.preview.content if self.preview and event.offset else ""
            content = _splice(before, event.offset, event.text)
            return replace(self, preview=Preview(op, event.base, content, event.call))
        if event.edits:
            base = self.version(event.base)
            text = apply_spans(base.text if base else "", spans_of(event))
        else:
            text = event.text
        made = DraftVersion(event.version, event.reason or event.op, text, event.base, event.call)
        return replace(self, versions=(*self.versions, made), preview=None)


def replay(events: Iterable[TurnEvent], view: TurnView | None = None) -> TurnView:
    """The view after all these events, from `view` or from the beginning."""
    seen = view if view is not None else TurnView()
    for event in events:
        seen = seen.apply(event)
    return seen


def spans_of(event: DraftChange) -> tuple[Span, ...]:
    """The spans of an edit, typed."""
    return tuple(
        Span(int(edit["start"]), int(edit["end"]), str(edit["text"])) for edit in event.edits
    )


def _piece(pieces: Spoken, event: TextPiece | ThinkingPiece) -> Spoken:
    before = pieces.get(event.call, "") if event.offset else ""
    return MappingProxyType({**pieces, event.call: _splice(before, event.offset, event.text)})


def _with_image(images: tuple[ImageChange, ...], event: ImageChange) -> tuple[ImageChange, ...]:
    """The pictures as they now are, each at the place where it was first wished."""
    if all(one.image != event.image for one in images):
        return (*images, event)
    return tuple(event if one.image == event.image else one for one in images)


def _splice(before: str, offset: int, text: str) -> str:
    """What was there up to `offset`, then the piece. The usual piece just continues."""
    if offset == 0:
        return text
    if utf16_len(before) == offset:
        return before + text
    # A piece that a client has partly seen: cut where it begins. An offset that does not exist
    # cannot come from our own log; the end of what is known is the nearest honest place.
    at = from_utf16(before, offset)
    return (before[:at] if isinstance(at, int) else before) + text


def _ended(tool: ToolView, event: ToolEnd) -> ToolView:
    if (tool.call, tool.index) != (event.call, event.index):
        return tool
    return replace(tool, ok=event.ok, result=event.result, effect=event.effect)
