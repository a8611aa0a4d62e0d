"""The file tools: looking at chapters, and changes of chapters that the performance then makes
(`writing.md` §2)."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Final, Literal, TypeAlias, cast

from huaben.agent.desk import Outcome
from huaben.agent.filedesk import FileDesk, FileEdit
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.draft import bad_offset, receipts_of
from huaben.agent.tools.file_search import Searched, SearchFault, search
from huaben.agent.tools.paths import ChapterPath, ManuscriptFolder, path_of, place_of
from huaben.agent.tools.spoken import as_json, refusal, rejected
from huaben.domain.draft import Applied, Draft, Edit, NoMatch, Pair, Rejection, apply
from huaben.domain.manuscript import Chapter, name_fault, twin_of
from huaben.domain.messages import ToolSpec
from huaben.domain.project import Language
from huaben.domain.text import BadOffset, is_blank, utf16_len, utf16_slice
from huaben.ports.manuscripts import Found
from huaben.prompt.texts import phrase, phrases

READ_UNITS: Final = 60_000
LISTED: Final = 500
Schema: TypeAlias = Mapping[str, object]
_TEXT: Final[Schema] = {"type": "string"}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_PAIR: Final[Schema] = {
    "type": "object",
    "properties": {"oldText": _TEXT, "newText": _TEXT},
    "required": ["oldText", "newText"],
}
_EDITS: Final[Schema] = {"type": "array", "minItems": 1, "items": _PAIR}


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What a tool did, or with `edit` what it would have done: then the outcome holds once the change is
    made."""

    outcome: Outcome
    edit: FileEdit | None = None


@dataclass(frozen=True, slots=True)
class FileTool:
    """One tool; fields as of `table.Tool`."""

    name: str
    kind: Literal["read", "write"]
    properties: Mapping[str, Schema]
    required: tuple[str, ...]
    run: Callable[[FileDesk, Language, Arguments], Awaitable[FileOutcome]]

    @property
    def schema(self) -> Schema:
        """The bare schema, as arguments are checked against it."""
        return {
            "type": "object",
            "properties": self.properties,
            "required": list(self.required),
            "additionalProperties": False,
        }


@dataclass(frozen=True, slots=True)
class _Open:
    """A chapter with its text."""

    chapter: Chapter
    text: str


# ---- looking -----------------------------------------------------------------------------------


