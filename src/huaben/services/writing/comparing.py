"""Two texts of a project compared by words: drafts, final texts and chapters under one way of naming
them, so that a page shows every difference alike."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from huaben.domain.worddiff import WordSpan, diff_words
from huaben.errors import BadInput, NotFound
from huaben.services.house import House
from huaben.services.past import text_in_force
from huaben.services.stories import Story, load_story, load_turn, load_view
from huaben.services.writing.chapters import no_chapter, read_chapter, text_of
from huaben.services.writing.history import changed_between, load_checkpoint
from huaben.services.writing.room import load_manuscript, manuscripts_of

REFERENCES = """
`draft:TURN:VERSION` is a version of the draft of a turn (0: the empty one); `final:TURN` its final text
in force at the head and `final:TURN:VERSION` an earlier version of that on the present path;
`revision:TURN` the text that a turn of status `revised` carries, on whatever branch. `chapter:NAME` is a
chapter as it is now, `chapter:NAME@CHECKPOINT` as it was at a checkpoint, `object:SHA256` any text of the
manuscript's history, such as the `files` of a tool's effect name. `checkpoint:ID` on both sides compares
whole manuscripts: the answer then has `files`.
"""
"""What `from` and `to` may be."""
MAX_COMPARED: Final = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Compared:
    """Two texts and the spans between them."""

    old: str
    new: str
    spans: tuple[WordSpan, ...]


@dataclass(frozen=True, slots=True)
class FileCompared:
    """A file that differs between two checkpoints: its names there, None where it is not. `texts` is None
    where they cannot be shown."""

    was: str | None
    name: str | None
    texts: Compared | None


async def compare(house: House, project_id: str, old: str, new: str) -> Compared:
    """Compare what two references name (`REFERENCES`). Raises `BadInput("bad_reference")` and
    `NotFound`."""
    story = await load_story(house, project_id)
    before, after = await _text(house, story, old), await _text(house, story, new)
    return await compare_texts(before, after)


async def compare_texts(old: str, new: str) -> Compared:
    """The difference of two texts, found in a thread: long chapters take a moment."""
    return Compared(old, new, await asyncio.to_thread(diff_words, old, new))


def spans_json(spans: tuple[WordSpan, ...]) -> list[Mapping[str, object]]:
    """Spans as answers have them."""
    return [
        {"kind": one.kind, "from": [one.start, one.end], "to": [one.new_start, one.new_end]}
        for one in spans
    ]


async def _text(house: House, story: Story, reference: str) -> str:
    kind, _, rest = reference.partition(":")
    match kind, rest.split(":"):
        case "draft", [turn_id, version] if _is_number(version):
            return await _draft(house, story, turn_id, int(version))
        case "final", [turn_id] if turn_id:
            return await _final(house, story, turn_id, None)
        case "final", [turn_id, version] if _is_number(version):
            return await _final(house, story, turn_id, int(version))
        case "revision", [turn_id]:
            return await _revision(house, story, turn_id)
        case "chapter", _ if rest:
            return await _chapter(house, story.project.id, rest)
        case "object", [sha256]:
            return await _object(house, story.project.id, sha256, sha256)
        case _:
            raise BadInput(
                "bad_reference",
                f"{reference} names no text.",
                "A reference is, for example, final:TURN, draft:TURN:2 or chapter:NAME.",
            )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


async def _draft(house: House, story: Story, turn_id: str, version: int) -> str:
    await _check_turn(house, story, turn_id)
    found = (await load_view(house, turn_id)).version(version)
    if found is None:
        raise NotFound("version_not_found", f"The draft has no version {version}.")
    return found.text


async def _final(house: House, story: Story, turn_id: str, version: int | None) -> str:
    """The final text at a version: the turn's own, or one that a node of the present path made."""
    await _check_turn(house, story, turn_id)
    path = story.tree.path(story.head.turn_id)
    revising = [node for node in path if node.revises and node.revises[0] == turn_id]
    turns = await house.store.turns([turn_id, *(node.id for node in revising)])
    if version is None:
        return text_in_force(turns, story.tree.in_force(story.head.turn_id), turn_id).text
    if turns[turn_id].version == version:
        return turns[turn_id].final_text
    for node in reversed(revising):
        revision = turns[node.id].revises
        if revision is not None and revision.version == version:
            return revision.text
    raise NotFound("version_not_found", f"The final text has no version {version} on this path.")


async def _revision(house: House, story: Story, turn_id: str) -> str:
    await _check_turn(house, story, turn_id)
    revision = (await load_turn(house, turn_id)).revises
    if revision is None:
        raise NotFound("revision_not_found", "The turn revises no text.")
    return revision.text


async def _check_turn(house: House, story: Story, turn_id: str) -> None:
    """A turn of another project is no turn of this one."""
    if turn_id not in story.tree:
        raise NotFound.of("turn", turn_id)
    await load_turn(house, turn_id)


# ---- chapters ----------------------------------------------------------------------------------


async def _chapter(house: House, project_id: str, named: str) -> str:
    """A chapter as it is now, or with `@` and a checkpoint as it was there."""
    name, at, checkpoint_id = named.rpartition("@")
    if not at:
        return (await read_chapter(house, project_id, named)).text
    snapshot = await load_checkpoint(house, project_id, checkpoint_id)
    sha256 = snapshot.files.get(name)
    if sha256 is None:
        raise no_chapter(name)
    return await _object(house, project_id, sha256, name)


async def _object(house: House, project_id: str, sha256: str, name: str) -> str:
    await load_manuscript(house, project_id)
    content = await manuscripts_of(house).object(project_id, sha256)
    if content is None:
        raise NotFound("object_not_found", f"The history holds no text {sha256}.")
    return text_of(name, content, sha256)


async def compare_checkpoints(
    house: House, project_id: str, old: str, new: str
) -> list[FileCompared]:
    """How every file differs between two checkpoints, in order. Files that are no text, and those beyond
    `MAX_COMPARED` bytes in all, are named without spans."""
    before = await load_checkpoint(house, project_id, old)
    after = await load_checkpoint(house, project_id, new)
    changed = changed_between(before, after)
    pairs: list[tuple[str | None, str | None]] = [
        *((None, name) for name in changed.added),
        *((name, name) for name in changed.modified),
        *changed.renamed,
        *((name, None) for name in changed.removed),
    ]
    home, left = manuscripts_of(house), MAX_COMPARED
    found: list[FileCompared] = []
    for was, name in sorted(pairs, key=lambda pair: pair[1] or pair[0] or ""):
        sides: list[bytes] = []
        for files, key in ((before.files, was), (after.files, name)):
            content = await home.object(project_id, files[key]) if key else b""
            sides.append(content or b"")
        left -= sum(map(len, sides))
        found.append(await _file_compared(was, name, sides if left >= 0 else None))
    return found


async def _file_compared(
    was: str | None, name: str | None, sides: Sequence[bytes] | None
) -> FileCompared:
    if sides is None:
        return FileCompared(was, name, None)
    try:
        old, new = (side.decode() for side in sides)
    except UnicodeDecodeError:
        return FileCompared(was, name, None)
    return FileCompared(was, name, await compare_texts(old, new))
