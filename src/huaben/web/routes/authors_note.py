"""What a story wears: its author's note, its preset, its persona."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.domain.dressing import AuthorsNote, Dressing
from huaben.services.notes_author import read_note, write_note
from huaben.services.personas import put_on_persona
from huaben.services.presets import choose_preset
from huaben.web import schemas_items
from huaben.web.given import HouseGiven, Id

router = APIRouter(prefix="/api/projects/{project_id}", tags=["projects"])


@router.get("/note", response_model=schemas_items.NoteTold)
async def show_note(house: HouseGiven, project_id: Id) -> JSONResponse:
    """The author's note; an empty one where there is none."""
    return JSONResponse(_note(await read_note(house, project_id)))


@router.put("/note", response_model=schemas_items.NoteTold)
async def change_note(
    house: HouseGiven, project_id: Id, given: schemas_items.NoteGiven
) -> JSONResponse:
    """Put a note in the place of the one with that revision, from the next turn on."""
    note = AuthorsNote(given.text, given.interval, given.depth, given.place, given.role)
    return JSONResponse(_note(await write_note(house, project_id, note, given.revision)))


@router.get("/dressing", response_model=schemas_items.DressingTold)
async def show_dressing(house: HouseGiven, project_id: Id) -> JSONResponse:
    """The preset and the persona that the story wears."""
    return JSONResponse(_worn(await read_note(house, project_id)))


@router.put("/dressing", response_model=schemas_items.DressingTold)
async def change_dressing(
    house: HouseGiven, project_id: Id, given: schemas_items.DressingGiven
) -> JSONResponse:
    """Put a preset or a persona on, or take it off, from the next turn on. The persona's lorebook comes
    along."""
    worn = await read_note(house, project_id)
    revision, told = given.revision, {}
    if "preset_id" in given.model_fields_set:
        worn = await choose_preset(house, project_id, given.preset_id, revision)
        revision = worn.revision
    if "persona_id" in given.model_fields_set:
        done = await put_on_persona(house, project_id, given.persona_id, revision)
        worn = done.dressing
        told = {"lorebook": done.lorebook or None, "lorebook_missing": done.missing or None}
    return JSONResponse({**_worn(worn), **told})


def _note(worn: Dressing) -> dict[str, object]:
    note = worn.note
    return {
        "text": note.text,
        "interval": note.interval,
        "depth": note.depth,
        "place": note.place,
        "role": note.role,
        "revision": worn.revision,
    }


def _worn(worn: Dressing) -> dict[str, object]:
    return {
        "preset_id": worn.preset_id,
        "persona_id": worn.persona_id,
        "revision": worn.revision,
    }
