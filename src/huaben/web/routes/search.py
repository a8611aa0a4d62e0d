"""Finding words in a whole story, which a page shows only in part."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import JSONResponse

from huaben.services.searching import found_json, search_story
from huaben.web import shapes
from huaben.web.given import HouseGiven, Id, PageGiven
from huaben.web.schemas_search import FoundPage

router = APIRouter(prefix="/api/projects/{project_id}", tags=["story"])

_ABOUT = """What to find: pieces parted by white space, each of which must stand in the text as it is,
whatever its case and width; a word from its beginning on."""


@router.get("/search", response_model=FoundPage)
async def search(
    house: HouseGiven,
    project_id: Id,
    page: PageGiven,
    q: Annotated[str, Query(min_length=1, max_length=1000, description=_ABOUT)],
) -> JSONResponse:
    """Where the story, on all its branches, holds the words; the newest turns first."""
    story, found, following = await search_story(house, project_id, q, page)
    body = shapes.page(found, following, found_json)
    return JSONResponse({"head": story.head.turn_id, **body})
