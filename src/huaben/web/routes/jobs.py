"""Background jobs: what waits, what runs, what came of it."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben.services import chores
from huaben.services.chores import JobShown
from huaben.web import schemas, schemas_jobs, shapes
from huaben.web.given import HouseGiven, PageGiven

router = APIRouter(prefix="/api/jobs", tags=["jobs"])


@router.get("", response_model=schemas.PageOf[schemas_jobs.JobTold])
async def list_jobs(house: HouseGiven, page: PageGiven) -> JSONResponse:
    """All background jobs, newest first, those that are over too."""
    jobs, following = await chores.list_jobs(house, page)
    return JSONResponse(shapes.page(jobs, following, _told))


def _told(job: JobShown) -> dict[str, object]:
    return {
        "id": job.id,
        "kind": job.kind,
        "state": job.state,
        "outcome": job.outcome,
        "made_at": job.made_at,
        "done": job.done,
        "total": job.total,
    }
