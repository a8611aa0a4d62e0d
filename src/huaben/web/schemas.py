"""What answers look like, as pydantic models: documentation that the tests check against what is
answered; apart from `bodies`, which decide what is let in."""

from __future__ import annotations

from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue

T = TypeVar("T")


class Told(BaseModel):
    """An answer. A newer program may tell more."""

    model_config = ConfigDict(extra="allow")


class Problem(Told):
    """Every refusal (RFC 9457), with facts about it as further fields. `code` is stable."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    hint: str


class PageOf(Told, Generic[T]):
    """A page of a list; `next` goes on with it (`after`, or `before` where the list goes back)."""

    items: list[T]
    next: str | None


class ReportNote(Told):
    """`facts` are the values in `detail`, by name, for whoever says them in another language; reports of
    older imports have none."""

    code: str
    path: str
    detail: str
    facts: dict[str, str | int] | None = None


class ImportReport(Told):
    kept: list[ReportNote]
    changed: list[ReportNote]
    dropped: list[ReportNote]
    warnings: list[ReportNote]


class AlsoFound(Told):
    kind: str
    id: str
    name: str


class Imported(Told):
    """`already` is there, and true, when the very bytes were in the library before; `also` names what
    else the file held."""

    id: str
    name: str
    report: ImportReport
    already: bool = False
    also: list[AlsoFound] = Field(default_factory=list[AlsoFound])


class LibraryItem(Told):
    """`broken` says why a thing of the library cannot be used, where it cannot."""

    id: str
    name: str
    filename: str
    created_at: str
    broken: str | None


class LibraryEntry(LibraryItem):
    """`content` is the JSON as it was read from the file, unknown fields included."""

    report: ImportReport
    content: dict[str, JsonValue]


class ProjectFounded(Told):
    """`notes` tell what became of the lorebook that the card is linked to, where it is to one."""

    id: str
    head: str
    notes: list[ReportNote] = Field(default_factory=list[ReportNote])


class CueTold(Told):
    """`cue` is empty where no words are prepared."""

    cue: str


class ProjectItem(Told):
    id: str
    title: str
    mode: Literal["roleplay", "writing"]
    language: Literal["zh", "en"]
    card_id: str | None
    created_at: str


class PersonaTold(Told):
    name: str
    description: str


class ProjectResource(ProjectItem):
    """`active` is the turn that runs or waits for an answer, `queued` those behind it in order.
    `scenario` holds the resolved settings by dotted name. `lorebook_ids` stand in their order of
    precedence; send `revision` back to change any of it. `amendments` counts what befell its lasting
    changes, 0 where there are none. `seq` is the number of an event that this state is no older than:
    follow `events` from there."""

    head: str
    active: str | None
    queued: list[str]
    lorebook_ids: list[str]
    persona: PersonaTold
    scenario: dict[str, JsonValue]
    revision: int
    amendments: int
    events: str
    seq: int


class HeadMoved(Told):
    """`text` are words that go back to the box."""

    head: str
    text: str


class TurnBegun(Told):
    id: str
    status: str
    events: str


class Exchange(Told):
    question: str
    answer: str


class VersionTold(Told):
    version: int
    reason: str
    chars: int


class DraftTold(Told):
    """`partial` is the draft as it would read with the arrived part of an unfinished write; `tail`:
    it may be sealed without what was captured after explicit writes."""

    version: int
    text: str
    versions: list[VersionTold]
    tail: bool
    partial: str | None = None


class AskTold(Told):
    """`answer` is missing while the question is open."""

    question: str
    options: list[str]
    answer: str | None = None


class OutcomeTold(Told):
    code: str
    message: str


class RevisesTold(Told):
    """The earlier final text that a turn changed, and the version that it made of it; of a turn that
    continues a sealed reply, told from its beginning, the version that it is to make."""

    turn: str
    version: int


class DisplayTold(Told):
    """What regex scripts make of a turn for the eye, beside its stored texts. `emptied` names the texts
    that they left nothing of."""

    user_text: str
    final_text: str
    scripts: list[str]
    emptied: list[str]


class ScriptOff(Told):
    name: str
    reason: str


class TurnResource(Told):
    """A turn. `final_text` is the text in force at the head and `version` its version; `number`
    counts sealed turns on the path to it; `variants` are the tellings of the same words."""

    id: str
    project: str
    parent: str | None
    kind: Literal["greeting", "turn", "edit"]
    beat: str
    number: int
    variants: list[str]
    status: str
    title: str
    user_text: str
    asked: list[Exchange]
    final_text: str
    version: int
    display: DisplayTold | None = None
    draft: DraftTold
    ask: AskTold | None = None
    revises: RevisesTold | None = None
    outcome: OutcomeTold
    usage: dict[str, JsonValue]
    ledger_state: Literal["current", "behind", "failed"]
    created_at: str
    ended_at: str
    events: str


class FinalText(Told):
    """A final text as it is in force at the head. The `ETag` is its version: send it back as
    `If-Match` to change the text."""

    text: str
    version: int


class PathItem(Told):
    """`code` says why, of a turn that did not end sealed; of one that an old chat brought along it is
    `hidden`, `quarantined`, `recovered` or `unanswered`."""

    id: str
    parent: str | None
    kind: Literal["greeting", "turn", "edit"]
    status: str
    code: str = ""
    number: int
    title: str
    user_text: str
    asked: list[Exchange]
    final_text: str
    version: int
    variants: list[str]
    display: DisplayTold | None = None
    revises: RevisesTold | None = None


class PathPage(PageOf[PathItem]):
    """One page of the path to the head, oldest first; the first page is its end. `scripts_off` names
    regex scripts that were stopped while it was made."""

    head: str
    scripts_off: list[ScriptOff] = Field(default_factory=list[ScriptOff])


class NodeItem(Told):
    """A node of the session tree without its words. `last_child` is where Redo goes."""

    id: str
    parent: str | None
    kind: Literal["greeting", "turn", "edit"]
    beat: str
    depth: int
    status: str
    last_child: str | None = None
    revises: RevisesTold | None = None
    deleted: bool = False


class TreePage(PageOf[NodeItem]):
    head: str


class BreakTold(Told):
    """Why a request does not repeat all that it should: `pieces` are the sources that differ."""

    code: Literal[
        "model", "tools", "system", "greeting", "compaction", "branch", "edit", "scripts", "form"
    ]
    pieces: list[str]


class SharedTold(Told):
    """What a request repeats of the call before it in the session: the first `parts` of `of`."""

    call: str
    parts: int
    of: int
    bytes: int
    ended: BreakTold | None


class CallItem(Told):
    """One model call: `request` is the body exactly as it was sent, `outline` says for each of its
    messages where it came from and why, `parts` how many bytes each takes. `estimated_tokens` is
    what the request was counted for before it was sent, to be held against `usage.prompt`; `cost` is
    null where it cannot be known."""

    id: str
    n: int
    purpose: str
    model: str
    state: Literal["open", "done", "failed"]
    error: str
    request: str
    request_bytes: int
    parts: list[dict[str, JsonValue]]
    outline: list[dict[str, JsonValue]]
    shared: SharedTold | None
    break_cause: str
    estimated_tokens: int
    reply: dict[str, JsonValue] | None
    usage: dict[str, JsonValue]
    cost: dict[str, JsonValue] | None
    opened_at: str
    closed_at: str
    first_token_ms: int | None


class Fault(Told):
    code: str
    message: str


class ScenarioItem(Told):
    """`values` are the resolved settings by dotted name; a file that does not validate has `fault`
    instead. `lacks` names the roles that no connection plays and that its turns then do without."""

    name: str
    values: dict[str, JsonValue] | None = None
    lacks: list[Literal["image"]] = Field(default_factory=list[Literal["image"]])
    fault: Fault | None = None


class Health(Told):
    status: Literal["ok"]
    version: str


class ModelState(Told):
    connected: bool
    name: str


class Readiness(Told):
    status: Literal["ready"]
    version: str
    model: ModelState
    running: int
