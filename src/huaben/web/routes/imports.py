"""Many files at once: one resumable job with a report on each."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import JSONResponse

from huaben.config import Settings
from huaben.ports import DueJob
from huaben.services import chores, importing, importing_again
from huaben.services.house import House
from huaben.web import schemas, schemas_jobs, shapes
from huaben.web.arriving import arriving
from huaben.web.given import HouseGiven, Id, PageGiven

router = APIRouter(prefix="/api/imports", tags=["library"])

_FILES = {"type": "array", "items": {"type": "string", "format": "binary"}}
_FORM: dict[str, object] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {"type": "object", "properties": {"files": _FILES}, "required": ["files"]}
            }
        },
    }
}


@router.post("", status_code=202, response_model=schemas_jobs.ImportTold, openapi_extra=_FORM)
async def begin_import(request: Request, house: HouseGiven) -> JSONResponse:
    """Store many files and import them in the background, cards and lorebooks told by their content.
    When this answers, the files are durable and their import goes on after any interruption."""
    settings: Settings = request.app.state.settings
    limit = settings.max_upload_mb * 1024 * 1024
    uploads = arriving(request.stream(), request.headers.get("content-type", ""), limit)
    import_id = await importing.begin(house, uploads)
    job = await importing.load_import(house, import_id)
    place = f"/api/imports/{import_id}"
    return JSONResponse(await _told(house, job), 202, headers={"location": place})


@router.get("", response_model=schemas.PageOf[schemas_jobs.ImportTold])
async def list_imports(house: HouseGiven, page: PageGiven) -> JSONResponse:
    """All imports, newest first."""
    jobs, following = await importing.list_imports(house, page)
    told = [await _told(house, job) for job in jobs]
    return JSONResponse({"items": told, "next": following})


@router.get("/{import_id}", response_model=schemas_jobs.ImportShown)
async def show_import(house: HouseGiven, import_id: Id, page: PageGiven) -> JSONResponse:
    """How far an import has come, and what became of each file, in the order of the files."""
    job = await importing.load_import(house, import_id)
    items, following = await importing.items(house, job, page)
    counts = asdict(await importing.tally(house, job))
    shown = shapes.page(items, following, _item)
    return JSONResponse({**await _told(house, job), **counts, **shown})


@router.post("/{import_id}/items/{n}/bare", response_model=schemas_jobs.ImportItem)
async def take_bare(
    house: HouseGiven, import_id: Id, n: Annotated[int, Path(ge=0, lt=importing.MAX_FILES)]
) -> JSONResponse:
    """Bring in a chat that was refused as `no_card_for_chat`, with a card of its character's name alone.
    The import tells of it as brought in from then on; its turns come in the background."""
    job = await importing.load_import(house, import_id)
    return JSONResponse(_item(await importing_again.take_bare(house, job, n)))


async def _told(house: House, job: DueJob) -> dict[str, object]:
    shown = await chores.show_job(house, job)
    return {
        "id": importing.id_of(job),
        "state": shown.state,
        "outcome": shown.outcome,
        "made_at": shown.made_at,
        "done": shown.done,
        "total": shown.total or 0,
    }


def _item(item: importing.Item) -> dict[str, object]:
    return {
        "n": item.n,
        "file": item.file,
        "fate": item.fate,
        "kind": item.kind or None,
        "id": item.id or None,
        "name": item.name or None,
        "code": item.code or None,
        "message": item.message or None,
        "report": item.report,
    }
