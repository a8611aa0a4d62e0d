"""The author's note of a story, read and written; apart from the notes of memory, which are the model's."""

from __future__ import annotations

from dataclasses import replace

from huaben.domain.dressing import MAX_CHARS, MAX_DEPTH, MAX_INTERVAL, AuthorsNote, Dressing
from huaben.domain.text import scrub
from huaben.errors import BadInput
from huaben.services.house import House
from huaben.services.presets_worn import dressing_of, put_on
from huaben.services.stories import load_project


async def read_note(house: House, project_id: str) -> Dressing:
    """What the story wears, its note among it. Raises `NotFound`."""
    project = await load_project(house, project_id)
    return await dressing_of(house, project.id)


async def write_note(house: House, project_id: str, note: AuthorsNote, revision: int) -> Dressing:
    """Put a note in the place of the one with that revision; an empty one takes it away. From the
    next turn on. Raises `NotFound`, `Conflict("stale")`, `BadInput` (`too_long`, `out_of_range`)."""
    worn = await read_note(house, project_id)
    if len(note.text) > MAX_CHARS:
        raise BadInput("too_long", f"A note may have {MAX_CHARS:,} characters.")
    if not (0 <= note.interval <= MAX_INTERVAL and 0 <= note.depth <= MAX_DEPTH):
        limits = f"interval 0–{MAX_INTERVAL:,}, depth 0–{MAX_DEPTH:,}"
        raise BadInput("out_of_range", f"A note is out of its range: {limits}.")
    changed = replace(note, text=scrub(note.text))
    return await put_on(house, replace(worn, note=changed, revision=revision))
