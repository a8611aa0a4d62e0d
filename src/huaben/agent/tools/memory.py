"""The memory's tools: looking up what happened, and noting what will matter. Steps over a `MemoryDesk`,
which alone knows where memory is kept; they are asynchronous because looking up is a read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, TypeAlias, assert_never, cast

from huaben.agent.desk import Outcome
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.draft import bad_offset, sliced
from huaben.agent.tools.spoken import as_json, refusal
from huaben.domain.notes import (
    SOURCES,
    Note,
    NoteBlank,
    NoteLocked,
    NoteMoved,
    NoteRefusal,
    NoteShrinks,
    NoteSource,
    NoteTooLong,
    unfit,
)
from huaben.domain.project import Language
from huaben.domain.remembering import NoteHit, Recalled, SourceState
from huaben.domain.text import BadOffset, clip, is_blank, utf16_len
from huaben.errors import HuabenError
from huaben.prompt.memoryblock import memory_phrase
from huaben.prompt.texts import phrase

SEARCH_HITS: Final = 5
LIST_NOTES: Final = 100
SHOWN_CHARS: Final = 600

Schema: TypeAlias = Mapping[str, object]
_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}


@dataclass(frozen=True, slots=True)
class Shape:
    """A tool's place in the list: as `table.Tool`, without what it runs."""

    name: str
    kind: Literal["read", "write"]
    properties: Mapping[str, Schema]
    required: tuple[str, ...]


SHAPES: Final = (
    Shape(
        "memory_search",
        "read",
        {"query": _TEXT, "limit": {"type": "integer", "minimum": 1, "maximum": 20}},
        ("query",),
    ),
    Shape("memory_read", "read", {"ref": _TEXT, "start": _COUNT, "end": _COUNT}, ("ref",)),
    Shape("memory_add", "write", {"content": _TEXT, "title": _TEXT}, ("content",)),
    Shape(
        "memory_list",
        "read",
        {"source": {"type": "string", "enum": list(SOURCES)}, "after": _TEXT},
        (),
    ),
)


@dataclass(frozen=True, slots=True)
class Listed:
    """One page of notes, newest first; `after` goes on with it."""

    notes: tuple[Note, ...]
    after: str | None
    states: Mapping[NoteSource, SourceState]


class MemoryDesk(Protocol):
    """The memory as a turn sees it from its node. Only `read` raises, a `HuabenError`; the others
    tell by source what went wrong."""

    async def search(self, query: str, limit: int) -> Recalled: ...
    async def listed(
        self, sources: Sequence[NoteSource], after: str | None, limit: int
    ) -> Listed: ...
    async def read(self, ref: str) -> Note | None:
        """The note as it is in force; None if there is none, or it was removed."""
        ...

    def begun(self, title: str, text: str) -> Note | None:
        """A note for the store, of this turn, that is not kept yet; None where that is not open."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """What `memory_add` did. The note belongs into the commit that records the outcome."""

    outcome: Outcome
    note: Note | None = None


async def memory_search(memory: MemoryDesk, language: Language, args: Arguments) -> Outcome:
    query = cast("str", args["query"])
    if is_blank(query):
        return refusal(phrase(language, "blank_content"))
    recalled = await memory.search(query, cast("int", args.get("limit", SEARCH_HITS)))
    hits = [_found(language, hit) for hit in recalled.hits]
    return Outcome(ok=True, result=as_json({"hits": hits, "sources": recalled.states}))


async def memory_read(memory: MemoryDesk, language: Language, args: Arguments) -> Outcome:
    ref = cast("str", args["ref"])
    try:
        note = await memory.read(ref)
    except HuabenError as fault:
        return refusal(memory_phrase(language, "failed", detail=fault.message))
    if note is None:
        return refusal(memory_phrase(language, "missing", ref=ref))
    content = sliced(note.text, args)
    if isinstance(content, BadOffset):
        return bad_offset(language, content)
    chars = utf16_len(note.text)
    return Outcome(ok=True, result=as_json({**_named(note), "content": content, "chars": chars}))


def memory_add(memory: MemoryDesk, language: Language, args: Arguments) -> Kept:
    title = " ".join(cast("str", args.get("title", "")).split())
    note = memory.begun(title, cast("str", args["content"]).strip())
    if note is None:
        return Kept(refusal(memory_phrase(language, "no_store")))
    fault = unfit(note)
    if fault is not None:
        return Kept(refusal(unkept(language, fault)))
    result = as_json({"ok": True, "ref": note.id, "title": note.title})
    return Kept(Outcome(ok=True, result=result, effect={"note": note.id}), note)


async def memory_list(memory: MemoryDesk, language: Language, args: Arguments) -> Outcome:
    source = cast("NoteSource | None", args.get("source"))  # the schema names the sources
    sources = SOURCES if source is None else (source,)
    listed = await memory.listed(sources, cast("str | None", args.get("after")), LIST_NOTES)
    notes = [_named(note) for note in listed.notes]
    answer: dict[str, object] = {"notes": notes, "sources": listed.states}
    if listed.after is not None:
        answer |= {"after": listed.after, "cut": memory_phrase(language, "more")}
    return Outcome(ok=True, result=as_json(answer))


def unkept(language: Language, why: NoteRefusal) -> str:
    """Why a note was not kept or changed, in words."""
    match why:
        case NoteBlank():
            return memory_phrase(language, "blank")
        case NoteTooLong(part=part, chars=chars, limit=limit):
            return memory_phrase(language, f"{part}_too_long", chars=chars, limit=limit)
        case NoteMoved(given=given, current=current):
            return memory_phrase(language, "moved", given=given, current=current)
        case NoteLocked():
            return memory_phrase(language, "locked")
        case NoteShrinks(before=before, after=after):
            return memory_phrase(language, "shrinks", before=before, after=after)
        case _:
            assert_never(why)


def _found(language: Language, hit: NoteHit) -> dict[str, object]:
    note = hit.note
    text = note.text
    if len(text) > SHOWN_CHARS:
        text = clip(text, SHOWN_CHARS)
        text += memory_phrase(language, "cut", rest=len(note.text) - len(text))
    return {**_named(note), "score": round(hit.score, 3), "content": text}


def _named(note: Note) -> dict[str, object]:
    return {"ref": note.id, "title": note.title, "source": note.source, "kind": note.kind}
