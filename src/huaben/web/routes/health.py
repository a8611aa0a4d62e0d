"""Whether the server lives, and whether it can work."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import JSONResponse

from huaben import __version__
from huaben.errors import NoConnection
from huaben.ports import Page
from huaben.services.house import House
from huaben.web import schemas
from huaben.web.given import CompanyGiven, HouseGiven

router = APIRouter(prefix="/api", tags=["health"])


@router.get("/health", response_model=schemas.Health)
async def health() -> JSONResponse:
    """The server answers."""
    return JSONResponse({"status": "ok", "version": __version__})


@router.get("/ready", response_model=schemas.Readiness)
async def ready(house: HouseGiven, company: CompanyGiven) -> JSONResponse:
    """The stored stories can be read; a problem when they cannot. Says whether a model is
    connected: without one everything but new turns works."""
    await house.store.projects(house.user_id, Page(limit=1))
    name = connected_model(house)
    return JSONResponse(
        {
            "status": "ready",
            "version": __version__,
            "model": {"connected": name is not None, "name": name or ""},
            "running": len(company.running),
        }
    )


def connected_model(house: House) -> str | None:
    """The name of the model that tells stories, or None."""
    try:
        origin = house.models.for_role("story").origin
    except NoConnection:
        return None
    return origin.rpartition("@")[0]
