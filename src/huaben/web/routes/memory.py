"""What a story remembers: notes listed and searched, and the user's own hand in them."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.domain.notes import NoteSource
from huaben.services import notekeeping, notes_shown
from huaben.services.house import House
from huaben.services.notekeeping import Held, Wish, held
from huaben.services.notes_shown import Look
from huaben.web import shapes
from huaben.web.given import HouseGiven, Id, PageGiven
from huaben.web.schemas import PageOf
from huaben.web.schemas_memory import (
    MemoryTold,
    NoteChanged,
    NoteHeld,
    NoteVersionTold,
    NoteWanted,
    ProposalAnswered,
)
from huaben.web.tags import IfMatch, tag_of, version_in

router = APIRouter(prefix="/api", tags=["memory"])

At: TypeAlias = Annotated[
    str | None, Query(max_length=100, description="A turn; where the story stands if left out.")
]


@router.get("/projects/{project_id}/memory", response_model=MemoryTold)
async def show_memory(
    house: HouseGiven,
    project_id: Id,
    page: PageGiven,
    q: Annotated[
        str, Query(max_length=1000, description="What to look for, in ranked order.")
    ] = "",
    source: NoteSource | None = None,
    at: At = None,
    removed: Annotated[
        bool, Query(description="What was removed, instead of what is there.")
    ] = False,
) -> JSONResponse:
    """The notes in force at a node of the story, with how each source stands and what is proposed."""
    look = Look(at, source, removed)
    if q.strip():
        shelf = await notes_shown.search_memory(house, project_id, q, look)
    else:
        shelf = await notes_shown.list_memory(house, project_id, look, page)
    return JSONResponse(notes_shown.shelf_json(shelf))


@router.post("/projects/{project_id}/memory", status_code=201, response_model=NoteHeld)
async def add_note(house: HouseGiven, project_id: Id, wanted: NoteWanted) -> JSONResponse:
    """Keep a note of your own."""
    note = await notekeeping.add_note(house, project_id, wanted.text, wanted.title, wanted.at)
    return await _told(house, note.id, wanted.at, status=201)


@router.get("/memory/{note_id}", response_model=NoteHeld)
async def show_note(house: HouseGiven, note_id: Id, at: At = None) -> JSONResponse:
    """A note as it is in force, removed or not. A card's resident summary belongs to no story, so
    that `at` has to name a turn of one."""
    return await _told(house, note_id, at)


@router.patch("/memory/{note_id}", response_model=NoteHeld)
async def change_note(
    house: HouseGiven, note_id: Id, wanted: NoteChanged, at: At = None, if_match: IfMatch = None
) -> JSONResponse:
    """Another version of a note: its words, locked against models, removed or brought back. `If-Match`
    names the version that was changed."""
    found = await held(house, note_id, at)
    wish = Wish(wanted.title, wanted.text, wanted.locked, wanted.removed)
    await notekeeping.change_note(house, found, wish, version_in(if_match))
    return await _told(house, note_id, at)


@router.delete("/memory/{note_id}", response_model=NoteHeld)
async def remove_note(
    house: HouseGiven, note_id: Id, at: At = None, if_match: IfMatch = None
) -> JSONResponse:
    """Remove a note, from here on; its versions stay, and it can be brought back."""
    found = await held(house, note_id, at)
    await notekeeping.change_note(house, found, Wish(removed=True), version_in(if_match))
    return await _told(house, note_id, at)


@router.get("/memory/{note_id}/versions", response_model=PageOf[NoteVersionTold])
async def list_versions(
    house: HouseGiven, note_id: Id, page: PageGiven, at: At = None
) -> JSONResponse:
    """The versions of a note, the newest first, each with what it changed."""
    found = await held(house, note_id, at)
    shown, following = await notes_shown.versions_of(house, found, page)
    return JSONResponse(shapes.page(shown, following, notes_shown.version_json))


@router.post("/memory/{note_id}/proposed", response_model=NoteHeld)
async def answer_proposal(
    house: HouseGiven,
    note_id: Id,
    answered: ProposalAnswered,
    at: At = None,
    if_match: IfMatch = None,
) -> JSONResponse:
    """Agree to what a model proposed of a note, or keep it as it is. `If-Match` names the proposed
    version."""
    found = await held(house, note_id, at)
    version = version_in(if_match)
    await notekeeping.answer_proposal(house, found, version, agree=answered.agree)
    return await _told(house, note_id, at)


async def _told(house: House, note_id: str, at: str | None, *, status: int = 200) -> JSONResponse:
    found: Held = await held(house, note_id, at)
    headers = tag_of(found.note.version)
    if status == 201:
        headers["location"] = f"/api/memory/{note_id}"
    return JSONResponse(notes_shown.held_json(found), status, headers=headers)
