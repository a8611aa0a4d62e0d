"""The memory's tools: looking up what happened, and noting what will matter. Apart from the other tools
because where memory is kept, only its `MemoryDesk` knows: looking up is a read, and is waited for."""

from __future__ import annotations

from typing import Final, assert_never, cast

from huaben.agent.desk import Desk, Outcome, Sources
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
from huaben.domain.remembering import NoteHit
from huaben.domain.text import BadOffset, clip, is_blank, utf16_len
from huaben.errors import HuabenError
from huaben.prompt.memoryblock import memory_phrase
from huaben.prompt.texts import phrase

SEARCH_HITS: Final = 5
LIST_NOTES: Final = 100
SHOWN_CHARS: Final = 600


async def memory_search(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    query, language = cast("str", args["query"]), sources.language
    if sources.memory is None:
        return _absent(language)
    if is_blank(query):
        return refusal(phrase(language, "blank_content"))
    recalled = await sources.memory.search(query, cast("int", args.get("limit", SEARCH_HITS)))
    hits = [_found(language, hit) for hit in recalled.hits]
    return Outcome(ok=True, result=as_json({"hits": hits, "sources": recalled.states}))


async def memory_read(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    ref, language = cast("str", args["ref"]), sources.language
    if sources.memory is None:
        return _absent(language)
    try:
        note = await sources.memory.read(ref)
    except HuabenError as fault:
        return refusal(memory_phrase(language, "failed", detail=fault.message))
    if note is None:
        return refusal(memory_phrase(language, "missing", ref=ref))
    content = sliced(note.text, args)
    if isinstance(content, BadOffset):
        return bad_offset(language, content)
    chars = utf16_len(note.text)
    return Outcome(ok=True, result=as_json({**_named(note), "content": content, "chars": chars}))


def memory_add(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    language = sources.language
    if sources.memory is None:
        return _absent(language)
    title = " ".join(cast("str", args.get("title", "")).split())
    note = sources.memory.begun(title, cast("str", args["content"]).strip())
    if note is None:
        return refusal(memory_phrase(language, "no_store"))
    fault = unfit(note)
    if fault is not None:
        return refusal(unkept(language, fault))
    result = as_json({"ok": True, "ref": note.id, "title": note.title})
    return Outcome(ok=True, result=result, effect={"note": note.id}, rows=(note,))


async def memory_list(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    language = sources.language
    if sources.memory is None:
        return _absent(language)
    source = cast("NoteSource | None", args.get("source"))  # the schema names the sources
    chosen = SOURCES if source is None else (source,)
    listed = await sources.memory.listed(chosen, cast("str | None", args.get("after")), LIST_NOTES)
    notes = [_named(note) for note in listed.notes]
    answer: dict[str, object] = {"notes": notes, "sources": listed.states}
    if listed.after is not None:
        answer |= {"after": listed.after, "cut": memory_phrase(language, "more")}
    return Outcome(ok=True, result=as_json(answer))


def _absent(language: Language) -> Outcome:
    return refusal(phrase(language, "tool_failed", detail="memory"))


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
