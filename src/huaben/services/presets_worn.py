"""What a story is dressed with, read for one turn: preset, persona, author's note; apart from laying it over
the prompt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast

from huaben.domain.dressing import NO_NOTE, AuthorsNote, Dressing
from huaben.domain.jsonvalue import JsonObject
from huaben.domain.messages import Sampling
from huaben.domain.persona import SavedPersona
from huaben.domain.preset import Preset
from huaben.domain.project import Persona, Project
from huaben.formats.personas import of_json
from huaben.formats.presets.file import PresetFile
from huaben.formats.presets.read import read_value
from huaben.ports import Commit, Stale
from huaben.services.house import House
from huaben.services.stories import stale

STAGE_TAKES_NOT = ("max_tokens", "stop")
"""Samplers that would cut a draft in the middle of a tool call."""


@dataclass(frozen=True, slots=True)
class Worn:
    """`project` has the persona in force in place of its own; `persona` is that of the library, with
    where it wants to stand."""

    project: Project
    note: AuthorsNote = NO_NOTE
    preset: Preset | None = None
    persona: SavedPersona | None = None

    def usual(self, *, on_stage: bool) -> Sampling:
        """The preset's samplers, which all others go before."""
        if self.preset is None:
            return Sampling()
        sampling = self.preset.sampling
        return replace(sampling, max_tokens=None, stop=()) if on_stage else sampling

    def prefill(self, *, on_stage: bool) -> str:
        """How a reply is to begin; a draft sheet takes no beginning."""
        return "" if self.preset is None or on_stage else self.preset.texts.prefill


async def worn_by(house: House, project: Project) -> Worn:
    """What the project wears. An item in the trash is still worn; one that is gone is not."""
    dressing = await house.store.dressing(project.id)
    if dressing is None:
        return Worn(project)
    persona = await worn_persona(house, dressing)
    if persona is not None:
        project = replace(project, persona=Persona(persona.name, persona.description))
    return Worn(project, dressing.note, await worn_preset(house, dressing), persona)


async def worn_preset(house: House, dressing: Dressing) -> Preset | None:
    if dressing.preset_id is None:
        return None
    item = await house.store.item(dressing.preset_id)
    if item is None or item.kind != "preset":
        return None
    # What the store gives back is the JSON that was put in.
    file = read_value(cast("JsonObject", item.content), item.name)
    return file.preset if isinstance(file, PresetFile) else None


async def worn_persona(house: House, dressing: Dressing) -> SavedPersona | None:
    if dressing.persona_id is None:
        return None
    item = await house.store.item(dressing.persona_id)
    if item is None or item.kind != "persona":
        return None
    return of_json(cast("JsonObject", item.content)).persona  # as above


async def dressing_of(house: House, project_id: str) -> Dressing:
    """What a project wears, as it is kept; with revision 0 where it never was dressed."""
    return await house.store.dressing(project_id) or Dressing(project_id)


async def put_on(house: House, dressing: Dressing) -> Dressing:
    """Replace what a project wears at the revision inside. Raises `Conflict("stale")`."""
    key = ("dressing", dressing.project_id)
    done = await house.store.commit(Commit(expected={key: dressing.revision}, rows=(dressing,)))
    if isinstance(done, Stale):
        raise stale(done)
    return replace(dressing, revision=done.revisions[key])
