"""Pictures of personas: taken in within limits, shown, taken away, brought along from a former home; apart
from the personas' words, which are small and have no bytes of their own.

A picture is an object whose name stands in the persona's content, so that versions, backups and the audit
know it. Its bytes are kept as they came.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

from huaben.domain.jsonvalue import JsonObject
from huaben.domain.libraryitem import StoredItem
from huaben.errors import NotFound
from huaben.formats.personas import of_json, to_json
from huaben.ports import Page
from huaben.services.house import House
from huaben.services.items import change_item, load_item
from huaben.services.persona_files import check_picture

KIND: Final = "picture"
"""What an import calls one."""


@dataclass(frozen=True, slots=True)
class Given:
    """What became of a picture that came without its persona: the first persona that is known by it,
    None for none, and whether it had a picture before."""

    persona: StoredItem | None
    already: bool = False


async def put_picture(house: House, item_id: str, content: bytes, revision: int) -> StoredItem:
    """The persona with this picture, a version beside the former ones. Raises `NotFound`,
    `Conflict("stale")`, otherwise as `check_picture`."""
    item = await load_item(house, "persona", item_id)
    await asyncio.to_thread(check_picture, content)
    kept = await house.objects.put(content)
    return await _with_picture(house, item, kept, revision)


async def remove_picture(house: House, item_id: str, revision: int) -> StoredItem:
    """The persona without a picture. Raises `NotFound`, `Conflict("stale")`."""
    item = await load_item(house, "persona", item_id)
    return await _with_picture(house, item, "", revision)


async def picture_name(house: House, item_id: str) -> str:
    """The object that holds a persona's picture, also of one in the trash, for stories keep it. Raises
    `NotFound` for one without a picture."""
    item = await house.store.item(item_id)
    if item is None or item.user_id != house.user_id or item.kind != "persona":
        raise NotFound.of("persona", item_id)
    found = name_in(item)
    if not found:
        raise NotFound("persona_without_picture", f"The persona {item.name} has no picture.")
    return found


def name_in(item: StoredItem) -> str:
    """The object of a persona's picture by its name; empty for none."""
    found = item.content.get("picture")
    return found if isinstance(found, str) else ""


async def give_by_avatar(house: House, avatar: str, content: bytes) -> Given:
    """Give a picture of a former home to the personas that it knew by that file name, unless they have
    one. Raises as `check_picture`, `Conflict("stale")`."""
    known = [item async for item in _known_by(house, avatar)]
    without = [item for item in known if not name_in(item)]
    if not without:
        return Given(known[0] if known else None, already=True)
    await asyncio.to_thread(check_picture, content)
    kept = await house.objects.put(content)
    given = [await _with_picture(house, item, kept, item.revision) for item in without]
    return Given(given[0])


async def _known_by(house: House, avatar: str) -> AsyncIterator[StoredItem]:
    after: str | None = None
    while avatar:
        found, after = await house.store.items(house.user_id, "persona", Page(after, 200))
        for item in found:
            if not item.broken and item.content.get("avatar") == avatar:
                yield item
        if after is None:
            return


async def _with_picture(house: House, item: StoredItem, kept: str, revision: int) -> StoredItem:
    told = of_json(cast("JsonObject", item.content))  # stored JSON
    changed = replace(told, persona=replace(told.persona, picture=kept))
    content = cast("Mapping[str, object]", to_json(changed))  # JSON is less than any object
    return await change_item(house, item, revision, name=item.name, content=content)
