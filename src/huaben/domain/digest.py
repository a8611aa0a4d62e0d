"""What stands for old chapters and old discussion in the prompt of a writing project, and when it is due; apart from
the summary of a story, because here each chapter has one of its own.

Source of the rules: `state.md` §4: the manuscript is summarised by file, the discussion by tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from huaben.domain.checkpoint import Manifest
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.manuscript import in_order
from huaben.domain.scenario import CompactionSection

KEEP_TOKENS: Final = 20_000
"""So much of the latest discussion is always sent word for word, and at least one turn."""


@dataclass(frozen=True, slots=True)
class ChapterDigest:
    """What a chapter tells, by the SHA-256 of the text that was read."""

    name: str
    sha256: str
    text: str


@dataclass(frozen=True, slots=True)
class Digest:
    """What is in force at a node: chapters in their order, and `discussion`, which stands for `turns` turns up to
    the turn `covers` (empty: none)."""

    chapters: tuple[ChapterDigest, ...] = ()
    discussion: str = ""
    covers: str = ""
    turns: int = 0
    node: str = ""
    revision: int = 0


def due_chapters(section: CompactionSection, files: Manifest, digest: Digest) -> tuple[str, ...]:
    """The chapters that are to have a digest now: all but the last `keep`, once `keep` + `every` have none;
    nothing otherwise. In large steps, because each changes what was sent before."""
    if section.every == 0:
        return ()
    names, known = in_order(files), {one.name for one in digest.chapters}
    without = [name for name in names if name not in known]
    if len(without) < section.keep + section.every:
        return ()
    return tuple(names[: len(names) - section.keep])


def leaving_turns(section: CompactionSection, sizes: Sequence[tuple[str, int]]) -> tuple[str, ...]:
    """The turns of a discussion, as (id, tokens), that minutes are to take up now: once there is twice what is
    kept, all but the latest that make up `KEEP_TOKENS`."""
    if section.every == 0 or sum(size for _, size in sizes) <= 2 * KEEP_TOKENS:
        return ()
    kept = 0
    for n in range(len(sizes) - 1, 0, -1):
        kept += sizes[n][1]
        if kept >= KEEP_TOKENS:
            return tuple(turn for turn, _ in sizes[:n])
    return ()


def live_turns(digest: Digest, turns: Sequence[str]) -> tuple[str, ...]:
    """The turns that are sent word for word; all of them where the last one covered is not among them."""
    if digest.covers not in turns:
        return tuple(turns)
    return tuple(turns[turns.index(digest.covers) + 1 :])


def digest_to_json(digest: Digest) -> JsonObject:
    """`digest_from_json` reads it back to an equal value."""
    return {
        "chapters": [[one.name, one.sha256, one.text] for one in digest.chapters],
        "discussion": digest.discussion,
        "covers": digest.covers,
        "turns": digest.turns,
    }


def digest_from_json(data: Mapping[str, object], node: str, revision: int) -> Digest:
    """What was stored so. Raises ValueError for what is none of ours: the record is damaged."""
    chapters, turns = data.get("chapters"), data.get("turns")
    if not isinstance(chapters, list) or not isinstance(turns, int):
        raise ValueError("the stored digest does not say what it stands for")
    rows = cast("list[tuple[str, str, str]]", chapters)  # written from the same type
    return Digest(
        tuple(ChapterDigest(*row) for row in rows),
        str(data.get("discussion", "")),
        str(data.get("covers", "")),
        turns,
        node,
        revision,
    )
