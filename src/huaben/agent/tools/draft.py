"""The draft sheet's tools: each a pure step from a desk and arguments to an outcome."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from huaben.agent.desk import Desk, Outcome, Sources
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.spoken import as_json, refusal, rejected
from huaben.domain.draft import (
    Append,
    Applied,
    Draft,
    Edit,
    Pair,
    Receipt,
    StaleVersion,
    Write,
    apply,
)
from huaben.domain.project import Language
from huaben.domain.text import BadOffset, is_blank, to_utf16, utf16_len, utf16_slice
from huaben.prompt.texts import phrase

SEARCH_LIMIT = 8
_CLOSERS = "”’」』）)》】\"'。！？!?…,，、；;：:"


def draft_write(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    change = Write(cast("int", args["version"]), cast("str", args["content"]))
    return _changed(sources.language, desk, change)


def draft_append(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    separator = cast("str", args.get("separator", "\n\n"))
    change = Append(cast("int", args["version"]), cast("str", args["content"]), separator)
    return _changed(sources.language, desk, change)


def draft_edit(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    return _changed(sources.language, desk, Edit(cast("int", args["version"]), pairs_of(args)))


def draft_read(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    content = sliced(desk.draft.text, args)
    if isinstance(content, BadOffset):
        return bad_offset(sources.language, content)
    return Outcome(
        ok=True,
        result=as_json(
            {
                "version": desk.draft.version,
                "content": content,
                "chars": utf16_len(desk.draft.text),
            }
        ),
    )


def draft_search(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    query = cast("str", args["query"])
    if is_blank(query):
        return refusal(phrase(sources.language, "blank_content"))
    text, limit = desk.draft.text, cast("int", args.get("limit", SEARCH_LIMIT))
    places: list[int] = []
    at = text.find(query)
    while at >= 0:
        places.append(at)
        at = text.find(query, at + 1)
    hits = [_hit(text, place, len(query)) for place in places[:limit]]
    return Outcome(
        ok=True,
        result=as_json({"version": desk.draft.version, "total": len(places), "hits": hits}),
    )


def draft_seal(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    language, version = sources.language, cast("int", args["version"])
    if version != desk.draft.version:
        return rejected(language, StaleVersion(version, desk.draft.version))
    if is_blank(desk.draft.text):
        return refusal(phrase(language, "blank_draft"), version=version)
    return Outcome(
        ok=True,
        result=as_json({"ok": True, "sealed": True, "version": version}),
        desk=replace(desk, sealed=True),
        effect={"sealed": True},
    )


def pairs_of(args: Arguments) -> tuple[Pair, ...]:
    """The edits of a call as the draft takes them."""
    edits = cast("list[Mapping[str, str]]", args["edits"])
    return tuple(Pair(edit["old"], edit["new"]) for edit in edits)


def receipts_of(receipts: tuple[Receipt, ...]) -> list[dict[str, str]]:
    """What an edit did at each place; `level` says how freely the quotation was matched."""
    return [{"level": one.level, "before": one.before, "after": one.after} for one in receipts]


def sliced(text: str, args: Arguments) -> str | BadOffset:
    """The part of a text that `start` and `end` (UTF-16) name, the whole without them."""
    start, end = cast("int | None", args.get("start")), cast("int | None", args.get("end"))
    return utf16_slice(text, start, end)


def bad_offset(language: Language, fault: BadOffset) -> Outcome:
    return refusal(phrase(language, "bad_offset", length=fault.length), length=fault.length)


def written(draft: Draft, applied: Applied) -> dict[str, object]:
    """The receipt of a change of a draft."""
    receipt: dict[str, object] = {
        "ok": True,
        "version": draft.version,
        "chars": utf16_len(draft.text),
    }
    if applied.receipts:
        receipt["changes"] = receipts_of(applied.receipts)
    return receipt


def _changed(language: Language, desk: Desk, change: Write | Append | Edit) -> Outcome:
    applied = apply(desk.draft, change)
    if not isinstance(applied, Applied):
        return rejected(language, applied)
    changed = applied.draft.version != desk.draft.version
    return Outcome(
        ok=True,
        result=as_json(written(applied.draft, applied)),
        desk=replace(desk, draft=applied.draft, explicit=True),
        applied=applied if changed else None,
        effect={"explicit": True, "version": applied.draft.version},
    )


def _hit(text: str, place: int, length: int) -> dict[str, object]:
    """A hit with the punctuation that closes it, so that it can be quoted whole."""
    end = place + length
    while end < len(text) and text[end] in _CLOSERS:
        end += 1
    return {"start": to_utf16(text, place), "end": to_utf16(text, end), "text": text[place:end]}
