"""The events of a turn and of a project: what the durable log holds and what readers replay.

Kept apart from the reducer (`turnview`) so that writing an event never depends on reading one.
Payloads are plain JSON values; `to_data` and `from_data` are exact inverses. Offsets are UTF-16
code units, so that a page can slice its own strings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, TypeAlias, cast

Delta: TypeAlias = Literal["thinking", "text", "draft"]
DraftOp: TypeAlias = Literal[
    "write", "append", "edit", "capture", "partial", "finalize", "user", "restore", "retract"
]


@dataclass(frozen=True, slots=True)
class Status:
    """The turn's public status changed. `code` and `message` say why, for ended turns."""

    kind: ClassVar[str] = "status"
    status: str
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class ThinkingPiece:
    """Thought text of model call `call`; replaces everything from `offset` on."""

    kind: ClassVar[str] = "thinking"
    call: int
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Spoken text of model call `call`, not prose yet; replaces everything from `offset` on."""

    kind: ClassVar[str] = "text"
    call: int
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class DraftChange:
    """The draft changed, or a write is being previewed.

    A change: `version` is the new version made against `base`; `text` is the whole new text, or
    `edits` the spans `{start, end, text}` against the base text. A preview (`preview` true) leaves
    `version` at `base`; its `text` replaces the previewed content from `offset` on. `retract` takes
    the preview back. `reason` is the version's reason (`restore:v3`), empty where it equals `op`.
    `call` is the model call that it came from, -1 for the user's and the program's.
    """

    kind: ClassVar[str] = "draft"
    version: int
    op: DraftOp
    base: int
    text: str = ""
    edits: tuple[Mapping[str, int | str], ...] = ()
    preview: bool = False
    offset: int = 0
    reason: str = ""
    call: int = -1


@dataclass(frozen=True, slots=True)
class ToolStart:
    """Call `index` of the reply to model call `call` begins; `arguments` as received."""

    kind: ClassVar[str] = "tool"
    phase: ClassVar[str] = "start"
    call: int
    index: int
    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolEnd:
    """Its result, as the model reads it. `effect` is what the performance must remember when the
    turn is replayed (the plan's mode, which version was read …)."""

    kind: ClassVar[str] = "tool"
    phase: ClassVar[str] = "end"
    call: int
    index: int
    id: str
    name: str
    ok: bool
    result: str
    effect: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Asked:
    """The model put a question to the user; the turn waits."""

    kind: ClassVar[str] = "ask"
    call: int
    index: int
    question: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Answered:
    kind: ClassVar[str] = "answered"
    answer: str
    by: str = "user"


@dataclass(frozen=True, slots=True)
class Captured:
    """Spoken text of model call `call` was taken into the draft. `tail`: it followed explicit
    writes, and the user may seal without it."""

    kind: ClassVar[str] = "captured"
    call: int
    version: int
    op: Literal["write", "append"]
    chars: int
    tail: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the reader should be able to see: a retry, a failed capture, a warning. The code
    `continue` with a `call` says that before that call the model was told `detail`."""

    kind: ClassVar[str] = "notice"
    code: str
    detail: str = ""
    call: int = -1


@dataclass(frozen=True, slots=True)
class Final:
    """The final text as history keeps it. For a change of an earlier text `revises` names it."""

    kind: ClassVar[str] = "final"
    text: str
    version: int
    revises: Mapping[str, int | str] | None = None


@dataclass(frozen=True, slots=True)
class UsageReported:
    """What a call took. `cost_micros` is its cost in millionths of `currency`, None where it cannot
    be known."""

    kind: ClassVar[str] = "usage"
    call: int
    purpose: str
    model: str
    prompt: int | None = None
    completion: int | None = None
    reasoning: int | None = None
    cached: int | None = None
    cache_written: int | None = None
    cost_micros: int | None = None
    currency: str = ""


@dataclass(frozen=True, slots=True)
class Failed:
    """A provider or limit stopped the turn. `http_status` is the provider's."""

    kind: ClassVar[str] = "error"
    code: str
    message: str
    hint: str = ""
    http_status: int | None = None
    retryable: bool = False
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True)
class ScribeChange:
    """The scribe began to read turn `turn`, has read it, or failed (`code` and `message` say why);
    `behind` counts the sealed turns on this branch that it has still to read."""

    kind: ClassVar[str] = "scribe"
    state: Literal["running", "done", "failed"]
    turn: str
    behind: int = 0
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class LedgerChange:
    """A version of the ledger was written at `node`: who wrote it, what became different, which
    places have no valid evidence, and what of it was not done."""

    kind: ClassVar[str] = "ledger"
    node: str
    revision: int
    author: str
    changes: tuple[Mapping[str, object], ...] = ()
    claimed: tuple[str, ...] = ()
    warnings: tuple[Mapping[str, object], ...] = ()


