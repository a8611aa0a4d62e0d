"""Who wrote what of a chapter, read off its history; apart from comparing, which knows two texts alone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from huaben.domain.checkpoint import CheckpointAuthor
from huaben.domain.hands import Stretch, hands, versions_of
from huaben.services.house import House
from huaben.services.writing.chapters import read_chapter
from huaben.services.writing.room import manuscripts_of

MAX_VERSIONS = 60
"""How far back the history is read; what is older counts as its author's of that time."""


@dataclass(frozen=True, slots=True)
class Authorship:
    """The stretches of a chapter whose text has this hash."""

    hash: str
    stretches: tuple[Stretch, ...]


async def authorship(house: House, project_id: str, name: str) -> Authorship:
    """Tell who wrote what of a chapter as it is now. What no checkpoint holds yet is the user's. Raises as
    `read_chapter`."""
    chapter = await read_chapter(house, project_id, name)
    records = await house.store.checkpoints(project_id)
    home = manuscripts_of(house)
    texts: list[tuple[str, CheckpointAuthor]] = []
    for version in versions_of(records, chapter.name, MAX_VERSIONS):
        content = await home.object(project_id, version.hash)
        # A version that is no text says nothing of words.
        if content is not None and (text := _decoded(content)) is not None:
            texts.append((text, version.author))
    if not texts or texts[-1][0] != chapter.text:
        texts.append((chapter.text, "user"))
    return Authorship(chapter.hash, await asyncio.to_thread(hands, texts))


def _decoded(content: bytes) -> str | None:
    try:
        return content.decode()
    except UnicodeDecodeError:
        return None
