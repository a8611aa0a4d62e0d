"""Presets, personas, regex scripts and quick replies on their way out by `huaben export`; apart from `export`
because a card or lorebook of the same name comes first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from huaben.cli.failing import Told
from huaben.cli.presets import ID_PREFIX, all_items
from huaben.cli.shelves import find_thing
from huaben.cli.speaking import one_line, voice

if TYPE_CHECKING:
    from huaben.domain.libraryitem import ItemKind, StoredItem
    from huaben.domain.project import StoredBook, StoredCard
    from huaben.services.exporting import File
    from huaben.services.house import House

ITEM_FORMS: Mapping[str, ItemKind] = {
    "preset": "preset",
    "persona": "persona",
    "scripts": "scripts",
    "quick-replies": "quick_replies",
}


async def item_file(house: House, named: str, form: str) -> File:
    """The one item of that kind as a file. Raises `Told` (`item_not_found`, `ambiguous_name`)."""
    kind = ITEM_FORMS[form]
    found = await _meant(house, named, (kind,))
    if not found:
        say = voice().say
        message = say("wear.missing", kind=say(f"trash.{kind}"), name=one_line(named))
        raise Told("item_not_found", message)
    return await _file(house, found, named)


async def thing_or_item(house: House, named: str) -> StoredCard | StoredBook | File:
    """A card or lorebook; where no such thing has the name, the item that has it, as a file. Raises `Told`
    (`thing_not_found`, `ambiguous_name`)."""
    try:
        return await find_thing(house, named)
    except Told as told:
        if told.code != "thing_not_found":
            raise
        found = await _meant(house, named, tuple(ITEM_FORMS.values()))
        if not found:
            raise
        return await _file(house, found, named)


async def _meant(house: House, named: str, kinds: tuple[ItemKind, ...]) -> list[StoredItem]:
    wanted = named.strip().casefold()
    found = [
        item
        for kind in kinds
        async for item in all_items(house, kind)
        if item.name.casefold() == wanted
        or (len(wanted) >= ID_PREFIX and item.id.startswith(wanted))
    ]
    return [item for item in found if item.id == wanted] or found


async def _file(house: House, found: list[StoredItem], named: str) -> File:
    from huaben.services.items import export_item

    if len(found) > 1:
        say = voice().say
        listed = "; ".join(f"{item.id} ({say(f'trash.{item.kind}')})" for item in found[:8])
        message = say("library.ambiguous", name=one_line(named), things=listed)
        raise Told("ambiguous_name", message, say("library.ambiguous_hint"))
    return await export_item(house, found[0].kind, found[0].id)
