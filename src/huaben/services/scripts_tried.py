"""Trying regex scripts on a text, before there is a turn to see them in; apart from running them in a story,
which asks for consent."""

from __future__ import annotations

from huaben.domain.scriptrun import Run
from huaben.domain.scripts import Moment, Passage, Placement, ordered
from huaben.services.expanding import Expander
from huaben.services.house import House
from huaben.services.presets_worn import worn_by
from huaben.services.scripts import sets_in
from huaben.services.scripts_run import run_scripts
from huaben.services.stories import load_project


async def try_scripts(
    house: House, project_id: str, text: str, placement: Placement, moment: Moment
) -> Run:
    """What the scripts of a story make of a text at that moment, those that wait for consent
    included: seeing what they would do is how one decides. Raises `NotFound`."""
    worn = await worn_by(house, await load_project(house, project_id))
    project = worn.project
    card = await house.shelf.card(project.card_id, house.user_id) if project.card_id else None
    sets = await sets_in(house, project, card)
    scripts = ordered(script for one in sets if one.state != "off" for script in one.scripts)
    passage = Passage(text, placement)
    return await run_scripts(house, scripts, moment, [passage], Expander(project, card))
