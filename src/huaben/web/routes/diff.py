"""How two texts of a project differ, word by word."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.services.writing.comparing import (
    REFERENCES,
    FileCompared,
    compare,
    compare_checkpoints,
    spans_json,
)
from huaben.web.given import HouseGiven, Id
from huaben.web.schemas_writing import DiffTold

router = APIRouter(prefix="/api/projects/{project_id}", tags=["story"])

_CHECKPOINT = "checkpoint:"


def _named(which: str) -> str:
    return f"The {which} text. {REFERENCES.strip()}"


@router.get("/diff", response_model=DiffTold)
async def diff(
    house: HouseGiven,
    project_id: Id,
    old: Annotated[str, Query(alias="from", max_length=500, description=_named("earlier"))],
    new: Annotated[str, Query(alias="to", max_length=500, description=_named("later"))],
) -> JSONResponse:
    """What was kept, deleted and inserted between two texts, by words: single characters where a script
    has no spaces, never half a grapheme cluster."""
    ids = [ref.removeprefix(_CHECKPOINT) for ref in (old, new) if ref.startswith(_CHECKPOINT)]
    if len(ids) == 2:
        files = await compare_checkpoints(house, project_id, *ids)
        sides = {"from": {"ref": old, "text": ""}, "to": {"ref": new, "text": ""}}
        return JSONResponse({**sides, "spans": [], "files": [_file(one) for one in files]})
    found = await compare(house, project_id, old, new)
    return JSONResponse(
        {
            "from": {"ref": old, "text": found.old},
            "to": {"ref": new, "text": found.new},
            "spans": spans_json(found.spans),
        }
    )


def _file(one: FileCompared) -> dict[str, object]:
    texts = one.texts
    return {
        "was": one.was,
        "name": one.name,
        "from": None if texts is None else texts.old,
        "to": None if texts is None else texts.new,
        "spans": None if texts is None else spans_json(texts.spans),
    }
