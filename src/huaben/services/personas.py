"""Personas of the library: made, changed, put on in a story, by hand or because a card or the user's usual one
asks for it. Apart from the project's own, which is a name and a text."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import cast

from huaben.domain.card import Card
from huaben.domain.dressing import Dressing
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.libraryitem import StoredItem
from huaben.domain.persona import MAX_CHARS, MAX_NAME, SavedPersona
from huaben.errors import BadInput
from huaben.formats.personas import Kept, of_json, to_json
from huaben.ports import Commit, Key, Page, Row, Stale
from huaben.services import cardwriting
from huaben.services.house import House
from huaben.services.items import FoundItem, add_item, change_item, load_item
from huaben.services.presets_worn import dressing_of
from huaben.services.stories import load_project, stale

_NO_REPORT: Mapping[str, object] = {"kept": [], "changed": [], "dropped": [], "warnings": []}


@dataclass(frozen=True, slots=True)
class PutOn:
    """A story as it wears a persona now; `lorebook` is the id of the one that came along, `missing`
    the name of one that is not in the library."""

    dressing: Dressing
    lorebook: str = ""
    missing: str = ""


def persona_of(item: StoredItem) -> SavedPersona:
    return of_json(cast("JsonObject", item.content)).persona  # stored JSON


async def make_persona(house: House, persona: SavedPersona) -> StoredItem:
    """Raises `BadInput` (`unnamed`, `too_long`)."""
    content = _content(_checked(persona), {})
    return await add_item(house, FoundItem("persona", persona.name.strip(), content, _NO_REPORT))


async def change_persona(
    house: House, item_id: str, persona: SavedPersona, revision: int
) -> StoredItem:
    """The persona with other words, a version beside the former ones. Stories that wear it go on
    with it as it is now. Raises `NotFound`, `Conflict("stale")`, otherwise as `make_persona`."""
    item = await load_item(house, "persona", item_id)
    kept = of_json(cast("JsonObject", item.content))  # stored JSON
    persona = replace(persona, picture=kept.persona.picture)
    content = _content(_checked(persona), kept.extra)
    return await change_item(house, item, revision, name=persona.name, content=content)


async def put_on_persona(
    house: House, project_id: str, persona_id: str | None, revision: int | None = None
) -> PutOn:
    """Let a story wear a persona of the library, or its own again. The lorebook that goes with the
    persona is attached to the story. Raises `NotFound`, `Conflict("stale")`."""
    project = await load_project(house, project_id)
    worn = await dressing_of(house, project_id)
    seen = worn.revision if revision is None else revision
    changed = replace(worn, persona_id=persona_id, revision=seen)
    book, missing = "", ""
    if persona_id is not None:
        persona = persona_of(await load_item(house, "persona", persona_id))
        book = await book_named(house, persona.lorebook)
        missing = persona.lorebook if persona.lorebook.strip() and not book else ""
    rows: tuple[Row, ...] = (changed,)
    expected: dict[Key, int] = {("dressing", project_id): seen}
    if book and book not in project.lorebook_ids:
        rows = (changed, replace(project, lorebook_ids=(*project.lorebook_ids, book)))
        expected["project", project_id] = project.revision
    done = await house.store.commit(Commit(expected=expected, rows=rows))
    if isinstance(done, Stale):
        raise stale(done)
    after = replace(changed, revision=done.revisions[("dressing", project_id)])
    return PutOn(after, book, missing)


async def persona_for(house: House, card_id: str, card: Card, filename: str) -> StoredItem | None:
    """The persona that a new story on a card begins with: one that is linked to it or to a version
    before it, else the default one, else none."""
    default: StoredItem | None = None
    versions = {one.id for one in await cardwriting.versions(house, card_id)}
    names = {*versions, *_file_names(filename), *_file_names(f"{card.name}.png")}
    async for item in all_personas(house):
        persona = persona_of(item)
        if any(link.kind == "character" and link.id in names for link in persona.links):
            return item
        if persona.default and default is None:
            default = item
    return default


async def persona_by_avatar(house: House, avatar: str) -> StoredItem | None:
    """The persona that its former home knew by that file name, as a chat's metadata name it."""
    async for item in all_personas(house):
        if avatar and persona_of(item).avatar == avatar:
            return item
    return None


async def all_personas(house: House) -> AsyncIterator[StoredItem]:
    """Every persona of the library, newest first."""
    after: str | None = None
    while True:
        found, after = await house.store.items(house.user_id, "persona", Page(after, 200))
        for item in found:
            if not item.broken:
                yield item
        if after is None:
            return


def _file_names(filename: str) -> tuple[str, str]:
    """A card's file as personas name it: by its picture."""
    stem = filename.rpartition(".")[0] or filename
    return (filename, f"{stem}.png")


def _checked(persona: SavedPersona) -> SavedPersona:
    if not persona.name.strip():
        raise BadInput("unnamed", "A persona needs a name.")
    if len(persona.name) > MAX_NAME or len(persona.description) > MAX_CHARS:
        limits = f"{MAX_NAME} characters of name and {MAX_CHARS:,} of description"
        raise BadInput("too_long", f"A persona may have {limits}.")
    return persona


def _content(persona: SavedPersona, extra: JsonObject) -> Mapping[str, object]:
    return cast("Mapping[str, object]", to_json(Kept(persona, extra)))  # JSON is less


async def book_named(house: House, name: str) -> str:
    """The lorebook of that name; of several the newest."""
    wanted = name.strip().removesuffix(".json").casefold()
    after: str | None = None
    while wanted:
        books, after = await house.store.lorebooks(house.user_id, Page(after, 200))
        for book in books:
            if book.name.strip().removesuffix(".json").casefold() == wanted and not book.broken:
                return book.id
        if after is None:
            break
    return ""
