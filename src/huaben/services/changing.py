"""Changing what a project is made of: title, lorebooks, persona, scenario, card version. Apart from
founding, because a story may be under way; what is told stays told, and the next turn names whatever
of its prefix has moved (`prefix`)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from huaben.domain.dressing import Dressing
from huaben.domain.events import ProjectEvent
from huaben.domain.project import Persona, Project
from huaben.errors import BadInput
from huaben.formats.scenario import flat
from huaben.ports import Commit, Key, Stale
from huaben.services.beginning import scenario_for
from huaben.services.casting import load_cast
from huaben.services.house import House
from huaben.services.personas_founding import other_persona
from huaben.services.stories import load_project, stale


@dataclass(frozen=True, slots=True)
class Change:
    """What to change; None leaves a thing as it is. An empty title takes the card's name. The order
    of the lorebooks is their precedence. `persona` is one of its own, or the id of one of the
    library."""

    title: str | None = None
    lorebook_ids: tuple[str, ...] | None = None
    persona: Persona | str | None = None
    scenario: str | None = None
    card_id: str | None = None


async def change_project(house: House, project_id: str, revision: int, change: Change) -> Project:
    """The project with the change. `revision` is the one that the user saw. Raises `NotFound` also
    for a card, lorebook or scenario that is not there, `Conflict("stale")`."""
    before = await load_project(house, project_id)
    after, worn = await _changed(house, before, change)
    cast = await load_cast(house, after)  # all of it must be there before the project says so
    if change.title is not None and not after.title:
        after = replace(after, title=cast.card.called if cast.card else before.title)
    expected: dict[Key, int] = {("project", project_id): revision}
    if worn is not None:
        expected["dressing", project_id] = worn.revision
    done = await house.store.commit(
        Commit(
            expected=expected,
            rows=(after, *([worn] if worn else [])),
            project_events=((project_id, ProjectEvent("project_changed")),),
        )
    )
    if isinstance(done, Stale):
        raise stale(done)
    return replace(after, revision=done.revisions[("project", project_id)])


async def _changed(
    house: House, before: Project, change: Change
) -> tuple[Project, Dressing | None]:
    after, worn = before, None
    if change.title is not None:
        after = replace(after, title=change.title.strip())
    if change.lorebook_ids is not None:
        after = replace(after, lorebook_ids=tuple(dict.fromkeys(change.lorebook_ids)))
    if change.persona is not None:
        after, worn = await other_persona(house, after, change.persona)
    if change.scenario is not None:
        after = replace(after, config=flat(scenario_for(house, change.scenario)))
    if change.card_id is not None:
        await _check_card(house, change.card_id)
        after = replace(after, card_id=change.card_id)
    return after, worn


async def _check_card(house: House, card_id: str) -> None:
    """A story cannot go over to a card in the trash; one that it has already stays readable."""
    stored = await house.store.card(card_id)
    if stored is not None and stored.deleted:
        raise BadInput("card_in_trash", f"The card {stored.name} is in the trash.", "Restore it.")
