"""The history of a manuscript: a timeline of checkpoints, named, made by hand, restored."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.domain.checkpoint import Snapshot
from huaben.errors import Conflict
from huaben.services import branching
from huaben.services.house import House
from huaben.services.stories import load_story
from huaben.services.writing import history
from huaben.services.writing.history import checkpoint_json
from huaben.services.writing.restoring import restore_files
from huaben.web import schemas_writing as schemas
from huaben.web import shapes
from huaben.web.bodies_writing import CheckpointNamed, CheckpointWanted, RestoreWanted
from huaben.web.given import HouseGiven, Id, PageGiven

router = APIRouter(prefix="/api/projects/{project_id}/checkpoints", tags=["writing"])

Files: TypeAlias = Annotated[
    bool,
    Query(description="Without them `files` is empty: of a thousand chapters they are most of it."),
]


@router.get("", response_model=schemas.CheckpointPage)
async def list_checkpoints(
    house: HouseGiven, project_id: Id, page: PageGiven, files: Files = True
) -> JSONResponse:
    """The timeline, newest first. What was edited by hand is noticed on the way."""
    found, following = await history.list_checkpoints(house, project_id, page.after, page.limit)
    shown = found if files else [replace(one, files={}) for one in found]
    return JSONResponse(shapes.page(shown, following, checkpoint_json))


@router.post("", status_code=201, response_model=schemas.CheckpointTold)
async def make_checkpoint(
    house: HouseGiven, project_id: Id, wanted: CheckpointWanted | None = None
) -> JSONResponse:
    """Make a checkpoint by hand, also of a manuscript that has not changed."""
    made = await history.make_checkpoint(house, project_id, wanted.name if wanted else "")
    return _told(made, 201)


@router.get("/{checkpoint_id}", response_model=schemas.CheckpointTold)
async def show_checkpoint(house: HouseGiven, project_id: Id, checkpoint_id: Id) -> JSONResponse:
    """One checkpoint."""
    return _told(await history.load_checkpoint(house, project_id, checkpoint_id))


@router.patch("/{checkpoint_id}", response_model=schemas.CheckpointTold)
async def name_checkpoint(
    house: HouseGiven, project_id: Id, checkpoint_id: Id, given: CheckpointNamed
) -> JSONResponse:
    """Give a checkpoint a name, or take it away."""
    return _told(await history.name_checkpoint(house, project_id, checkpoint_id, given.name))


@router.get("/{checkpoint_id}/compare/{other_id}", response_model=schemas.Comparison)
async def compare(
    house: HouseGiven, project_id: Id, checkpoint_id: Id, other_id: Id
) -> JSONResponse:
    """Which files differ between two checkpoints; `diff` tells how."""
    old = await history.load_checkpoint(house, project_id, checkpoint_id)
    new = await history.load_checkpoint(house, project_id, other_id)
    changed = history.changed_json(history.changed_between(old, new))
    return JSONResponse({"from": checkpoint_id, "to": other_id, "changed": changed})


@router.post("/{checkpoint_id}/restore", response_model=schemas.Restored)
async def restore(
    house: HouseGiven, project_id: Id, checkpoint_id: Id, wanted: RestoreWanted
) -> JSONResponse:
    """Go back: the files to what they were at the checkpoint, or files and discussion to before its turn.
    Edits by hand get a checkpoint of their own first; restoring is a checkpoint itself."""
    text = ""
    if wanted.scope == "files":
        await restore_files(house, project_id, checkpoint_id)
    else:
        turn = _turn_of(await history.load_checkpoint(house, project_id, checkpoint_id))
        text = (await branching.undo_from(house, project_id, turn, force=wanted.force)).words
    return JSONResponse(await _standing(house, project_id, text))


def _turn_of(found: Snapshot) -> str:
    turn = found.checkpoint.turn
    if turn is None:
        raise Conflict(
            "not_a_turn",
            "The checkpoint is the user's own; there is no turn to take back.",
            "Restore its files instead.",
        )
    return turn


async def _standing(house: House, project_id: str, text: str) -> dict[str, object]:
    last = await house.store.latest_snapshot(project_id)
    head = (await load_story(house, project_id)).head.turn_id
    return {
        "checkpoint": checkpoint_json(last) if last else None,
        "head": head,
        "text": text,
    }


def _told(snapshot: Snapshot, status: int = 200) -> JSONResponse:
    return JSONResponse(checkpoint_json(snapshot), status)
