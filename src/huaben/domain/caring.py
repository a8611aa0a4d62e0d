"""After an edit of a manuscript: which passages a scribe has yet to read, and which facts rest on words that
have gone; apart from the ledger, which knows nothing of chapters.

Source of the rules: `writing.md` §5. What was added is read as a sealed turn is; of what was changed or
removed the program only says which facts are to be checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias, cast

from huaben.domain.checkpoint import Changed, Manifest, changed_of, difference
from huaben.domain.evidence import stands_in
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.manuscript import in_order
from huaben.domain.matching import fold
from huaben.domain.text import is_blank, utf16_slice
from huaben.domain.worddiff import WordSpan, diff_words

GROUND: Final = "chapter:"
LEAST_MOVED_CHARS: Final = 4
"""A shorter quotation is looked for in its own chapter alone: elsewhere it would mean nothing."""

Omission: TypeAlias = Literal["passed", "failed"]
"""Why a chapter was not read: it was one of too many, or the scribe could not be asked."""


@dataclass(frozen=True, slots=True)
class Cared:
    """How far the ledger at a node has the manuscript: up to a checkpoint (empty: to none), without the
    chapters `unread`. `node` is where that was written, at its version `revision`."""

    checkpoint: str = ""
    unread: Mapping[str, Omission] = field(default_factory=dict[str, Omission])
    node: str = ""
    revision: int = 0


@dataclass(frozen=True, slots=True)
class Edited:
    """How a manuscript differs from the one that was read: chapters that are new, chapters whose end may
    have grown, as (old name, new name), and all other ones that are not what they were."""

    added: tuple[str, ...]
    last: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Grown:
    """What came to the end of a chapter, from `start` (code points) on, empty if nothing; `otherwise`:
    something before it is different too."""

    start: int
    text: str
    otherwise: bool


@dataclass(frozen=True, slots=True)
class Doubt:
    """A fact to be checked: its place in the ledger, and the words that stood in a chapter."""

    path: str
    chapter: str
    quotation: str


# ---- what is to be read --------------------------------------------------------------------------


def edited(old: Manifest, new: Manifest) -> Edited:
    """Tell what happened to the chapters since `old` was read. Only of a chapter that is the last one, or
    was it then, is the end looked at by itself."""
    told: Changed = changed_of(difference(old, new))
    ends = {in_order(files)[-1] for files in (old, new) if files}
    last = tuple(name for name in told.modified if name in ends)
    changed = tuple(name for name in told.modified if name not in ends)
    return Edited(told.added, last, changed, told.removed, told.renamed)


def grown(old: str, new: str) -> Grown:
    """What was added behind the end of a text. White space at the end does not count, and an end that was
    put otherwise has not grown."""
    kept = old.rstrip()
    if new.startswith(kept):
        return _grown(new, len(kept), otherwise=False)
    start, spans = _tail(old, new)
    if start is None:
        return Grown(len(new), "", otherwise=True)
    before = [one for one in spans if one.kind != "kept" and one.new_start < start]
    at = len(_slice(new, 0, start))
    return _grown(new, at, otherwise=any(not is_blank(_said(old, new, one)) for one in before))


def _grown(new: str, at: int, *, otherwise: bool) -> Grown:
    rest = new[at:]
    start = at + len(rest) - len(rest.lstrip())
    return Grown(start, new[start:].rstrip(), otherwise)


def _tail(old: str, new: str) -> tuple[int | None, Sequence[WordSpan]]:
    """Where what was added at the end begins (UTF-16, None if nothing was), and all spans."""
    spans = diff_words(old, new)
    start: int | None = None
    for one in reversed(spans):
        if one.kind == "inserted":
            start = one.new_start
        elif not is_blank(_said(old, new, one)):
            return (None if one.kind == "deleted" else start), spans
    return start, spans


def _said(old: str, new: str, span: WordSpan) -> str:
    if span.kind == "inserted":
        return _slice(new, span.new_start, span.new_end)
    return _slice(old, span.start, span.end)


def _slice(text: str, start: int, end: int) -> str:
    piece = utf16_slice(text, start, end)
    assert isinstance(piece, str), (start, end)  # a diff cuts no character
    return piece


# ---- what is to be checked -----------------------------------------------------------------------


def ground_in(chapter: str) -> str:
    """What a ledger names as the place of a quotation that stands in a chapter."""
    return f"{GROUND}{chapter}"


def chapter_of(ground: str) -> str | None:
    """The chapter that is so named; None for a turn."""
    return ground.removeprefix(GROUND) if ground.startswith(GROUND) else None


def chapters_of(grounds: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    """The chapters that facts rest on, in order."""
    named = {chapter_of(place) for place, _ in grounds.values()}
    return tuple(in_order(name for name in named if name is not None))


def doubts(grounds: Mapping[str, tuple[str, str]], pages: Mapping[str, str]) -> tuple[Doubt, ...]:
    """The facts whose words stand no more, neither in their chapter nor, where it was renamed or its text
    moved, in another of `pages`, by any rung of the matching ladder (`turn.md` §2)."""
    folded = {name: fold(text) for name, text in pages.items()}
    found: list[Doubt] = []
    for path, (place, quotation) in sorted(grounds.items()):
        chapter = chapter_of(place)
        if chapter is not None and not _stands(folded, chapter, quotation):
            found.append(Doubt(path, chapter, quotation))
    return tuple(found)


def _stands(folded: Mapping[str, str], chapter: str, quotation: str) -> bool:
    if stands_in(folded.get(chapter, ""), quotation):
        return True
    if len(quotation.strip()) < LEAST_MOVED_CHARS:
        return False
    return any(stands_in(page, quotation) for page in folded.values())


# ---- as JSON -------------------------------------------------------------------------------------


def cared_to_json(cared: Cared) -> JsonObject:
    """`cared_from_json` reads it back to an equal value."""
    return {"checkpoint": cared.checkpoint, "unread": {**cared.unread}}


def cared_from_json(data: Mapping[str, object], node: str, revision: int) -> Cared:
    """What was stored so. Raises ValueError for what is none of ours: the record is damaged."""
    checkpoint, unread = data.get("checkpoint"), data.get("unread")
    if not isinstance(checkpoint, str) or not isinstance(unread, Mapping):
        raise ValueError("what was read of the manuscript is not told")
    named = cast("Mapping[str, Omission]", unread)  # written from the same type
    return Cared(checkpoint, dict(named), node, revision)


def without(cared: Mapping[str, Omission], names: Iterable[str]) -> dict[str, Omission]:
    """The omissions but those of these chapters."""
    gone = set(names)
    return {name: why for name, why in cared.items() if name not in gone}
