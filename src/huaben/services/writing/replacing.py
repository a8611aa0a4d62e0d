"""Find and replace across chapters: first seen, then done as one change that can be taken back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from huaben.domain.checkpoint import FileChange, Snapshot
from huaben.domain.manuscript_replace import ReplacedText, Replacement, replaced
from huaben.errors import BadInput, PreconditionFailed
from huaben.ports.manuscripts import Found
from huaben.services.house import House
from huaben.services.writing.chapters import encoded
from huaben.services.writing.recording import Made, notice, rewrite
from huaben.services.writing.room import desk_lock, load_manuscript, manuscripts_of


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
    """The chapters that hold the words, in order. Raises `BadInput("nothing_to_find")`."""
    await load_manuscript(house, project_id)
    found = await manuscripts_of(house).look(project_id)
    return await _previews(house, project_id, found, wanted)


async def replace_all(
    house: House, project_id: str, wanted: Replacement, seen: Mapping[str, str]
) -> Replaced:
    """Replace in the chapters of `seen`, name → hash as the preview told them; one checkpoint by the user.
    Raises `PreconditionFailed` when one of them has changed since, and then nothing is replaced."""
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
        found = await _previews(house, project_id, standing.found, wanted)
        chosen = [one for one in found if one.name in seen]
        home = manuscripts_of(house)
        steps = {
            one.name: FileChange(one.hash, await home.keep(project_id, encoded(one.replaced.text)))
            for one in chosen
        }
        steps = {name: step for name, step in steps.items() if step.before != step.after}
        count = sum(one.replaced.count for one in chosen)
        if not steps:
            return Replaced(None, count)
        recorded = await rewrite(house, standing, steps, Made())
        return Replaced(recorded.snapshot, count)


async def _previews(
    house: House, project_id: str, found: Found, wanted: Replacement
) -> list[FilePreview]:
    if not wanted.find:
        raise BadInput("nothing_to_find", "There are no words to find.")
    home = manuscripts_of(house)
    previews: list[FilePreview] = []
    for chapter in found.chapters:
        if chapter.chars is None or (wanted.names and chapter.name not in wanted.names):
            continue
        content = await home.read(project_id, chapter.name)
        if content is None:
            continue
        done = replaced(content.decode("utf-8", "replace"), wanted)
        if done.count:
            previews.append(FilePreview(chapter.name, chapter.hash, done))
    return previews


def preview_json(found: FilePreview) -> dict[str, object]:
    """A preview as answers have it."""
    return {
        "name": found.name,
        "hash": found.hash,
        "count": found.replaced.count,
        "places": [asdict(one) for one in found.replaced.places],
    }