async def read(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    opened = await _open(files, language, cast("str", args["path"]))
    if not isinstance(opened, _Open):
        return FileOutcome(opened)
    length = utf16_len(opened.text)
    offset = cast("int", args.get("offset", 0))
    end = min(length, offset + cast("int", args.get("limit", READ_UNITS)))
    content = utf16_slice(opened.text, offset, end)
    if isinstance(content, BadOffset) and content.reason == "inside_surrogate_pair":
        end += 1  # whoever counts in units may end inside a character; the whole one is given
        content = utf16_slice(opened.text, offset, end)
    if isinstance(content, BadOffset):
        return FileOutcome(bad_offset(language, content))
    answer: dict[str, object] = {
        "path": path_of(opened.chapter.name),
        "content": content,
        "chars": length,
    }
    if end < length:
        answer["rest"] = _say(language, "rest", rest=length - end, next=end)
    return FileOutcome(Outcome(ok=True, result=as_json(answer)))


async def grep(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    pattern = cast("str", args["pattern"])
    if is_blank(pattern):
        return FileOutcome(refusal(phrase(language, "blank_content")))
    found = await files.listing()
    names = [chapter.name for chapter in found.chapters if chapter.chars is not None]
    if (path := cast("str | None", args.get("path"))) and place_of(path) != ManuscriptFolder():
        opened = await _open(files, language, path)
        if not isinstance(opened, _Open):
            return FileOutcome(opened)
        names = [opened.chapter.name]
    searched = await search(files, names, pattern)
    if isinstance(searched, SearchFault):
        key = "pattern_slow" if searched.slow else "pattern_bad"
        return FileOutcome(refusal(_say(language, key, detail=searched.detail)))
    return FileOutcome(Outcome(ok=True, result=as_json(_hits(language, searched))))


async def find(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    wanted = cast("str", args["pattern"]).strip().removeprefix("manuscript/").casefold()
    pattern = wanted if "*" in wanted or "?" in wanted else f"*{wanted}*"
    found = await files.listing()
    fit = [one for one in found.chapters if fnmatchcase(one.name.casefold(), pattern)]
    return FileOutcome(Outcome(ok=True, result=as_json(_listed(language, fit))))


async def ls(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    path = cast("str", args.get("path", ""))
    place = place_of(path)
    if isinstance(place, ManuscriptFolder):
        found = await files.listing()
        return FileOutcome(Outcome(ok=True, result=as_json(_listed(language, found.chapters))))
    opened = await _open(files, language, path)
    if not isinstance(opened, _Open):
        return FileOutcome(opened)
    return FileOutcome(Outcome(ok=True, result=as_json(_listed(language, [opened.chapter]))))


# ---- changing ----------------------------------------------------------------------------------


async def edit(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    pairs = _pairs(args)
    if pairs is None:
        return FileOutcome(refusal(_say(language, "edit_arguments")))
    opened = await _open(files, language, cast("str", args["path"]))
    if not isinstance(opened, _Open):
        return FileOutcome(opened)
    applied = apply(Draft(1, opened.text), Edit(1, pairs))
    if not isinstance(applied, Applied):
        return FileOutcome(_rejected(language, applied))
    text, chapter = applied.draft.text, opened.chapter
    result = {
        "ok": True,
        "path": path_of(chapter.name),
        "chars": utf16_len(text),
        "changes": receipts_of(applied.receipts),
    }
    return _changing(result, chapter.name, text, chapter)


async def write(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    content = cast("str", args["content"])
    if is_blank(content):
        return FileOutcome(refusal(phrase(language, "blank_content")))
    found = await files.listing()
    name = _writable(language, found, cast("str", args["path"]))
    if isinstance(name, Outcome):
        return FileOutcome(name)
    chapter = found.chapter(name)
    result = {
        "ok": True,
        "path": path_of(name),
        "chars": utf16_len(content),
        "new": chapter is None,
    }
    return _changing(result, name, content, chapter)


async def rename(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    found = await files.listing()
    path, to = cast("str", args["path"]), cast("str", args["to"])
    chapter = _existing(language, found, path)
    if isinstance(chapter, Outcome):
        return FileOutcome(chapter)
    others = Found(tuple(one for one in found.chapters if one != chapter), found.left_out)
    name = _writable(language, others, to)
    if isinstance(name, Outcome):
        return FileOutcome(name)
    if name == chapter.name:
        return FileOutcome(refusal(_say(language, "same_name")))
    if others.chapter(name) is not None:
        return FileOutcome(refusal(_say(language, "exists", path=path_of(name))))
    content = await files.read(chapter.name)
    result = {"ok": True, "path": path_of(name), "was": path_of(chapter.name)}
    return FileOutcome(
        Outcome(ok=True, result=as_json(result)),
        FileEdit({chapter.name: None, name: content}, {chapter.name: chapter.hash, name: None}),
    )


async def remove(files: FileDesk, language: Language, args: Arguments) -> FileOutcome:
    chapter = _existing(language, await files.listing(), cast("str", args["path"]))
    if isinstance(chapter, Outcome):
        return FileOutcome(chapter)
    result = {"ok": True, "path": path_of(chapter.name), "removed": True}
    return FileOutcome(
        Outcome(ok=True, result=as_json(result)),
        FileEdit({chapter.name: None}, {chapter.name: chapter.hash}),
    )


FILE_TOOLS: Final[tuple[FileTool, ...]] = (
    FileTool("read", "read", {"path": _TEXT, "offset": _COUNT, "limit": _COUNT}, ("path",), read),
    FileTool("grep", "read", {"pattern": _TEXT, "path": _TEXT}, ("pattern",), grep),
    FileTool("find", "read", {"pattern": _TEXT}, ("pattern",), find),
    FileTool("ls", "read", {"path": _TEXT}, (), ls),
    FileTool(
        "edit",
        "write",
        {"path": _TEXT, "oldText": _TEXT, "newText": _TEXT, "edits": _EDITS},
        ("path",),
        edit,
    ),
    FileTool("write", "write", {"path": _TEXT, "content": _TEXT}, ("path", "content"), write),
    FileTool("rename", "write", {"path": _TEXT, "to": _TEXT}, ("path", "to"), rename),
    FileTool("remove", "write", {"path": _TEXT}, ("path",), remove),
)


def file_specs(language: Language) -> tuple[ToolSpec, ...]:
    """The file tools as a model is sent them, with descriptions in the project's language."""
    return tuple(_spec(tool, phrases(language, "filetools")[tool.name]) for tool in FILE_TOOLS)


# ---- what they share ---------------------------------------------------------------------------


async def _open(files: FileDesk, language: Language, path: str) -> _Open | Outcome:
    chapter = _existing(language, await files.listing(), path)
    if isinstance(chapter, Outcome):
        return chapter
    content = await files.read(chapter.name)
    if content is None:
        return refusal(_say(language, "missing", path=path))
    try:
        return _Open(chapter, content.decode())
    except UnicodeDecodeError:
        return refusal(_say(language, "not_utf8", path=path_of(chapter.name)))


def _existing(language: Language, found: Found, path: str) -> Chapter | Outcome:
    place = place_of(path)
    if not isinstance(place, ChapterPath):
        return refusal(_say(language, "path_outside", path=path))
    if any(one.name == place.name for one in found.left_out):
        return refusal(_say(language, "left_out", path=path))
    chapter = found.chapter(place.name)
    if chapter is None:
        # Some systems store a name in another normal form than models write it in.
        alike = (one for one in found.chapters if place_of(one.name) == place)
        chapter = next(alike, None)
    return chapter or refusal(_say(language, "missing", path=path))


def _writable(language: Language, found: Found, path: str) -> str | Outcome:
    """The file name that a path stands for, of a chapter that is there or one that may come."""
    existing = _existing(language, found, path)
    if isinstance(existing, Chapter):
        return existing.name
    place = place_of(path)
    if not isinstance(place, ChapterPath) or any(one.name == place.name for one in found.left_out):
        return existing
    if name_fault(place.name) is not None:
        return refusal(_say(language, "path_bad", name=place.name))
    taken = twin_of(place.name, (one.name for one in found.chapters))
    if taken is not None:
        return refusal(_say(language, "exists", path=path_of(taken)))
    return place.name


def _changing(
    result: Mapping[str, object], name: str, text: str, chapter: Chapter | None
) -> FileOutcome:
    """A chapter gets a text; one that it has already asks for no change."""
    content, before = text.encode(), chapter.hash if chapter else None
    outcome = Outcome(ok=True, result=as_json(result))
    if hashlib.sha256(content).hexdigest() == before:
        return FileOutcome(outcome)
    return FileOutcome(outcome, FileEdit({name: content}, {name: before}))


def _rejected(language: Language, rejection: Rejection) -> Outcome:
    """Why an edit was refused; a quotation that is not there points to the tools of this desk."""
    if not isinstance(rejection, NoMatch):
        return rejected(language, rejection)
    near = rejection.nearest
    hint = _say(language, "nearest", passage=near) if near else _say(language, "nearest_none")
    facts = {"number": rejection.index + 1, "claimed": rejection.claimed, "nearest": hint}
    return refusal(_say(language, "no_match", **facts))


def _pairs(args: Arguments) -> tuple[Pair, ...] | None:
    """The edits of a call, however they were given; None for both ways or neither."""
    old, new = cast("str | None", args.get("oldText")), cast("str | None", args.get("newText"))
    edits = cast("list[Mapping[str, str]] | None", args.get("edits"))
    if edits is not None:
        given = tuple(Pair(one["oldText"], one["newText"]) for one in edits)
        return given if old is None and new is None else None
    return None if old is None or new is None else (Pair(old, new),)


def _hits(language: Language, searched: Searched) -> dict[str, object]:
    hits = [
        {
            "path": path_of(hit.name),
            "line": hit.line,
            "start": hit.start,
            "end": hit.end,
            "text": hit.text,
        }
        for hit in searched.hits
    ]
    answer: dict[str, object] = {"total": searched.total, "hits": hits}
    if searched.total > len(hits):
        answer["cut"] = _say(language, "cut", shown=len(hits), total=searched.total)
    return answer


def _listed(language: Language, chapters: list[Chapter] | tuple[Chapter, ...]) -> dict[str, object]:
    entries = [
        {"path": path_of(one.name), "chars": one.chars, "changed_at": one.changed_at}
        for one in chapters[:LISTED]
    ]
    answer: dict[str, object] = {"total": len(chapters), "entries": entries}
    if len(chapters) > LISTED:
        answer["cut"] = _say(language, "cut", shown=LISTED, total=len(chapters))
    return answer


def _say(language: Language, key: str, **facts: str | int) -> str:
    return phrases(language, "writing_phrases")[key].format_map(facts)


def _spec(tool: FileTool, text: str) -> ToolSpec:
    about = [line.strip() for line in text.splitlines() if line.strip() and line[:2] != "- "]
    told = dict(line[2:].split(": ", 1) for line in text.splitlines() if line.startswith("- "))
    properties = {name: _described(schema, told, name) for name, schema in tool.properties.items()}
    return ToolSpec(tool.name, " ".join(about), {**tool.schema, "properties": properties})


def _described(schema: Schema, told: Mapping[str, str], name: str) -> Schema:
    if schema is not _EDITS:
        return {**schema, "description": told[name]}
    parts = {part: {**_TEXT, "description": told[part]} for part in ("oldText", "newText")}
    items: Schema = {**_PAIR, "properties": parts, "additionalProperties": False}
    return {**_EDITS, "items": items, "description": told[name]}
