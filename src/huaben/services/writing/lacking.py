"""Which passages of a manuscript a scribe has yet to read, by its checkpoints; apart from reading them, because
what is lacking is decided once however often the reading is taken up again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from huaben.domain.caring import Cared, Edited, Omission, edited, grown, without
from huaben.domain.checkpoint import Manifest
from huaben.domain.manuscript import in_order
from huaben.domain.text import is_blank
from huaben.errors import StorageFailed
from huaben.prompt.diary import in_pieces
from huaben.services.house import House
from huaben.services.writing.room import manuscripts_of

PART_CHARS: Final = 12_000
"""The longest passage that is read in one call."""


@dataclass(frozen=True, slots=True)
class Part:
    """A passage: the chapter, the text that it is of by its SHA-256, and where it stands in code points."""

    name: str
    sha256: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Lacking:
    """What came to the manuscript since it was read: `starts` has the chapters with something new and where
    that begins (code points). `unread` was left unread earlier; `changed` chapters were read, and are not
    what they were."""

    starts: Mapping[str, int] = field(default_factory=dict[str, int])
    unread: Mapping[str, Omission] = field(default_factory=dict[str, Omission])
    changed: tuple[str, ...] = ()


async def lacking(house: House, project_id: str, known: Cared, files: Manifest) -> Lacking:
    """What these files hold that was not read. Only the last chapter's text is looked into."""
    old = await files_at(house, known.checkpoint)
    told = edited(old, files)
    starts: dict[str, int] = dict.fromkeys(told.added, 0)
    changed = {*told.changed, *told.removed}
    for name in told.last:
        before = await text_at(house, project_id, old[name])
        more = grown(before, await text_at(house, project_id, files[name]))
        if more.text:
            starts[name] = more.start
        if more.otherwise:
            changed.add(name)
    unread = without(_moved(known, told), told.removed)
    return Lacking(starts, unread, tuple(in_order(changed)))


async def to_read(
    house: House, project_id: str, known: Cared, files: Manifest, chosen: Collection[str] = ()
) -> tuple[list[Part], dict[str, Omission]]:
    """The passages to read now, in the order of the chapters, and what stays unread: what is new, what the
    scribe could not read before, and the chosen chapters whole."""
    found = await lacking(house, project_id, known, files)
    again = [name for name, why in found.unread.items() if why == "failed" or name in chosen]
    again += [name for name in chosen if name in files]
    starts = {**found.starts, **dict.fromkeys(again, 0)}
    parts: list[Part] = []
    for name in in_order(starts):
        text = await text_at(house, project_id, files[name])
        parts += _parts(name, files[name], text, starts[name])
    return parts, without(found.unread, starts)


async def files_at(house: House, checkpoint_id: str) -> Manifest:
    """The files at a checkpoint; none where there is no such checkpoint."""
    found = await house.store.snapshot(checkpoint_id) if checkpoint_id else None
    return found.files if found is not None else {}


async def text_at(house: House, project_id: str, sha256: str) -> str:
    """A text of the history. One that is no text in UTF-8 says nothing to a scribe. Raises `StorageFailed`
    when the history has lost it."""
    content = await manuscripts_of(house).object(project_id, sha256)
    if content is None:
        raise StorageFailed("object_missing", f"The history has lost the text {sha256}.")
    try:
        return content.decode()
    except UnicodeDecodeError:
        return ""


async def part_text(house: House, project_id: str, part: Part) -> str:
    return (await text_at(house, project_id, part.sha256))[part.start : part.end]


def _parts(name: str, sha256: str, text: str, start: int) -> Iterator[Part]:
    for piece in in_pieces(text[start:], PART_CHARS):
        if not is_blank(piece):
            yield Part(name, sha256, start, start + len(piece))
        start += len(piece)


def _moved(known: Cared, told: Edited) -> dict[str, Omission]:
    """What was left unread, under the names of now."""
    names = dict(told.renamed)
    return {names.get(name, name): why for name, why in known.unread.items()}
