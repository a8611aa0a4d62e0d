"""What a new story wears, and what becomes of that when its persona is changed; apart from founding and
changing, which make the commit that it goes into."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.domain.card import Card
from huaben.domain.dressing import Dressing
from huaben.domain.libraryitem import StoredItem
from huaben.domain.project import Persona, Project
from huaben.services.house import House
from huaben.services.items import load_item
from huaben.services.personas import book_named, persona_for, persona_of
from huaben.services.presets import read_preset
from huaben.services.presets_worn import dressing_of


@dataclass(frozen=True, slots=True)
class Wish:
    """What a new story is to wear; with no persona of its own it takes the one that is linked to its
    card, or the default one."""

    preset_id: str | None = None
    persona_id: str | None = None
    own: bool = False


async def first_dressing(
    house: House, project: Project, card: Card, wish: Wish
) -> tuple[Project, Dressing | None]:
    """The project with the persona that it begins with, and what it wears; None for nothing. Raises
    `NotFound`, `BadInput("template_not_used")`."""
    if wish.preset_id is not None:
        read_preset(await load_item(house, "preset", wish.preset_id))
    item: StoredItem | None = None
    if wish.persona_id is not None:
        item = await load_item(house, "persona", wish.persona_id)
    elif not wish.own and project.card_id is not None:
        stored = await house.store.card(project.card_id)
        item = await persona_for(house, project.card_id, card, stored.filename if stored else "")
    if item is not None:
        project = await with_persona(house, project, item)
    if item is None and wish.preset_id is None:
        return project, None
    return project, Dressing(project.id, wish.preset_id, None if item is None else item.id)


async def with_persona(house: House, project: Project, item: StoredItem) -> Project:
    """The project with that persona as its own, and with the lorebook that goes with it."""
    saved = persona_of(item)
    book = await book_named(house, saved.lorebook)
    books = (*project.lorebook_ids, book) if book else project.lorebook_ids
    return replace(
        project,
        persona=Persona(saved.name, saved.description),
        lorebook_ids=tuple(dict.fromkeys(books)),
    )


async def other_persona(
    house: House, project: Project, persona: Persona | str
) -> tuple[Project, Dressing | None]:
    """The project with another persona: one of the library by its id, or one of its own, which takes
    the other off. The dressing to write, None where it stays. Raises `NotFound`."""
    worn = await dressing_of(house, project.id)
    if isinstance(persona, str):
        item = await load_item(house, "persona", persona)
        return await with_persona(house, project, item), replace(worn, persona_id=item.id)
    changed = replace(project, persona=persona)
    return changed, replace(worn, persona_id=None) if worn.persona_id is not None else None
