"""Texts as they arrive in a story, after the regex scripts that change what is stored: the user's words, a
reply that is sealed, a text that the user edits. Apart from playing, which only asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from huaben.domain.project import Project
from huaben.domain.scripts import Passage, Placement, Script
from huaben.domain.story import Turn
from huaben.domain.text import is_blank
from huaben.services.expanding import Expander, seed_of
from huaben.services.house import House
from huaben.services.presets_worn import worn_by
from huaben.services.scripts import in_force
from huaben.services.scripts_run import ORIGINAL, Arrived, on_arrival
from huaben.services.stories import load_project, load_view


async def words_arrived(house: House, project: Project, text: str) -> Arrived:
    """The user's words as they are stored; as they were typed they stay in a notice."""
    return await _arrived(house, project, text, "user")


async def reply_arrived(house: House, turn: Turn, text: str) -> Arrived:
    """The final text of a turn as it is stored; the draft keeps every version before it."""
    project = await load_project(house, turn.project_id)
    arrived = await _arrived(house, project, text, "reply")
    notices = tuple(one for one in arrived.notices if one.code != ORIGINAL)
    return replace(arrived, notices=notices)


async def edit_arrived(house: House, project: Project, text: str) -> Arrived:
    """A final text that the user changed, after those scripts alone that ask for edits."""
    return await _arrived(house, project, text, "reply", edited=True)


async def as_typed(house: House, turn: Turn) -> str:
    """The words of a turn as the user typed them."""
    view = await load_view(house, turn.id)
    kept = (notice.detail for notice in view.notices if notice.code == ORIGINAL)
    return next(kept, turn.user_text)


async def _arrived(
    house: House, project: Project, text: str, placement: Placement, *, edited: bool = False
) -> Arrived:
    card = await house.shelf.card(project.card_id, project.user_id) if project.card_id else None
    scripts = _acting(await in_force(house, project, card))
    if not scripts:
        return Arrived(text)
    worn = await worn_by(house, project)
    passage = Passage(text, placement, seed=seed_of(f"{project.id}/{text}"), edited=edited)
    done = await on_arrival(house, scripts, passage, Expander(worn.project, card))
    if is_blank(done.text):
        # A turn cannot be without words; what would have emptied it is named.
        notices = [replace(one, code="scripts_emptied") for one in done.notices[:-1]]
        return Arrived(text, tuple(notices))
    return done


def _acting(scripts: Sequence[Script]) -> list[Script]:
    return [script for script in scripts if script.is_for("stored")]
