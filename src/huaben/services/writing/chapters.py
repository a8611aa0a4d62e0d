"""The user's own verbs on chapters: list, read, save, delete, rename. Each is recorded before it is
answered, so that nothing that was saved can be lost to a later change."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias
from unicodedata import normalize

from huaben.domain.checkpoint import FileChange
from huaben.domain.manuscript import NameFault, name_fault, title_of, twin_of
from huaben.errors import (
    BadInput,
    Conflict,
    NotFound,
    PreconditionFailed,
)
from huaben.ports.manuscripts import Found
from huaben.services.house import House
from huaben.services.writing.recording import Made, Standing, notice, rewrite
from huaben.services.writing.room import desk_lock, load_manuscript, manuscripts_of

Expected: TypeAlias = str | Literal["new"] | None
"""What the user saw: a hash, `new` for a chapter that must not be there yet, None for nothing."""

_FAULTS: Mapping[NameFault, str] = {
    "not_markdown": "it must end in .md",
    "no_title": "there is nothing before .md, or a space at its end",
    "hidden": "it must not begin with a dot",
    "outside": "a chapter lies in the manuscript's own folder, so its name has no slash",
    "forbidden_character": 'it has a character that some systems forbid (< > : " | ? * or a control)',
    "reserved": "some systems keep that name for themselves",
    "not_normalized": "its accents are not in the composed form (NFC)",
    "too_long": "it is too long",
}


@dataclass(frozen=True, slots=True)
class ChapterText:
    """A chapter with its text; `hash` is that of its bytes."""

    name: str
    text: str
    hash: str


async def list_chapters(house: House, project_id: str) -> Standing:
    """What the manuscript holds; edits by hand are noticed on the way. Raises `Conflict`
    (`no_manuscript`, `manuscript_gone`)."""
    project = await load_manuscript(house, project_id)
    async with desk_lock(house, project_id):
        return await notice(house, project)


async def read_chapter(house: House, project_id: str, name: str) -> ChapterText:
    """Raises `NotFound("chapter_not_found")`, and `Conflict("not_utf8")` for a chapter that is no text,
    with its hash."""
    await load_manuscript(house, project_id)
    home = manuscripts_of(house)
    found = await home.look(project_id)
    known = _stored_name(found, name)
    content = await home.read(project_id, known) if known else None
    if known is None or content is None:
        raise no_chapter(name)
    sha256 = hashlib.sha256(content).hexdigest()
    return ChapterText(known, text_of(known, content, sha256), sha256)


async def save_chapter(
    house: House, project_id: str, name: str, text: str, expected: Expected
) -> ChapterText:
    """Write a chapter, exactly the bytes of the text in UTF-8. `expected` is the hash that the user saw,
    or `new`.

    Raises `PreconditionFailed` without it, and when the chapter is another one now or there already, `BadInput` for a name that no chapter may have, `Conflict("name_taken")` for one that
    differs from another's only by case.
    """
    project = await load_manuscript(house, project_id)
    content = encoded(text)
    async with desk_lock(house, project_id):
        standing = await notice(house, project, with_work=True)
        before = _checked(standing, name, expected)
        after = await manuscripts_of(house).keep(project_id, content)
        if after != before:
            await rewrite(house, standing, {name: FileChange(before, after)}, Made("saved"))
        return ChapterText(name, text, after)


async def delete_chapter(house: House, project_id: str, name: str, expected: Expected) -> None:
    """Take a chapter out of the manuscript; its history keeps it. Raises as `save_chapter`."""
    project = await load_manuscript(house, project_id)
    async with desk_lock(house, project_id):
        standing = await notice(house, project, with_work=True)
        if standing.found.chapter(name) is None:
            raise no_chapter(name)
        before = _checked(standing, name, expected)
        await rewrite(house, standing, {name: FileChange(before, None)}, Made("saved"))


async def rename_chapter(
    house: House, project_id: str, name: str, new_name: str, expected: Expected
) -> ChapterText:
    """Give a chapter another name, which may be the same in another case. Raises as `save_chapter`."""
    project = await load_manuscript(house, project_id)
    async with desk_lock(house, project_id):
        standing = await notice(house, project, with_work=True)
        if standing.found.chapter(name) is None:
            raise no_chapter(name)
        before = _checked(standing, name, expected)
        check_new_name(standing.found, new_name, instead_of=name)
        if new_name != name:
            steps = {name: FileChange(before, None), new_name: FileChange(None, before)}
            await rewrite(house, standing, steps, Made("saved"))
    return await read_chapter(house, project_id, new_name)


# ---- names and texts ---------------------------------------------------------------------------


def check_new_name(found: Found, name: str, *, instead_of: str | None = None) -> None:
    """Raises `BadInput("bad_chapter_name")`, or `Conflict("name_taken")` for the name of another chapter
    or one that some system could not tell from it."""
    fault = name_fault(name)
    if fault is not None:
        raise BadInput(
            "bad_chapter_name",
            f"{name!r} cannot be the name of a chapter: {_FAULTS[fault]}.",
            "For example: 001-rain.md",
            reason=fault,
        )
    others = [chapter.name for chapter in found.chapters if chapter.name != instead_of]
    aside = [one.name for one in found.left_out]
    names = [*others, *aside]
    taken = name if name in names else twin_of(name, names)
    if taken is not None:
        what = "something else that is called" if taken in aside else "a chapter"
        raise Conflict("name_taken", f"There is {what} {taken}.", "Choose another name.")


def encoded(text: str) -> bytes:
    """The bytes of a chapter. Raises `BadInput("not_text")` for half a character."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise BadInput("not_text", "The text holds half of a character.") from None


