"""The story of a project: its tree, the path to its head, and new words at its end."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.services import playing
from huaben.services.scripts_shown import displayed_path
from huaben.services.stories import load_story
from huaben.services.viewing import node_json, path_json, show_path
from huaben.web import bodies, schemas, shapes
from huaben.web.given import CompanyGiven, HouseGiven, Id

router = APIRouter(prefix="/api/projects/{project_id}", tags=["story"])

NODES = 2000
"""Nodes on one page of the tree; a skeleton node is about 200 bytes."""


@router.get("/tree", response_model=schemas.TreePage)
async def show_tree(
    house: HouseGiven,
    project_id: Id,
    after: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int, Query(ge=1, le=NODES)] = NODES,
) -> JSONResponse:
    """The session tree without its words, oldest nodes first."""
    story = await load_story(house, project_id)
    nodes = story.tree.nodes
    ids = sorted(node_id for node_id in nodes if after is None or node_id > after)
    shown = ids[:limit]
    following = shown[-1] if len(ids) > len(shown) else None
    body = shapes.page((nodes[i] for i in shown), following, node_json)
    return JSONResponse({"head": story.head.turn_id, **body})


@router.get("/turns", response_model=schemas.PathPage)
async def show_turns(
    house: HouseGiven,
    project_id: Id,
    before: Annotated[str | None, Query(max_length=100)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> JSONResponse:
    """The path to the head with its texts in force: its end first, then what lies `before` it."""
    story, entries, following = await show_path(house, project_id, before=before, limit=limit)
    shown = await displayed_path(house, story, entries)
    body = shapes.page(entries, following, lambda entry: shown.beside(path_json(entry)))
    return JSONResponse({"head": story.head.turn_id, **body, **shown.told_off()})


@router.post("/turns", status_code=202, response_model=schemas.TurnBegun)
async def post_turn(
    house: HouseGiven, company: CompanyGiven, project_id: Id, said: bodies.WordsSaid
) -> JSONResponse:
    """Say something. The words are durable when this answers; then the turn runs, or is queued."""
    words = playing.Words(said.text, said.parent, said.request_id)
    turn = await playing.post_turn(house, company, project_id, words)
    place = {"location": f"/api/turns/{turn.id}"}
    return JSONResponse(shapes.begun(turn), 202, headers=place)
