"""Find and replace across chapters: first seen, then done as one change that can be taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass, field
from typing import Final, TypeAlias

from huaben.domain.checkpoint import FileChange, Snapshot
from huaben.domain.manuscript_replace import (
    BadPattern,
    Finder,
    ReplacedText,
    Replacement,
    TooMuch,
    finder,
    replaced,
)
from huaben.errors import BadInput, PreconditionFailed
from huaben.ports.manuscripts import Found
from huaben.services.house import House
from huaben.services.writing.chapters import encoded
from huaben.services.writing.recording import Made, notice, rewrite
from huaben.services.writing.room import desk_lock, load_manuscript, manuscripts_of

LeftOut: TypeAlias = Mapping[str, Collection[int]]
"""By file name where the places begin that stay as they are, in UTF-16 units."""
SHOWN: Final = 2000
"""How many places an answer tells one by one."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is to be replaced of a preview: chapters, name → hash as it told them, but not the places of
    `left_out`."""

    seen: Mapping[str, str]
    left_out: LeftOut = field(default_factory=dict[str, Collection[int]])


@dataclass(frozen=True, slots=True)
class FilePreview:
    """What a replacement would do to a chapter. `hash` is the one to name when it is done."""

    name: str
    hash: str
    replaced: ReplacedText


@dataclass(frozen=True, slots=True)
class Replaced:
    """The checkpoint of a replacement, None where there was nothing to replace, and how many places."""

    snapshot: Snapshot | None
    count: int


async def preview(house: House, project_id: str, wanted: Replacement) -> list[FilePreview]:
    """The chapters that hold the words, in order. Raises `BadInput` (`nothing_to_find`, `bad_pattern`,
    `pattern_too_slow`, `text_too_large`)."""
    await load_manuscript(house, project_id)
    found = await manuscripts_of(house).look(project_id)
    return await _previews(house, project_id, found, wanted, {})


async def replace_all(
    house: House, project_id: str, wanted: Replacement, chosen: Chosen
) -> Replaced:
    """Replace what was chosen of a preview; one checkpoint by the user. Raises as `preview` and
    `PreconditionFailed` when one of the chapters has changed since, and then nothing is replaced."""
    seen = chosen.seen
    project = await load_manuscript(house, project_id)
    async with desk_lock(house, project_id):
        standing = await notice(house, project, with_work=True)
        changed = [name for name, known in seen.items() if standing.files.get(name) != known]
        if changed:
            raise PreconditionFailed(
                "chapter_changed",
                f"Changed since the preview: {', '.join(sorted(changed))}.",
                "Look at the places again.",
                files=tuple(sorted(changed)),
            )
        found = await _previews(house, project_id, standing.found, wanted, chosen.left_out)
        changing = [one for one in found if one.name in seen]
        home = manuscripts_of(house)
        steps = {
            one.name: FileChange(one.hash, await home.keep(project_id, encoded(one.replaced.text)))
            for one in changing
        }
        steps = {name: step for name, step in steps.items() if step.before != step.after}
        count = sum(one.replaced.done for one in changing)
        if not steps:
            return Replaced(None, count)
        recorded = await rewrite(house, standing, steps, Made("replaced"))
        return Replaced(recorded.snapshot, count)


async def _previews(
    house: House, project_id: str, found: Found, wanted: Replacement, left_out: LeftOut
) -> list[FilePreview]:
    if not wanted.find:
        raise BadInput("nothing_to_find", "There are no words to find.")
    ready = finder(wanted)
    if isinstance(ready, BadPattern):
        raise BadInput("bad_pattern", f"That is no pattern: {ready.detail}.")
    home = manuscripts_of(house)
    previews: list[FilePreview] = []
    for chapter in found.chapters:
        if chapter.chars is None or (wanted.names and chapter.name not in wanted.names):
            continue
        content = await home.read(project_id, chapter.name)
        if content is None:
            continue
        done = await asyncio.to_thread(_searched, content, ready, left_out.get(chapter.name, ()))
        if isinstance(done, str):
            raise _too_much(done, chapter.name)
        if done.count:
            previews.append(FilePreview(chapter.name, chapter.hash, done))
    return previews


def _searched(content: bytes, ready: Finder, left_out: Collection[int]) -> ReplacedText | TooMuch:
    return replaced(content.decode("utf-8", "replace"), ready, frozenset(left_out))


def _too_much(why: TooMuch, name: str) -> BadInput:
    if why == "too_slow":
        hint = "Make the pattern simpler, or search fewer chapters."
        return BadInput("pattern_too_slow", f"The pattern takes too long in {name}.", hint)
    return BadInput("text_too_large", f"{name} would become too large.", "Put less in its place.")


def previews_json(found: list[FilePreview]) -> list[dict[str, object]]:
    """Previews as answers have them; beyond `SHOWN` places they are only counted."""
    left = SHOWN
    told: list[dict[str, object]] = []
    for one in found:
        places = one.replaced.places[:left]
        left -= len(places)
        told.append(
            {
                "name": one.name,
                "hash": one.hash,
                "count": one.replaced.count,
                "places": [asdict(place) for place in places],
            }
        )
    return told
