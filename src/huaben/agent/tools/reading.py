"""Tools that look things up: lore entries and the card. They change nothing."""

from __future__ import annotations

from typing import cast

from huaben.agent.desk import Desk, Outcome, Sources
from huaben.agent.tools.arguments import Arguments
from huaben.agent.tools.draft import bad_offset, sliced
from huaben.agent.tools.spoken import as_json, refusal
from huaben.domain.card import Card
from huaben.domain.decorators import parse_decorators
from huaben.domain.lore.search import entry_title, search
from huaben.domain.lore.values import Book, Entry
from huaben.domain.project import Language
from huaben.domain.text import BadOffset, is_blank
from huaben.prompt.texts import phrase

SEARCH_HITS = 3
LIST_ENTRIES = 200
FIELD_CHARS = 4000


def lorebook_search(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    query = cast("str", args["query"])
    if is_blank(query):
        return refusal(phrase(sources.language, "blank_content"))
    hits = [
        {
            "title": sources.expand(hit.title),
            "score": round(hit.score, 3),
            "content": _told(sources, hit.content),
            "ref": hit.ref,
        }
        for hit in search(sources.books, query, SEARCH_HITS)
    ]
    return Outcome(ok=True, result=as_json({"hits": hits}))


def lorebook_read(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    ref = cast("str", args["ref"])
    entry = dict(entries_by_ref(sources.books)).get(ref)
    if entry is None:
        return refusal(phrase(sources.language, "entry_missing", ref=ref))
    content = sliced(_told(sources, entry.content), args)
    if isinstance(content, BadOffset):
        return bad_offset(sources.language, content)
    return Outcome(
        ok=True,
        result=as_json(
            {"ref": ref, "title": sources.expand(entry_title(entry)), "content": content}
        ),
    )


def lorebook_list(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    keyword = cast("str", args.get("keyword", "")).strip().casefold()
    rows = [
        {"ref": ref, "title": title} | ({"constant": True} if entry.constant else {})
        for ref, entry in entries_by_ref(sources.books)
        if keyword in (title := sources.expand(entry_title(entry))).casefold()
    ]
    answer: dict[str, object] = {"total": len(rows), "entries": rows[:LIST_ENTRIES]}
    if len(rows) > LIST_ENTRIES:
        answer["cut"] = phrase(sources.language, "list_cut", shown=LIST_ENTRIES, total=len(rows))
    return Outcome(ok=True, result=as_json(answer))


def card_read(sources: Sources, desk: Desk, args: Arguments) -> Outcome:
    if sources.card is None:
        return refusal(phrase(sources.language, "tool_failed", detail="card"))
    return Outcome(ok=True, result=as_json(_fields(sources, sources.card)))


def entries_by_ref(books: tuple[Book, ...]) -> list[tuple[str, Entry]]:
    """Every enabled entry with the reference that searches give it."""
    return [
        (f"{index}/{entry.uid}", entry)
        for index, book in enumerate(books)
        for entry in book.entries
        if entry.enabled
    ]


def _told(sources: Sources, content: str) -> str:
    """An entry's text as it reads in the story: without the lines that steer it, macros expanded."""
    return sources.expand(parse_decorators(content).content)


def _fields(sources: Sources, card: Card) -> dict[str, object]:
    texts = {
        "name": card.name,
        "nickname": card.nickname,
        "description": card.description,
        "personality": card.personality,
        "scenario": card.scenario,
        "first_mes": card.first_mes,
        "mes_example": card.mes_example,
        "system_prompt": card.system_prompt,
        "post_history_instructions": card.post_history_instructions,
    }
    fields: dict[str, object] = {
        name: _cut(sources.language, sources.expand(text))
        for name, text in texts.items()
        if text.strip()
    }
    if card.tags:
        fields["tags"] = list(card.tags)
    return fields


def _cut(language: Language, text: str) -> str:
    if len(text) <= FIELD_CHARS:
        return text
    rest = len(text) - FIELD_CHARS
    return f"{text[:FIELD_CHARS]}{phrase(language, 'field_cut', rest=rest)}"