def text_of(name: str, content: bytes, sha256: str) -> str:
    """The text of a chapter. Raises `Conflict("not_utf8")`."""
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Conflict(
            "not_utf8",
            f"{name} is not text in UTF-8; its bytes are kept as they are.",
            "Save it as UTF-8 in an editor, or import it.",
            hash=sha256,
        ) from None


def no_chapter(name: str) -> NotFound:
    return NotFound("chapter_not_found", f"There is no chapter {name}.")


def chapters_json(standing: Standing) -> dict[str, object]:
    """The list of chapters as answers have it."""
    return {
        "items": [
            {
                "name": one.name,
                "title": title_of(one.name),
                "hash": one.hash,
                "bytes": one.size,
                "chars": one.chars,
                "changed_at": one.changed_at,
            }
            for one in standing.found.chapters
        ],
        "left_out": [{"name": one.name, "reason": one.reason} for one in standing.found.left_out],
        "checkpoint": standing.last.checkpoint.id if standing.last else None,
    }


def _stored_name(found: Found, name: str) -> str | None:
    """The chapter that is meant: the one of that name, or of the same name in another normal form, as some
    systems store it."""
    if found.chapter(name) is not None:
        return name
    composed = normalize("NFC", name)
    return next((c.name for c in found.chapters if normalize("NFC", c.name) == composed), None)


def _checked(standing: Standing, name: str, expected: Expected) -> str | None:
    """The hash of the chapter as it is now, None for a new one, once what the user saw is checked."""
    chapter = standing.found.chapter(name)
    if expected is None:
        raise PreconditionFailed(
            "hash_required",
            "Name the hash that you changed (If-Match), or If-None-Match: * for a new chapter.",
        )
    if expected == "new":
        if chapter is not None:
            raise PreconditionFailed(
                "chapter_exists", f"There is a chapter {name} already.", hash=chapter.hash
            )
        check_new_name(standing.found, name)
        return None
    if chapter is None or chapter.hash != expected:
        raise PreconditionFailed(
            "chapter_changed",
            f"{name} has changed since you read it." if chapter else f"{name} is gone.",
            "Look at the present text and change that.",
            hash=chapter.hash if chapter else None,
        )
    return chapter.hash