@dataclass(frozen=True, slots=True)
class Compacted:
    """From the next turn on a summary stands for the turns up to `covers`; `turns` of them are new
    in it, `kept` stay word for word. Lengths are in characters. `missing` are names of facts that
    the model left out and the program added."""

    kind: ClassVar[str] = "compaction"
    node: str
    covers: str
    turns: int
    kept: int
    before: int
    after: int
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Planned:
    """The planning of this turn was scheduled, or came to its outcome in the job of that number:
    `revision` is then that of the plan that it made, 0 if none. It may come after the end of the
    turn."""

    kind: ClassVar[str] = "plan"
    state: Literal["scheduled", "over"]
    job: int = 0
    outcome: str = ""
    revision: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True)
class ImageChange:
    """A picture of this turn: `wished` by whoever performs it, `pending` once a job draws it, `ready`
    as the object of that hash and media type, or `failed` (`code` and `message` say why). Each event
    tells all of the picture; `attempt` counts the jobs from 1. It may come after the end of the turn.
    """

    kind: ClassVar[str] = "image"
    image: str
    state: Literal["wished", "pending", "ready", "failed"]
    prompt: str
    caption: str
    place: int
    attempt: int = 0
    object_hash: str = ""
    media_type: str = ""
    code: str = ""
    message: str = ""


@dataclass(frozen=True, slots=True)
class End:
    """The run is over, with all that follows a sealed turn; a resumed turn begins a new epoch."""

    kind: ClassVar[str] = "end"
    status: str


TurnEvent: TypeAlias = (
    Status
    | ThinkingPiece
    | TextPiece
    | DraftChange
    | ToolStart
    | ToolEnd
    | Asked
    | Answered
    | Captured
    | Notice
    | Final
    | UsageReported
    | ScribeChange
    | LedgerChange
    | Compacted
    | Planned
    | ImageChange
    | Failed
    | End
)


@dataclass(frozen=True, slots=True)
class ProjectEvent:
    """What a second device needs to follow a project. `kind`: `turn_queued, turn_began,
    turn_waiting, turn_answered, turn_ended, head_moved, project_changed, ledger_changed,
    summary_changed, memory_changed, saves_changed, plan_changed,
    images_changed, amendments_changed`."""

    kind: str
    turn: str | None = None
    detail: Mapping[str, object] | None = None


_PLAIN: tuple[type[TurnEvent], ...] = (
    Status,
    ThinkingPiece,
    TextPiece,
    DraftChange,
    Asked,
    Answered,
    Captured,
    Notice,
    Final,
    UsageReported,
    ScribeChange,
    LedgerChange,
    Compacted,
    Planned,
    ImageChange,
    Failed,
    End,
)
_BY_KIND: Mapping[str, type[TurnEvent]] = {event.kind: event for event in _PLAIN}


def to_data(event: TurnEvent) -> dict[str, object]:
    """The payload of an event as a JSON object, without its kind."""
    data: dict[str, object] = {f.name: getattr(event, f.name) for f in fields(event)}
    match event:
        case ToolStart() | ToolEnd():
            data["phase"] = event.phase
        case DraftChange(edits=edits):
            data["edits"] = [dict(edit) for edit in edits]
        case Asked() | LedgerChange() | Compacted():
            for name, value in data.items():
                if isinstance(value, tuple):
                    data[name] = list(cast("tuple[object, ...]", value))  # of JSON values
        case _:
            pass
    return data


def from_data(kind: str, data: Mapping[str, object]) -> TurnEvent:
    """The event of a stored payload; raises `KeyError` for an unknown kind and `TypeError` for a
    payload that is not one of ours. Fields that a newer program added are ignored."""
    event_type = _event_type(kind, data)
    known = {f.name for f in fields(event_type)}
    values = {name: value for name, value in data.items() if name in known}
    for name, value in values.items():
        if isinstance(value, list):
            values[name] = tuple(value)  # pyright: ignore[reportUnknownArgumentType] - JSON list
    return event_type(**values)  # pyright: ignore[reportArgumentType] - checked by the contract


def _event_type(kind: str, data: Mapping[str, object]) -> type[TurnEvent]:
    if kind == "tool":
        return ToolStart if data.get("phase") == "start" else ToolEnd
    return _BY_KIND[kind]


def is_delta(event: TurnEvent) -> bool:
    """Whether the event is a streamed piece, which may be flushed late and folded later."""
    match event:
        case ThinkingPiece() | TextPiece():
            return True
        case DraftChange(preview=preview, op=op):
            return preview and op != "retract"
        case _:
            return False
